// Smoke bench of the congestion-control engine: requests whose answers were worked out by hand from
// the contract, played twice: with the responses taken at once, and late.
//
// Runs under Icarus Verilog and under Verilator --timing; ends with PASS or $fatal.
module tb_acme_cc;
  localparam int Flows    = 5;
  localparam int Conns    = 3;
  localparam int Profiles = 3;

  logic                           clk;
  logic                           arst;
  logic                           req_valid;
  logic                           req_ready;
  acme_req_t                      rq;
  logic                           resp_valid;
  logic                           resp_ready;
  logic [acme_cc_pkg::RESP_W-1:0] resp_bits;
  acme_resp_t                     rp;
  int                             errors;
  int                             late;   // clocks a response waits

  acme_cc_engine #(.FLOWS(Flows), .CONNS(Conns), .PROFILES(Profiles)) dut (
    .clk       (clk),
    .arst      (arst),
    .req_valid (req_valid),
    .req_ready (req_ready),
    .req_bits  (rq),
    .resp_valid(resp_valid),
    .resp_ready(resp_ready),
    .resp_bits (resp_bits)
  );

  initial clk = 1'b0;
  always #5 clk = ~clk;

  // A stuck engine ends the bench.
  initial begin
    #2000000;
    $display("FAIL: no end after 200,000 clocks");
    $fatal;
  end

  `include "acme_cc_drive.svh"

  // Life cycle: no context, out of range, refused kinds and addresses, open, new data, send, close.
  task automatic life;
    ask(acme_cc_pkg::OP_SEND, 16'd1, 48'd5);
    play;
    check("life: nothing open", {48'd0, rp.marks}, 64'd1);
    ask(acme_cc_pkg::OP_OPEN, 16'd5, 48'd5);
    play;
    check("life: beyond the last context", {48'd0, rp.marks}, 64'd1);
    ask(4'd14, 16'd1, 48'd5);
    play;
    check("life: unknown kind", {48'd0, rp.marks}, 64'd2);
    configure(5'd0, 64'h10000, 1'b1);
    configure(5'd20, 64'd1, 1'b1);
    configure(5'd10, 64'h1234, 1'b0);
    ask(acme_cc_pkg::OP_CSR_READ, 16'd0, 48'd0);
    rq.waddr = 5'd10;
    play;
    check("life: a register keeps its width", rp.rdata, 64'h34);
    configure(5'd10, 64'd3, 1'b0);

    ask(acme_cc_pkg::OP_OPEN, 16'd1, 48'd100000);
    play;
    check("life: window", {32'd0, rp.wnd}, 64'd225000);
    check("life: base_rtt", {32'd0, rp.base}, 64'd12000);
    check("life: idle", {62'd0, rp.sched}, 64'd0);
    ask(acme_cc_pkg::OP_NEW_DATA, 16'd1, 48'd100000);
    rq.bytes = 32'd8192;
    play;
    check("life: ready", {62'd0, rp.sched}, 64'd3);
    ask(acme_cc_pkg::OP_SEND, 16'd1, 48'd100000);
    rq.bytes = 32'd8192;
    play;
    check("life: pending", {62'd0, rp.sched}, 64'd1);
    check("life: inflight", {32'd0, rp.fly}, 64'd8192);
    ask(acme_cc_pkg::OP_READ, 16'd1, 48'd0);
    rq.waddr = 5'd16;
    play;
    check("life: no word 16", {48'd0, rp.marks}, 64'd2);
    check("life: and no view", {32'd0, rp.wnd}, 64'd0);
  endtask

  // The four quadrants of flow 1, whose first RTT is 12,000: base_rtt stays, delay 0.
  task automatic quadrants;
    // delay 0 < FAST_DELAY: fi_count = 4096 <= cwnd, so PROP: (89478 * 4096 * 9000) >> 16 =
    // 50331375; 12,128 ticks after OPEN the period is over: 50331375 / 225000 = 223, eta 614,
    // clamped to max_wnd.
    ack(16'd1, 24'd16, 48'd112128);
    play;
    check("prop: action", {60'd0, rp.act}, 64'd2);
    check("prop: marks", {48'd0, rp.marks}, 64'hc420);
    check("prop: window", {32'd0, rp.wnd}, 64'd225000);
    check("prop: inflight", {32'd0, rp.fly}, 64'd4096);
    check("prop: feedback", {61'd0, rp.lb}, 64'd1);
    check("prop: idle", {62'd0, rp.sched}, 64'd0);
    // qa_endtime = 112128 + 12000 + 9000
    read("prop: qa_endtime", 16'd1, 5'd6, 64'd133128);

    // Delay 10,000 >= target, unmarked: FAIR, (5242880 * 4096) >> 8 = 83886080. Sample of the
    // average: base_rtt / 4 = 3000; 209715 * 3000 * 2^16 / 2^24 = 2457597.65 -> 2457597.
    ack(16'd1, 24'd32, 48'd122128);
    play;
    check("fair: action", {60'd0, rp.act}, 64'd1);
    check("fair: delay", {32'd0, rp.qd}, 64'd10000);
    check("fair: average", {16'd0, rp.avg}, 64'd2457597);
    check("fair: marks", {48'd0, rp.marks}, 64'h28);
    read("fair: inc_bytes", 16'd1, 5'd9, 64'd83886080);
    peek("fair: last_rcvd", 16'd1, 4'd2, 64'd32);

    // Marked, delay 10,000, average 20,000 as loaded: the step is
    // floor(209715 * (10000 - 20000) / 256) = -8191993 (8191992.2), average 1302528007. Ratio
    // ((1302528007 - 589824000) << 16) / 1302528007 = 35859; gamma * ratio = 1880051511;
    // factor 2414915785, above the floor of 2^31;
    // (225000 * 2414915785) >> 32 = 126509. Then 83886080 / 126509 = 663 as the period, 12,000, is
    // over (12,128 after the adjustment), and eta 614: 127786.
    load(16'd1, 5'd10, 64'd1310720000);
    ack(16'd1, 24'd48, 48'd122128);
    rq.ecn   = 1'b1;
    rq.t_now = 48'd124256;
    rq.t_tx  = 48'd102128;
    play;
    check("md: action", {60'd0, rp.act}, 64'd4);
    check("md: average", {16'd0, rp.avg}, 64'd1302528007);
    check("md: marks", {48'd0, rp.marks}, 64'he028);
    check("md: window", {32'd0, rp.wnd}, 64'd127786);
    check("md: feedback", {61'd0, rp.lb}, 64'd2);

    // Marked, delay 0: NOOP. An old rcvd_bytes adds nothing.
    ack(16'd1, 24'd47, 48'd112128);
    rq.ecn = 1'b1;
    play;
    check("noop: action", {60'd0, rp.act}, 64'd5);
    check("noop: stale", {63'd0, rp.marks[acme_cc_pkg::MK_STALE]}, 64'd1);
  endtask

  // A falling base RTT, receiver flow control, NACK, quick adapt, inferred loss, on flow 4.
  task automatic signals;
    ask(acme_cc_pkg::OP_OPEN, 16'd4, 48'd100000);
    play;
    load(16'd4, 5'd2, 64'd40960);
    // raw = 8000: max_wnd = (1228800 * 8000) >> 16 = 150000. cwnd = min(225000, 36864), less
    // (64 * 4096) >> 7 = 2048: 34816. The increase is withheld; not a period yet.
    ack(16'd4, 24'd16, 48'd108128);
    rq.pend = 7'd64;
    play;
    check("penalty: action", {60'd0, rp.act}, 64'd6);
    check("penalty: window", {32'd0, rp.wnd}, 64'd34816);
    check("penalty: base_rtt", {32'd0, rp.base}, 64'd8000);
    check("penalty: marks", {48'd0, rp.marks}, 64'h5e8);
    read("penalty: saved and max", 16'd4, 5'd1, {32'd150000, 32'd34816});
    // Restored to max_wnd, no RTT sample.
    ack(16'd4, 24'd32, 48'd108128);
    rq.restore = 1'b1;
    rq.tries   = 2'd3;
    play;
    check("restore: action", {60'd0, rp.act}, 64'd7);
    check("restore: window", {32'd0, rp.wnd}, 64'd150000);
    check("restore: marks", {48'd0, rp.marks}, 64'h208);

    // A trim before qa_endtime = 108128 + 8000 + 9000: the window less the packet.
    // ewma(12000): floor(209715 * 12000 / 256) = 9830390.
    ask(acme_cc_pkg::OP_NACK, 16'd4, 48'd109000);
    rq.why   = 8'd1;
    rq.bytes = 32'd4096;
    play;
    check("nack: action", {60'd0, rp.act}, 64'd10);
    check("nack: window", {32'd0, rp.wnd}, 64'd145904);
    check("nack: average", {16'd0, rp.avg}, 64'd9830390);
    check("nack: feedback", {61'd0, rp.lb}, 64'd3);
    check("nack: inflight", {32'd0, rp.fly}, 64'd28672);
    check("nack: active or ready", {62'd0, rp.sched}, 64'd3);
    // After it, quick adapt: achieved_bytes = 4096 (the window's start cleared the first ACK's)
    // < 150000 >> 3. bytes_to_ignore = 28672 - 4096.
    ask(acme_cc_pkg::OP_NACK, 16'd4, 48'd125128);
    rq.why   = 8'd2;
    rq.bytes = 32'd4096;
    play;
    check("quick: action", {60'd0, rp.act}, 64'd9);
    check("quick: window", {32'd0, rp.wnd}, 64'd4096);
    check("quick: marks", {48'd0, rp.marks}, 64'h0c08);
    read("quick: to ignore", 16'd4, 5'd5, {32'd24576, 32'd0});
    // Stale feedback, once; then a reason that does not adjust.
    ask(acme_cc_pkg::OP_NACK, 16'd4, 48'd125129);
    rq.why   = 8'd1;
    rq.bytes = 32'd4096;
    play;
    check("ignore: action", {60'd0, rp.act}, 64'd8);
    ask(acme_cc_pkg::OP_NACK, 16'd4, 48'd125130);
    rq.why   = 8'd26;
    rq.ecn   = 1'b1;
    rq.bytes = 32'd4096;
    play;
    check("other reason: action", {60'd0, rp.act}, 64'd5);
    check("other reason: feedback", {61'd0, rp.lb}, 64'd2);

    load(16'd4, 5'd12, {32'hffffffff, 32'hfffffff0});
    load(16'd4, 5'd2, 64'h80000005);
    ask(acme_cc_pkg::OP_LOSS, 16'd4, 48'd125131);
    rq.bytes = 32'd4096;
    play;
    check("loss: action", {60'd0, rp.act}, 64'd11);
    check("loss: inflight", {32'd0, rp.fly}, 64'h80000000);
    check("loss: marks", {48'd0, rp.marks}, 64'h0c);
    check("loss: ready", {62'd0, rp.sched}, 64'd3);
    read("loss: counters", 16'd4, 5'd12, 64'hffffffffffffffff);

    ask(acme_cc_pkg::OP_CLOSE, 16'd4, 48'd125131);
    play;
    check("close: no view", {32'd0, rp.base}, 64'd0);
    read("close: closed", 16'd4, 5'd12, 64'd0);
    check("close: marks", {48'd0, rp.marks}, 64'd1);
  endtask

  // Profiles, on flow 2: profile 2 has MAX_WND 10000, base RTT 6000, MTU 1000.
  task automatic destinations;
    tune(4'd2, 5'd0, 64'd1000);
    tune(4'd2, 5'd1, 64'd10000);
    tune(4'd2, 5'd2, 64'd6000);
    ask(acme_cc_pkg::OP_CSR_WRITE, 16'd0, 48'd0);
    rq.prof  = 4'd3;
    rq.waddr = 5'd1;
    play;
    check("destinations: no profile 3", {48'd0, rp.marks}, 64'd2);
    tune(4'd3, 5'd18, 64'd7);
    ask(acme_cc_pkg::OP_CSR_READ, 16'd0, 48'd0);
    rq.prof  = 4'd1;
    rq.waddr = 5'd1;
    play;
    check("destinations: profile 1 as it was", rp.rdata, 64'd225000);
    rq.prof = 4'd3;
    play;
    check("destinations: nothing to read in profile 3", rp.rdata, 64'd0);
    check("destinations: and refused", {48'd0, rp.marks}, 64'd2);

    ask(acme_cc_pkg::OP_OPEN, 16'd2, 48'd100000);
    rq.prof = 4'd3;
    play;
    check("destinations: open refused", {48'd0, rp.marks}, 64'd2);
    check("destinations: no view", {32'd0, rp.wnd}, 64'd0);
    rq.prof = 4'd2;
    play;
    check("destinations: window", {32'd0, rp.wnd}, 64'd10000);
    check("destinations: base_rtt", {32'd0, rp.base}, 64'd6000);
    read("destinations: word 0", 16'd2, 5'd0, 64'h200);

    // No window below the MTU after any event; a LOAD of word 0 uses the MTU of the loaded profile.
    tune(4'd2, 5'd0, 64'd12000);
    read("destinations: raised", 16'd2, 5'd1, {32'd12000, 32'd12000});
    tune(4'd2, 5'd0, 64'd10);
    load(16'd2, 5'd1, {32'd30, 32'd20});
    check("destinations: small", {32'd0, rp.wnd}, 64'd20);
    load(16'd2, 5'd2, {32'd5, 32'd0});
    read("destinations: saved", 16'd2, 5'd2, {32'd10, 32'd0});
    load(16'd2, 5'd0, 64'h100);
    check("destinations: MTU of profile 1", {32'd0, rp.wnd}, 64'd4096);
    read("destinations: all three", 16'd2, 5'd2, {32'd4096, 32'd0});
    ask(acme_cc_pkg::OP_LOAD, 16'd2, 48'd0);
    rq.wdata = 64'h300;
    play;
    check("destinations: load refused", {48'd0, rp.marks}, 64'd2);
    read("destinations: profile 1", 16'd2, 5'd0, 64'h100);
  endtask

  // Connections of flow 2: one is bound to a new PDC, its neighbours are unchanged.
  task automatic connections;
    load(16'd2, 5'd1, {32'd225000, 32'd225000});
    for (int i = 0; i < Conns; i++) begin
      ask(acme_cc_pkg::OP_LOAD, 16'd2, 48'd0);
      rq.waddr = 5'd14;
      rq.conn  = i[3:0];
      rq.wdata = 64'd500 + {32'd0, i};
      play;
    end
    ask(acme_cc_pkg::OP_BIND, 16'd2, 48'd100000);
    rq.conn     = 4'd1;
    rq.rx_total = 24'd9;
    rq.bytes    = 32'd77;
    play;
    check("bind: inflight", {32'd0, rp.fly}, 64'd77);
    check("bind: marks", {48'd0, rp.marks}, 64'd0);
    peek("bind: below", 16'd2, 4'd0, 64'd500);
    peek("bind: bound", 16'd2, 4'd1, 64'd9);
    peek("bind: above", 16'd2, 4'd2, 64'd502);
    ask(acme_cc_pkg::OP_BIND, 16'd2, 48'd100000);
    rq.conn = 4'd3;
    play;
    check("bind: no connection 3", {48'd0, rp.marks}, 64'd2);
    rq.op = acme_cc_pkg::OP_ACK;
    play;
    check("bind: nor for an ACK", {48'd0, rp.marks}, 64'd2);
    rq.op    = acme_cc_pkg::OP_READ;
    rq.waddr = 5'd14;
    play;
    check("bind: nor to read", {48'd0, rp.marks}, 64'd2);
    ask(acme_cc_pkg::OP_OPEN, 16'd2, 48'd100000);
    play;
    peek("open: wiped, first", 16'd2, 4'd0, 64'd0);
    peek("open: wiped, last", 16'd2, 4'd2, 64'd0);
  endtask

  // RTTs without an ACK on flow 2, profile 0: 8000 gives max_wnd 150000.
  task automatic probes;
    ask(acme_cc_pkg::OP_PROBE, 16'd2, 48'd100000);
    rq.wdata = 64'h1_0000_0000_1f40;
    play;
    check("probe: too long", {48'd0, rp.marks}, 64'd0);
    rq.wdata = 64'h80000000;
    play;
    check("probe: just too long", {48'd0, rp.marks}, 64'd0);
    rq.wdata = 64'd0;
    play;
    check("probe: none", {48'd0, rp.marks}, 64'd0);
    rq.wdata = 64'd8000;
    play;
    check("probe: marks", {48'd0, rp.marks}, 64'h60);
    check("probe: base_rtt", {32'd0, rp.base}, 64'd8000);
    check("probe: delay", {32'd0, rp.qd}, 64'd0);
    rq.wdata = 64'h7fffffff;
    play;
    check("probe: longest", {48'd0, rp.marks}, 64'h20);
    read("probe: max_wnd", 16'd2, 5'd1, {32'd150000, 32'd225000});

    // A window may end 12000 + 9000 ahead, not a tick more: trims at 100000 on both sides.
    load(16'd2, 5'd0, 64'd2);
    load(16'd2, 5'd6, 64'd121000);
    ask(acme_cc_pkg::OP_NACK, 16'd2, 48'd100000);
    rq.why   = 8'd1;
    rq.bytes = 32'd100;
    play;
    check("ends: still open", {48'd0, rp.marks}, 64'h08);
    load(16'd2, 5'd6, 64'd121001);
    ask(acme_cc_pkg::OP_NACK, 16'd2, 48'd100000);
    rq.why   = 8'd1;
    rq.bytes = 32'd100;
    play;
    check("ends: from before the clock wrapped", {48'd0, rp.marks}, 64'h0c08);

    // Without a sample: not judged, or by the average, 9000.5.
    ask(acme_cc_pkg::OP_OPEN, 16'd2, 48'd100000);
    play;
    load(16'd2, 5'd10, {16'd0, 32'd9000, 16'h8000});
    ack(16'd2, 24'd16, 48'd100001);
    rq.t_tx_ok = 1'b0;
    play;
    check("average: not used", {60'd0, rp.act}, 64'd7);
    tune(4'd0, 5'd19, 64'd4);
    ack(16'd2, 24'd32, 48'd100002);
    rq.t_tx_ok = 1'b0;
    rq.ecn     = 1'b1;
    play;
    check("average: action", {60'd0, rp.act}, 64'd4);
    check("average: delay", {32'd0, rp.qd}, 64'd9000);
    check("average: marks", {48'd0, rp.marks}, 64'h400 | 64'd8);
    check("average: stays", {16'd0, rp.avg}, 64'd589856768);
    tune(4'd0, 5'd19, 64'd0);
  endtask

  // Receiver credit, on flow 3 with profile 1: a pull of 32 quanta across the wrap, the targets of
  // packets before and after it.
  task automatic credits;
    ask(acme_cc_pkg::OP_PULL, 16'd2, 48'd100000);
    play;
    check("credits: off", {48'd0, rp.marks}, 64'd2);
    tune(4'd1, 5'd19, 64'd2);
    ask(acme_cc_pkg::OP_OPEN, 16'd3, 48'd100000);
    rq.prof = 4'd1;
    rq.pull = 24'hfffff0;
    play;
    check("credits: nothing to send", {63'd0, rp.want_ack}, 64'd1);
    ask(acme_cc_pkg::OP_NEW_DATA, 16'd3, 48'd100000);
    rq.bytes = 32'd100000;
    play;
    check("credits: something to send", {63'd0, rp.want_ack}, 64'd0);
    // Speculating, and less wanted than there is: an MTU, 16 quanta; half of it, 8.
    ask(acme_cc_pkg::OP_SEND, 16'd3, 48'd100000);
    rq.bytes = 32'd4096;
    play;
    check("credits: first target", {40'd0, rp.target}, 64'd0);
    rq.unpaid = 1'b1;
    rq.share  = 16'h8000;
    play;
    check("credits: half a target", {40'd0, rp.target}, 64'hfffff8);
    read("credits: a request takes none", 16'd3, 5'd15, {8'd1, 24'hfffff0, 32'd220904});
    ask(acme_cc_pkg::OP_PULL, 16'd3, 48'd100000);
    rq.pull = 24'h10;
    play;
    check("credits: granted, and speculation over", {62'd0, rp.late}, 64'd3);
    check("credits: may send", {63'd0, rp.may_send}, 64'd1);
    play;
    check("credits: once", {62'd0, rp.late}, 64'd0);
    read("credits: pulled", 16'd3, 5'd15, {8'd0, 24'h10, 32'd8192});
    // In debt by 1808, 81808 to send: 83616 bytes, 327 quanta.
    ask(acme_cc_pkg::OP_SEND, 16'd3, 48'd100000);
    rq.bytes = 32'd10000;
    play;
    check("credits: target", {40'd0, rp.target}, 64'd343);
    check("credits: used up", {63'd0, rp.may_send}, 64'd0);
    tune(4'd1, 5'd19, 64'd0);
  endtask

  // Reset during a request: no response, registers and contexts in their initial state.
  task automatic reset_at_work;
    configure(5'd0, 64'd1000, 1'b0);
    ack(16'd1, 24'd64, 48'd130000);
    req_valid = 1'b1;
    @(posedge clk);
    @(posedge clk);
    #1 req_valid = 1'b0;
    repeat (20) @(posedge clk);
    arst = 1'b1;
    #1 check("reset: not ready", {63'd0, req_ready}, 64'd0);
    @(negedge clk);
    arst = 1'b0;
    repeat (Flows) begin
      check("clearing: not ready", {63'd0, req_ready}, 64'd0);
      @(negedge clk);
    end
    check("cleared: ready", {63'd0, req_ready}, 64'd1);
    repeat (400) @(negedge clk);
    check("reset: no response", {63'd0, resp_valid}, 64'd0);
    read("reset: closed", 16'd1, 5'd1, 64'd0);
    check("reset: marks", {48'd0, rp.marks}, 64'd1);
    ask(acme_cc_pkg::OP_CSR_READ, 16'd0, 48'd0);
    play;
    check("reset: MTU", rp.rdata, 64'd4096);
    rq.prof = 4'd2;
    play;
    check("reset: MTU of profile 2", rp.rdata, 64'd4096);
  endtask

  initial begin
    errors     = 0;
    arst       = 1'b1;
    req_valid  = 1'b0;
    resp_ready = 1'b0;
    rq         = '0;
    late       = 0;
    repeat (3) @(negedge clk);
    arst = 1'b0;
    repeat (2) begin
      life;
      quadrants;
      signals;
      destinations;
      connections;
      probes;
      credits;
      reset_at_work;
      late = 7;
    end
    if (errors != 0) begin
      $display("FAIL: %0d wrong values", errors);
      $fatal;
    end
    $display("PASS");
    $finish;
  end
endmodule
