// Smoke bench of the trimmer: the example of the contract, a packet that passes, registers, rates.
//
// Runs under Icarus Verilog and under Verilator --timing; ends with PASS or $fatal.
module tb_trimmer;
  logic          clk;
  logic          rst_n;
  logic          rx_valid;
  logic          rx_ready;
  trimmer_rx_t   rx;
  logic          cfg_valid;
  logic          cfg_ready;
  trimmer_cfg_t  cfg;
  logic          tx_valid;
  logic          tx_ready;
  trimmer_tx_t   tx;
  logic          cfgr_valid;
  logic          cfgr_ready;
  trimmer_cfgr_t cfgr;

  trimmer dut (
    .clk_i       (clk),
    .rst_ni      (rst_n),
    .rx_valid_i  (rx_valid),
    .rx_ready_o  (rx_ready),
    .rx_i        (rx),
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
  trimmer_tx_t   last;
  int            asked;
  int            answered;
  trimmer_cfgr_t answer;
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
      // An unknown bit in an answer: state that was never written has become visible.
      if ((^tx) === 1'bx) begin
        errors = errors + 1;
        $display("tb_trimmer: unknown bits at tx %h (cycle %0d)", tx, cycle);
      end
    end
    if (cfgr_valid && cfgr_ready) begin
      answered <= answered + 1;
      answer   <= cfgr;
      if ((^cfgr) === 1'bx) begin
        errors = errors + 1;
        $display("tb_trimmer: unknown bits at cfgr %h (cycle %0d)", cfgr, cycle);
      end
    end
  end

  task check(input [8*24-1:0] what, input [511:0] got, input [511:0] want);
    if (got !== want) begin
      errors = errors + 1;
      $display("tb_trimmer: %0s: got %h, want %h (cycle %0d)", what, got, want, cycle);
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

  initial begin : watchdog
    #100000;
    $display("tb_trimmer: timeout in cycle %0d", cycle);
    $fatal;
  end

  localparam [511:0] Head = {
    128'h02000000_00020200_00000001_08004522, 128'h00800001_40004011_26480a00_00010a00,
    128'h0002c000_12b9006c_9c4e1000_00000000, 128'h00640007_00090001_02030405_06070809};
  localparam [511:0] Cut = {
    128'h02000000_00020200_00000001_08004542, 128'h00320001_40004011_26760a00_00010a00,
    128'h0002c000_12b9001e_f4681000_00000000, 128'h00640007_00090001_02030405_06070809};

  logic [511:0] second;
  logic [511:0] third;
  int           start;

  initial begin
    rst_n      = 1'b0;
    rx_valid   = 1'b0;
    cfg_valid  = 1'b0;
    tx_ready   = 1'b1;
    cfgr_ready = 1'b1;
    rx         = '0;
    cfg        = '0;
    for (int k = 0; k < 64; k++) second[8*k +: 8] = k[7:0] + 8'd10;
    third = '0;
    for (int k = 0; k < 14; k++) third[8*k +: 8] = k[7:0] + 8'd74;
    repeat (3) @(negedge clk);
    start = cycle;
    rst_n = 1'b1;
    while (!rx_ready) @(negedge clk);
    check("sweep", cycle - start, 1);

    // The example: 142 bytes become 64.
    rx.trim = 1'b1;
    rx.len  = 16'd142;
    rx.tag  = 32'h1234abcd;
    beat(wire_order(Head), '1, 1'b0);
    rx.trim = 1'b0;
    rx.tag  = '0;
    beat(second, '1, 1'b0);
    beat(third, 64'h3fff, 1'b1);
    while (sent == 0) @(negedge clk);
    check("latency", sent_cycle - accept_cycle, trimmer_pkg::RELEASE + trimmer_pkg::EMIT + 1);
    check("cut", last.data, wire_order(Cut));
    check("keep", last.keep, 64'hffff_ffff_ffff_ffff);
    check("last", last.last, 1);
    check("trimmed", last.trimmed, 1);
    check("tag", last.tag, 32'h1234abcd);
    repeat (4) @(negedge clk);
    check("one beat", sent, 1);

    // Another UDP port passes as it is, marked: HC' for class 0x22 to 0x23 is one less.
    access(trimmer_pkg::KIND_CFG_WRITE, trimmer_pkg::REG_UDP_PORT, 32'd4794);
    rx.trim = 1'b1;
    rx.ce   = 1'b1;
    beat(wire_order(Head), '1, 1'b0);
    beat(second, '1, 1'b0);
    beat(third, 64'h3fff, 1'b1);
    while (sent < 2) @(negedge clk);
    check("passes", last.trimmed, 0);
    check("marked", last.marked, 1);
    check("cause", last.cause, trimmer_pkg::CAUSE_PORT);
    check("class", last.data[127:120], 8'h23);
    check("checksum", last.data[207:192], 16'h4726);
    while (sent < 4) @(negedge clk);
    check("last beat", last.data, third);
    check("last keep", last.keep, 64'h3fff);

    // Counters and registers.
    access(trimmer_pkg::KIND_READ, trimmer_pkg::WORD_FRAMES, 32'd0);
    check("frames", answer.data, 2);
    access(trimmer_pkg::KIND_READ, trimmer_pkg::WORD_TRIMMED, 32'd0);
    check("count trimmed", answer.data, 1);
    access(trimmer_pkg::KIND_READ, trimmer_pkg::WORD_OTHER_PORT, 32'd0);
    check("other_port", answer.data, 1);
    access(trimmer_pkg::KIND_CFG_WRITE, trimmer_pkg::REG_TRIM_SIZE, 32'd257);
    check("size refused", answer.refused, 1);
    access(trimmer_pkg::KIND_CFG_READ, trimmer_pkg::REG_TRIM_SIZE, 32'd0);
    check("size kept", answer.data, 64);

    // Back-pressure: output FIFO, store and input FIFO fill up.
    tx_ready = 1'b0;
    start    = accepted;
    rx.last  = 1'b1;
    rx_valid = 1'b1;
    repeat (60) @(negedge clk);
    check("held", accepted - start,
          trimmer_pkg::OUT + trimmer_pkg::STORE + trimmer_pkg::IN_FIFO_DEPTH);
    rx_valid = 1'b0;
    #1;
    rst_n = 1'b0;
    #1;
    check("reset ready", rx_ready, 0);
    check("reset valid", tx_valid, 0);

    if (errors != 0) begin
      $display("tb_trimmer: FAIL, %0d errors", errors);
      $fatal;
    end
    $display("tb_trimmer: PASS, %0d beats", sent);
    $finish;
  end
endmodule
