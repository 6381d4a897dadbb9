// nic_tx: a beat that is not taken stays, whatever comes meanwhile; beats of two packets never mix; between packets an
// answer goes first; each stream is taken exactly when its beat leaves. Beats of both streams are assumed to wait.
`include "prove.svh"
module prove_nic_tx (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         answer_valid_i,
  input ackgen_tx_t   answer_i,
  input logic         packet_valid_i,
  input logic [592:0] packet_i,
  input logic         tx_ready_i
);
  logic    answer_ready, packet_ready, tx_valid;
  nic_tx_t tx;

  nic_tx dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .answer_valid_i(answer_valid_i),
    .answer_ready_o(answer_ready),
    .answer_i      (answer_i),
    .packet_valid_i(packet_valid_i),
    .packet_ready_o(packet_ready),
    .packet_i      (packet_i),
    .tx_valid_o    (tx_valid),
    .tx_ready_i    (tx_ready_i),
    .tx_o          (tx)
  );

  logic [1:0] turn;                      // probe
  logic       started_q = 1'b0;
  logic       answer_stalled_q, packet_stalled_q, tx_stalled_q;
  logic [1:0] answer_last_q, packet_last_q;
  logic [2:0] tx_last_q;                 // a bit of data, last, answer: the other bits are copied like that of data
  logic       inside_q, of_answer_q;     // a packet has begun to leave; an answer

  always_ff @(posedge clk_i) begin
    started_q        <= 1'b1;
    answer_stalled_q <= started_q & rst_ni & answer_valid_i & ~answer_ready;
    packet_stalled_q <= started_q & rst_ni & packet_valid_i & ~packet_ready;
    tx_stalled_q     <= started_q & rst_ni & tx_valid & ~tx_ready_i;
    answer_last_q    <= {answer_i.data[0], answer_i.last};
    packet_last_q    <= {packet_i[81], packet_i[16]};
    tx_last_q        <= {tx.data[0], tx.last, tx.answer};
    if (!rst_ni)                     inside_q <= 1'b0;
    else if (tx_valid && tx_ready_i) inside_q <= ~tx.last;
    if (tx_valid && tx_ready_i)      of_answer_q <= tx.answer;
  end

  always_comb begin
    `ASSUME(started_q || !rst_ni);
    `ASSUME(rst_ni || !(answer_valid_i || packet_valid_i));
    `ASSUME(!rst_ni || !answer_stalled_q || (answer_valid_i && {answer_i.data[0], answer_i.last} == answer_last_q));
    `ASSUME(!rst_ni || !packet_stalled_q || (packet_valid_i && {packet_i[81], packet_i[16]} == packet_last_q));
    `PROVE(rst_ni || !tx_valid);
    if (started_q && rst_ni) begin
      `PROVE(turn != 2'd3);
      `PROVE(!tx_stalled_q || (tx_valid && {tx.data[0], tx.last, tx.answer} == tx_last_q));
      `PROVE(!inside_q || !tx_valid || tx.answer == of_answer_q);
      `PROVE(inside_q || tx_stalled_q || !answer_valid_i || (tx_valid && tx.answer));
      `PROVE(inside_q || tx_valid || !packet_valid_i);
      `PROVE({answer_valid_i && answer_ready, packet_valid_i && packet_ready} ==
             {tx_valid && tx_ready_i && tx.answer, tx_valid && tx_ready_i && !tx.answer});
      `PROVE(!tx_valid || tx.last == (tx.answer ? answer_i.last : packet_i[16]));
      `REACH(tx_stalled_q && inside_q && of_answer_q && packet_valid_i);
      `REACH(tx_stalled_q && inside_q && !of_answer_q && answer_valid_i);
    end
  end
endmodule
