// gw_hazard with a fault, as txstate uses it: nothing issues in the first three cycles after a reset, for the sweep has
// two rows or more and the input FIFO adds one. From then on both hold the same events back.
`include "prove.svh"
module same_hazard (
  input logic       clk_i,
  input logic       rst_ni,
  input logic [1:0] key_i,
  input logic       keyed_i,
  input logic       exclusive_i,
  input logic       issue_i
);
  logic       started_q = 1'b0;
  logic [1:0] age_q;
  logic       a;
  logic       b;

  gw_hazard #(.KeyW(2), .Stall(4)) u_a (
    .clk_i(clk_i), .rst_ni(rst_ni), .key_i(key_i), .keyed_i(keyed_i), .exclusive_i(exclusive_i), .issue_i(issue_i),
    .blocked_o(a)
  );

  gw_hazard_planted #(.KeyW(2), .Stall(4)) u_b (
    .clk_i(clk_i), .rst_ni(rst_ni), .key_i(key_i), .keyed_i(keyed_i), .exclusive_i(exclusive_i), .issue_i(issue_i),
    .blocked_o(b)
  );

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni)            age_q <= '0;
    else if (age_q != 2'd3) age_q <= age_q + 1'b1;
  end

  always_comb begin
    `ASSUME(started_q || !rst_ni);
    `ASSUME(!issue_i || (started_q && rst_ni && age_q == 2'd3));
    if (started_q && rst_ni && age_q == 2'd3) begin
      `PROVE(a == b);
      `REACH(a && !exclusive_i);
      `REACH(a && exclusive_i);
    end
  end
endmodule
