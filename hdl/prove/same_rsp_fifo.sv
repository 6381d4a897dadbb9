// gw_rsp_fifo with a fault, behind credits: no word is pushed into a full one.
`include "prove.svh"
module same_rsp_fifo (
  input logic clk_i,
  input logic rst_ni,
  input logic push_i,
  input logic data_i,
  input logic ready_i
);
  logic       started_q = 1'b0;
  logic       valid_a;
  logic       valid_b;
  logic       data_a;
  logic       data_b;
  logic       take_a;
  logic       take_b;
  logic [3:0] held_q;

  gw_rsp_fifo #(.Width(1), .Rows(8)) u_a (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(push_i), .data_i(data_i), .valid_o(valid_a), .ready_i(ready_i),
    .data_o(data_a), .take_o(take_a)
  );

  gw_rsp_fifo_planted #(.Width(1), .Rows(8)) u_b (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(push_i), .data_i(data_i), .valid_o(valid_b), .ready_i(ready_i),
    .data_o(data_b), .take_o(take_b)
  );

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) held_q <= '0;
    else         held_q <= held_q + {3'b0, push_i} - {3'b0, take_a};
  end

  always_comb begin
    `ASSUME(started_q || !rst_ni);
    `ASSUME(!push_i || !started_q || held_q != 4'd8);
    if (started_q) begin
      `PROVE(valid_a == valid_b);
      `PROVE(take_a == take_b);
      `PROVE(!valid_a || data_a == data_b);
      `REACH(held_q == 4'd8);
      `REACH(take_a && push_i);
    end
  end
endmodule
