// Smoke bench of the egress block: events whose answers were worked out by hand from the contract.
module tb_egress;
  localparam int NumPorts = 3;
  localparam int Depth    = 4;

  logic         clk;
  logic         rst_n;
  logic         enq_valid;
  logic         enq_ready;
  egress_enq_t  enq;
  logic         deq_valid;
  logic         deq_ready;
  egress_deq_t  deq;
  logic         enqr_valid;
  logic         enqr_ready;
  egress_enqr_t enqr;
  egress_enqr_t last;
  logic         deqr_valid;
  logic         deqr_ready;
  egress_deqr_t deqr;
  egress_deqr_t last_served;

  egress #(.NumPorts(NumPorts), .Depth(Depth)) dut (
    .clk_i       (clk),
    .rst_ni      (rst_n),
    .enq_valid_i (enq_valid),
    .enq_ready_o (enq_ready),
    .enq_i       (enq),
    .deq_valid_i (deq_valid),
    .deq_ready_o (deq_ready),
    .deq_i       (deq),
    .enqr_valid_o(enqr_valid),
    .enqr_ready_i(enqr_ready),
    .enqr_o      (enqr),
    .deqr_valid_o(deqr_valid),
    .deqr_ready_i(deqr_ready),
    .deqr_o      (deqr)
  );

  bench_clock bench (.clk_o(clk), .rst_no(rst_n));
  bench_source enq_in (.clk_i(clk), .rst_ni(rst_n), .valid_o(enq_valid), .ready_i(enq_ready));
  bench_source deq_in (.clk_i(clk), .rst_ni(rst_n), .valid_o(deq_valid), .ready_i(deq_ready));
  bench_sink #(.Width(egress_pkg::ENQR_W)) enqr_out (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(enqr_valid), .ready_o(enqr_ready), .data_i(enqr),
    .last_o(last), .prior_o());
  bench_sink #(.Width(egress_pkg::DEQR_W)) deqr_out (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(deqr_valid), .ready_o(deqr_ready), .data_i(deqr),
    .last_o(last_served), .prior_o());

  // ---------------------------------------------------------------- stimulus, at falling edges
  task offer_grant(input logic [7:0] port);
    deq.port = port;
    deq_in.offer;
  endtask

  task packet(input logic [7:0] port, input logic [1:0] cls, input logic [15:0] len);
    enq.kind = egress_pkg::KIND_ENQ;
    enq.port = port;
    enq.cls  = cls;
    enq.len  = len;
    enq.id   = enq.id + 32'd1;
    enq_in.offer;
    enqr_out.await(enq_in.taken);
  endtask

  task access(input logic [3:0] kind, input logic [4:0] addr, input logic [31:0] data);
    enq.kind = kind;
    enq.addr = addr;
    enq.data = data;
    enq_in.offer;
    enqr_out.await(enq_in.taken);
  endtask

  task word(input [8*24-1:0] what, input logic [7:0] port, input logic [1:0] cls,
            input logic [4:0] addr, input longint want);
    enq.port = port;
    enq.cls  = cls;
    access(egress_pkg::KIND_READ, addr, 32'd0);
    bench.check(what, last.data, want);
  endtask

  task grant(input logic [7:0] port);
    offer_grant(port);
    deqr_out.await(deq_in.taken);
  endtask

  int count;

  initial begin
    enq = '0;
    deq = '0;
    bench.restart;
    enq_in.await_ready;
    bench.check("sweep", enq_in.sweep, NumPorts);

    // Admission, trimming, limits.
    packet(8'd0, egress_pkg::CLS_LOW, 16'd1000);
    bench.check("latency", enqr_out.taken_cycle - enq_in.taken_cycle, egress_pkg::LATENCY + 1);
    bench.check("admit", last.verdict, egress_pkg::VERDICT_ADMIT);
    bench.check("admit depth", last.depth, 1000);
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_TRIM, 32'd1500);
    enq.trimmable = 1'b1;
    enq.trim_size = 16'd64;
    packet(8'd0, egress_pkg::CLS_LOW, 16'd501);
    bench.check("trim", last.verdict, egress_pkg::VERDICT_TRIM);
    bench.check("trim len", last.len, 64);
    bench.check("trim cls", last.cls, egress_pkg::CLS_MEDIUM);
    bench.check("trim port_bytes", last.port_bytes, 1064);
    // To be trimmed but without a trim size: dropped from the low queue, before its limit is
    // tested.
    enq.trim_size = 16'd0;
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_DROP_LOW, 32'd1500);
    packet(8'd0, egress_pkg::CLS_LOW, 16'd501);
    bench.check("untrimmable", last.verdict, egress_pkg::VERDICT_DROP);
    bench.check("untrimmable cause", last.cause, egress_pkg::CAUSE_UNTRIMMABLE);
    bench.check("untrimmable trimmed", last.trimmed, 0);
    bench.check("untrimmable cls", last.cls, egress_pkg::CLS_LOW);
    bench.check("untrimmable len", last.len, 501);
    bench.check("untrimmable depth", last.depth, 1000);
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_DROP_LOW, egress_pkg::RST_DROP_LOW);
    packet(8'd0, egress_pkg::CLS_LOW, 16'd500);
    bench.check("at the threshold", last.verdict, egress_pkg::VERDICT_ADMIT);
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_DROP_HIGH, 32'd99);
    packet(8'd0, egress_pkg::CLS_HIGH, 16'd100);
    bench.check("drop", last.verdict, egress_pkg::VERDICT_DROP);
    bench.check("drop cause", last.cause, egress_pkg::CAUSE_LIMIT);
    packet(8'd0, egress_pkg::CLS_HIGH, 16'd99);
    bench.check("high", last.verdict, egress_pkg::VERDICT_ADMIT);
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_SHARED, 32'd1663);
    packet(8'd1, egress_pkg::CLS_LOW, 16'd1);
    bench.check("drop shared", last.cause, egress_pkg::CAUSE_SHARED);
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_SHARED, 32'd100000);
    packet(8'd1, egress_pkg::CLS_LOW, 16'd0);
    packet(8'd1, egress_pkg::CLS_LOW, 16'd0);
    packet(8'd1, egress_pkg::CLS_LOW, 16'd0);
    packet(8'd1, egress_pkg::CLS_LOW, 16'd0);
    packet(8'd1, egress_pkg::CLS_LOW, 16'd0);
    bench.check("drop full", last.cause, egress_pkg::CAUSE_FULL);
    // A trim size longer than the packet is booked unchanged, and so the packet is dropped.
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_DROP_MED, 32'd2000);
    enq.trim_size = 16'd2001;
    packet(8'd1, egress_pkg::CLS_LOW, 16'd1501);
    bench.check("booked cause", last.cause, egress_pkg::CAUSE_LIMIT);
    bench.check("booked len", last.len, 2001);
    bench.check("booked trimmed", last.trimmed, 1);
    bench.check("booked cls", last.cls, egress_pkg::CLS_MEDIUM);
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_DROP_MED, egress_pkg::RST_DROP_MED);
    packet(8'd3, egress_pkg::CLS_LOW, 16'd10);
    bench.check("port refused", last.refused, 1);
    word("enq_pkts", 8'd0, egress_pkg::CLS_LOW, egress_pkg::WORD_ENQ_PKTS, 2);
    word("trims", 8'd0, egress_pkg::CLS_LOW, egress_pkg::WORD_TRIMS, 1);
    word("drops", 8'd0, egress_pkg::CLS_HIGH, egress_pkg::WORD_DROPS, 1);
    word("untrimmable drops", 8'd0, egress_pkg::CLS_LOW, egress_pkg::WORD_DROPS, 1);
    access(egress_pkg::KIND_CFG_READ, egress_pkg::NUM_REGS, 32'd0);
    bench.check("addr refused", last.refused, 1);
    access(egress_pkg::KIND_CFG_READ, egress_pkg::REG_XON, 32'd0);
    bench.check("last register", last.data, 400000);
    word("shared_bytes", 8'd0, egress_pkg::CLS_LOW, egress_pkg::WORD_SHARED_BYTES, 1663);

    // The scheduler resets to high strict over DRR.
    access(egress_pkg::KIND_CFG_READ, egress_pkg::REG_SCHED, 32'd0);
    bench.check("sched reset", last.data, egress_pkg::SCHED_HIGH_DRR);

    // Strict priority: high, medium, low, low.
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_SCHED, {30'b0, egress_pkg::SCHED_STRICT});
    grant(8'd0);
    bench.check("strict 1", last_served.cls, egress_pkg::CLS_HIGH);
    grant(8'd0);
    bench.check("strict 2", last_served.cls, egress_pkg::CLS_MEDIUM);
    bench.check("strict trimmed", last_served.trimmed, 1);
    grant(8'd0);
    bench.check("strict 3 id", last_served.id, 1);
    bench.check("strict 3 depth", last_served.depth, 500);
    grant(8'd0);
    bench.check("strict 4 len", last_served.len, 500);
    grant(8'd0);
    bench.check("empty", last_served.empty, 1);
    grant(8'd200);
    bench.check("grant refused", last_served.refused, 1);

    // DRR over low (quantum 250) and medium (quantum 100): 200 low, 200 medium, 100 low.
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_SCHED, {30'b0, egress_pkg::SCHED_DRR});
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_QUANTUM_LOW, 32'd250);
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_QUANTUM_MED, 32'd100);
    packet(8'd2, egress_pkg::CLS_LOW, 16'd200);
    packet(8'd2, egress_pkg::CLS_LOW, 16'd100);
    packet(8'd2, egress_pkg::CLS_LOW, 16'd100);
    packet(8'd2, egress_pkg::CLS_MEDIUM, 16'd200);
    grant(8'd2);
    bench.check("drr 1", last_served.cls, egress_pkg::CLS_MEDIUM);
    grant(8'd2);
    bench.check("drr 2", last_served.len, 200);
    word("deficit", 8'd2, egress_pkg::CLS_LOW, egress_pkg::WORD_DEFICIT, 50);
    grant(8'd2);
    word("deficit again", 8'd2, egress_pkg::CLS_LOW, egress_pkg::WORD_DEFICIT, 200);
    word("drr_ptr", 8'd2, egress_pkg::CLS_LOW, egress_pkg::WORD_DRR_PTR, 0);
    grant(8'd2);
    word("deficit forfeited", 8'd2, egress_pkg::CLS_LOW, egress_pkg::WORD_DEFICIT, 0);

    // Probabilistic marking: the first draw from 1 leaves 0xb6f6b6c3, r = 0xb6c3 = 46787.
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_K_MIN, 32'd0);
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_K_MAX, 32'd65536);
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_DROP_LOW, 32'd200000);
    enq.trimmable = 1'b0;
    enq.ect       = 1'b1;
    packet(8'd2, egress_pkg::CLS_LOW, 16'd10);
    packet(8'd2, egress_pkg::CLS_LOW, 16'd10);
    packet(8'd2, egress_pkg::CLS_LOW, 16'd46787);
    packet(8'd2, egress_pkg::CLS_LOW, 16'd35254);
    grant(8'd2);
    bench.check("mark at K_MAX", last_served.ce, 1);
    word("no draw", 8'd2, egress_pkg::CLS_LOW, egress_pkg::WORD_LFSR, 1);
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_K_MAX, 32'd131072);
    grant(8'd2);
    bench.check("no mark", last_served.ce, 0);
    word("first draw", 8'd2, egress_pkg::CLS_LOW, egress_pkg::WORD_LFSR, 64'hb6f6b6c3);
    grant(8'd2);
    word("second draw", 8'd2, egress_pkg::CLS_LOW, egress_pkg::WORD_LFSR, 64'h8a0f3db5);
    bench.check("mark", last_served.ce, 1);
    word("marks", 8'd2, egress_pkg::CLS_LOW, egress_pkg::WORD_MARKS, 2);

    // Pause.
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_XOFF, 32'd35300);
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_XON, 32'd10);
    packet(8'd2, egress_pkg::CLS_HIGH, 16'd46);
    bench.check("xoff", last.xoff, 1);
    grant(8'd2);
    bench.check("xoff holds", last_served.xoff, 1);
    grant(8'd2);
    bench.check("xon", last_served.xoff, 0);

    // Two grants of one port: DEQ_GAP cycles apart; of two ports: one.
    offer_grant(8'd0);
    offer_grant(8'd0);
    deqr_out.await(deq_in.taken);
    bench.check("gap", deqr_out.gap, egress_pkg::DEQ_GAP);
    offer_grant(8'd0);
    offer_grant(8'd2);
    deqr_out.await(deq_in.taken);
    bench.check("no gap", deqr_out.gap, 1);

    // Back-pressure: CREDITS events issue, two more wait in the input FIFO.
    count    = enq_in.taken;
    enq.kind = egress_pkg::KIND_READ;
    enqr_out.ready_o = 1'b0;
    repeat (40) begin
      enq.id = enq_in.taken;
      enq_in.offer_once;
    end
    bench.check("credits", enq_in.taken - count, egress_pkg::CREDITS + egress_pkg::IN_FIFO_DEPTH);

    // A reset drops all packets: the queues are empty.
    bench.restart;
    enqr_out.ready_o = 1'b1;
    bench.wait_cycles(40);
    bench.check("reset drops", enqr_out.taken, 0);
    grant(8'd2);
    bench.check("reset empty", last_served.empty, 1);
    word("reset bytes", 8'd2, egress_pkg::CLS_LOW, egress_pkg::WORD_SHARED_BYTES, 0);
    bench.verdict;
  end
endmodule
