// nic: on every output stream a word that is not taken stays as it is, and valid stays with it; nothing is ready or valid
// in a reset; a packet at tx is whole. At most one command is out: at one part, in one FIFO, or as the reply that waits.
// No FIFO is given more than it has rows for. The five blocks inside are cut away: what is assumed of them, that their
// words wait, that nothing of theirs is valid or ready in a reset and that each response has its command, is proven of
// them.
`include "prove.svh"
module prove_ports_nic #(
  parameter int ActW = txpdc_pkg::ACT_W
) (
  input logic     clk_i,
  input logic     rst_ni,
  input logic     rx_valid_i,
  input nic_rx_t  rx_i,
  input logic     cmd_valid_i,
  input nic_cmd_t cmd_i,
  input logic     tx_ready_i,
  input logic     ind_ready_i,
  input logic     note_ready_i,
  input logic     rsp_ready_i
);
  localparam int EntryW = ActW + 36;

  logic      rx_ready, cmd_ready, tx_valid, ind_valid, note_valid, rsp_valid;
  nic_tx_t   tx;
  nic_ind_t  ind;
  nic_note_t note;
  nic_rsp_t  rsp;

  nic #(.Contexts(2), .Receives(4)) dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .rx_valid_i  (rx_valid_i),
    .rx_ready_o  (rx_ready),
    .rx_i        (rx_i),
    .cmd_valid_i (cmd_valid_i),
    .cmd_ready_o (cmd_ready),
    .cmd_i       (cmd_i),
    .tx_valid_o  (tx_valid),
    .tx_ready_i  (tx_ready_i),
    .tx_o        (tx),
    .ind_valid_o (ind_valid),
    .ind_ready_i (ind_ready_i),
    .ind_o       (ind),
    .note_valid_o(note_valid),
    .note_ready_i(note_ready_i),
    .note_o      (note),
    .rsp_valid_o (rsp_valid),
    .rsp_ready_i (rsp_ready_i),
    .rsp_o       (rsp)
  );

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    `ASSUME(started_q || !rst_ni);
    `PROVE(rst_ni || !(rx_ready || cmd_ready || tx_valid || ind_valid || note_valid || rsp_valid));
  end

  // ---------------------------------------------------------------- the blocks inside, and the sweep
  logic       up;                        // probes, as all that follow
  logic [2:0] edges;                     // ready of ackparse and of ackgen, a record
  logic       answer_valid, answer_ready;
  logic [ackgen_pkg::TX_W-1:0] answer;
  logic       source_valid, source_ready, source_reply;
  logic       dest_valid, dest_ready, dest_reply;
  logic       parser_valid, parser_ready, parser_reply;
  logic       up_q;
  logic       answer_stalled_q, ind_stalled_q;
  logic [2:0] answer_last_q;             // a bit of data, last and one of the tag, which stand for all
  logic       ind_last_q;
  logic [2:0] out_q;                     // a command is at txpdc, ackgen, ackparse
  logic [2:0] given, given_back;

  assign given      = {source_valid & source_ready, dest_valid & dest_ready, parser_valid & parser_ready};
  assign given_back = {source_reply, dest_reply, parser_reply};

  always_ff @(posedge clk_i) begin
    up_q             <= rst_ni & up;
    answer_stalled_q <= started_q & rst_ni & answer_valid & ~answer_ready;
    answer_last_q    <= {answer[97], answer[32], answer[0]};
    ind_stalled_q    <= started_q & rst_ni & ind_valid & ~ind_ready_i;
    ind_last_q       <= ind.tag[0];
    out_q            <= rst_ni ? (out_q & ~given_back) | given : 3'b0;
  end

  always_comb begin
    `ASSUME(rst_ni || !(up || edges != '0 || answer_valid || ind_valid || given_back != '0));
    `ASSUME(!up_q || !rst_ni || up);
    `ASSUME(!rst_ni || !answer_stalled_q || answer_valid);
    `ASSUME(!answer_stalled_q || {answer[97], answer[32], answer[0]} == answer_last_q);
    `ASSUME(!rst_ni || !ind_stalled_q || ind_valid);
    `ASSUME(!ind_stalled_q || ind.tag[0] == ind_last_q);
    `ASSUME((given_back & ~out_q) == '0);
  end

  // ---------------------------------------------------------------- FIFOs
  logic [2:0] pend_used;
  logic [1:0] pend_wptr, pend_rptr;
  logic       pend_wlap, pend_rlap;
  logic [4*(ActW+1)-1:0] pend_rows;
  logic [4:0] order_used;
  logic [3:0] order_wptr, order_rptr;
  logic       order_wlap, order_rlap;
  logic [16*EntryW-1:0] order_rows;
  logic [3:0] note_used;
  logic [2:0] note_wptr, note_rptr;
  logic       note_wlap, note_rlap;
  logic [2:0] packet_used;
  logic [1:0] packet_wptr, packet_rptr;
  logic       packet_wlap, packet_rlap;
  logic [3:0] feed_used;
  logic [3:0] feed_wptr, feed_rptr;
  logic       feed_wlap, feed_rlap;
  logic [4:0] made;                      // a beat is in stage 5 .. 1
  logic [2:0] pend_held, packet_held;
  logic [4:0] order_held, feed_held, feed_ways;
  logic [3:0] note_held;

  assign pend_held   = {pend_wlap ^ pend_rlap, pend_wptr} - {1'b0, pend_rptr};
  assign order_held  = {order_wlap ^ order_rlap, order_wptr} - {1'b0, order_rptr};
  assign note_held   = {note_wlap ^ note_rlap, note_wptr} - {1'b0, note_rptr};
  assign packet_held = {packet_wlap ^ packet_rlap, packet_wptr} - {1'b0, packet_rptr};
  assign feed_held   = {1'b0, feed_wptr} - {1'b0, feed_rptr} + ((feed_wlap ^ feed_rlap) ? 5'd12 : 5'd0);

  always_comb begin
    feed_ways = '0;
    for (int k = 0; k < 5; k++) feed_ways = feed_ways + {4'b0, made[k]};
  end

  always_comb begin
    if (started_q && rst_ni) begin
      `PROVE(pend_held <= 4 && pend_used == pend_held);
      `PROVE(order_held <= 16 && order_used == order_held);
      `PROVE(note_held <= 8 && note_used == note_held);
      `PROVE(packet_held <= 4 && packet_used == packet_held);
      `PROVE(feed_wptr < 12 && feed_rptr < 12 && feed_held <= 12);
      `PROVE({1'b0, feed_used} == feed_ways + feed_held && feed_used <= 12);
      `REACH(pend_used == 4);
      `REACH(order_used == 16);
      `REACH(packet_used == 4);
      `REACH(feed_used == 12);
    end
  end

  // ---------------------------------------------------------------- commands, rsp
  logic        one, two;                 // are held in the FIFO
  logic        out, replied, word;
  logic [15:0] index;
  logic [3:0]  addr;
  logic [31:0] rdata;                    // of the word that is read of a template
  logic [32*32-1:0] words;
  logic [4:0]  commands;
  logic        rsp_stalled_q;
  logic [3:0]  rsp_last_q;
  logic [3:0]  rsp_bits;                 // of data, refused, index, psn

  assign rsp_bits = {rsp.data[0], rsp.refused, rsp.index[0], rsp.psn[0]};

  always_comb begin
    commands = {4'b0, out_q[0]} + {4'b0, out_q[1]} + {4'b0, out_q[2]} + {4'b0, replied};
    for (int k = 0; k < 4; k++) begin
      if ((pend_wlap == pend_rlap) ? (k >= pend_rptr && k < pend_wptr) : (k >= pend_rptr || k < pend_wptr)) begin
        commands = commands + {4'b0, pend_rows[(ActW+1)*k + ActW]};
      end
    end
    for (int k = 0; k < 16; k++) begin
      if ((order_wlap == order_rlap) ? (k >= order_rptr && k < order_wptr)
                                     : (k >= order_rptr || k < order_wptr)) begin
        commands = commands + {4'b0, order_rows[EntryW*k + EntryW-1]};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    rsp_stalled_q <= started_q & rst_ni & rsp_valid & ~rsp_ready_i;
    rsp_last_q    <= rsp_bits;
  end

  always_comb begin
    if (started_q && rst_ni) begin
      `PROVE(!two || one);
      `PROVE(!(one || out) || up);
      `PROVE(commands == {4'b0, out});
      `PROVE(!replied || !word || rdata[0] == words[{index[0], addr, 5'b0}]);
      `PROVE(!rsp_stalled_q || rsp_valid);
      `PROVE(!rsp_stalled_q || rsp_bits == rsp_last_q);
      `REACH(rsp_stalled_q && word);
      `REACH(rsp_stalled_q && two);
      `REACH(out && !replied && out_q == '0 && pend_used == 0);
      `REACH(out && !replied && out_q == '0 && order_used == 0);
    end
  end

  // ---------------------------------------------------------------- note, tx
  logic [1:0] turn;
  logic       note_stalled_q, tx_stalled_q;
  logic [1:0] note_last_q;
  logic [3:0] tx_last_q;                 // a bit of data, last, one of the tag, answer
  logic       inside_q, of_answer_q;     // of a packet at tx; of which

  always_ff @(posedge clk_i) begin
    note_stalled_q <= started_q & rst_ni & note_valid & ~note_ready_i;
    note_last_q    <= {note.pdc[0], note.can_send};
    tx_stalled_q   <= started_q & rst_ni & tx_valid & ~tx_ready_i;
    tx_last_q      <= {tx.data[0], tx.last, tx.tag[0], tx.answer};
    if (!rst_ni)                     inside_q <= 1'b0;
    else if (tx_valid && tx_ready_i) inside_q <= ~tx.last;
    if (tx_valid && tx_ready_i) of_answer_q <= tx.answer;
  end

  always_comb begin
    if (started_q && rst_ni) begin
      `PROVE(!note_stalled_q || note_valid);
      `PROVE(!note_stalled_q || {note.pdc[0], note.can_send} == note_last_q);
      `PROVE(turn != 2'd3);
      `PROVE(!tx_stalled_q || tx_valid);
      `PROVE(!tx_stalled_q || {tx.data[0], tx.last, tx.tag[0], tx.answer} == tx_last_q);
      `PROVE(!tx_stalled_q || turn == (tx_last_q[0] ? 2'd1 : 2'd2));
      `PROVE(!inside_q || turn == (of_answer_q ? 2'd1 : 2'd2));
      `PROVE(!inside_q || !tx_valid || tx.answer == of_answer_q);
      `REACH(note_stalled_q && note_used == 8);
      `REACH(tx_stalled_q && inside_q && of_answer_q);
      `REACH(tx_stalled_q && inside_q && !of_answer_q && answer_valid);
    end
  end
endmodule
