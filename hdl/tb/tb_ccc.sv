// Smoke bench of the ccc block: events whose answers were worked out by hand from the contract.
//
// It checks the sweep, the latency, the stall, the credits, and one event for each main rule. It
// does not replace the co-simulation; in a second it shows whether the tools or the design are
// broken.
module tb_ccc;
  localparam int NumContexts = 8;
  localparam int NumPdcs     = 3;
  localparam int NumProfiles = 5;

  logic     clk;
  logic     rst_n;
  logic     ev_valid;
  logic     ev_ready;
  ccc_ev_t  ev;
  logic     rsp_valid;
  logic     rsp_ready;
  ccc_rsp_t rsp;
  ccc_rsp_t last;             // the last response

  ccc #(.NumContexts(NumContexts), .NumPdcs(NumPdcs), .NumProfiles(NumProfiles)) dut (
    .clk_i      (clk),
    .rst_ni     (rst_n),
    .ev_valid_i (ev_valid),
    .ev_ready_o (ev_ready),
    .ev_i       (ev),
    .rsp_valid_o(rsp_valid),
    .rsp_ready_i(rsp_ready),
    .rsp_o      (rsp)
  );

  bench_clock bench (.clk_o(clk), .rst_no(rst_n));
  bench_source ev_in (.clk_i(clk), .rst_ni(rst_n), .valid_o(ev_valid), .ready_i(ev_ready));
  bench_sink #(.Width(ccc_pkg::RSP_W)) rsp_out (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(rsp_valid), .ready_o(rsp_ready), .data_i(rsp),
    .last_o(last), .prior_o());

  // ---------------------------------------------------------------- stimulus, at falling edges
  task clear;
    ev        = '0;
    ev.now    = 48'd100000;
    ev.reason = 8'd1;
  endtask

  // Offers the event and waits for its response.
  task run;
    ev_in.offer;
    rsp_out.await(ev_in.taken);
  endtask

  task open(input logic [15:0] ctx);
    clear;
    ev.kind = ccc_pkg::KIND_OPEN;
    ev.ctx  = ctx;
    run;
  endtask

  task load(input logic [15:0] ctx, input logic [4:0] word, input logic [63:0] data);
    clear;
    ev.kind = ccc_pkg::KIND_LOAD;
    ev.ctx  = ctx;
    ev.addr = word;
    ev.data = data;
    run;
  endtask

  task read(input logic [15:0] ctx, input logic [4:0] word);
    clear;
    ev.kind = ccc_pkg::KIND_READ;
    ev.ctx  = ctx;
    ev.addr = word;
    run;
  endtask

  // An ACK at now of 16 units of 256 bytes, raw RTT rtt ticks; service_time 1 is 128 ticks.
  task ack(input logic [15:0] ctx, input logic [47:0] now, input logic [47:0] rtt, input logic m);
    clear;
    ev.kind         = ccc_pkg::KIND_ACK;
    ev.ctx          = ctx;
    ev.now          = now;
    ev.rcvd_bytes   = 24'd16;
    ev.acked_pkts   = 16'd1;
    ev.m            = m;
    ev.tx_valid     = 1'b1;
    ev.service_time = 16'd1;
    ev.tx_time      = now - rtt - 48'd128;
    run;
  endtask

  task configure(input logic [3:0] profile, input logic [4:0] register, input logic [63:0] data);
    clear;
    ev.kind    = ccc_pkg::KIND_CFG_WRITE;
    ev.profile = profile;
    ev.addr    = register;
    ev.data    = data;
    run;
  endtask

  task configured(input logic [3:0] profile, input logic [4:0] register);
    clear;
    ev.kind    = ccc_pkg::KIND_CFG_READ;
    ev.profile = profile;
    ev.addr    = register;
    run;
  endtask

  // Context 0 is reopened at the start; its registers are those of profile 2.
  task profiles;
    configure(4'd2, ccc_pkg::REG_MAX_WND, 64'd60000);
    configure(4'd2, ccc_pkg::REG_CONFIG_BASE_RTT, 64'd20000);
    configure(4'd5, ccc_pkg::REG_MAX_WND, 64'd1);
    bench.check("profile out of range refused", last.refused, 1);
    configured(4'd5, ccc_pkg::REG_MAX_WND);
    bench.check("read of it refused", last.refused, 1);
    bench.check("and gives nothing", last.data, 0);
    configure(4'd15, ccc_pkg::REG_TIME_SHIFT, 64'd7);
    bench.check("time_shift has no profile", last.refused, 0);
    configured(4'd9, ccc_pkg::REG_TIME_SHIFT);
    bench.check("time_shift", last.data, 7);
    configured(4'd2, ccc_pkg::REG_MAX_WND);
    bench.check("max_wnd of profile 2", last.data, 60000);
    configured(4'd4, ccc_pkg::REG_MAX_WND);
    bench.check("max_wnd of profile 4", last.data, 225000);

    clear;
    ev.kind    = ccc_pkg::KIND_OPEN;
    ev.profile = 4'd5;
    run;
    bench.check("open refused", last.refused, 1);
    bench.check("open refused, no view", last.cwnd, 0);
    ev.ctx = 16'd8;
    run;
    bench.check("open out of range", last.no_context, 1);
    bench.check("open out of range, not refused", last.refused, 0);
    clear;
    ev.kind    = ccc_pkg::KIND_OPEN;
    ev.profile = 4'd2;
    run;
    bench.check("open by profile", last.cwnd, 60000);
    bench.check("base_rtt by profile", last.base_rtt, 20000);
    read(16'd0, 5'd0);
    bench.check("profile in word 0", last.data, 64'h200);

    // The floor, with the MTU of the profile: it applies at the next event, even a READ.
    configure(4'd2, ccc_pkg::REG_MTU, 64'd65000);
    read(16'd0, 5'd1);
    bench.check("floor of word 1", last.data, {32'd65000, 32'd65000});
    bench.check("floor of cwnd", last.cwnd, 65000);
    configure(4'd2, ccc_pkg::REG_MTU, 64'd4096);
    read(16'd0, 5'd1);
    bench.check("floor is kept", last.cwnd, 65000);
    load(16'd0, 5'd2, {32'd7, 32'd0});
    read(16'd0, 5'd2);
    bench.check("floor of saved_cwnd", last.data, {32'd4096, 32'd0});
    // A LOAD of word 0 uses the profile that it loads: MTU 4096, above cwnd 200 with MTU 100.
    configure(4'd2, ccc_pkg::REG_MTU, 64'd100);
    load(16'd0, 5'd1, {32'd300, 32'd200});
    bench.check("low mtu", last.cwnd, 200);
    load(16'd0, 5'd0, 64'h400);
    bench.check("floor of the loaded profile", last.cwnd, 4096);
    load(16'd0, 5'd0, 64'h500);
    bench.check("load of a profile out of range", last.refused, 1);
    bench.check("load refused, no view", last.cwnd, 0);
    read(16'd0, 5'd0);
    bench.check("profile kept", last.data, 64'h400);
  endtask

  // The slots of context 0.
  task slots;
    load(16'd0, 5'd1, {32'd225000, 32'd225000});
    load(16'd0, 5'd2, {32'd0, 32'd5000});
    for (int k = 0; k < NumPdcs; k++) begin
      clear;
      ev.kind = ccc_pkg::KIND_LOAD;
      ev.addr = ccc_pkg::WORD_LAST_RCVD;
      ev.pdc  = k[3:0];
      ev.data = 64'd1000 + k;
      run;
    end
    clear;
    ev.kind       = ccc_pkg::KIND_BIND;
    ev.pdc        = 4'd1;
    ev.rcvd_bytes = 24'd3;
    ev.size       = 32'd200;
    run;
    bench.check("bind inflight", last.inflight, 5200);
    bench.check("bind lb", last.lb, ccc_pkg::LB_NONE);
    for (int k = 0; k < NumPdcs; k++) begin
      clear;
      ev.kind = ccc_pkg::KIND_READ;
      ev.addr = ccc_pkg::WORD_LAST_RCVD;
      ev.pdc  = k[3:0];
      run;
      bench.check("slot after bind", last.data, (k == 1) ? 3 : 1000 + k);
    end
    ev.pdc = 4'd3;
    run;
    bench.check("slot out of range, READ", last.refused, 1);
    ev.kind = ccc_pkg::KIND_LOAD;
    run;
    bench.check("slot out of range, LOAD", last.refused, 1);
    ev.kind = ccc_pkg::KIND_ACK;
    run;
    bench.check("slot out of range, ACK", last.refused, 1);
    ev.kind = ccc_pkg::KIND_BIND;
    run;
    bench.check("slot out of range, BIND", last.refused, 1);
    ev.ctx = 16'd7;
    run;
    bench.check("no context before refused", last.no_context, 1);
    bench.check("and not refused", last.refused, 0);
    read(16'd0, 5'd16);
    bench.check("no word 16", last.refused, 1);
    // 3 + 4 units: 1024 bytes received.
    clear;
    ev.kind       = ccc_pkg::KIND_ACK;
    ev.pdc        = 4'd1;
    ev.rcvd_bytes = 24'd7;
    run;
    bench.check("ack of the new pdc", last.inflight, 5200 - 1024);
    bench.check("ack not stale", last.stale, 0);
    bench.check("ack without a sample", last.action, ccc_pkg::ACTION_NO_RTT);
  endtask

  task probe(input logic [63:0] rtt, input logic valid, input logic [31:0] base_rtt);
    clear;
    ev.kind = ccc_pkg::KIND_SAMPLE;
    ev.data = rtt;
    run;
    bench.check("probe rtt_valid", last.rtt_valid, valid);
    bench.check("probe base_rtt", last.base_rtt, base_rtt);
    bench.check("probe delay", last.delay, 0);
  endtask

  // RTT samples without an ACK on context 0 (base_rtt 20000, profile 4): max_wnd is
  // 1228800 * 8000 / 2^16 = 150000.
  task probes;
    probe(64'd0, 1'b0, 32'd20000);
    probe(64'h80000000, 1'b0, 32'd20000);
    probe(64'h1_0000_0000_0001, 1'b0, 32'd20000);
    probe(64'h7fffffff, 1'b1, 32'd20000);
    probe(64'd8000, 1'b1, 32'd8000);
    bench.check("probe base_fell", last.base_fell, 1);
    read(16'd0, 5'd1);
    bench.check("probe max_wnd", last.data[63:32], 150000);
  endtask

  // The end of a quick-adapt window on context 0: base_rtt is 8000, but the end was set with a base
  // RTT of at most 12000, so it is at most 21000 ahead of a NACK at 100000. 4 * 56 hours make no
  // difference.
  task rounds;
    logic [47:0] t;
    for (int k = 0; k < 5; k++) begin
      case (k)
        0:       t = 48'd100001;
        1:       t = 48'd121000;
        2:       t = 48'd121001;
        3:       t = 48'd100000;
        default: t = 48'h800000000000;
      endcase
      load(16'd0, 5'd0, 64'h402);
      load(16'd0, 5'd5, 64'd0);
      load(16'd0, 5'd6, {16'd0, t});
      clear;
      ev.kind = ccc_pkg::KIND_NACK;
      ev.size = 32'd100;
      run;
      bench.check("window over", last.qa_window, (k > 1) ? 1 : 0);
      bench.check("quick adapt", last.qa_fired, (k > 1) ? 1 : 0);
    end
  endtask

  // ACKs without a sample on context 0, whose average is 10000.5: first not judged, then judged by
  // the average.
  task averages;
    load(16'd0, 5'd0, 64'h400);
    load(16'd0, 5'd10, {16'd0, 32'd10000, 16'h8000});
    clear;
    ev.kind = ccc_pkg::KIND_ACK;
    ev.pdc  = 4'd1;
    ev.rcvd_bytes = 24'd23;
    run;
    bench.check("no sample", last.action, ccc_pkg::ACTION_NO_RTT);
    bench.check("no sample, no delay", last.delay, 0);
    configure(4'd4, ccc_pkg::REG_CTRL, 64'd4);
    clear;
    ev.kind = ccc_pkg::KIND_ACK;
    ev.pdc  = 4'd1;
    ev.rcvd_bytes = 24'd39;
    run;
    bench.check("average, action", last.action, ccc_pkg::ACTION_FAIR);
    bench.check("average, delay", last.delay, 10000);
    bench.check("average, rtt_valid", last.rtt_valid, 0);
    bench.check("average, avg_delay", last.avg_delay, 10000 * 65536 + 32768);
    bench.check("average, base_rtt", last.base_rtt, 8000);
  endtask

  int count;

  initial begin
    clear;
    bench.restart;
    ev_in.await_ready;
    bench.check("sweep", ev_in.sweep, NumContexts);

    // No context yet.
    read(16'd0, 5'd1);
    bench.check("no_context", last.no_context, 1);
    bench.check("no view", last.cwnd, 0);
    ev.kind = ccc_pkg::KIND_ACK;
    run;
    bench.check("no_context ack", last.no_context, 1);
    ev.ctx  = 16'd65535;
    ev.kind = ccc_pkg::KIND_OPEN;
    run;
    bench.check("out of range", last.no_context, 1);
    bench.check("echo of ctx", last.ctx, 65535);

    // OPEN: the response is in the FIFO LATENCY cycles after the issue, which follows the
    // acceptance by one.
    open(16'd0);
    bench.check("latency", rsp_out.taken_cycle - ev_in.taken_cycle, ccc_pkg::LATENCY + 1);
    bench.check("open cwnd", last.cwnd, 225000);
    bench.check("open base_rtt", last.base_rtt, 12000);
    bench.check("open state", last.state, ccc_pkg::STATE_IDLE);
    bench.check("open can_send", last.can_send, 1);
    bench.check("open ack_request", last.ack_request, 0);
    bench.check("open no_context", last.no_context, 0);

    // Two events of one context issue STALL cycles apart, of two contexts one cycle apart.
    clear;
    ev.kind = ccc_pkg::KIND_OPEN;
    ev.ctx  = 16'd1;
    ev_in.offer;
    ev_in.offer;
    rsp_out.await(ev_in.taken);
    bench.check("stall", rsp_out.gap, ccc_pkg::STALL);
    ev.ctx = 16'd2;
    ev_in.offer;
    ev.ctx = 16'd3;
    ev_in.offer;
    rsp_out.await(ev_in.taken);
    bench.check("no stall", rsp_out.gap, 1);

    // Backlog, then a packet: 4096 in flight of 225000.
    clear;
    ev.kind = ccc_pkg::KIND_NEW_DATA;
    ev.size = 32'd10000;
    run;
    bench.check("new_data state", last.state, ccc_pkg::STATE_READY);
    clear;
    ev.kind = ccc_pkg::KIND_SEND;
    ev.size = 32'd4096;
    run;
    bench.check("send inflight", last.inflight, 4096);
    read(16'd0, 5'd11);
    bench.check("send backlog", last.data, 5904);

    // FAIR: delay 22000 - 12000 = 10000, not below 9000. 20480 * 256 / 256 * 16 units.
    // The average goes to floor(209715 / 2^24 * 3000 * 2^16): base_rtt / 4, delay above the target.
    ack(16'd0, 48'd105000, 48'd22000, 1'b0);
    bench.check("fair action", last.action, ccc_pkg::ACTION_FAIR);
    bench.check("fair delay", last.delay, 10000);
    bench.check("fair avg", last.avg_delay, 2457597);
    bench.check("fair inflight", last.inflight, 0);
    bench.check("fair window", last.qa_window, 1);
    bench.check("fair fulfilled", last.fulfilled, 0);
    bench.check("fair lb", last.lb, ccc_pkg::LB_NO_ECN);
    read(16'd0, 5'd9);
    bench.check("fair inc_bytes", last.data, 83886080);
    read(16'd0, 5'd6);
    bench.check("qa_endtime", last.data, 105000 + 12000 + 9000);

    // PROP: delay 4000; (89478 * 4096 * 5000) >> 16.
    open(16'd1);
    ack(16'd1, 48'd105000, 48'd16000, 1'b0);
    bench.check("prop action", last.action, ccc_pkg::ACTION_PROP);
    read(16'd1, 5'd9);
    bench.check("prop inc_bytes", last.data, 27961875);

    // FAST: the counter passes cwnd; (4096 * 16384) >> 16 = 1024.
    open(16'd2);
    load(16'd2, 5'd1, {32'd225000, 32'd100000});
    load(16'd2, 5'd4, {32'd100000, 32'd0});
    ack(16'd2, 48'd105000, 48'd12500, 1'b0);
    bench.check("fast action", last.action, ccc_pkg::ACTION_FAST);
    bench.check("fast cwnd", last.cwnd, 101024);

    // MD: avg stays at 18000, ratio 1/2, f = 2^32 - 52429 * 32768, 200000 * f / 2^32 = 119999.
    open(16'd3);
    load(16'd3, 5'd1, {32'd225000, 32'd200000});
    load(16'd3, 5'd7, 64'd125000);
    load(16'd3, 5'd10, {16'b0, 32'd18000, 16'b0});
    ack(16'd3, 48'd125000, 48'd30000, 1'b1);
    bench.check("md action", last.action, ccc_pkg::ACTION_MD);
    bench.check("md applied", last.md_applied, 1);
    bench.check("md cwnd", last.cwnd, 119999);
    bench.check("md avg", last.avg_delay, 18000 * 65536);
    bench.check("md lb", last.lb, ccc_pkg::LB_ECN);

    // Fulfil: 10^9 / 100000 = 10000, and eta = 614 since the period has passed; mark and low delay.
    open(16'd4);
    load(16'd4, 5'd1, {32'd225000, 32'd100000});
    load(16'd4, 5'd9, 64'd1000000000);
    ack(16'd4, 48'd125000, 48'd12500, 1'b1);
    bench.check("fulfil action", last.action, ccc_pkg::ACTION_NOOP);
    bench.check("fulfilled", last.fulfilled, 1);
    bench.check("eta_applied", last.eta_applied, 1);
    bench.check("fulfil cwnd", last.cwnd, 110614);
    read(16'd4, 5'd9);
    bench.check("fulfil inc_bytes", last.data, 0);

    // Quick adapt: achieved 10000 + 4096 below 225000 / 8 at the end of a window.
    open(16'd5);
    load(16'd5, 5'd0, 64'd3);
    load(16'd5, 5'd2, 64'd50000);
    load(16'd5, 5'd3, {32'd10000, 32'd12000});
    load(16'd5, 5'd6, 64'd104000);
    ack(16'd5, 48'd105000, 48'd13000, 1'b0);
    bench.check("qa action", last.action, ccc_pkg::ACTION_QA);
    bench.check("qa cwnd", last.cwnd, 14096);
    read(16'd5, 5'd5);
    bench.check("qa bytes_to_ignore", last.data[63:32], 50000 - 4096);

    // A NACK of a trimmed packet in the ignore period after it.
    clear;
    ev.kind = ccc_pkg::KIND_NACK;
    ev.ctx  = 16'd5;
    ev.now  = 48'd106000;
    ev.size = 32'd4096;
    run;
    bench.check("nack action", last.action, ccc_pkg::ACTION_IGNORE);
    bench.check("nack lb", last.lb, ccc_pkg::LB_NACK);
    bench.check("nack state", last.state, ccc_pkg::STATE_ACTIVE);

    // Configuration: exclusive, and effective for the next event.
    clear;
    ev.kind = ccc_pkg::KIND_CFG_WRITE;
    ev.addr = ccc_pkg::REG_MAX_WND;
    ev.data = 64'd50000;
    ev_in.offer;
    ev.kind = ccc_pkg::KIND_OPEN;
    ev.ctx  = 16'd6;
    ev_in.offer;
    rsp_out.await(ev_in.taken);
    bench.check("configured cwnd", last.cwnd, 50000);
    bench.check("configured gap", rsp_out.gap, 1);
    clear;
    ev.kind = ccc_pkg::KIND_CFG_WRITE;
    run;
    bench.check("mtu 0 refused", last.refused, 1);
    clear;
    ev.kind = ccc_pkg::KIND_CFG_READ;
    ev.addr = ccc_pkg::REG_MAX_WND;
    run;
    bench.check("cfg_read", last.data, 50000);
    clear;
    ev.kind = 4'd14;
    run;
    bench.check("unknown kind", last.refused, 1);

    profiles;
    slots;
    probes;
    rounds;
    averages;

    // Back-pressure: CREDITS events issue, two more wait in the input FIFO.
    clear;
    ev.kind = ccc_pkg::KIND_CFG_READ;
    count   = ev_in.taken;
    rsp_out.ready_o = 1'b0;
    repeat (ccc_pkg::CREDITS + 60) begin
      ev.ctx = ev_in.taken;
      ev_in.offer_once;
    end
    bench.check("credits", ev_in.taken - count, ccc_pkg::CREDITS + ccc_pkg::IN_FIFO_DEPTH);
    rsp_out.ready_o = 1'b1;
    bench.wait_cycles(ccc_pkg::CREDITS + 60);
    bench.check("drained", rsp_out.taken, ev_in.taken);

    // Reset during a stream: nothing in flight is answered, and registers have their reset values.
    clear;
    ev.kind = ccc_pkg::KIND_CFG_READ;
    ev.addr = ccc_pkg::REG_MAX_WND;
    ev_in.offer;
    bench.wait_cycles(10);
    bench.restart;
    bench.wait_cycles(60);
    bench.check("reset drops", rsp_out.taken, 0);
    run;
    bench.check("reset value", last.data, 225000);
    configured(4'd2, ccc_pkg::REG_MAX_WND);
    bench.check("reset value of profile 2", last.data, 225000);
    bench.verdict;
  end
endmodule
