// Tasks that drive the engine, included in the module of the bench: one request with its response,
// and the requests used by the cases.
//
// They use the signals of the bench: clk, rq, rp, req_*, resp_*, late and errors.

  task automatic check(input string what, input logic [63:0] got, input logic [63:0] want);
    if (got !== want) begin
      $display("FAIL: %s: got %0d (%h), want %0d (%h)", what, got, got, want, want);
      errors = errors + 1;
    end
  endtask

  // Sends rq and leaves the response in rp; rq is the same afterwards.
  task automatic play;
    logic [acme_cc_pkg::RESP_W-1:0] first;
    @(negedge clk);
    req_valid = 1'b1;
    while (!req_ready) @(negedge clk);
    @(posedge clk);
    #1 req_valid = 1'b0;
    while (!resp_valid) @(negedge clk);
    first = resp_bits;
    repeat (late) begin
      @(negedge clk);
      check("response waits", {63'd0, resp_valid}, 64'd1);
      check("response is stable", {63'd0, resp_bits === first}, 64'd1);
      check("no request before the response is taken", {63'd0, req_ready}, 64'd0);
    end
    resp_ready = 1'b1;
    @(posedge clk);
    #1 resp_ready = 1'b0;
    rp = first;
    check("op", {60'd0, rp.op}, {60'd0, rq.op});
    check("flow", {48'd0, rp.flow}, {48'd0, rq.flow});
    check("path", {48'd0, rp.path}, {48'd0, rq.path});
  endtask

  task automatic ask(input logic [3:0] op, input logic [15:0] flow, input logic [47:0] now);
    rq       = '0;
    rq.op    = op;
    rq.flow  = flow;
    rq.t_now = now;
    rq.path  = 16'hc0de;
  endtask

  task automatic load(input logic [15:0] flow, input logic [4:0] addr, input logic [63:0] value);
    ask(acme_cc_pkg::OP_LOAD, flow, 48'd0);
    rq.waddr = addr;
    rq.wdata = value;
    play;
    check("load: marks", {48'd0, rp.marks}, 64'd0);
  endtask

  task automatic read(input string what, input logic [15:0] flow, input logic [4:0] addr,
                      input logic [63:0] want);
    ask(acme_cc_pkg::OP_READ, flow, 48'd0);
    rq.waddr = addr;
    play;
    check(what, rp.rdata, want);
  endtask

  task automatic peek(input string what, input logic [15:0] flow, input logic [3:0] conn,
                      input logic [63:0] want);
    ask(acme_cc_pkg::OP_READ, flow, 48'd0);
    rq.waddr = 5'd14;
    rq.conn  = conn;
    play;
    check(what, rp.rdata, want);
  endtask

  // In profile prof; the other profiles stay.
  task automatic tune(input logic [3:0] prof, input logic [4:0] addr, input logic [63:0] value);
    ask(acme_cc_pkg::OP_CSR_WRITE, 16'd0, 48'd0);
    rq.prof  = prof;
    rq.waddr = addr;
    rq.wdata = value;
    play;
    check("tune: marks", {48'd0, rp.marks}, 64'd0);
  endtask

  task automatic configure(input logic [4:0] addr, input logic [63:0] value, input logic bad);
    ask(acme_cc_pkg::OP_CSR_WRITE, 16'hffff, 48'd0);
    rq.waddr = addr;
    rq.wdata = value;
    play;
    check("configure: marks", {48'd0, rp.marks}, {62'd0, bad, 1'b0});
  endtask

  // An ACK of 4,096 bytes, one packet, sent at 100,000.
  task automatic ack(input logic [15:0] flow, input logic [23:0] total, input logic [47:0] now);
    ask(acme_cc_pkg::OP_ACK, flow, now);
    rq.rx_total = total;
    rq.acked    = 16'd1;
    rq.t_tx     = 48'd100000;
    rq.t_tx_ok  = 1'b1;
    rq.svc      = 16'd1;   // 128 ticks
    rq.conn     = 2'd2;
  endtask
