// gw_delay: what goes in comes out Depth cycles later, from any contents and any pointer, with or without a reset
// before, as long as there is none on the way. Bits are copied and decide nothing: one stands for all. A pointer beyond
// the last row, where only a missing reset can leave it, needs Slack cycles to come back.
`include "prove.svh"
module prove_delay #(
  parameter int Depth = 6,
  parameter int Slack = 3
) (
  input logic clk_i,
  input logic rst_ni,
  input logic d_i
);
  logic       q;
  logic [6:0] age_q = '0;
  logic       word_q;

  gw_delay #(.Width(1), .Depth(Depth)) dut (.clk_i(clk_i), .rst_ni(rst_ni), .d_i(d_i), .q_o(q));

  always_ff @(posedge clk_i) begin
    if (age_q != '1) age_q <= age_q + 1'b1;
    if (age_q == Slack) word_q <= d_i;
  end

  always_comb begin
    `ASSUME(rst_ni || age_q < Slack);
    if (age_q == Slack + Depth) begin
      `PROVE(q == word_q);
      `REACH(word_q);
      `REACH(!word_q);
    end
  end
endmodule
