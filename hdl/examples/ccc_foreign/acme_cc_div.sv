// Unsigned restoring divider, one quotient bit per clock: q = floor(n / d), its low 48 bits.
//
// go for one clock with n and d (d not 0); done for one clock, 65 clocks later, with q; q stays
// until the next go. Reset empties it.
module acme_cc_div (
  input  logic        clk,
  input  logic        arst,
  input  logic        go,
  input  logic [63:0] n,
  input  logic [47:0] d,
  output logic        done,
  output logic [47:0] q
);
  logic [6:0]  left;
  logic [63:0] shift;   // dividend bits still to come above, quotient bits below
  logic [47:0] divisor;
  logic [47:0] rest;
  logic [48:0] trial;
  logic [47:0] diff;
  logic        fits;

  assign trial = {rest, shift[63]};
  assign diff  = trial[47:0] - divisor;  // used when the divisor fits
  assign fits  = trial >= {1'b0, divisor};
  assign q     = shift[47:0];

  always_ff @(posedge clk or posedge arst) begin
    if (arst) begin
      left    <= 7'd0;
      done    <= 1'b0;
      shift   <= 64'd0;
      divisor <= 48'd0;
      rest    <= 48'd0;
    end else begin
      done <= left == 7'd1;
      if (go) begin
        left    <= 7'd64;
        shift   <= n;
        divisor <= d;
        rest    <= 48'd0;
      end else if (left != 7'd0) begin
        left  <= left - 7'd1;
        shift <= {shift[62:0], fits};
        rest  <= fits ? diff : trial[47:0];
      end
    end
  end
endmodule
