// A word of b is taken for a hundred words of a only: a's words are added up until then. A source of one global
// order over both inputs would have stopped long before.
module hungry (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       a_valid_i,
  output logic       a_ready_o,
  input  logic [7:0] a_x_i,
  input  logic       b_valid_i,
  output logic       b_ready_o,
  input  logic [7:0] b_x_i,
  output logic       y_valid_o,
  input  logic       y_ready_i,
  output logic       y_src_o,
  output logic [8:0] y_v_o
);
  logic [6:0] count_q;
  logic [7:0] sum_q;
  wire full = count_q == 7'd100;

  assign a_ready_o = rst_ni && !full;
  assign b_ready_o = rst_ni && full && (!y_valid_o || y_ready_i);
  assign y_src_o   = 1'b1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      y_valid_o <= 1'b0;
      y_v_o     <= 9'd0;
      count_q   <= 7'd0;
      sum_q     <= 8'd0;
    end else begin
      if (y_ready_i) y_valid_o <= 1'b0;
      if (a_valid_i && a_ready_o) begin
        count_q <= count_q + 7'd1;
        sum_q   <= sum_q + a_x_i;
      end
      if (b_valid_i && b_ready_o) begin
        y_valid_o <= 1'b1;
        y_v_o     <= {1'b0, sum_q} + {1'b0, b_x_i};
        count_q   <= 7'd0;
      end
    end
  end
endmodule
