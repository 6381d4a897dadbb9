// gw_beat_store with a fault, with two head beats as in intmd, four rows and one bit of payload.
`include "prove.svh"
module same_beat_store (
  input logic clk_i,
  input logic rst_ni,
  input logic valid_i,
  input logic last_i,
  input logic data_i,
  input logic pop_i
);
  logic       started_q = 1'b0;
  logic [6:0] out_a;
  logic [6:0] out_b;
  logic       data_a;
  logic       data_b;

  gw_beat_store #(.Width(1), .Rows(4), .HeadBeats(2), .Release(4)) u_a (
    .clk_i(clk_i), .rst_ni(rst_ni), .head_valid_i(valid_i), .head_last_i(last_i), .head_data_i(data_i),
    .issue_o(out_a[6]), .index_o(out_a[5:3]), .release_o(out_a[2]), .avail_o(out_a[1]), .last_o(out_a[0]),
    .pop_i(pop_i), .data_o(data_a)
  );

  gw_beat_store_planted #(.Width(1), .Rows(4), .HeadBeats(2), .Release(4)) u_b (
    .clk_i(clk_i), .rst_ni(rst_ni), .head_valid_i(valid_i), .head_last_i(last_i), .head_data_i(data_i),
    .issue_o(out_b[6]), .index_o(out_b[5:3]), .release_o(out_b[2]), .avail_o(out_b[1]), .last_o(out_b[0]),
    .pop_i(pop_i), .data_o(data_b)
  );

  always_ff @(posedge clk_i) started_q <= 1'b1;

  // The row that is named while no beat can leave has no meaning, and the payload follows a pop alone; what pop reads is
  // the same memory, written alike.
  always_comb begin
    `ASSUME(started_q || !rst_ni);
    `ASSUME(!pop_i || out_a[1]);
    if (started_q) begin
      `PROVE(out_a[6:1] == out_b[6:1]);
      `REACH(out_a[2] && out_a[5:3] == 3'd1);
      `REACH(out_a[6] && out_a[5:3] == 3'd2);
      `REACH(pop_i);
    end
  end
endmodule
