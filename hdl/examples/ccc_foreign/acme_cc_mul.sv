// Unsigned multiplier, shift and add, one bit of b per clock; done early when no ones remain in b.
//
// go for one clock with a and b; done for one clock, 2 to 34 clocks later, with p; p stays until
// the next go. Reset empties it.
module acme_cc_mul (
  input  logic        clk,
  input  logic        arst,
  input  logic        go,
  input  logic [63:0] a,
  input  logic [31:0] b,
  output logic        done,
  output logic [95:0] p
);
  logic        busy;
  logic [95:0] addend;
  logic [31:0] left;

  always_ff @(posedge clk or posedge arst) begin
    if (arst) begin
      busy   <= 1'b0;
      done   <= 1'b0;
      addend <= 96'd0;
      left   <= 32'd0;
      p      <= 96'd0;
    end else begin
      done <= 1'b0;
      if (go) begin
        busy   <= 1'b1;
        addend <= {32'd0, a};
        left   <= b;
        p      <= 96'd0;
      end else if (busy) begin
        if (left == 32'd0) begin
          busy <= 1'b0;
          done <= 1'b1;
        end
        if (left[0]) begin
          p <= p + addend;
        end
        addend <= {addend[94:0], 1'b0};
        left   <= {1'b0, left[31:1]};
      end
    end
  end
endmodule
