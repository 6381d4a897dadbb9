// gw_in_fifo: the words come out as they went in, each once; ready exactly while fewer than two are held.
`include "prove.svh"
module prove_in_fifo (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       enable_i,
  input logic       valid_i,
  input logic [3:0] data_i,
  input logic       pop_i,
  input logic       pick_i
);
  logic       ready;
  logic       head_valid;
  logic [3:0] head;

  gw_in_fifo #(.Width(4)) dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enable_i    (enable_i),
    .valid_i     (valid_i),
    .ready_o     (ready),
    .data_i      (data_i),
    .head_valid_o(head_valid),
    .head_o      (head),
    .pop_i       (pop_i)
  );

  logic       started_q = 1'b0;
  logic [1:0] held_q;
  logic       follow_q;
  logic       ahead_q;
  logic [3:0] word_q;
  logic       accept;

  assign accept = valid_i & ready;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) begin
      held_q   <= '0;
      follow_q <= 1'b0;
    end else begin
      held_q <= held_q + {1'b0, accept} - {1'b0, pop_i};
      if (!follow_q && accept && pick_i) begin
        follow_q <= 1'b1;
        word_q   <= data_i;
        ahead_q  <= (held_q - {1'b0, pop_i}) != '0;
      end else if (follow_q && pop_i) begin
        ahead_q <= 1'b0;
        if (!ahead_q) follow_q <= 1'b0;
      end
    end
  end

  always_comb begin
    `ASSUME(started_q || !rst_ni);
    `ASSUME(!pop_i || head_valid);
    `PROVE(rst_ni || !ready);
    `PROVE(rst_ni || !head_valid);
    if (started_q && rst_ni) begin
      `PROVE(held_q <= 2'd2);
      `PROVE(ready == (enable_i && held_q < 2'd2));
      `PROVE(head_valid == (held_q != '0));
      `PROVE(!follow_q || ahead_q || (head_valid && head == word_q));
      `REACH(held_q == 2'd2 && follow_q && ahead_q);
      `REACH(accept && pop_i && held_q == 2'd1);
      `REACH(follow_q && !ahead_q && pop_i);
    end
  end
endmodule
