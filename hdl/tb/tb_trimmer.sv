// Smoke bench of the trimmer: the example of the contract, trimmed by the registers and by a trim
// size that comes with the packet; a packet that passes unchanged, registers, rates.
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
  trimmer_tx_t   last;
  logic          cfgr_valid;
  logic          cfgr_ready;
  trimmer_cfgr_t cfgr;
  trimmer_cfgr_t answer;

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

  bench_clock bench (.clk_o(clk), .rst_no(rst_n));
  bench_source rx_in (.clk_i(clk), .rst_ni(rst_n), .valid_o(rx_valid), .ready_i(rx_ready));
  bench_source cfg_in (.clk_i(clk), .rst_ni(rst_n), .valid_o(cfg_valid), .ready_i(cfg_ready));
  bench_sink #(.Width(trimmer_pkg::TX_W)) tx_out (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(tx_valid), .ready_o(tx_ready), .data_i(tx),
    .last_o(last), .prior_o());
  bench_sink #(.Width(trimmer_pkg::CFGR_W)) cfgr_out (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(cfgr_valid), .ready_o(cfgr_ready), .data_i(cfgr),
    .last_o(answer), .prior_o());

  // ---------------------------------------------------------------- stimulus
  task beat(input [511:0] data, input [63:0] keep, input is_last);
    rx.data = data;
    rx.keep = keep;
    rx.last = is_last;
    rx_in.offer;
  endtask

  // The sideband of a beat counts only in the first beat.
  task request(input logic [31:0] tag, input logic ce, input logic [8:0] trim_size);
    rx.trim      = 1'b1;
    rx.trim_size = trim_size;
    rx.tag       = tag;
    rx.ce        = ce;
    beat(bench_pkg::wire_order(bench_pkg::Request), '1, 1'b0);
    rx.trim      = 1'b0;
    rx.trim_size = ~trim_size;
    rx.tag       = ~tag;
    rx.ce        = ~ce;
    beat(bench_pkg::ramp(8'd10, 64), '1, 1'b0);
    beat(bench_pkg::ramp(8'd74, 14), 64'h3fff, 1'b1);
  endtask

  task access(input [3:0] kind, input [4:0] addr, input [31:0] data);
    cfg.kind = kind;
    cfg.addr = addr;
    cfg.data = data;
    cfg_in.offer;
    cfgr_out.await(cfg_in.taken);
  endtask

  int count;

  initial begin
    rx  = '0;
    cfg = '0;
    bench.restart;
    rx_in.await_ready;
    bench.check("sweep", rx_in.sweep, 1);

    // The example: 142 bytes become 64.
    rx.len = 16'd142;
    request(32'h1234abcd, 1'b0, 9'd0);
    tx_out.await(1);
    bench.check("latency", tx_out.taken_cycle - rx_in.taken_cycle,
                trimmer_pkg::RELEASE + trimmer_pkg::EMIT + 1);
    bench.check("cut", last.data, bench_pkg::wire_order(bench_pkg::Trimmed));
    bench.check("keep", last.keep, 64'hffff_ffff_ffff_ffff);
    bench.check("last", last.last, 1);
    bench.check("trimmed", last.trimmed, 1);
    bench.check("tag", last.tag, 32'h1234abcd);
    bench.wait_cycles(4);
    bench.check("one beat", tx_out.taken, 1);

    // A packet to another UDP port passes untrimmed but marked: HC' for class 0x22 to 0x23 is one
    // less.
    access(trimmer_pkg::KIND_CFG_WRITE, trimmer_pkg::REG_UDP_PORT, 32'd4794);
    request('0, 1'b1, 9'd0);
    tx_out.await(2);
    bench.check("passes", last.trimmed, 0);
    bench.check("marked", last.marked, 1);
    bench.check("cause", last.cause, trimmer_pkg::CAUSE_PORT);
    bench.check("class", last.data[127:120], 8'h23);
    bench.check("checksum", last.data[207:192], 16'h4726);
    tx_out.await(4);
    bench.check("no bubble", tx_out.streak, 3);
    bench.check("last beat", last.data, bench_pkg::ramp(8'd74, 14));
    bench.check("last keep", last.keep, 64'h3fff);

    // With a trim size neither UDP_PORT nor the size registers count; headers and prologue stay: 34
    // + 24.
    access(trimmer_pkg::KIND_CFG_WRITE, trimmer_pkg::REG_TRIM_SIZE, 32'd200);
    request('0, 1'b0, 9'd64);
    tx_out.await(5);
    bench.check("cut to size", last.data, bench_pkg::wire_order(bench_pkg::Trimmed));
    bench.check("size keep", last.keep, 64'hffff_ffff_ffff_ffff);
    bench.check("size cause", last.cause, trimmer_pkg::CAUSE_NONE);
    request('0, 1'b0, 9'd1);
    tx_out.await(6);
    bench.check("least keep", last.keep, 64'h03ff_ffff_ffff_ffff);
    request('0, 1'b0, 9'd141);
    tx_out.await(9);
    bench.check("one below the end", last.keep, 64'h1fff);
    bench.check("still cut", last.trimmed, 1);
    request('0, 1'b0, 9'd142);
    tx_out.await(12);
    bench.check("nothing to cut", last.cause, trimmer_pkg::CAUSE_SHORT);
    access(trimmer_pkg::KIND_CFG_WRITE, trimmer_pkg::REG_TRIM_SIZE, 32'd64);

    // Counters and registers.
    access(trimmer_pkg::KIND_READ, trimmer_pkg::WORD_FRAMES, 32'd0);
    bench.check("frames", answer.data, 6);
    access(trimmer_pkg::KIND_READ, trimmer_pkg::WORD_TRIMMED, 32'd0);
    bench.check("count trimmed", answer.data, 4);
    access(trimmer_pkg::KIND_READ, trimmer_pkg::WORD_OTHER_PORT, 32'd0);
    bench.check("other_port", answer.data, 1);
    access(trimmer_pkg::KIND_CFG_WRITE, trimmer_pkg::REG_TRIM_SIZE, 32'd257);
    bench.check("size refused", answer.refused, 1);
    access(trimmer_pkg::KIND_CFG_READ, trimmer_pkg::REG_TRIM_SIZE, 32'd0);
    bench.check("size kept", answer.data, 64);

    // Back-pressure: output FIFO, store and input FIFO fill up; a reset drops everything.
    tx_out.ready_o = 1'b0;
    count          = rx_in.taken;
    rx.last        = 1'b1;
    repeat (60) begin
      rx.tag = rx_in.taken;
      rx_in.offer_once;
    end
    bench.check("held", rx_in.taken - count,
                trimmer_pkg::OUT + trimmer_pkg::STORE + trimmer_pkg::IN_FIFO_DEPTH);
    bench.restart;
    tx_out.ready_o = 1'b1;
    bench.wait_cycles(60);
    bench.check("reset drops", tx_out.taken, 0);
    access(trimmer_pkg::KIND_READ, trimmer_pkg::WORD_FRAMES, 32'd0);
    bench.check("reset counter", answer.data, 0);
    bench.verdict;
  end
endmodule
