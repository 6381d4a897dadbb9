// Smoke bench of intmd: the example of the contract, a packet that passes, table, rates.
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
  intmd_tx_t   last;
  intmd_tx_t   prior;
  logic        cfgr_valid;
  logic        cfgr_ready;
  intmd_cfgr_t cfgr;
  intmd_cfgr_t answer;

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

  bench_clock bench (.clk_o(clk), .rst_no(rst_n));
  bench_source rx_in (.clk_i(clk), .rst_ni(rst_n), .valid_o(rx_valid), .ready_i(rx_ready));
  bench_source cnt_in (.clk_i(clk), .rst_ni(rst_n), .valid_o(cnt_valid), .ready_i(cnt_ready));
  bench_source cfg_in (.clk_i(clk), .rst_ni(rst_n), .valid_o(cfg_valid), .ready_i(cfg_ready));
  bench_sink #(.Width(intmd_pkg::TX_W)) tx_out (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(tx_valid), .ready_o(tx_ready), .data_i(tx),
    .last_o(last), .prior_o(prior));
  bench_sink #(.Width(intmd_pkg::CFGR_W)) cfgr_out (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(cfgr_valid), .ready_o(cfgr_ready), .data_i(cfgr),
    .last_o(answer), .prior_o());

  // ---------------------------------------------------------------- stimulus
  // An ACK_CC of 64 bytes plus those of keep; spoil holds bits to flip in its second beat.
  task ack(input [63:0] keep, input [511:0] spoil);
    rx.data = bench_pkg::wire_order(bench_pkg::Ack0);
    rx.keep = '1;
    rx.last = 1'b0;
    rx_in.offer;
    rx.data = bench_pkg::wire_order(bench_pkg::Ack1) ^ spoil;
    rx.keep = keep;
    rx.last = 1'b1;
    rx_in.offer;
  endtask

  task access(input [3:0] kind, input [4:0] addr, input [31:0] data);
    cfg.kind = kind;
    cfg.addr = addr;
    cfg.data = data;
    cfg_in.offer;
    cfgr_out.await(cfg_in.taken);
  endtask

  task report(input [7:0] port, input op, input [31:0] tx_bytes, input [31:0] qlen);
    cnt.port     = port;
    cnt.op       = op;
    cnt.tx_bytes = tx_bytes;
    cnt.qlen     = qlen;
    cnt_in.offer;
  endtask

  int count;

  initial begin
    rx  = '0;
    cnt = '0;
    cfg = '0;
    bench.restart;
    rx_in.await_ready;
    bench.check("sweep", rx_in.sweep, NumPorts);

    access(intmd_pkg::KIND_CFG_READ, intmd_pkg::REG_MODE, 32'd0);
    bench.check("mode reset", answer.data, 1);

    // The example: an ACK_CC of 82 bytes becomes 90.
    access(intmd_pkg::KIND_CFG_WRITE, intmd_pkg::REG_STEP, 32'd0);
    access(intmd_pkg::KIND_CFG_WRITE, intmd_pkg::REG_TIME, 32'h123456);
    report(8'd1, intmd_pkg::OP_SET, 32'd130000, 32'd81080);
    report(8'd1, intmd_pkg::OP_ADD, 32'd48, -32'd80);
    cfg.port = 8'd1;
    bench.wait_cycles(2);
    access(intmd_pkg::KIND_ENTRY_READ, 5'd0, 32'd0);
    bench.check("entry", answer.data, 64'h4123_4560_03f8_03f4);
    rx.in_port  = 8'd1;
    rx.out_port = 8'd77;
    ack(64'h3ffff, '0);
    tx_out.await(1);
    bench.check("latency", tx_out.taken_cycle - rx_in.taken_cycle,
                intmd_pkg::RELEASE + intmd_pkg::EMIT + 1);
    tx_out.await(2);
    bench.check("first beat", prior.data,
                bench_pkg::wire_order(bench_pkg::grown0(16'hec19)));
    bench.check("first keep", prior.keep, 64'hffff_ffff_ffff_ffff);
    bench.check("second beat", last.data,
                bench_pkg::wire_order(bench_pkg::grown1(64'h4123_4560_03f8_03f4)));
    bench.check("second keep", last.keep, 64'h3ffffff);
    bench.check("last", last.last, 1);
    bench.check("inserted", last.inserted, 1);
    bench.check("hops", last.hops, 1);
    bench.check("out_port", last.out_port, 77);

    // Insertion into ACKs switched off: it passes.
    access(intmd_pkg::KIND_CFG_WRITE, intmd_pkg::REG_MODE, 32'd2);
    ack(64'h3ffff, '0);
    tx_out.await(4);
    bench.check("passes", prior.data, bench_pkg::wire_order(bench_pkg::Ack0));
    bench.check("cause", last.cause, intmd_pkg::CAUSE_OFF);

    // 24 bytes of padding, insertion on again: the second beat has 42 bytes and room for 8 more;
    // with 58 it grows by a beat of 2 bytes.
    access(intmd_pkg::KIND_CFG_WRITE, intmd_pkg::REG_MODE, 32'd3);
    ack(64'h3ff_ffff_ffff, '0);
    tx_out.await(6);
    bench.check("padded keep", last.keep, 64'h3_ffff_ffff_ffff);
    ack(64'h3ff_ffff_ffff_ffff, '0);
    tx_out.await(9);
    bench.check("no bubble", tx_out.streak, 3);
    bench.check("added keep", last.keep, 64'h3);
    bench.check("added last", last.last, 1);
    bench.check("before it", prior.last, 0);

    // G is 74, so G+2 .. G+5 are bytes 12 .. 15 of the second beat. A bit flipped in one of the
    // last three makes the header malformed, and so does h = 6 with hmax = 5. With h = 5 it is a
    // header, but its entries are not there.
    ack(64'h3ffff, 512'h02 << (8*13));
    tx_out.await(11);
    bench.check("hmax alone", last.cause, intmd_pkg::CAUSE_MALFORMED);
    ack(64'h3ffff, 512'h80 << (8*14));
    tx_out.await(13);
    bench.check("form", last.cause, intmd_pkg::CAUSE_MALFORMED);
    bench.check("untouched", prior.data, bench_pkg::wire_order(bench_pkg::Ack0));
    ack(64'h3ffff, 512'h01 << (8*15));
    tx_out.await(15);
    bench.check("complement", last.cause, intmd_pkg::CAUSE_MALFORMED);
    ack(64'h3ffff, 512'h06 << (8*12));
    tx_out.await(17);
    bench.check("more than room", last.cause, intmd_pkg::CAUSE_MALFORMED);
    ack(64'h3ffff, 512'h05 << (8*12));
    tx_out.await(19);
    bench.check("as many as room", last.cause, intmd_pkg::CAUSE_LENGTH);
    ack(64'h3ffff, (512'h01 << (8*11)) | (512'h80 << (8*14)));
    tx_out.await(21);
    bench.check("magic first", last.cause, intmd_pkg::CAUSE_ABSENT);
    ack(64'h3ffff, (512'h05 << (8*13)) | (512'h05 << (8*15)));
    tx_out.await(23);
    bench.check("no hops left", last.cause, intmd_pkg::CAUSE_NO_ROOM);

    // Counters, refusals.
    access(intmd_pkg::KIND_READ, intmd_pkg::WORD_FRAMES, 32'd0);
    bench.check("frames", answer.data, 11);
    access(intmd_pkg::KIND_READ, intmd_pkg::WORD_MALFORMED, 32'd0);
    bench.check("malformed", answer.data, 4);
    access(intmd_pkg::KIND_READ, intmd_pkg::WORD_ACKS, 32'd0);
    bench.check("acks", answer.data, 3);
    access(intmd_pkg::KIND_READ, intmd_pkg::WORD_ADDED_BEATS, 32'd0);
    bench.check("added_beats", answer.data, 1);
    report(8'd3, intmd_pkg::OP_SET, 32'd1, 32'd1);
    bench.wait_cycles(2);
    access(intmd_pkg::KIND_READ, intmd_pkg::WORD_BAD_REPORTS, 32'd0);
    bench.check("bad_reports", answer.data, 1);
    cfg.port = 8'd3;
    access(intmd_pkg::KIND_RATE_WRITE, 5'd0, 32'd5);
    bench.check("port refused", answer.refused, 1);

    // A period of 1000 cycles: values written now are visible only later.
    cfg.port = 8'd2;
    access(intmd_pkg::KIND_CFG_WRITE, intmd_pkg::REG_PERIOD, 32'd1000);
    access(intmd_pkg::KIND_RATE_WRITE, 5'd0, 32'd5);
    report(8'd2, intmd_pkg::OP_SET, 32'd128, 32'd80);
    bench.wait_cycles(10);
    access(intmd_pkg::KIND_ENTRY_READ, 5'd0, 32'd0);
    bench.check("before the tick", answer.data, 64'h4123_4560_0000_0000);
    bench.wait_cycles(1000);
    access(intmd_pkg::KIND_ENTRY_READ, 5'd0, 32'd0);
    bench.check("after the tick", answer.data, 64'h5123_4560_0001_0001);

    // Back-pressure: output FIFO, store and input FIFO fill up; a reset drops everything.
    tx_out.ready_o = 1'b0;
    count          = rx_in.taken;
    repeat (60) begin
      rx.out_port = rx_in.taken;
      rx_in.offer_once;
    end
    bench.check("held", rx_in.taken - count,
                intmd_pkg::OUT + intmd_pkg::STORE + intmd_pkg::IN_FIFO_DEPTH);
    bench.restart;
    tx_out.ready_o = 1'b1;
    bench.wait_cycles(60);
    bench.check("reset drops", tx_out.taken, 0);
    access(intmd_pkg::KIND_ENTRY_READ, 5'd0, 32'd0);
    bench.check("reset entry", answer.data[31:0], 0);
    bench.verdict;
  end
endmodule
