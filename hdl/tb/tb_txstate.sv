// Smoke bench of the txstate block: events whose answers were worked out by hand from the contract.
//
// Runs under Icarus Verilog and under Verilator --timing; ends with PASS or $fatal.
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

  initial clk = 1'b0;
  always #5 clk = ~clk;

  // ---------------------------------------------------------------- observation
  int           cycle;
  int           accepted;
  int           accept_cycle;
  int           answered;
  int           answer_cycle;
  int           answer_gap;
  txstate_rsp_t last;
  int           errors;

  initial begin
    cycle        = 0;
    accepted     = 0;
    accept_cycle = 0;
    answered     = 0;
    answer_cycle = 0;
    answer_gap   = 0;
    errors       = 0;
  end

  always @(posedge clk) begin
    cycle <= cycle + 1;
    if (ev_valid && ev_ready) begin
      accepted     <= accepted + 1;
      accept_cycle <= cycle;
    end
    if (rsp_valid && rsp_ready) begin
      answered     <= answered + 1;
      answer_gap   <= cycle - answer_cycle;
      answer_cycle <= cycle;
      last         <= rsp;
      // An unknown bit in an answer: state that was never written has become visible.
      if ((^rsp) === 1'bx) begin
        errors = errors + 1;
        $display("tb_txstate: unknown bits in the response %h (cycle %0d)", rsp, cycle);
      end
    end
  end

  task check(input [8*24-1:0] what, input longint got, input longint want);
    if (got !== want) begin
      errors = errors + 1;
      $display("tb_txstate: %0s: got %0d, want %0d (cycle %0d)", what, got, want, cycle);
    end
  endtask

  // ---------------------------------------------------------------- stimulus, at falling edges
  task offer;
    int seen;
    seen     = accepted;
    ev_valid = 1'b1;
    while (accepted == seen) @(negedge clk);
    ev_valid = 1'b0;
  endtask

  task run(input logic [2:0] kind, input logic [15:0] pdc, input logic [31:0] psn,
           input logic [47:0] now);
    int seen;
    ev.kind = kind;
    ev.pdc  = pdc;
    ev.psn  = psn;
    ev.now  = now;
    seen = answered;
    offer;
    while (answered == seen) @(negedge clk);
  endtask

  initial begin : watchdog
    #100000;
    $display("tb_txstate: timeout in cycle %0d", cycle);
    $fatal;
  end

  int start;
  int count;

  initial begin
    rst_n     = 1'b0;
    ev_valid  = 1'b0;
    rsp_ready = 1'b1;
    ev        = '0;
    repeat (3) @(negedge clk);
    start = cycle;
    rst_n = 1'b1;
    while (!ev_ready) @(negedge clk);
    check("sweep", cycle - start, NumPdcs * Depth);

    // First transmission, then an ACK 5000 ticks later with 2 units of 128 ticks of service.
    run(txstate_pkg::KIND_SEND, 16'd1, 32'd5, 48'd1000);
    check("latency", answer_cycle - accept_cycle, txstate_pkg::LATENCY + 1);
    check("send found", last.found, 0);
    check("send tx_time", last.tx_time, 1000);
    check("send evicted", last.evicted, 0);
    ev.service_time = 16'd2;
    run(txstate_pkg::KIND_ACK, 16'd1, 32'd5, 48'd6000);
    check("ack found", last.found, 1);
    check("ack rtt_valid", last.rtt_valid, 1);
    check("ack rtt", last.rtt, 4744);
    run(txstate_pkg::KIND_ACK, 16'd1, 32'd5, 48'd7000);
    check("ack freed", last.found, 0);

    // Resent once: a sample only with retx; twice: none.
    run(txstate_pkg::KIND_SEND, 16'd2, 32'd9, 48'd1000);
    run(txstate_pkg::KIND_SEND, 16'd2, 32'd9, 48'd2000);
    check("resend count", last.rtx_count, 1);
    run(txstate_pkg::KIND_NACK, 16'd2, 32'd9, 48'd2300);
    check("nack no retx", last.rtt_valid, 0);
    ev.retx = 1'b1;
    run(txstate_pkg::KIND_NACK, 16'd2, 32'd9, 48'd2300);
    check("nack rtt", last.rtt, 300);
    run(txstate_pkg::KIND_SEND, 16'd2, 32'd9, 48'd3000);
    run(txstate_pkg::KIND_SEND, 16'd2, 32'd9, 48'd4000);
    check("resend saturates", last.rtx_count, 2);
    ev.retx = 1'b0;

    // Another PSN of the same slot evicts; an unknown retransmission never samples.
    ev.is_rtx = 1'b1;
    run(txstate_pkg::KIND_SEND, 16'd2, 32'd17, 48'd5000);
    check("evicted", last.evicted, 1);
    check("unknown_rtx", last.unknown_rtx, 1);
    check("unknown count", last.rtx_count, 2);
    ev.is_rtx = 1'b0;
    run(txstate_pkg::KIND_READ, 16'd2, 32'd1, 48'd0);
    check("read psn", last.psn, 17);
    check("read found", last.found, 1);

    // Out of range, unknown kind.
    run(txstate_pkg::KIND_SEND, 16'd3, 32'd0, 48'd0);
    check("no_pdc", last.no_pdc, 1);
    run(3'd7, 16'd0, 32'd0, 48'd0);
    check("refused", last.refused, 1);

    // time_shift 0: service in ticks.
    ev.time_shift = 3'd0;
    run(txstate_pkg::KIND_CFG_WRITE, 16'd0, 32'd0, 48'd0);
    run(txstate_pkg::KIND_SEND, 16'd0, 32'd0, 48'd1000);
    run(txstate_pkg::KIND_ACK, 16'd0, 32'd0, 48'd1003);
    check("shift rtt", last.rtt, 1);

    // One entry: STALL cycles apart; two entries: one.
    count   = answered;
    ev.kind = txstate_pkg::KIND_READ;
    offer;
    offer;
    while (answered != count + 2) @(negedge clk);
    check("stall", answer_gap, txstate_pkg::STALL);
    count  = answered;
    ev.psn = 32'd1;
    offer;
    ev.psn = 32'd2;
    offer;
    while (answered != count + 2) @(negedge clk);
    check("no stall", answer_gap, 1);

    // Back-pressure: CREDITS events issue, two more wait in the input FIFO.
    rsp_ready = 1'b0;
    count     = accepted;
    ev_valid  = 1'b1;
    repeat (80) @(negedge clk);
    check("credits", accepted - count, txstate_pkg::CREDITS + txstate_pkg::IN_FIFO_DEPTH);
    ev_valid = 1'b0;
    #1;
    rst_n = 1'b0;
    #1;
    check("reset ready", ev_ready, 0);
    check("reset valid", rsp_valid, 0);

    if (errors != 0) begin
      $display("tb_txstate: FAIL, %0d errors", errors);
      $fatal;
    end
    $display("tb_txstate: PASS, %0d responses", answered);
    $finish;
  end
endmodule
