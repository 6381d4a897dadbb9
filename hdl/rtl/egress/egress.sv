// Queue manager of a switch's egress ports: three queues a port; admits, trims or drops at enqueue,
// schedules and marks at dequeue, asks for pause.
//
// Latency:     LATENCY (4) cycles from issue to the response, on both streams.
// Throughput:  one enq event and one grant a cycle; grants of one port DEQ_GAP (2) cycles apart;
//              CFG_WRITE and LOAD alone, STALL (4) cycles after anything.
// Comb. paths: rst_ni to the ready and valid outputs; no other.
// Reset:       empty, registers at their reset values, sweep of NumPorts cycles.
// Contract:    vectors/event/timing.md, vectors/event/egress/contract.md.
//
// Stages (registers named by cycles after issue): s0 read pointers of the grant's port; s1 tables
// and first descriptors; s2 everything is decided and written, the grant first, the event on what
// it leaves; s3 products of the marking probability, response FIFO push. Since all state is read
// and written at one stage, in issue order, nothing is ever stale.
module egress #(
  parameter int NumPorts = 4,
  parameter int Depth    = 64
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         enq_valid_i,
  output logic         enq_ready_o,
  input  egress_enq_t  enq_i,
  input  logic         deq_valid_i,
  output logic         deq_ready_o,
  input  egress_deq_t  deq_i,
  output logic         enqr_valid_o,
  input  logic         enqr_ready_i,
  output egress_enqr_t enqr_o,
  output logic         deqr_valid_o,
  input  logic         deqr_ready_i,
  output egress_deqr_t deqr_o
);
  localparam int PortW    = (NumPorts > 1) ? $clog2(NumPorts) : 1;
  localparam int PortRows = 1 << PortW;
  localparam logic [7:0] PortLimit = NumPorts[7:0];

  // ---------------------------------------------------------------- issue
  logic             sweep_done;
  logic             sweep;
  logic [PortW-1:0] sweep_row;
  logic             enq_issue;
  logic             deq_issue;
  egress_enq_t      enq_head;
  egress_deq_t      deq_head;
  logic             enq_take;
  logic             deq_take;

  assign sweep = ~sweep_done;

  egress_issue #(.NumPorts(NumPorts), .PortW(PortW)) u_issue (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enq_valid_i (enq_valid_i),
    .enq_ready_o (enq_ready_o),
    .enq_i       (enq_i),
    .deq_valid_i (deq_valid_i),
    .deq_ready_o (deq_ready_o),
    .deq_i       (deq_i),
    .enq_take_i  (enq_take),
    .deq_take_i  (deq_take),
    .enq_issue_o (enq_issue),
    .enq_head_o  (enq_head),
    .deq_issue_o (deq_issue),
    .deq_head_o  (deq_head),
    .sweep_done_o(sweep_done),
    .sweep_row_o (sweep_row)
  );

  // ---------------------------------------------------------------- pipeline
  logic        enq_s1_q;
  logic        enq_s2_q;
  logic        enq_s3_q;
  logic        deq_s1_q;
  logic        deq_s2_q;
  logic        deq_s3_q;
  egress_enq_t ev_s1_q;
  egress_enq_t ev_s2_q;
  logic [7:0]  dport_s1_q;
  logic [7:0]  dport_s2_q;
  logic [PortW-1:0] drow_s3_q;
  logic        ev_ranged_s2_q;   // port and class are there
  logic        dport_ranged_s2_q;
  logic        same_s2_q;        // event and grant name one port
  logic        same_s3_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enq_s1_q <= 1'b0;
      enq_s2_q <= 1'b0;
      enq_s3_q <= 1'b0;
      deq_s1_q <= 1'b0;
      deq_s2_q <= 1'b0;
      deq_s3_q <= 1'b0;
    end else begin
      enq_s1_q <= enq_issue;
      enq_s2_q <= enq_s1_q;
      enq_s3_q <= enq_s2_q;
      deq_s1_q <= deq_issue;
      deq_s2_q <= deq_s1_q;
      deq_s3_q <= deq_s2_q;
    end
  end

  always_ff @(posedge clk_i) begin
    ev_s1_q           <= enq_head;
    ev_s2_q           <= ev_s1_q;
    dport_s1_q        <= deq_head.port;
    dport_s2_q        <= dport_s1_q;
    drow_s3_q         <= dport_s2_q[PortW-1:0];
    ev_ranged_s2_q    <= (ev_s1_q.port < PortLimit) & (ev_s1_q.cls != 2'd3);
    dport_ranged_s2_q <= (dport_s1_q < PortLimit);
    same_s2_q         <= (ev_s1_q.port == dport_s1_q);
    same_s3_q         <= same_s2_q;
  end

  // ---------------------------------------------------------------- s2: configuration
  logic        reg_known;
  logic [31:0] reg_data;
  logic        cfg_write;
  egress_regs_t regs;

  egress_config u_config (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .we_i          (cfg_write),
    .addr_i        (ev_s2_q.addr),
    .data_i        (ev_s2_q.data),
    .rdata_o       (reg_data),
    .known_o       (reg_known),
    .regs_o        (regs)
  );

  // ---------------------------------------------------------------- s2: what the event asks for
  logic packet;          // an ENQ that is not refused
  logic is_read;
  logic is_cfg_read;
  logic refused;
  logic load;

  egress_decode u_decode (
    .valid_i    (enq_s2_q),
    .kind_i     (ev_s2_q.kind),
    .addr_i     (ev_s2_q.addr),
    .data_i     (ev_s2_q.data[1:0]),
    .ranged_i   (ev_ranged_s2_q),
    .reg_known_i(reg_known),
    .packet_o   (packet),
    .read_o     (is_read),
    .cfg_read_o (is_cfg_read),
    .refused_o  (refused),
    .load_o     (load),
    .cfg_write_o(cfg_write)
  );

  // ---------------------------------------------------------------- s2: queues
  logic [2:0]  cls_ev;           // class of the event, one-hot
  logic [2:0]  busy;
  logic [2:0]  one;
  logic [2:0]  full;
  logic [2:0]  serve_cls;        // one-hot
  logic [2:0]  pop;
  logic [2:0]  push;
  logic [2:0]  count_trim;
  logic [2:0]  count_drop;
  logic [2:0]  mark_s3;
  logic [50:0] first      [0:2];
  logic [31:0] bytes_deq  [0:2];
  logic [31:0] bytes_enq  [0:2];
  logic [31:0] word       [0:2];
  logic [31:0] marks_s3   [0:2];
  logic [50:0] new_desc;
  logic        serve;
  logic        mark;

  assign cls_ev = {ev_s2_q.cls == egress_pkg::CLS_HIGH, ev_s2_q.cls == egress_pkg::CLS_MEDIUM,
                   ev_s2_q.cls == egress_pkg::CLS_LOW};

  for (genvar c = 0; c < egress_pkg::CLASSES; c++) begin : gen_queue
    egress_queue #(.NumPorts(NumPorts), .Depth(Depth), .PortW(PortW)) u_queue (
      .clk_i         (clk_i),
      .sweep_i       (sweep),
      .sweep_row_i   (sweep_row),
      .deq_port_s0_i (deq_head.port[PortW-1:0]),
      .deq_port_s1_i (dport_s1_q[PortW-1:0]),
      .deq_port_s2_i (dport_s2_q[PortW-1:0]),
      .deq_port_s3_i (drow_s3_q),
      .enq_port_s1_i (ev_s1_q.port[PortW-1:0]),
      .enq_port_s2_i (ev_s2_q.port[PortW-1:0]),
      .same_port_i   (same_s2_q),
      .busy_o        (busy[c]),
      .one_o         (one[c]),
      .desc_o        (first[c]),
      .deq_bytes_o   (bytes_deq[c]),
      .pop_i         (pop[c]),
      .enq_bytes_o   (bytes_enq[c]),
      .full_o        (full[c]),
      .push_i        (push[c]),
      .desc_i        (new_desc),
      .trim_i        (count_trim[c]),
      .drop_i        (count_drop[c]),
      .load_i        (load & cls_ev[c]),
      .addr_i        (ev_s2_q.addr[3:0]),
      .data_i        (ev_s2_q.data),
      .word_o        (word[c]),
      .mark_s3_i     (mark_s3[c]),
      .same_port_s3_i(same_s3_q),
      .marks_s3_o    (marks_s3[c])
    );
  end

  // ---------------------------------------------------------------- s2: the grant
  logic [23:0] deficit [0:2];
  logic [1:0]  drr_ptr;
  logic [31:0] lfsr;
  logic [50:0] served;           // descriptor
  logic [15:0] served_len;
  logic [31:0] served_bytes;     // content of its queue after removal
  logic [31:0] deq_port_bytes;
  logic        deq_evaluate;     // the grant evaluates the pause request
  logic        deq_xoff;

  assign serve        = deq_s2_q & dport_ranged_s2_q & (|busy);
  assign deq_evaluate = deq_s2_q & dport_ranged_s2_q;
  assign pop          = serve ? serve_cls : 3'b000;

  egress_sched #(.NumPorts(NumPorts), .PortW(PortW)) u_sched (
    .clk_i         (clk_i),
    .sweep_i       (sweep),
    .sweep_row_i   (sweep_row),
    .deq_port_s1_i (dport_s1_q[PortW-1:0]),
    .deq_port_s2_i (dport_s2_q[PortW-1:0]),
    .enq_port_s1_i (ev_s1_q.port[PortW-1:0]),
    .enq_port_s2_i (ev_s2_q.port[PortW-1:0]),
    .same_port_i   (same_s2_q),
    .serve_i       (serve),
    .busy_i        (busy),
    .one_i         (one),
    .len0_i        (first[0][18:3]),
    .len1_i        (first[1][18:3]),
    .len2_i        (first[2][18:3]),
    .regs_i        (regs),
    .cls_o         (serve_cls),
    .load_deficit_i((load & (ev_s2_q.addr == egress_pkg::WORD_DEFICIT)) ? cls_ev : 3'b000),
    .load_ptr_i    (load & (ev_s2_q.addr == egress_pkg::WORD_DRR_PTR)),
    .data_i        (ev_s2_q.data[23:0]),
    .deficit0_o    (deficit[0]),
    .deficit1_o    (deficit[1]),
    .deficit2_o    (deficit[2]),
    .ptr_o         (drr_ptr)
  );

  assign served         = serve_cls[2] ? first[2] : (serve_cls[1] ? first[1] : first[0]);
  assign served_len     = serve ? served[18:3] : 16'b0;
  assign served_bytes   = (serve_cls[2] ? bytes_deq[2] :
                           serve_cls[1] ? bytes_deq[1] : bytes_deq[0]) - {16'b0, served_len};
  assign deq_port_bytes = bytes_deq[0] + bytes_deq[1] + bytes_deq[2] - {16'b0, served_len};

  egress_ecn u_ecn (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .check_i(pop[0] & served[0]),
    .bytes_i(served_bytes),
    .regs_i (regs),
    .seed_i ((cfg_write & (ev_s2_q.addr == egress_pkg::REG_SEED)) |
             (load & (ev_s2_q.addr == egress_pkg::WORD_LFSR))),
    .data_i (ev_s2_q.data),
    .lfsr_o (lfsr),
    .ce_s3_o(mark)
  );

  assign mark_s3 = {2'b00, mark};

  // ---------------------------------------------------------------- s2: admission
  logic        admit_trimmed;
  logic [1:0]  admit_cls;
  logic [15:0] admit_len;
  logic        admit_drop;
  logic [2:0]  admit_cause;
  logic [31:0] admit_depth;
  logic        admitted;
  logic [31:0] shared_q;
  logic [31:0] shared_left;      // after the grant
  logic [31:0] enq_port_left;    // content of the event's port after the grant
  logic [31:0] enq_port_bytes;   // and after the event
  logic        enq_xoff_left;
  logic        enq_xoff;

  assign shared_left = shared_q - {16'b0, served_len};

  egress_admit u_admit (
    .cls_i         (ev_s2_q.cls),
    .len_i         (ev_s2_q.len),
    .trimmable_i   (ev_s2_q.trimmable),
    .trim_size_i   (ev_s2_q.trim_size),
    .last_hop_i    (ev_s2_q.last_hop),
    .bytes0_i      (bytes_enq[0]),
    .bytes1_i      (bytes_enq[1]),
    .bytes2_i      (bytes_enq[2]),
    .full_i        (full),
    .shared_bytes_i(shared_left),
    .regs_i        (regs),
    .trimmed_o     (admit_trimmed),
    .cls_o         (admit_cls),
    .len_o         (admit_len),
    .drop_o        (admit_drop),
    .cause_o       (admit_cause),
    .depth_o       (admit_depth)
  );

  assign admitted   = packet & ~admit_drop;
  assign new_desc   = {ev_s2_q.id, admit_len, admit_trimmed, ev_s2_q.last_hop, ev_s2_q.ect};
  assign count_trim = {2'b00, packet & admit_trimmed};

  for (genvar c = 0; c < egress_pkg::CLASSES; c++) begin : gen_act
    localparam logic [1:0] Cls = c[1:0];
    assign push[c]       = admitted & (admit_cls == Cls);
    assign count_drop[c] = packet & admit_drop & (admit_cls == Cls);
  end

  assign enq_port_left  = bytes_enq[0] + bytes_enq[1] + bytes_enq[2];
  assign enq_port_bytes = enq_port_left + (admitted ? {16'b0, admit_len} : 32'b0);

  // ---------------------------------------------------------------- s2: pause, shared content
  logic [PortRows-1:0] xoff_q;
  logic                deq_xoff_old;
  logic                enq_xoff_old;

  assign deq_xoff_old  = xoff_q[dport_s2_q[PortW-1:0]];
  assign enq_xoff_old  = xoff_q[ev_s2_q.port[PortW-1:0]];
  assign deq_xoff      = (deq_port_bytes >= regs.XOFF) |
                         (deq_xoff_old & (deq_port_bytes > regs.XON));
  assign enq_xoff_left = (deq_evaluate & same_s2_q) ? deq_xoff : enq_xoff_old;
  assign enq_xoff      = (enq_port_bytes >= regs.XOFF) |
                         (enq_xoff_left & (enq_port_bytes > regs.XON));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      xoff_q   <= '0;
      shared_q <= '0;
    end else begin
      shared_q <= shared_left + (admitted ? {16'b0, admit_len} : 32'b0);
      if (deq_evaluate) xoff_q[dport_s2_q[PortW-1:0]] <= deq_xoff;
      // The event comes after the grant: where both name one port, this write stays.
      if (packet) xoff_q[ev_s2_q.port[PortW-1:0]] <= enq_xoff;
    end
  end

  // ---------------------------------------------------------------- s2 to s3: responses
  egress_enqr_t enqr_s2;
  egress_enqr_t enqr_s3_q;
  egress_enqr_t enqr_s3;
  egress_deqr_t deqr_s2;
  egress_deqr_t deqr_s3_q;
  egress_deqr_t deqr_s3;
  logic         marks_wanted_s3_q;
  logic [1:0]   cls_s3_q;
  logic [31:0]  word_cls;
  logic [31:0]  word_data;
  logic [23:0]  word_deficit;
  logic [3:0]   word_addr;       // READ of a word beyond is refused
  logic [31:0]  marks_cls_s3;

  assign word_addr = ev_s2_q.addr[3:0];
  assign word_cls = cls_ev[2] ? word[2] : (cls_ev[1] ? word[1] : word[0]);

  assign word_deficit = cls_ev[2] ? deficit[2] : (cls_ev[1] ? deficit[1] : deficit[0]);

  // Word 8, the marks, is known one stage later.
  always_comb begin
    unique case (word_addr)
      egress_pkg::WORD_DEFICIT[3:0]:      word_data = {8'b0, word_deficit};
      egress_pkg::WORD_PORT_BYTES[3:0]:   word_data = enq_port_left;
      egress_pkg::WORD_DRR_PTR[3:0]:      word_data = {27'b0, enq_xoff_left, 2'b00, drr_ptr};
      egress_pkg::WORD_SHARED_BYTES[3:0]: word_data = shared_left;
      egress_pkg::WORD_LFSR[3:0]:         word_data = lfsr;
      default:                            word_data = word_cls;
    endcase
  end

  assign enqr_s2.kind       = ev_s2_q.kind;
  assign enqr_s2.port       = ev_s2_q.port;
  assign enqr_s2.id         = ev_s2_q.id;
  assign enqr_s2.verdict    = !packet       ? egress_pkg::VERDICT_NONE :
                              admit_drop    ? egress_pkg::VERDICT_DROP :
                              admit_trimmed ? egress_pkg::VERDICT_TRIM : egress_pkg::VERDICT_ADMIT;
  assign enqr_s2.cause      = packet ? admit_cause : egress_pkg::CAUSE_NONE;
  assign enqr_s2.cls        = packet ? admit_cls : 2'b0;
  assign enqr_s2.len        = packet ? admit_len : 16'b0;
  assign enqr_s2.trimmed    = packet & admit_trimmed;
  assign enqr_s2.depth      = packet ? admit_depth : 32'b0;
  assign enqr_s2.port_bytes = packet ? enq_port_bytes : 32'b0;
  assign enqr_s2.xoff       = packet & enq_xoff;
  assign enqr_s2.refused    = refused;
  assign enqr_s2.data       = refused     ? 32'b0 :
                              is_cfg_read ? reg_data :
                              is_read     ? word_data : 32'b0;

  assign deqr_s2.port       = dport_s2_q;
  assign deqr_s2.empty      = deq_evaluate & ~serve;
  assign deqr_s2.refused    = ~dport_ranged_s2_q;
  assign deqr_s2.cls        = serve ? {serve_cls[2], serve_cls[1]} : 2'b0;
  assign deqr_s2.id         = serve ? served[50:19] : 32'b0;
  assign deqr_s2.len        = served_len;
  assign deqr_s2.trimmed    = serve & served[2];
  assign deqr_s2.last_hop   = serve & served[1];
  assign deqr_s2.ce         = 1'b0;
  assign deqr_s2.depth      = serve ? served_bytes : 32'b0;
  assign deqr_s2.port_bytes = deq_evaluate ? deq_port_bytes : 32'b0;
  assign deqr_s2.xoff       = deq_evaluate & deq_xoff;

  always_ff @(posedge clk_i) begin
    enqr_s3_q         <= enqr_s2;
    deqr_s3_q         <= deqr_s2;
    marks_wanted_s3_q <= is_read & ~refused & (ev_s2_q.addr == egress_pkg::WORD_MARKS);
    cls_s3_q          <= ev_s2_q.cls;
  end

  // ---------------------------------------------------------------- s3: marks, push
  assign marks_cls_s3 = cls_s3_q[1] ? marks_s3[2] : (cls_s3_q[0] ? marks_s3[1] : marks_s3[0]);

  always_comb begin
    enqr_s3    = enqr_s3_q;
    deqr_s3    = deqr_s3_q;
    deqr_s3.ce = mark;
    if (marks_wanted_s3_q) enqr_s3.data = marks_cls_s3;
  end

  gw_rsp_fifo #(.Width(egress_pkg::ENQR_W), .Rows(egress_pkg::CREDITS)) u_enqr_fifo (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (enq_s3_q),
    .data_i (enqr_s3),
    .valid_o(enqr_valid_o),
    .ready_i(enqr_ready_i),
    .data_o (enqr_o),
    .take_o (enq_take)
  );

  gw_rsp_fifo #(.Width(egress_pkg::DEQR_W), .Rows(egress_pkg::CREDITS)) u_deqr_fifo (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (deq_s3_q),
    .data_i (deqr_s3),
    .valid_o(deqr_valid_o),
    .ready_i(deqr_ready_i),
    .data_o (deqr_o),
    .take_o (deq_take)
  );
endmodule
