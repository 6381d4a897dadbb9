// NIC, from packets to packets: ackparse, ackgen, txpdc, txstate and ccc joined.
//
// Latency:     nic/contract.md; an answer leaves at tx in the cycle in which ackgen offers it.
// Throughput:  one beat of 64 bytes a cycle in and out; of one context a packet in the time from
//              its turn in txpdc to ccc's answer, of several what txpdc's jobs allow.
// Comb. paths: rst_ni to the ready and valid outputs; no other.
// Reset:       empty, every block inside at its reset state; ready after max(512 * Contexts,
//              Receives) cycles, in which every template becomes 0.
// Contract:    vectors/event/timing.md (ports, reset, payload), vectors/event/nic/contract.md.
module nic #(
  parameter int Contexts = 4,
  parameter int Receives = 16
) (
  input  logic      clk_i,
  input  logic      rst_ni,
  input  logic      rx_valid_i,
  output logic      rx_ready_o,
  input  nic_rx_t   rx_i,
  input  logic      cmd_valid_i,
  output logic      cmd_ready_o,
  input  nic_cmd_t  cmd_i,
  output logic      tx_valid_o,
  input  logic      tx_ready_i,
  output nic_tx_t   tx_o,
  output logic      ind_valid_o,
  input  logic      ind_ready_i,
  output nic_ind_t  ind_o,
  output logic      note_valid_o,
  input  logic      note_ready_i,
  output nic_note_t note_o,
  output logic      rsp_valid_o,
  input  logic      rsp_ready_i,
  output nic_rsp_t  rsp_o
);
  localparam int Pdcs    = nic_pkg::SLOTS * Contexts;
  localparam int Sent    = Pdcs * nic_pkg::WINDOW;
  localparam int Rows    = (Sent > Receives) ? Sent : Receives;
  localparam int RowW    = $clog2(Rows);
  localparam int CtxW    = $clog2(Contexts);
  localparam int EntryW  = 1 + 1 + 1 + 1 + 32 + txpdc_pkg::ACT_W;
  localparam int PacketW = 1 + 1 + 1 + 1 + 16 + 32 + 16 + 16;

  logic            up;
  logic [RowW-1:0] sweep_row;

  gw_sweep #(.Rows(Rows), .RowW(RowW)) u_sweep (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .done_o(up),
    .row_o (sweep_row)
  );

  // ---------------------------------------------------------------- arrivals
  logic           parse_rx_ready, gen_rx_ready;
  ackparse_rx_t   parse_rx;
  ackgen_rx_t     gen_rx;
  logic           rec_valid, rec_ready;
  ackparse_rec_t  record;
  txpdc_rec_t     rec;
  logic           parser_valid, parser_ready, parser_reply;
  ackparse_cfg_t  parser_cfg;
  ackparse_cfgr_t parser_rsp;
  logic           dest_valid, dest_ready, dest_reply;
  ackgen_cfg_t    dest_cfg;
  ackgen_cfgr_t   dest_rsp;
  logic           answer_valid, answer_ready;
  ackgen_tx_t     answer;
  ackgen_ind_t    ind;

  assign rx_ready_o = up & parse_rx_ready & gen_rx_ready;

  assign parse_rx.data = rx_i.data;
  assign parse_rx.keep = rx_i.keep;
  assign parse_rx.last = rx_i.last;
  assign parse_rx.tag  = rx_i.tag;
  assign gen_rx.data   = rx_i.data;
  assign gen_rx.keep   = rx_i.keep;
  assign gen_rx.last   = rx_i.last;
  assign gen_rx.tag    = rx_i.tag;

  ackparse u_ackparse (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .rx_valid_i  (rx_valid_i & up & gen_rx_ready),
    .rx_ready_o  (parse_rx_ready),
    .rx_i        (parse_rx),
    .cfg_valid_i (parser_valid),
    .cfg_ready_o (parser_ready),
    .cfg_i       (parser_cfg),
    .rec_valid_o (rec_valid),
    .rec_ready_i (rec_ready),
    .rec_o       (record),
    .cfgr_valid_o(parser_reply),
    .cfgr_ready_i(1'b1),
    .cfgr_o      (parser_rsp)
  );

  assign rec.pds_type     = record.pds_type;
  assign rec.entropy      = record.entropy;
  assign rec.m            = record.m;
  assign rec.retx         = record.retx;
  assign rec.probe        = record.probe;
  assign rec.psn          = record.psn;
  assign rec.ack_psn      = record.ack_psn;
  assign rec.spdcid       = record.spdcid;
  assign rec.dpdcid       = record.dpdcid;
  assign rec.nack_code    = record.nack_code;
  assign rec.cc_type      = record.cc_type;
  assign rec.mpr          = record.mpr;
  assign rec.sack_base    = record.sack_base;
  assign rec.sack_bitmap  = record.sack_bitmap;
  assign rec.service_time = record.service_time;
  assign rec.rc           = record.rc;
  assign rec.pend         = record.rcv_cwnd_pend;
  assign rec.rcvd_bytes   = record.rcvd_bytes;

  ackgen #(.Pdcs(Receives)) u_ackgen (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .rx_valid_i  (rx_valid_i & up & parse_rx_ready),
    .rx_ready_o  (gen_rx_ready),
    .rx_i        (gen_rx),
    .cfg_valid_i (dest_valid),
    .cfg_ready_o (dest_ready),
    .cfg_i       (dest_cfg),
    .tx_valid_o  (answer_valid),
    .tx_ready_i  (answer_ready),
    .tx_o        (answer),
    .ind_valid_o (ind_valid_o),
    .ind_ready_i (ind_ready_i),
    .ind_o       (ind),
    .cfgr_valid_o(dest_reply),
    .cfgr_ready_i(1'b1),
    .cfgr_o      (dest_rsp)
  );

  assign ind_o.tag       = ind.tag;
  assign ind_o.verdict   = ind.verdict;
  assign ind_o.nack_code = ind.nack_code;
  assign ind_o.pdcid     = ind.pdcid;
  assign ind_o.psn       = ind.psn;
  assign ind_o.opened    = ind.opened;
  assign ind_o.answered  = ind.answered;

  // ---------------------------------------------------------------- commands
  logic         leave;
  nic_cmd_t     cmd;
  logic         source_valid, source_ready, source_reply;
  txpdc_cmd_t   source_cmd;
  txpdc_rsp_t   source_rsp;
  logic         order_room, offer_window, window_cmd_leave, window_reply;
  ccc_ev_t      window_cmd;
  logic         pend_room, offer_time, time_leave, time_reply;
  txstate_ev_t  time_cmd;
  logic [47:0]  latest;
  logic         writer_refused, writer_word;
  logic [31:0]  writer_data, word;
  logic [15:0]  word_index;
  logic [3:0]   word_addr;
  logic         times_ev_valid, times_ev_ready, times_valid, times_ready;
  txstate_ev_t  times_ev;
  txstate_rsp_t times;
  logic         window_ev_valid, window_ev_ready, window_valid, window_ready;
  ccc_ev_t      window_ev;
  ccc_rsp_t     window;

  nic_cmd u_cmd (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .up_i            (up),
    .cmd_valid_i     (cmd_valid_i),
    .cmd_ready_o     (cmd_ready_o),
    .cmd_i           (cmd_i),
    .leave_o         (leave),
    .cmd_o           (cmd),
    .source_valid_o  (source_valid),
    .source_ready_i  (source_ready),
    .source_o        (source_cmd),
    .source_reply_i (source_reply),
    .source_rsp_i    (source_rsp),
    .dest_valid_o    (dest_valid),
    .dest_ready_i    (dest_ready),
    .dest_o          (dest_cfg),
    .dest_reply_i   (dest_reply),
    .dest_rsp_i      (dest_rsp),
    .parser_valid_o  (parser_valid),
    .parser_ready_i  (parser_ready),
    .parser_o        (parser_cfg),
    .parser_reply_i (parser_reply),
    .parser_rsp_i    (parser_rsp),
    .order_room_i    (order_room),
    .offer_window_o  (offer_window),
    .window_leave_i  (window_cmd_leave),
    .latest_i        (latest),
    .window_o        (window_cmd),
    .window_reply_i (window_reply),
    .window_rsp_i    (window),
    .pend_room_i     (pend_room),
    .offer_time_o    (offer_time),
    .time_leave_i    (time_leave),
    .time_o          (time_cmd),
    .time_reply_i   (time_reply),
    .time_rsp_i      (times),
    .writer_refused_i(writer_refused),
    .writer_data_i   (writer_data),
    .writer_word_i   (writer_word),
    .word_index_o    (word_index),
    .word_addr_o     (word_addr),
    .word_i          (word),
    .rsp_valid_o     (rsp_valid_o),
    .rsp_ready_i     (rsp_ready_i),
    .rsp_o           (rsp_o)
  );

  // ---------------------------------------------------------------- acts, join
  logic              act_valid, act_ready;
  txpdc_act_t        act;
  logic              view_valid, view_ready;
  txpdc_view_t       view;
  logic              act_ev_valid;
  ccc_ev_t           act_ev;
  logic              joined;
  logic [EntryW-1:0] entry;

  txpdc #(.Contexts(Contexts)) u_txpdc (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .cmd_valid_i (source_valid),
    .cmd_ready_o (source_ready),
    .cmd_i       (source_cmd),
    .rec_valid_i (rec_valid),
    .rec_ready_o (rec_ready),
    .rec_i       (rec),
    .view_valid_i(view_valid),
    .view_ready_o(view_ready),
    .view_i      (view),
    .act_valid_o (act_valid),
    .act_ready_i (act_ready),
    .act_o       (act),
    .rsp_valid_o (source_reply),
    .rsp_ready_i (1'b1),
    .rsp_o       (source_rsp)
  );

  nic_acts #(.EntryW(EntryW)) u_acts (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .act_valid_i      (act_valid),
    .act_ready_o      (act_ready),
    .act_i            (act),
    .pend_room_o      (pend_room),
    .offer_time_i     (offer_time),
    .time_ev_i        (time_cmd),
    .time_leave_o     (time_leave),
    .offer_window_i   (offer_window),
    .times_ev_valid_o (times_ev_valid),
    .times_ev_ready_i (times_ev_ready),
    .times_ev_o       (times_ev),
    .times_valid_i    (times_valid),
    .times_ready_o    (times_ready),
    .times_i          (times),
    .window_ev_valid_o(act_ev_valid),
    .window_ev_ready_i(window_ev_ready),
    .window_ev_o      (act_ev),
    .order_room_i     (order_room),
    .join_o           (joined),
    .entry_o          (entry),
    .reply_o          (time_reply),
    .latest_o         (latest)
  );

  txstate #(.NumPdcs(Pdcs), .Depth(nic_pkg::WINDOW)) u_txstate (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .ev_valid_i (times_ev_valid),
    .ev_ready_o (times_ev_ready),
    .ev_i       (times_ev),
    .rsp_valid_o(times_valid),
    .rsp_ready_i(times_ready),
    .rsp_o      (times)
  );

  assign window_ev_valid  = offer_window | act_ev_valid;
  assign window_ev        = offer_window ? window_cmd : act_ev;
  assign window_cmd_leave = offer_window & window_ev_ready;

  ccc #(
    .NumContexts(Contexts),
    .NumPdcs    (nic_pkg::SLOTS),
    .NumProfiles(nic_pkg::PROFILES)
  ) u_ccc (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .ev_valid_i (window_ev_valid),
    .ev_ready_o (window_ev_ready),
    .ev_i       (window_ev),
    .rsp_valid_o(window_valid),
    .rsp_ready_i(window_ready),
    .rsp_o      (window)
  );

  // ---------------------------------------------------------------- settle
  logic               packet_room, packet_push;
  logic [PacketW-1:0] packet;
  logic [EntryW-1:0]  command;      // entry of a command

  assign command = {1'b1, 1'b1, {(EntryW-2){1'b0}}};

  nic_order #(.EntryW(EntryW), .PacketW(PacketW)) u_order (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .room_o        (order_room),
    .push_i        (joined | window_cmd_leave),
    .entry_i       (offer_window ? command : entry),
    .window_valid_i(window_valid),
    .window_ready_o(window_ready),
    .window_i      (window),
    .view_valid_o  (view_valid),
    .view_ready_i  (view_ready),
    .view_o        (view),
    .reply_o       (window_reply),
    .packet_room_i (packet_room),
    .packet_push_o (packet_push),
    .packet_o      (packet),
    .note_valid_o  (note_valid_o),
    .note_ready_i  (note_ready_i),
    .note_o        (note_o)
  );

  // ---------------------------------------------------------------- writer
  nic_regs_t       regs;
  logic [6:0]      header;
  logic [1:0]      inc;
  logic            word_we, form_we;
  logic [CtxW-1:0] ctx;
  logic [23:0]     form, access_form;
  logic [511:0]    template_row;
  logic [15:0]     spray;
  logic            beat_valid, beat_ready;
  logic [592:0]    beat;

  nic_config #(.Contexts(Contexts)) u_config (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .leave_i   (leave),
    .cmd_i     (cmd),
    .form_i    (access_form),
    .inc_i     (inc),
    .refused_o (writer_refused),
    .data_o    (writer_data),
    .template_o(writer_word),
    .word_we_o (word_we),
    .form_we_o (form_we),
    .regs_o    (regs),
    .header_o  (header)
  );

  nic_templates #(.Contexts(Contexts), .CtxW(CtxW)) u_templates (
    .clk_i        (clk_i),
    .sweep_i      (~up),
    .sweep_row_i  (sweep_row[CtxW+3:0]),
    .ctx_i        (ctx),
    .form_o       (form),
    .template_o   (template_row),
    .index_i      (word_index[CtxW-1:0]),
    .addr_i       (word_addr),
    .word_we_i    (word_we),
    .form_we_i    (form_we),
    .data_i       (cmd.data[31:0]),
    .access_form_o(access_form),
    .access_word_o(word)
  );

  nic_spray #(.Contexts(Contexts), .CtxW(CtxW)) u_spray (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .ctx_i  (ctx),
    .count_i(inc[1]),
    .spray_o(spray),
    .clear_i(form_we),
    .index_i(word_index[CtxW-1:0])
  );

  nic_writer #(.CtxW(CtxW), .PacketW(PacketW)) u_writer (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .packet_room_o(packet_room),
    .packet_push_i(packet_push),
    .packet_i     (packet),
    .ctx_o        (ctx),
    .form_i       (form),
    .template_i   (template_row),
    .spray_i      (spray),
    .regs_i       (regs),
    .header_i     (header),
    .inc_o        (inc),
    .beat_valid_o (beat_valid),
    .beat_ready_i (beat_ready),
    .beat_o       (beat)
  );

  nic_tx u_tx (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .answer_valid_i(answer_valid),
    .answer_ready_o(answer_ready),
    .answer_i      (answer),
    .packet_valid_i(beat_valid),
    .packet_ready_o(beat_ready),
    .packet_i      (beat),
    .tx_valid_o    (tx_valid_o),
    .tx_ready_i    (tx_ready_i),
    .tx_o          (tx_o)
  );

  // Fields of a record that a source does not use; address bits that only larger memories have.
  logic unused;
  assign unused = record.native ^ record.ipv6 ^ (^record.ecn) ^ (^record.dscp) ^ (^record.src) ^
                  (^record.next) ^ record.epsn ^ record.isrod ^ record.nt ^ record.ar ^
                  record.syn ^ (^record.req) ^ (^record.opaque) ^ (^record.pdc_info) ^
                  (^record.psn_offset) ^ (^record.payload) ^ (^record.vendor_code) ^
                  (^record.cc_flags) ^ (^record.ooo) ^ (^record.credit) ^ (^record.state) ^
                  (^record.rest) ^ (^record.tag) ^ (^sweep_row[RowW-1:CtxW+4]) ^
                  (^word_index[15:CtxW]);
endmodule
