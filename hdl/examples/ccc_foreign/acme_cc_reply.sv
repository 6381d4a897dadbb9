// The response, from the context after the walk and from the flags that the walk set.
//
// Combinational.
module acme_cc_reply (
  /* verilator lint_off UNUSEDSIGNAL */  // whole bundles; only a part of each is used here
  input  acme_req_t   rq,
  input  acme_ctx_t   c,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic        view,    // show the state
  input  logic        may_send,
  input  logic        want_ack,
  input  logic [63:0] rdata,
  input  logic [acme_cc_pkg::MARKS-1:0] mk,
  input  logic [3:0]  act,
  input  logic [2:0]  lb,
  input  logic [31:0] qd,
  input  logic [23:0] target,
  output acme_resp_t  resp
);
  always_comb begin
    resp       = '0;
    resp.rdata = rdata;
    resp.op    = rq.op;
    resp.flow  = rq.flow;
    resp.path  = rq.path;
    {resp.late, resp.marks} = mk;
    resp.act   = act;
    resp.lb    = lb;
    resp.qd    = qd;
    if (view) begin
      resp.target   = target;
      resp.sched    = c.sched;
      resp.may_send = may_send;
      resp.want_ack = want_ack;
      resp.wnd      = c.wnd;
      resp.fly      = c.fly;
      resp.base     = c.base;
      resp.avg      = c.avg;
    end
  end
endmodule
