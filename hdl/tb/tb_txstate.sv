// Smoke bench of the txstate block: events whose answers were worked out by hand from the contract.
//
module tb_txstate;
  localparam int NumPdcs = 3;
  localparam int Depth   = 8;

  logic         clk;
  logic         rst_n;
  logic         ev_valid;
  logic         ev_ready;
  txstate_ev_t  ev;
  logic         rsp_valid;
  logic         rsp_ready;
  txstate_rsp_t rsp;
  txstate_rsp_t last;

  txstate #(.NumPdcs(NumPdcs), .Depth(Depth)) dut (
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
  bench_sink #(.Width(txstate_pkg::RSP_W)) rsp_out (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(rsp_valid), .ready_o(rsp_ready), .data_i(rsp),
    .last_o(last), .prior_o());

  // ---------------------------------------------------------------- stimulus, at falling edges
  task run(input logic [2:0] kind, input logic [15:0] pdc, input logic [31:0] psn,
           input logic [47:0] now);
    ev.kind = kind;
    ev.pdc  = pdc;
    ev.psn  = psn;
    ev.now  = now;
    ev_in.offer;
    rsp_out.await(ev_in.taken);
  endtask

  int count;

  initial begin
    ev = '0;
    bench.restart;
    ev_in.await_ready;
    bench.check("sweep", ev_in.sweep, NumPdcs * Depth);

    // First transmission, then an ACK 5000 ticks later with 2 units of 128 ticks of service.
    run(txstate_pkg::KIND_SEND, 16'd1, 32'd5, 48'd1000);
    bench.check("latency", rsp_out.taken_cycle - ev_in.taken_cycle, txstate_pkg::LATENCY + 1);
    bench.check("send found", last.found, 0);
    bench.check("send tx_time", last.tx_time, 1000);
    bench.check("send evicted", last.evicted, 0);
    ev.service_time = 16'd2;
    run(txstate_pkg::KIND_ACK, 16'd1, 32'd5, 48'd6000);
    bench.check("ack found", last.found, 1);
    bench.check("ack rtt_valid", last.rtt_valid, 1);
    bench.check("ack rtt", last.rtt, 4744);
    run(txstate_pkg::KIND_ACK, 16'd1, 32'd5, 48'd7000);
    bench.check("ack freed", last.found, 0);

    // Resent once: a sample only with retx; resent twice: no sample.
    run(txstate_pkg::KIND_SEND, 16'd2, 32'd9, 48'd1000);
    run(txstate_pkg::KIND_SEND, 16'd2, 32'd9, 48'd2000);
    bench.check("resend count", last.rtx_count, 1);
    run(txstate_pkg::KIND_NACK, 16'd2, 32'd9, 48'd2300);
    bench.check("nack no retx", last.rtt_valid, 0);
    ev.retx = 1'b1;
    run(txstate_pkg::KIND_NACK, 16'd2, 32'd9, 48'd2300);
    bench.check("nack rtt", last.rtt, 300);
    run(txstate_pkg::KIND_SEND, 16'd2, 32'd9, 48'd3000);
    run(txstate_pkg::KIND_SEND, 16'd2, 32'd9, 48'd4000);
    bench.check("resend saturates", last.rtx_count, 2);
    ev.retx = 1'b0;

    // Another PSN of the same slot evicts; an unknown retransmission never samples.
    ev.is_rtx = 1'b1;
    run(txstate_pkg::KIND_SEND, 16'd2, 32'd17, 48'd5000);
    bench.check("evicted", last.evicted, 1);
    bench.check("unknown_rtx", last.unknown_rtx, 1);
    bench.check("unknown count", last.rtx_count, 2);
    ev.is_rtx = 1'b0;
    run(txstate_pkg::KIND_READ, 16'd2, 32'd1, 48'd0);
    bench.check("read psn", last.psn, 17);
    bench.check("read found", last.found, 1);

    // Out of range, unknown kind.
    run(txstate_pkg::KIND_SEND, 16'd3, 32'd0, 48'd0);
    bench.check("no_pdc", last.no_pdc, 1);
    run(3'd7, 16'd0, 32'd0, 48'd0);
    bench.check("refused", last.refused, 1);

    // time_shift 0: service in ticks.
    ev.time_shift = 3'd0;
    run(txstate_pkg::KIND_CFG_WRITE, 16'd0, 32'd0, 48'd0);
    run(txstate_pkg::KIND_SEND, 16'd0, 32'd0, 48'd1000);
    run(txstate_pkg::KIND_ACK, 16'd0, 32'd0, 48'd1003);
    bench.check("shift rtt", last.rtt, 1);

    // One entry: STALL cycles apart; two entries: one.
    ev.kind = txstate_pkg::KIND_READ;
    ev_in.offer;
    ev_in.offer;
    rsp_out.await(ev_in.taken);
    bench.check("stall", rsp_out.gap, txstate_pkg::STALL);
    ev.psn = 32'd1;
    ev_in.offer;
    ev.psn = 32'd2;
    ev_in.offer;
    rsp_out.await(ev_in.taken);
    bench.check("no stall", rsp_out.gap, 1);

    // Back-pressure: CREDITS events issue, two more wait in the input FIFO.
    count = ev_in.taken;
    rsp_out.ready_o = 1'b0;
    repeat (80) begin
      ev.pdc = ev_in.taken;
      ev_in.offer_once;
    end
    bench.check("credits", ev_in.taken - count, txstate_pkg::CREDITS + txstate_pkg::IN_FIFO_DEPTH);

    // A reset drops all entries.
    bench.restart;
    rsp_out.ready_o = 1'b1;
    bench.wait_cycles(80);
    bench.check("reset drops", rsp_out.taken, 0);
    run(txstate_pkg::KIND_READ, 16'd0, 32'd1, 48'd0);
    bench.check("reset entry", last.found, 0);
    bench.verdict;
  end
endmodule
