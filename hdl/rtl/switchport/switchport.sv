// Egress side of a switch: packet buffer, egress, trimmer and intmd joined.
//
// Latency:     switchport/contract.md "Latency": 26 cycles from a grant to the first beat at tx,
//              11 from a packet's last beat at rx to its note.
// Throughput:  one beat of 64 bytes a cycle in and out, one grant a cycle.
// Comb. paths: rst_ni to the ready and valid outputs; no other.
// Reset:       empty, every block inside at its reset state, sweep of NumPorts cycles.
// Contract:    vectors/event/timing.md, vectors/event/switchport/contract.md.
module switchport #(
  parameter int NumPorts = 4,
  parameter int Depth    = 64,
  parameter int Slots    = 32
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              rx_valid_i,
  output logic              rx_ready_o,
  input  switchport_rx_t    rx_i,
  input  logic              grant_valid_i,
  output logic              grant_ready_o,
  input  switchport_grant_t grant_i,
  input  logic              cfg_valid_i,
  output logic              cfg_ready_o,
  input  switchport_cfg_t   cfg_i,
  output logic              tx_valid_o,
  input  logic              tx_ready_i,
  output switchport_tx_t    tx_o,
  output logic              note_valid_o,
  input  logic              note_ready_i,
  output switchport_note_t  note_o,
  output logic              gr_valid_o,
  input  logic              gr_ready_i,
  output switchport_gr_t    gr_o,
  output logic              cfgr_valid_o,
  input  logic              cfgr_ready_i,
  output switchport_cfgr_t  cfgr_o
);
  localparam int PortW = (NumPorts > 1) ? $clog2(NumPorts) : 1;
  localparam int SlotW = $clog2(Slots);
  localparam int ReqW  = SlotW + 8 + 2 + 16 + 9 + 3;

  logic             up;
  logic [PortW-1:0] sweep_row;

  gw_sweep #(.Rows(NumPorts), .RowW(PortW)) u_sweep (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .done_o(up),
    .row_o (sweep_row)
  );

  // ---------------------------------------------------------------- buffer, writer, reader
  logic             free_any;
  logic [SlotW-1:0] free_slot;
  logic             take_slot;
  logic             verdict;          // a verdict is taken
  logic             drop_free;        // its packet is not queued
  logic             read_free;
  logic             write;
  logic [SlotW-1:0] write_slot;
  logic [7:0]       write_beat;
  logic [576:0]     write_data;
  logic [SlotW-1:0] read_slot;
  logic [7:0]       read_beat;
  logic [576:0]     read_data;
  logic             record_we;
  logic [63:0]      record_new;
  logic [63:0]      record_note;
  logic [SlotW-1:0] record_slot;
  logic [63:0]      record_read;
  logic             judged_read;
  logic             req_valid;
  logic [ReqW-1:0]  req;
  logic             req_pop;
  logic             enqr_valid;
  logic             enqr_ready;
  egress_enqr_t     enqr;
  logic             deqr_valid;
  logic             deqr_ready;
  egress_deqr_t     deqr;
  logic             read_report;
  logic             feed_valid;
  logic             feed_ready;
  trimmer_rx_t      feed;
  logic             trimmer_cfg_leave;
  trimmer_cfg_t     trimmer_cfg;

  switchport_slots #(.Slots(Slots), .SlotW(SlotW)) u_slots (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .any_o          (free_any),
    .slot_o         (free_slot),
    .take_i         (take_slot),
    .free_a_i       (drop_free),
    .free_a_slot_i  (enqr.id[SlotW-1:0]),
    .free_b_i       (read_free),
    .free_b_slot_i  (read_slot),
    .write_i        (write),
    .write_slot_i   (write_slot),
    .write_beat_i   (write_beat),
    .write_data_i   (write_data),
    .read_slot_i    (read_slot),
    .read_beat_i    (read_beat),
    .read_data_o    (read_data),
    .record_we_i    (record_we),
    .record_i       (record_new),
    .record_a_slot_i(enqr.id[SlotW-1:0]),
    .record_a_o     (record_note),
    .judge_a_i      (verdict),
    .record_b_slot_i(record_slot),
    .record_b_o     (record_read),
    .judged_b_o     (judged_read)
  );

  switchport_write #(.SlotW(SlotW), .ReqW(ReqW)) u_write (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .up_i       (up),
    .rx_valid_i (rx_valid_i),
    .rx_ready_o (rx_ready_o),
    .rx_i       (rx_i),
    .free_any_i (free_any),
    .free_slot_i(free_slot),
    .take_o     (take_slot),
    .write_o    (write),
    .slot_o     (write_slot),
    .beat_o     (write_beat),
    .data_o     (write_data),
    .record_we_o(record_we),
    .record_o   (record_new),
    .req_valid_o(req_valid),
    .req_o      (req),
    .req_pop_i  (req_pop),
    .cfg_leave_i(trimmer_cfg_leave),
    .cfg_i      (trimmer_cfg)
  );

  switchport_read #(.SlotW(SlotW)) u_read (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .deqr_valid_i (deqr_valid),
    .deqr_ready_o (deqr_ready),
    .deqr_i       (deqr),
    .record_slot_o(record_slot),
    .record_i     (record_read),
    .judged_i     (judged_read),
    .report_o     (read_report),
    .free_o       (read_free),
    .slot_o       (read_slot),
    .beat_o       (read_beat),
    .data_i       (read_data),
    .feed_valid_o (feed_valid),
    .feed_ready_i (feed_ready),
    .feed_o       (feed),
    .gr_valid_o   (gr_valid_o),
    .gr_ready_i   (gr_ready_i),
    .gr_o         (gr_o)
  );

  // ---------------------------------------------------------------- cfg: one event at a time
  logic             cfg_held;
  switchport_cfg_t  cfg;
  logic             cfg_leave;
  logic             cfg_local;        // answered here: refused
  logic             cfg_offer;        // the event at the head may leave
  logic             to_egress;
  logic             to_trimmer;
  logic             to_intmd;
  logic             enq_ready;
  logic             trimmer_cfg_ready;
  logic             intmd_cfg_ready;
  logic             out_q;            // an event has left and its response has not
  logic             out_local_q;
  logic [1:0]       out_target_q;
  logic [3:0]       out_kind_q;
  logic [7:0]       out_port_q;

  gw_in_fifo #(.Width(switchport_pkg::CFG_W)) u_cfg_fifo (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enable_i    (up),
    .valid_i     (cfg_valid_i),
    .ready_o     (cfg_ready_o),
    .data_i      (cfg_i),
    .head_valid_o(cfg_held),
    .head_o      (cfg),
    .pop_i       (cfg_leave)
  );

  assign cfg_offer  = cfg_held & ~out_q;
  assign cfg_local  = (cfg.target == 2'd3) |
                      ((cfg.target == switchport_pkg::TARGET_EGRESS) &
                       (cfg.kind == egress_pkg::KIND_ENQ));
  assign to_egress  = cfg_offer & ~cfg_local & (cfg.target == switchport_pkg::TARGET_EGRESS);
  assign to_trimmer = cfg_offer & (cfg.target == switchport_pkg::TARGET_TRIMMER);
  assign to_intmd   = cfg_offer & (cfg.target == switchport_pkg::TARGET_INTMD);
  assign cfg_leave  = (cfg_offer & cfg_local) | (to_egress & enq_ready) |
                      trimmer_cfg_leave | (to_intmd & intmd_cfg_ready);
  assign trimmer_cfg_leave = to_trimmer & trimmer_cfg_ready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                           out_q <= 1'b0;
    else if (cfg_leave)                    out_q <= 1'b1;
    else if (cfgr_valid_o && cfgr_ready_i) out_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (cfg_leave) begin
      out_local_q  <= cfg_local;
      out_target_q <= cfg.target;
      out_kind_q   <= cfg.kind;
      out_port_q   <= cfg.port;
    end
  end

  // ---------------------------------------------------------------- egress
  egress_enq_t enq;
  egress_deq_t deq;

  // Register accesses look at nothing of a packet, and packets at neither address nor data.
  assign enq.kind      = to_egress ? cfg.kind : egress_pkg::KIND_ENQ;
  assign enq.port      = to_egress ? cfg.port : req[37:30];
  assign enq.cls       = to_egress ? cfg.cls : req[29:28];
  assign enq.len       = req[27:12];
  assign enq.trim_size = {7'b0, req[11:3]};
  assign enq.trimmable = req[2];
  assign enq.ect       = req[1];
  assign enq.last_hop  = req[0];
  assign enq.id        = {{(32-SlotW){1'b0}}, req[ReqW-1:38]};
  assign enq.addr      = cfg.addr;
  assign enq.data      = cfg.data;

  assign req_pop  = req_valid & ~to_egress & enq_ready;
  assign deq.port = grant_i.port;

  egress #(.NumPorts(NumPorts), .Depth(Depth)) u_egress (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enq_valid_i (to_egress | req_valid),
    .enq_ready_o (enq_ready),
    .enq_i       (enq),
    .deq_valid_i (grant_valid_i),
    .deq_ready_o (grant_ready_o),
    .deq_i       (deq),
    .enqr_valid_o(enqr_valid),
    .enqr_ready_i(enqr_ready),
    .enqr_o      (enqr),
    .deqr_valid_o(deqr_valid),
    .deqr_ready_i(deqr_ready),
    .deqr_o      (deqr)
  );

  // ---------------------------------------------------------------- verdicts
  logic             is_verdict;
  logic             queued;           // ADMIT or TRIM
  logic             verdict_ready;
  logic             note_room;
  switchport_note_t note;

  assign is_verdict    = (enqr.kind == egress_pkg::KIND_ENQ);
  assign queued        = (enqr.verdict == egress_pkg::VERDICT_ADMIT) |
                         (enqr.verdict == egress_pkg::VERDICT_TRIM);
  assign verdict_ready = note_room & ~(read_report & queued);
  assign verdict       = enqr_valid & is_verdict & verdict_ready;
  assign drop_free     = verdict & ~queued;
  assign enqr_ready    = is_verdict ? verdict_ready : (cfgr_valid_o & cfgr_ready_i);

  assign note.id         = record_note[63:32];
  assign note.port       = enqr.port;
  assign note.verdict    = enqr.verdict;
  assign note.cause      = enqr.cause;
  assign note.cls        = enqr.cls;
  assign note.len        = enqr.len;
  assign note.trimmed    = enqr.trimmed;
  assign note.depth      = enqr.depth;
  assign note.port_bytes = enqr.port_bytes;
  assign note.xoff       = enqr.xoff;
  assign note.refused    = enqr.refused;

  gw_room_fifo #(.Width(switchport_pkg::NOTE_W), .Rows(switchport_pkg::NOTES)) u_note (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .room_o (note_room),
    .push_i (verdict),
    .data_i (note),
    .valid_o(note_valid_o),
    .data_o (note_o),
    .pop_i  (note_ready_i)
  );

  // ---------------------------------------------------------------- trimmer
  logic          trimmer_cfgr_valid;
  trimmer_cfgr_t trimmer_cfgr;
  logic          cut_valid;
  logic          cut_ready;
  trimmer_tx_t   cut;
  logic          cfgr_leave;

  assign trimmer_cfg.kind = cfg.kind;
  assign trimmer_cfg.addr = cfg.addr;
  assign trimmer_cfg.data = cfg.data;
  assign cfgr_leave       = out_q & cfgr_ready_i;

  trimmer u_trimmer (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .rx_valid_i  (feed_valid),
    .rx_ready_o  (feed_ready),
    .rx_i        (feed),
    .cfg_valid_i (to_trimmer),
    .cfg_ready_o (trimmer_cfg_ready),
    .cfg_i       (trimmer_cfg),
    .tx_valid_o  (cut_valid),
    .tx_ready_i  (cut_ready),
    .tx_o        (cut),
    .cfgr_valid_o(trimmer_cfgr_valid),
    .cfgr_ready_i(cfgr_leave & (out_target_q == switchport_pkg::TARGET_TRIMMER)),
    .cfgr_o      (trimmer_cfgr)
  );

  // ---------------------------------------------------------------- intmd
  logic        intmd_cfgr_valid;
  intmd_cfg_t  intmd_cfg;
  intmd_cfgr_t intmd_cfgr;
  intmd_rx_t   intmd_rx;
  intmd_cnt_t  report;
  logic        report_ready;
  intmd_tx_t   sent;

  assign intmd_rx.data     = cut.data;
  assign intmd_rx.keep     = cut.keep;
  assign intmd_rx.last     = cut.last;
  assign intmd_rx.len      = cut.tag[31:16];
  assign intmd_rx.in_port  = cut.tag[15:8];
  assign intmd_rx.out_port = cut.tag[7:0];

  assign intmd_cfg.kind = cfg.kind;
  assign intmd_cfg.port = cfg.port;
  assign intmd_cfg.addr = cfg.addr;
  assign intmd_cfg.data = cfg.data;

  assign report.port     = read_report ? deqr.port : enqr.port;
  assign report.op       = intmd_pkg::OP_ADD;
  assign report.tx_bytes = read_report ? {16'b0, deqr.len} : 32'b0;
  assign report.qlen     = read_report ? (32'b0 - {16'b0, deqr.len}) : {16'b0, enqr.len};

  intmd #(.NumPorts(NumPorts)) u_intmd (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .rx_valid_i  (cut_valid),
    .rx_ready_o  (cut_ready),
    .rx_i        (intmd_rx),
    .cnt_valid_i (read_report | (verdict & queued)),
    .cnt_ready_o (report_ready),
    .cnt_i       (report),
    .cfg_valid_i (to_intmd),
    .cfg_ready_o (intmd_cfg_ready),
    .cfg_i       (intmd_cfg),
    .tx_valid_o  (tx_valid_o),
    .tx_ready_i  (tx_ready_i),
    .tx_o        (sent),
    .cfgr_valid_o(intmd_cfgr_valid),
    .cfgr_ready_i(cfgr_leave & (out_target_q == switchport_pkg::TARGET_INTMD)),
    .cfgr_o      (intmd_cfgr)
  );

  assign tx_o.data     = sent.data;
  assign tx_o.keep     = sent.keep;
  assign tx_o.last     = sent.last;
  assign tx_o.port     = sent.out_port;
  assign tx_o.inserted = sent.inserted;
  assign tx_o.hops     = sent.hops;

  // ---------------------------------------------------------------- responses to cfg
  logic of_egress;
  logic of_trimmer;
  logic of_intmd;

  assign of_egress  = ~out_local_q & (out_target_q == switchport_pkg::TARGET_EGRESS);
  assign of_trimmer = (out_target_q == switchport_pkg::TARGET_TRIMMER);
  assign of_intmd   = (out_target_q == switchport_pkg::TARGET_INTMD);

  assign cfgr_valid_o = rst_ni & out_q & (out_local_q | (of_egress & enqr_valid & ~is_verdict) |
                                          (of_trimmer & trimmer_cfgr_valid) |
                                          (of_intmd & intmd_cfgr_valid));
  assign cfgr_o.target  = out_target_q;
  assign cfgr_o.kind    = out_kind_q;
  assign cfgr_o.port    = out_port_q;
  assign cfgr_o.refused = out_local_q ? 1'b1 :
                          of_egress   ? enqr.refused :
                          of_trimmer  ? trimmer_cfgr.refused : intmd_cfgr.refused;
  assign cfgr_o.data    = out_local_q ? 64'b0 :
                          of_egress   ? {32'b0, enqr.data} :
                          of_trimmer  ? {32'b0, trimmer_cfgr.data} : intmd_cfgr.data;

  // What the blocks echo or answer and nobody here asks for.
  logic unused;
  assign unused = (^sweep_row) ^ report_ready ^ (^enqr.id[31:SlotW]) ^ (^record_note[31:0]) ^
                  cut.trimmed ^ cut.marked ^ (^cut.cause) ^ (^sent.cause) ^ (^trimmer_cfgr.kind) ^
                  (^intmd_cfgr.kind) ^ (^intmd_cfgr.port);

`ifdef GW_ASSERT
  // Booked is left: a packet leaves the trimmer with the length that egress has counted for it.
  logic        cut_leaves;
  logic [6:0]  cut_keep_bytes;
  logic [15:0] cut_before_q;      // bytes of the packet's beats before this one
  logic [15:0] cut_length;

  assign cut_leaves = cut_valid & cut_ready;
  assign cut_length = cut_before_q + {9'b0, cut_keep_bytes};

  gw_ones_below u_cut_bytes (.keep_i(cut.keep), .count_o(cut_keep_bytes));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)         cut_before_q <= '0;
    else if (cut_leaves) cut_before_q <= cut.last ? 16'd0 : cut_before_q + 16'd64;
  end

  a_booked: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (cut_leaves && cut.last) |-> (cut_length == cut.tag[31:16]))
    else $error("switchport: a packet leaves the trimmer with another length than was booked");
  a_trimmed: assert property (@(posedge clk_i) disable iff (!rst_ni)
      cut_leaves |-> (cut.cause == trimmer_pkg::CAUSE_NONE))
    else $error("switchport: a packet that was booked as trimmed is not");
  a_report: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (read_report || (verdict && queued)) |-> report_ready)
    else $error("switchport: a report is not accepted");
`endif
endmodule
