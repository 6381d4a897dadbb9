// Smoke bench of the egress block: events whose answers were worked out by hand from the contract.
//
// Runs under Icarus Verilog and under Verilator --timing; ends with PASS or $fatal.
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
  logic         deqr_valid;
  logic         deqr_ready;
  egress_deqr_t deqr;

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

  initial clk = 1'b0;
  always #5 clk = ~clk;

  // ---------------------------------------------------------------- observation
  int           cycle;
  int           accepted;
  int           accept_cycle;
  int           answered;
  int           answer_cycle;
  egress_enqr_t last;
  int           granted;
  int           served;
  int           served_cycle;
  int           served_gap;
  egress_deqr_t last_served;
  int           errors;

  initial begin
    cycle        = 0;
    accepted     = 0;
    accept_cycle = 0;
    answered     = 0;
    answer_cycle = 0;
    granted      = 0;
    served       = 0;
    served_cycle = 0;
    served_gap   = 0;
    errors       = 0;
  end

  always @(posedge clk) begin
    cycle <= cycle + 1;
    if (enq_valid && enq_ready) begin
      accepted     <= accepted + 1;
      accept_cycle <= cycle;
    end
    if (deq_valid && deq_ready) granted <= granted + 1;
    if (enqr_valid && enqr_ready) begin
      answered     <= answered + 1;
      answer_cycle <= cycle;
      last         <= enqr;
      // An unknown bit in an answer: state that was never written has become visible.
      if ((^enqr) === 1'bx) begin
        errors = errors + 1;
        $display("tb_egress: unknown bits at enqr %h (cycle %0d)", enqr, cycle);
      end
    end
    if (deqr_valid && deqr_ready) begin
      served       <= served + 1;
      served_gap   <= cycle - served_cycle;
      served_cycle <= cycle;
      last_served  <= deqr;
      if ((^deqr) === 1'bx) begin
        errors = errors + 1;
        $display("tb_egress: unknown bits at deqr %h (cycle %0d)", deqr, cycle);
      end
    end
  end

  task check(input [8*24-1:0] what, input longint got, input longint want);
    if (got !== want) begin
      errors = errors + 1;
      $display("tb_egress: %0s: got %0d, want %0d (cycle %0d)", what, got, want, cycle);
    end
  endtask

  // ---------------------------------------------------------------- stimulus, at falling edges
  task offer;
    int seen;
    seen      = accepted;
    enq_valid = 1'b1;
    while (accepted == seen) @(negedge clk);
    enq_valid = 1'b0;
  endtask

  task offer_grant(input logic [7:0] port);
    int seen;
    seen      = granted;
    deq.port  = port;
    deq_valid = 1'b1;
    while (granted == seen) @(negedge clk);
    deq_valid = 1'b0;
  endtask

  task packet(input logic [7:0] port, input logic [1:0] cls, input logic [15:0] len);
    int seen;
    seen     = answered;
    enq.kind = egress_pkg::KIND_ENQ;
    enq.port = port;
    enq.cls  = cls;
    enq.len  = len;
    enq.id   = enq.id + 32'd1;
    offer;
    while (answered == seen) @(negedge clk);
  endtask

  task access(input logic [3:0] kind, input logic [4:0] addr, input logic [31:0] data);
    int seen;
    seen     = answered;
    enq.kind = kind;
    enq.addr = addr;
    enq.data = data;
    offer;
    while (answered == seen) @(negedge clk);
  endtask

  task word(input [8*24-1:0] what, input logic [7:0] port, input logic [1:0] cls,
            input logic [4:0] addr, input longint want);
    enq.port = port;
    enq.cls  = cls;
    access(egress_pkg::KIND_READ, addr, 32'd0);
    check(what, last.data, want);
  endtask

  task grant(input logic [7:0] port);
    int seen;
    seen = served;
    offer_grant(port);
    while (served == seen) @(negedge clk);
  endtask

  initial begin : watchdog
    #100000;
    $display("tb_egress: timeout in cycle %0d", cycle);
    $fatal;
  end

  int start;
  int count;

  initial begin
    rst_n      = 1'b0;
    enq_valid  = 1'b0;
    deq_valid  = 1'b0;
    enqr_ready = 1'b1;
    deqr_ready = 1'b1;
    enq        = '0;
    deq        = '0;
    repeat (3) @(negedge clk);
    start = cycle;
    rst_n = 1'b1;
    while (!enq_ready) @(negedge clk);
    check("sweep", cycle - start, NumPorts);

    // Admission, trimming, limits.
    packet(8'd0, egress_pkg::CLS_LOW, 16'd1000);
    check("latency", answer_cycle - accept_cycle, egress_pkg::LATENCY + 1);
    check("admit", last.verdict, egress_pkg::VERDICT_ADMIT);
    check("admit depth", last.depth, 1000);
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_TRIM, 32'd1500);
    enq.trimmable = 1'b1;
    packet(8'd0, egress_pkg::CLS_LOW, 16'd501);
    check("trim", last.verdict, egress_pkg::VERDICT_TRIM);
    check("trim len", last.len, 64);
    check("trim cls", last.cls, egress_pkg::CLS_MEDIUM);
    check("trim port_bytes", last.port_bytes, 1064);
    packet(8'd0, egress_pkg::CLS_LOW, 16'd500);
    check("at the threshold", last.verdict, egress_pkg::VERDICT_ADMIT);
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_DROP_HIGH, 32'd99);
    packet(8'd0, egress_pkg::CLS_HIGH, 16'd100);
    check("drop", last.verdict, egress_pkg::VERDICT_DROP);
    check("drop cause", last.cause, egress_pkg::CAUSE_LIMIT);
    packet(8'd0, egress_pkg::CLS_HIGH, 16'd99);
    check("high", last.verdict, egress_pkg::VERDICT_ADMIT);
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_SHARED, 32'd1663);
    packet(8'd1, egress_pkg::CLS_LOW, 16'd1);
    check("drop shared", last.cause, egress_pkg::CAUSE_SHARED);
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_SHARED, 32'd100000);
    packet(8'd1, egress_pkg::CLS_LOW, 16'd0);
    packet(8'd1, egress_pkg::CLS_LOW, 16'd0);
    packet(8'd1, egress_pkg::CLS_LOW, 16'd0);
    packet(8'd1, egress_pkg::CLS_LOW, 16'd0);
    packet(8'd1, egress_pkg::CLS_LOW, 16'd0);
    check("drop full", last.cause, egress_pkg::CAUSE_FULL);
    packet(8'd3, egress_pkg::CLS_LOW, 16'd10);
    check("port refused", last.refused, 1);
    word("enq_pkts", 8'd0, egress_pkg::CLS_LOW, egress_pkg::WORD_ENQ_PKTS, 2);
    word("trims", 8'd0, egress_pkg::CLS_LOW, egress_pkg::WORD_TRIMS, 1);
    word("drops", 8'd0, egress_pkg::CLS_HIGH, egress_pkg::WORD_DROPS, 1);
    word("shared_bytes", 8'd0, egress_pkg::CLS_LOW, egress_pkg::WORD_SHARED_BYTES, 1663);

    // Strict priority: high, medium, low, low.
    grant(8'd0);
    check("strict 1", last_served.cls, egress_pkg::CLS_HIGH);
    grant(8'd0);
    check("strict 2", last_served.cls, egress_pkg::CLS_MEDIUM);
    check("strict trimmed", last_served.trimmed, 1);
    grant(8'd0);
    check("strict 3 id", last_served.id, 1);
    check("strict 3 depth", last_served.depth, 500);
    grant(8'd0);
    check("strict 4 len", last_served.len, 500);
    grant(8'd0);
    check("empty", last_served.empty, 1);
    grant(8'd200);
    check("grant refused", last_served.refused, 1);

    // DRR over low (quantum 250) and medium (quantum 100): 200 low, 200 medium, 100 low.
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_SCHED, {30'b0, egress_pkg::SCHED_DRR});
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_QUANTUM_LOW, 32'd250);
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_QUANTUM_MED, 32'd100);
    packet(8'd2, egress_pkg::CLS_LOW, 16'd200);
    packet(8'd2, egress_pkg::CLS_LOW, 16'd100);
    packet(8'd2, egress_pkg::CLS_LOW, 16'd100);
    packet(8'd2, egress_pkg::CLS_MEDIUM, 16'd200);
    grant(8'd2);
    check("drr 1", last_served.cls, egress_pkg::CLS_MEDIUM);
    grant(8'd2);
    check("drr 2", last_served.len, 200);
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
    check("mark at K_MAX", last_served.ce, 1);
    word("no draw", 8'd2, egress_pkg::CLS_LOW, egress_pkg::WORD_LFSR, 1);
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_K_MAX, 32'd131072);
    grant(8'd2);
    check("no mark", last_served.ce, 0);
    word("first draw", 8'd2, egress_pkg::CLS_LOW, egress_pkg::WORD_LFSR, 64'hb6f6b6c3);
    grant(8'd2);
    word("second draw", 8'd2, egress_pkg::CLS_LOW, egress_pkg::WORD_LFSR, 64'h8a0f3db5);
    check("mark", last_served.ce, 1);
    word("marks", 8'd2, egress_pkg::CLS_LOW, egress_pkg::WORD_MARKS, 2);

    // Pause.
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_XOFF, 32'd35300);
    access(egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_XON, 32'd10);
    packet(8'd2, egress_pkg::CLS_HIGH, 16'd46);
    check("xoff", last.xoff, 1);
    grant(8'd2);
    check("xoff holds", last_served.xoff, 1);
    grant(8'd2);
    check("xon", last_served.xoff, 0);

    // Two grants of one port: DEQ_GAP cycles apart; of two ports: one.
    count = served;
    offer_grant(8'd0);
    offer_grant(8'd0);
    while (served != count + 2) @(negedge clk);
    check("gap", served_gap, egress_pkg::DEQ_GAP);
    count = served;
    offer_grant(8'd0);
    offer_grant(8'd2);
    while (served != count + 2) @(negedge clk);
    check("no gap", served_gap, 1);

    // Back-pressure: CREDITS events issue, two more wait in the input FIFO.
    enqr_ready = 1'b0;
    count      = accepted;
    enq.kind   = egress_pkg::KIND_READ;
    enq_valid  = 1'b1;
    repeat (40) @(negedge clk);
    check("credits", accepted - count, egress_pkg::CREDITS + egress_pkg::IN_FIFO_DEPTH);
    enq_valid = 1'b0;
    #1;
    rst_n = 1'b0;
    #1;
    check("reset ready", enq_ready, 0);
    check("reset valid", enqr_valid, 0);

    if (errors != 0) begin
      $display("tb_egress: FAIL, %0d errors", errors);
      $fatal;
    end
    $display("tb_egress: PASS, %0d responses, %0d grants", answered, served);
    $finish;
  end
endmodule
