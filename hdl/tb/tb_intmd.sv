// Smoke bench of intmd: the example of the contract, a packet that passes, table, rates.
//
// Runs under Icarus Verilog and under Verilator --timing; ends with PASS or $fatal.
module tb_intmd;
  localparam int NumPorts = 3;

  logic        clk;
  logic        rst_n;
  logic        rx_valid;
  logic        rx_ready;
  intmd_rx_t   rx;
  logic        cnt_valid;
  logic        cnt_ready;
  intmd_cnt_t  cnt;
  logic        cfg_valid;
  logic        cfg_ready;
  intmd_cfg_t  cfg;
  logic        tx_valid;
  logic        tx_ready;
  intmd_tx_t   tx;
  logic        cfgr_valid;
  logic        cfgr_ready;
  intmd_cfgr_t cfgr;

  intmd #(.NumPorts(NumPorts)) dut (
    .clk_i       (clk),
    .rst_ni      (rst_n),
    .rx_valid_i  (rx_valid),
    .rx_ready_o  (rx_ready),
    .rx_i        (rx),
    .cnt_valid_i (cnt_valid),
    .cnt_ready_o (cnt_ready),
    .cnt_i       (cnt),
    .cfg_valid_i (cfg_valid),
    .cfg_ready_o (cfg_ready),
    .cfg_i       (cfg),
    .tx_valid_o  (tx_valid),
    .tx_ready_i  (tx_ready),
    .tx_o        (tx),
    .cfgr_valid_o(cfgr_valid),
    .cfgr_ready_i(cfgr_ready),
    .cfgr_o      (cfgr)
  );

  initial clk = 1'b0;
  always #5 clk = ~clk;

  // ---------------------------------------------------------------- observation
  int            cycle;
  int            accepted;
  int            accept_cycle;
  int            sent;
  int            sent_cycle;
  intmd_tx_t     last;
  intmd_tx_t     first;          // the beat before it
  int            asked;
  int            answered;
  intmd_cfgr_t   answer;
  int            errors;

  initial begin
    cycle        = 0;
    accepted     = 0;
    accept_cycle = 0;
    sent         = 0;
    sent_cycle   = 0;
    asked        = 0;
    answered     = 0;
    errors       = 0;
  end

  always @(posedge clk) begin
    cycle <= cycle + 1;
    if (rx_valid && rx_ready) begin
      accepted     <= accepted + 1;
      accept_cycle <= cycle;
    end
    if (cfg_valid && cfg_ready) asked <= asked + 1;
    if (tx_valid && tx_ready) begin
      sent       <= sent + 1;
      sent_cycle <= cycle;
      last       <= tx;
      first      <= last;
      // An unknown bit in an answer: state that was never written has become visible.
      if ((^tx) === 1'bx) begin
        errors = errors + 1;
        $display("tb_intmd: unknown bits at tx %h (cycle %0d)", tx, cycle);
      end
    end
    if (cfgr_valid && cfgr_ready) begin
      answered <= answered + 1;
      answer   <= cfgr;
      if ((^cfgr) === 1'bx) begin
        errors = errors + 1;
        $display("tb_intmd: unknown bits at cfgr %h (cycle %0d)", cfgr, cycle);
      end
    end
  end

  task check(input [8*24-1:0] what, input [511:0] got, input [511:0] want);
    if (got !== want) begin
      errors = errors + 1;
      $display("tb_intmd: %0s: got %h, want %h (cycle %0d)", what, got, want, cycle);
    end
  endtask

  // Text order, first byte leftmost, to stream order, first byte lowest.
  function automatic [511:0] wire_order(input [511:0] text);
    for (int k = 0; k < 64; k++) wire_order[8*k +: 8] = text[8*(63-k) +: 8];
  endfunction

  // ---------------------------------------------------------------- stimulus, at falling edges
  task beat(input [511:0] data, input [63:0] keep, input is_last);
    int seen;
    seen     = accepted;
    rx.data  = data;
    rx.keep  = keep;
    rx.last  = is_last;
    rx_valid = 1'b1;
    while (accepted == seen) @(negedge clk);
    rx_valid = 1'b0;
  endtask

  task access(input [3:0] kind, input [4:0] addr, input [31:0] data);
    int seen;
    seen      = asked;
    cfg.kind  = kind;
    cfg.addr  = addr;
    cfg.data  = data;
    cfg_valid = 1'b1;
    while (asked == seen) @(negedge clk);
    cfg_valid = 1'b0;
    while (answered == seen) @(negedge clk);
  endtask

  task report(input [7:0] port, input op, input [31:0] tx_bytes, input [31:0] qlen);
    cnt.port     = port;
    cnt.op       = op;
    cnt.tx_bytes = tx_bytes;
    cnt.qlen     = qlen;
    cnt_valid    = 1'b1;
    @(negedge clk);
    cnt_valid    = 1'b0;
  endtask

  initial begin : watchdog
    #100000;
    $display("tb_intmd: timeout in cycle %0d", cycle);
    $fatal;
  end

  localparam [511:0] Head0 = {
    128'h02000000_00020200_00000001_080045b8, 128'h00440001_40004011_25ee0a00_00010a00,
    128'h0002c000_12b90030_8e934000_00000000, 128'h00640007_00090000_00000000_00000000};
  localparam [511:0] Head1 = {
    128'h00000010_00000064_0000494e_00050003, 16'h0000, 368'h0};
  localparam [511:0] Out0 = {
    128'h02000000_00020200_00000001_080045b8, 128'h004c0001_40004011_25e60a00_00010a00,
    128'h0002c000_12b90038_ff134000_00000000, 128'h00640007_00090000_00000000_00000000};
  localparam [511:0] Out1 = {
    128'h00000010_00000064_0000494e_01050003, 80'h0000_41234560_03f803f4, 304'h0};

  int start;

  initial begin
    rst_n      = 1'b0;
    rx_valid   = 1'b0;
    cnt_valid  = 1'b0;
    cfg_valid  = 1'b0;
    tx_ready   = 1'b1;
    cfgr_ready = 1'b1;
    rx         = '0;
    cnt        = '0;
    cfg        = '0;
    repeat (3) @(negedge clk);
    start = cycle;
    rst_n = 1'b1;
    while (!rx_ready) @(negedge clk);
    check("sweep", cycle - start, NumPorts);

    // The example: an ACK_CC of 82 bytes becomes 90.
    access(intmd_pkg::KIND_CFG_WRITE, intmd_pkg::REG_STEP, 32'd0);
    access(intmd_pkg::KIND_CFG_WRITE, intmd_pkg::REG_TIME, 32'h123456);
    report(8'd1, intmd_pkg::OP_SET, 32'd130000, 32'd81080);
    report(8'd1, intmd_pkg::OP_ADD, 32'd48, -32'd80);
    cfg.port = 8'd1;
    repeat (2) @(negedge clk);
    access(intmd_pkg::KIND_ENTRY_READ, 5'd0, 32'd0);
    check("entry", answer.data, 64'h4123_4560_03f8_03f4);
    rx.in_port  = 8'd1;
    rx.out_port = 8'd77;
    beat(wire_order(Head0), '1, 1'b0);
    beat(wire_order(Head1), 64'h3ffff, 1'b1);
    while (sent < 1) @(negedge clk);
    check("latency", sent_cycle - accept_cycle, intmd_pkg::RELEASE + intmd_pkg::EMIT + 1);
    while (sent < 2) @(negedge clk);
    check("first beat", first.data, wire_order(Out0));
    check("first keep", first.keep, 64'hffff_ffff_ffff_ffff);
    check("second beat", last.data, wire_order(Out1));
    check("second keep", last.keep, 64'h3ffffff);
    check("last", last.last, 1);
    check("inserted", last.inserted, 1);
    check("hops", last.hops, 1);
    check("out_port", last.out_port, 77);

    // Insertion into ACKs switched off: it passes.
    access(intmd_pkg::KIND_CFG_WRITE, intmd_pkg::REG_MODE, 32'd2);
    beat(wire_order(Head0), '1, 1'b0);
    beat(wire_order(Head1), 64'h3ffff, 1'b1);
    while (sent < 4) @(negedge clk);
    check("passes", first.data, wire_order(Head0));
    check("cause", last.cause, intmd_pkg::CAUSE_OFF);

    // 24 bytes of padding, on again: the second beat has 42 bytes and room for 8 more;
    // with 58 it grows by a beat of 2 bytes.
    access(intmd_pkg::KIND_CFG_WRITE, intmd_pkg::REG_MODE, 32'd3);
    beat(wire_order(Head0), '1, 1'b0);
    beat(wire_order(Head1), 64'h3ff_ffff_ffff, 1'b1);
    while (sent < 6) @(negedge clk);
    check("padded keep", last.keep, 64'h3_ffff_ffff_ffff);
    beat(wire_order(Head0), '1, 1'b0);
    beat(wire_order(Head1), 64'h3ff_ffff_ffff_ffff, 1'b1);
    while (sent < 9) @(negedge clk);
    check("added keep", last.keep, 64'h3);
    check("added last", last.last, 1);
    check("before it", first.last, 0);

    // Counters, refusals.
    access(intmd_pkg::KIND_READ, intmd_pkg::WORD_FRAMES, 32'd0);
    check("frames", answer.data, 4);
    access(intmd_pkg::KIND_READ, intmd_pkg::WORD_ACKS, 32'd0);
    check("acks", answer.data, 3);
    access(intmd_pkg::KIND_READ, intmd_pkg::WORD_ADDED_BEATS, 32'd0);
    check("added_beats", answer.data, 1);
    report(8'd3, intmd_pkg::OP_SET, 32'd1, 32'd1);
    repeat (2) @(negedge clk);
    access(intmd_pkg::KIND_READ, intmd_pkg::WORD_BAD_REPORTS, 32'd0);
    check("bad_reports", answer.data, 1);
    cfg.port = 8'd3;
    access(intmd_pkg::KIND_RATE_WRITE, 5'd0, 32'd5);
    check("port refused", answer.refused, 1);

    // A period of 1000 cycles: what is written now is not seen soon.
    cfg.port = 8'd2;
    access(intmd_pkg::KIND_CFG_WRITE, intmd_pkg::REG_PERIOD, 32'd1000);
    access(intmd_pkg::KIND_RATE_WRITE, 5'd0, 32'd5);
    report(8'd2, intmd_pkg::OP_SET, 32'd128, 32'd80);
    repeat (10) @(negedge clk);
    access(intmd_pkg::KIND_ENTRY_READ, 5'd0, 32'd0);
    check("before the tick", answer.data, 64'h4123_4560_0000_0000);
    repeat (1000) @(negedge clk);
    access(intmd_pkg::KIND_ENTRY_READ, 5'd0, 32'd0);
    check("after the tick", answer.data, 64'h5123_4560_0001_0001);

    // Back-pressure: output FIFO, store and input FIFO fill up.
    tx_ready = 1'b0;
    start    = accepted;
    rx.last  = 1'b1;
    rx_valid = 1'b1;
    repeat (60) @(negedge clk);
    check("held", accepted - start,
          intmd_pkg::OUT + intmd_pkg::STORE + intmd_pkg::IN_FIFO_DEPTH);
    rx_valid = 1'b0;
    #1;
    rst_n = 1'b0;
    #1;
    check("reset ready", rx_ready, 0);
    check("reset valid", tx_valid, 0);

    if (errors != 0) begin
      $display("tb_intmd: FAIL, %0d errors", errors);
      $fatal;
    end
    $display("tb_intmd: PASS, %0d beats", sent);
    $finish;
  end
endmodule
