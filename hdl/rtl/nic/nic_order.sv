// Actions and commands that wait for ccc, in their order: views, notes, packets.
//
// Latency:     what is appended in cycle t can settle in t+1, with an event LATENCY (36) + 2 of
//              ccc later at the earliest; its note is visible one cycle after that.
// Throughput:  one a cycle.
// Comb. paths: rst_ni to the valid outputs; window_*, view_ready_i, packet_room_i to the settling
//              outputs.
// Reset:       empty.
// Contract:    nic/contract.md "Settle", "note".
module nic_order #(
  parameter int EntryW  = 372,
  parameter int PacketW = 84
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  output logic               room_o,
  input  logic               push_i,
  input  logic [EntryW-1:0]  entry_i,        // command, event, found, rtt_valid, rtt, action
  input  logic               window_valid_i,
  output logic               window_ready_o,
  input  ccc_rsp_t           window_i,
  output logic               view_valid_o,
  input  logic               view_ready_i,
  output txpdc_view_t        view_o,
  output logic               reply_o,       // window_i becomes a reply
  input  logic               packet_room_i,
  output logic               packet_push_o,
  output logic [PacketW-1:0] packet_o,       // data, rtx, ar, syn, pdc, psn, peer or offset, size
  output logic               note_valid_o,
  input  logic               note_ready_i,
  output nic_note_t          note_o
);
  logic        held;
  logic        is_command;
  logic        has_event;
  logic        found;
  logic        rtt_valid;
  logic [31:0] rtt;
  txpdc_act_t  act;
  logic        sent;
  logic        is_packet;
  logic        note_room;
  logic        may;          // all but the view
  logic        settle;
  logic        ar;
  nic_note_t   note;

  gw_room_fifo #(.Width(EntryW), .Rows(nic_pkg::ORDER)) u_order (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .room_o (room_o),
    .push_i (push_i),
    .data_i (entry_i),
    .valid_o(held),
    .data_o ({is_command, has_event, found, rtt_valid, rtt, act}),
    .pop_i  (settle)
  );

  // ---------------------------------------------------------------- settle
  assign sent      = ~is_command & (act.kind == nic_pkg::ACT_SENT);
  assign is_packet = sent | (~is_command & (act.kind == nic_pkg::ACT_CLOSING));
  assign may       = held & (~has_event | window_valid_i) & (is_command | note_room) &
                     (~is_packet | packet_room_i);
  assign settle    = may & (~has_event | view_ready_i);

  assign window_ready_o  = settle & has_event;
  assign view_valid_o    = may & has_event;
  assign view_o.kind     = window_i.kind;
  assign view_o.ctx      = window_i.ctx;
  assign view_o.can_send = window_i.can_send;
  assign view_o.refused  = window_i.refused;
  assign reply_o         = settle & is_command;

  // ---------------------------------------------------------------- packet
  // The packet counts towards the request that ccc makes when it has counted it.
  assign ar            = sent & (act.ar | window_i.ack_request);
  assign packet_push_o = settle & is_packet;
  assign packet_o      = {sent, act.is_rtx, ar, act.syn, act.pdc, act.psn,
                          act.syn ? {4'b0, act.psn_offset} : act.peer, act.size[15:0]};

  // ---------------------------------------------------------------- note
  always_comb begin
    note             = '0;
    note.kind        = act.kind;
    note.pdc         = act.pdc;
    note.now         = act.now;
    note.psn         = act.psn;
    note.size        = act.size;
    note.is_rtx      = act.is_rtx;
    note.syn         = act.syn;
    note.ar          = ar;
    note.eom         = act.eom;
    note.code        = act.code;
    note.done        = act.done;
    note.acked_pkts  = act.acked_pkts;
    note.unmark_pkts = act.unmark_pkts;
    note.m           = act.m;
    note.retx        = act.retx;
    note.entropy     = act.entropy;
    note.tx          = act.tx;
    note.found       = found;
    note.rtt_valid   = rtt_valid;
    note.rtt         = rtt;
    if (has_event) begin
      note.window   = 1'b1;
      note.action   = window_i.action;
      note.lb       = window_i.lb;
      note.state    = window_i.state;
      note.cwnd     = window_i.cwnd;
      note.inflight = window_i.inflight;
      note.delay    = window_i.delay;
      note.can_send = window_i.can_send;
      note.missing  = window_i.no_context | window_i.refused;
    end
  end

  gw_room_fifo #(.Width(nic_pkg::NOTE_W), .Rows(nic_pkg::NOTES)) u_notes (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .room_o (note_room),
    .push_i (settle & ~is_command),
    .data_i (note),
    .valid_o(note_valid_o),
    .data_o (note_o),
    .pop_i  (note_ready_i)
  );

  // Fields of an action for ccc alone, and of ccc's response for a command or no one.
  logic unused;
  assign unused = (^act.rcvd_bytes) ^ (^act.unmark_bytes) ^ (^act.service_time) ^ (^act.pend) ^
                  act.rc ^ (^window_i.entropy) ^ (^window_i.base_rtt) ^ (^window_i.avg_delay) ^
                  window_i.saturated ^ window_i.underflow ^ window_i.stale ^ window_i.rtt_valid ^
                  window_i.base_fell ^ window_i.rcv_limit ^ window_i.saved ^ window_i.restored ^
                  window_i.qa_window ^ window_i.qa_fired ^ window_i.ignored ^
                  window_i.md_applied ^ window_i.fulfilled ^ window_i.eta_applied ^
                  window_i.spec_ended ^ window_i.granted ^ (^window_i.target) ^ (^window_i.data);

`ifdef GW_ASSERT
  a_pair: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (settle && has_event && !is_command) |-> (window_i.ctx == {2'b0, act.pdc[15:2]}))
    else $error("nic_order: an action gets the response of another context");
  a_owner: assert property (@(posedge clk_i) disable iff (!rst_ni)
      window_valid_i |-> held)
    else $error("nic_order: a response of ccc that nobody waits for");
  a_size: assert property (@(posedge clk_i) disable iff (!rst_ni)
      packet_push_o |-> (act.size[31:16] == '0))
    else $error("nic_order: a packet is larger than its row in txpdc can be");
`endif
endmodule
