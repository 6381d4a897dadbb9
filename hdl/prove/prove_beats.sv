// gw_beat_store numbers the beats of a packet from 0 on, HeadBeats for all later, and releases a packet once: with its
// last beat, or the last of the head.
`include "prove.svh"
module prove_beats #(
  parameter int HeadBeats = 2
) (
  input logic clk_i,
  input logic rst_ni,
  input logic head_valid_i,
  input logic head_last_i,
  input logic pop_i
);
  localparam int RELEASE = 6;
  localparam int HeadLast = HeadBeats - 1;
  logic       issue;
  logic [2:0] index;
  logic       released;
  logic       avail;
  logic       last;
  logic       data;
  logic [2:0] number_q;
  logic       started_q = 1'b0;

  gw_beat_store #(.Width(1), .Rows(8), .HeadBeats(HeadBeats), .Release(RELEASE)) dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .head_valid_i(head_valid_i),
    .head_last_i (head_last_i),
    .head_data_i (1'b0),
    .issue_o     (issue),
    .index_o     (index),
    .release_o   (released),
    .avail_o     (avail),
    .last_o      (last),
    .pop_i       (pop_i),
    .data_o      (data)
  );

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni)    number_q <= '0;
    else if (issue) number_q <= head_last_i ? 3'd0 : (number_q == HeadBeats[2:0]) ? number_q : number_q + 3'd1;
  end

  always_comb begin
    `ASSUME(started_q || !rst_ni);
    `ASSUME(!pop_i || avail);
    if (started_q && rst_ni) begin
      `PROVE(index == number_q);
      `PROVE(index <= HeadBeats[2:0]);
      `PROVE(released == (issue && index != HeadBeats[2:0] && (head_last_i || index == HeadLast[2:0])));
      `REACH(released && index == 3'd0);
      `REACH(issue && index == HeadBeats[2:0] && head_last_i);
    end
  end
endmodule
