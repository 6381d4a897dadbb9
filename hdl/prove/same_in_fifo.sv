// gw_in_fifo with a fault: enabled from the end of the sweep to the next reset, popped only when a word is held.
`include "prove.svh"
module same_in_fifo (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       enable_i,
  input logic       valid_i,
  input logic [1:0] data_i,
  input logic       pop_i
);
  logic       started_q = 1'b0;
  logic       enabled_q;
  logic       ready_a;
  logic       ready_b;
  logic       held_a;
  logic       held_b;
  logic [1:0] head_a;
  logic [1:0] head_b;

  gw_in_fifo #(.Width(2)) u_a (
    .clk_i(clk_i), .rst_ni(rst_ni), .enable_i(enable_i), .valid_i(valid_i), .ready_o(ready_a), .data_i(data_i),
    .head_valid_o(held_a), .head_o(head_a), .pop_i(pop_i)
  );

  gw_in_fifo_planted #(.Width(2)) u_b (
    .clk_i(clk_i), .rst_ni(rst_ni), .enable_i(enable_i), .valid_i(valid_i), .ready_o(ready_b), .data_i(data_i),
    .head_valid_o(held_b), .head_o(head_b), .pop_i(pop_i)
  );

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    enabled_q <= rst_ni & enable_i;
  end

  always_comb begin
    `ASSUME(started_q || !rst_ni);
    `ASSUME(rst_ni || !enable_i);
    `ASSUME(!started_q || !rst_ni || !enabled_q || enable_i);
    `ASSUME(!pop_i || held_a);
    if (started_q) begin
      `PROVE(ready_a == ready_b);
      `PROVE(held_a == held_b);
      `PROVE(!held_a || head_a == head_b);
      `REACH(held_a && !ready_a && enable_i);
      `REACH(held_a && pop_i && valid_i && ready_a);
      `REACH(rst_ni && !enable_i && valid_i);
    end
  end
endmodule
