// Commands of the host, one at a time: to the part that each is for, and its reply.
//
// Latency:     a command accepted in cycle t can leave in t+1; a reply is visible one cycle after
//              the part's response is taken, of the writer and of a refusal after the command left.
// Throughput:  one command at a time.
// Comb. paths: rst_ni to cmd_ready_o and rsp_valid_o; the ready and room inputs to leave_o.
// Reset:       empty, no command is out; payload keeps its value.
// Contract:    nic/contract.md "Commands".
module nic_cmd (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           up_i,
  input  logic           cmd_valid_i,
  output logic           cmd_ready_o,
  input  nic_cmd_t       cmd_i,
  output logic           leave_o,            // cmd_o leaves
  output nic_cmd_t       cmd_o,
  // txpdc, ackgen, ackparse
  output logic           source_valid_o,
  input  logic           source_ready_i,
  output txpdc_cmd_t     source_o,
  input  logic           source_reply_i,  // it answers; so do the others
  input  txpdc_rsp_t     source_rsp_i,
  output logic           dest_valid_o,
  input  logic           dest_ready_i,
  output ackgen_cfg_t    dest_o,
  input  logic           dest_reply_i,
  input  ackgen_cfgr_t   dest_rsp_i,
  output logic           parser_valid_o,
  input  logic           parser_ready_i,
  output ackparse_cfg_t  parser_o,
  input  logic           parser_reply_i,
  input  ackparse_cfgr_t parser_rsp_i,
  // ccc
  input  logic           order_room_i,
  output logic           offer_window_o,
  input  logic           window_leave_i,
  input  logic [47:0]    latest_i,
  output ccc_ev_t        window_o,
  input  logic           window_reply_i,
  input  ccc_rsp_t       window_rsp_i,
  // txstate
  input  logic           pend_room_i,
  output logic           offer_time_o,
  input  logic           time_leave_i,
  output txstate_ev_t    time_o,
  input  logic           time_reply_i,
  input  txstate_rsp_t   time_rsp_i,
  // the writer
  input  logic           writer_refused_i,
  input  logic [31:0]    writer_data_i,
  input  logic           writer_word_i,      // its reply is a word of a template:
  output logic [15:0]    word_index_o,
  output logic [3:0]     word_addr_o,
  input  logic [31:0]    word_i,             // that of one cycle ago
  output logic           rsp_valid_o,
  input  logic           rsp_ready_i,
  output nic_rsp_t       rsp_o
);
  logic        waits;
  logic        offer;           // the oldest is offered, or refused
  logic        refuse;
  logic        to_writer, to_source, to_dest, to_parser;
  logic        out_q;           // a command is out
  logic        reply_q;         // its reply is here
  logic        replied;
  logic [2:0]  target_q;
  logic [3:0]  kind_q;
  logic [15:0] index_q;
  logic [3:0]  addr_q;

  gw_in_fifo #(.Width(nic_pkg::CMD_W)) u_fifo (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enable_i    (up_i),
    .valid_i     (cmd_valid_i),
    .ready_o     (cmd_ready_o),
    .data_i      (cmd_i),
    .head_valid_o(waits),
    .head_o      (cmd_o),
    .pop_i       (leave_o)
  );

  // ---------------------------------------------------------------- which part
  assign offer = waits & ~out_q;

  always_comb begin
    unique case (cmd_o.target)
      nic_pkg::TARGET_SOURCE,
      nic_pkg::TARGET_PARSER:      refuse = cmd_o.addr[5];
      nic_pkg::TARGET_DESTINATION,
      nic_pkg::TARGET_WRITER:      refuse = 1'b0;
      nic_pkg::TARGET_WINDOW:
        refuse = cmd_o.addr[5] | ~((cmd_o.kind == ccc_pkg::KIND_OPEN) |
                                   (cmd_o.kind == ccc_pkg::KIND_CLOSE) |
                                   (cmd_o.kind == ccc_pkg::KIND_LOAD) |
                                   (cmd_o.kind == ccc_pkg::KIND_READ) |
                                   (cmd_o.kind == ccc_pkg::KIND_CFG_WRITE) |
                                   (cmd_o.kind == ccc_pkg::KIND_CFG_READ));
      nic_pkg::TARGET_TIMES:
        refuse = ~((cmd_o.kind == {1'b0, txstate_pkg::KIND_LOAD}) |
                   (cmd_o.kind == {1'b0, txstate_pkg::KIND_READ}) |
                   (cmd_o.kind == {1'b0, txstate_pkg::KIND_CFG_WRITE}));
      default:                     refuse = 1'b1;
    endcase
  end

  assign to_writer      = offer & (cmd_o.target == nic_pkg::TARGET_WRITER);
  assign to_source      = offer & ~refuse & (cmd_o.target == nic_pkg::TARGET_SOURCE);
  assign to_dest        = offer & (cmd_o.target == nic_pkg::TARGET_DESTINATION);
  assign to_parser      = offer & ~refuse & (cmd_o.target == nic_pkg::TARGET_PARSER);
  assign offer_window_o = offer & ~refuse & (cmd_o.target == nic_pkg::TARGET_WINDOW) &
                          order_room_i;
  assign offer_time_o   = offer & ~refuse & (cmd_o.target == nic_pkg::TARGET_TIMES) & pend_room_i;
  assign source_valid_o = to_source;
  assign dest_valid_o   = to_dest;
  assign parser_valid_o = to_parser;

  assign leave_o = to_writer | (offer & refuse) | (to_source & source_ready_i) |
                   (to_dest & dest_ready_i) | (to_parser & parser_ready_i) | window_leave_i |
                   time_leave_i;

  // ---------------------------------------------------------------- what it gets
  assign source_o.kind = cmd_o.kind;
  assign source_o.pdc  = cmd_o.index;
  assign source_o.addr = cmd_o.addr[4:0];
  assign source_o.psn  = cmd_o.psn;
  assign source_o.data = cmd_o.data[31:0];

  assign dest_o.kind = cmd_o.kind;
  assign dest_o.pdc  = cmd_o.index;
  assign dest_o.addr = cmd_o.addr;
  assign dest_o.data = cmd_o.data[31:0];

  assign parser_o.kind = cmd_o.kind;
  assign parser_o.addr = cmd_o.addr[4:0];
  assign parser_o.data = cmd_o.data[31:0];

  always_comb begin
    window_o         = '0;
    window_o.kind    = cmd_o.kind;
    window_o.ctx     = cmd_o.index;
    window_o.pdc     = cmd_o.slot;
    window_o.profile = cmd_o.profile;
    window_o.addr    = cmd_o.addr[4:0];
    window_o.data    = cmd_o.data;
    window_o.now     = latest_i;

    time_o                = '0;
    time_o.kind           = cmd_o.kind[2:0];
    time_o.pdc            = cmd_o.index;
    time_o.psn            = cmd_o.psn;
    time_o.now            = cmd_o.data[47:0];
    time_o.load_valid     = cmd_o.data[48];
    time_o.load_rtx_count = cmd_o.data[50:49];
    time_o.time_shift     = cmd_o.data[2:0];
  end

  // ---------------------------------------------------------------- reply
  logic     local_reply;
  logic     word_q;             // it is a word of a template
  nic_rsp_t reply;
  nic_rsp_t rsp_q;

  assign local_reply = to_writer | (offer & refuse);
  assign replied     = local_reply | source_reply_i | dest_reply_i | parser_reply_i |
                        window_reply_i | time_reply_i;

  always_comb begin
    reply = '0;
    if (local_reply) begin
      reply.refused = refuse | writer_refused_i;
      reply.data    = refuse ? 64'b0 : {32'b0, writer_data_i};
    end else if (source_reply_i) begin
      reply.refused = source_rsp_i.refused;
      reply.busy    = source_rsp_i.busy;
      reply.data    = {32'b0, source_rsp_i.data};
    end else if (dest_reply_i) begin
      reply.refused = dest_rsp_i.refused;
      reply.data    = {32'b0, dest_rsp_i.data};
    end else if (parser_reply_i) begin
      reply.refused = parser_rsp_i.refused;
      reply.data    = {32'b0, parser_rsp_i.data};
    end else if (window_reply_i) begin
      reply.refused = window_rsp_i.refused;
      reply.missing = window_rsp_i.no_context;
      reply.data    = window_rsp_i.data;
    end else begin
      reply.refused = time_rsp_i.refused;
      reply.missing = time_rsp_i.no_pdc;
      reply.psn     = time_rsp_i.psn;
      reply.data    = {13'b0, time_rsp_i.rtx_count, time_rsp_i.found, time_rsp_i.tx_time};
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_q    <= 1'b0;
      reply_q  <= 1'b0;
    end else begin
      if (leave_o)                         out_q <= 1'b1;
      else if (rsp_valid_o && rsp_ready_i) out_q <= 1'b0;
      if (replied)                        reply_q <= 1'b1;
      else if (rsp_valid_o && rsp_ready_i) reply_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (leave_o) begin
      target_q <= cmd_o.target;
      kind_q   <= cmd_o.kind;
      index_q  <= cmd_o.index;
      addr_q   <= cmd_o.addr[3:0];
    end
    if (replied) begin
      rsp_q  <= reply;
      word_q <= to_writer & writer_word_i;
    end
  end

  // A word of a template comes out of its memory in the cycle in which the reply is first seen,
  // and is read again as long as it waits: no command can change it meanwhile.
  assign word_index_o = out_q ? index_q : cmd_o.index;
  assign word_addr_o  = out_q ? addr_q : cmd_o.addr[3:0];

  assign rsp_valid_o = rst_ni & reply_q;

  always_comb begin
    rsp_o        = rsp_q;
    rsp_o.target = target_q;
    rsp_o.kind   = kind_q;
    rsp_o.index  = index_q;
    if (word_q) rsp_o.data = {32'b0, word_i};
  end

  // Echoes of the parts, and fields of their responses that only the note has.
  logic unused;
  assign unused = (^source_rsp_i.kind) ^ (^source_rsp_i.pdc) ^ (^dest_rsp_i.kind) ^
                  (^parser_rsp_i.kind) ^ (^window_rsp_i) ^ (^time_rsp_i) ^
                  (^{rsp_q.target, rsp_q.kind, rsp_q.index});

`ifdef GW_ASSERT
  a_one: assert property (@(posedge clk_i) disable iff (!rst_ni)
      $countones({local_reply, source_reply_i, dest_reply_i, parser_reply_i, window_reply_i,
                  time_reply_i}) <= 1)
    else $error("nic_cmd: two replies in one cycle");
  a_out: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (replied && !local_reply) |-> (out_q && !reply_q))
    else $error("nic_cmd: a reply to no command");
  a_target: assert property (@(posedge clk_i) disable iff (!rst_ni)
      {source_reply_i, dest_reply_i, parser_reply_i, window_reply_i, time_reply_i} ==
      ({5{replied && !local_reply}} &
       {target_q == nic_pkg::TARGET_SOURCE, target_q == nic_pkg::TARGET_DESTINATION,
        target_q == nic_pkg::TARGET_PARSER, target_q == nic_pkg::TARGET_WINDOW,
        target_q == nic_pkg::TARGET_TIMES}))
    else $error("nic_cmd: a reply of another part");
`endif
endmodule
