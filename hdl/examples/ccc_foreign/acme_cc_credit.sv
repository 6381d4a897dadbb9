// Receiver credit of a context: the credit after each state of the walk that changes it, and the
// target of a SEND.
//
// Combinational. ended, granted and deep report what the state did: speculation ended, a pull was
// new, the credit was clamped at its lowest value. want is that of c; target is 0 unless a SEND
// answers with one, and valid with the product of want and the share.
module acme_cc_credit (
  input  logic [5:0]  st,
  /* verilator lint_off UNUSEDSIGNAL */  // whole bundles; only a part of each is used here
  input  acme_ctx_t   c,
  input  acme_req_t   rq,
  input  acme_csr_t   csr,
  input  logic [47:0] mul_p,    // want * share, 16 fraction bits
  /* verilator lint_on UNUSEDSIGNAL */
  input  acme_ctx_t   counted,  // c after the counters of this state
  output acme_ctx_t   credited,
  output logic        ended,
  output logic        granted,
  output logic        deep,
  output logic [32:0] want,     // bytes, two's complement
  output logic [23:0] target    // 256 bytes
);
  logic        on;
  logic [31:0] mtu;
  logic [31:0] widest;
  logic [31:0] most;            // largest credit
  assign on     = csr.ctrl[1];
  assign mtu    = {16'd0, csr.mtu};
  assign widest = csr.wnd_init < mtu ? mtu : csr.wnd_init;
  assign most   = widest[31] ? 32'h7fffffff : widest;

  // ------------------------------------------------------------ credit
  logic        news;            // that speculation ends by
  logic        pays;
  logic        ends;
  logic        grants;
  logic        sinks;
  logic [31:0] settled;         // credit once speculation has ended
  logic [23:0] steps;           // of the pull past the last one
  logic [33:0] raised;          // two's complement
  logic [33:0] lowered;         // two's complement
  assign news    = st == acme_cc_pkg::S_ACK || st == acme_cc_pkg::S_NACK
                || st == acme_cc_pkg::S_PULL
                || (st == acme_cc_pkg::S_LOSS && c.rtx_bytes != 32'd0);
  assign pays    = st == acme_cc_pkg::S_SEND && on && !rq.unpaid;
  assign ends    = on && news && c.spec;
  assign settled = ends && !c.cred[31] ? 32'd0 : c.cred;
  assign steps   = rq.pull - c.pulled;
  assign grants  = st == acme_cc_pkg::S_PULL && steps != 24'd0 && !steps[23];
  assign raised  = {{2{settled[31]}}, settled} + {2'd0, steps, 8'd0};
  assign lowered = {{2{c.cred[31]}}, c.cred} - {2'd0, rq.bytes};
  assign sinks   = $signed(lowered) < $signed(34'h380000000);
  assign ended   = ends;
  assign granted = grants;
  assign deep    = pays && sinks;

  always_comb begin
    credited      = counted;
    credited.cred = settled;
    if (ends) credited.spec = 1'b0;
    if (grants) begin
      credited.pulled = rq.pull;
      credited.cred   = $signed(raised) < $signed({2'd0, most}) ? raised[31:0] : most;
    end
    if (pays) credited.cred = sinks ? 32'h80000000 : lowered[31:0];
  end

  // ------------------------------------------------------------ target
  logic [48:0] work;            // bytes to send
  logic [32:0] room;            // of the window, and one packet more
  logic [32:0] bound;
  logic [32:0] some;            // of the work
  logic [32:0] lack;            // two's complement
  /* verilator lint_off UNUSEDSIGNAL */  // the rest of the last quantum
  logic [31:0] rounded;         // modulo 2^32, as a target is modulo 2^24 quanta
  /* verilator lint_on UNUSEDSIGNAL */
  assign work    = {1'b0, c.owed} + {17'd0, c.rtx_bytes};
  assign room    = {1'b0, c.wnd} + {1'b0, mtu};
  assign bound   = csr.ctrl[3] || room > {1'b0, most} ? {1'b0, most} : room;
  assign some    = work < {16'd0, bound} ? work[32:0] : bound;
  assign lack    = some - {c.cred[31], c.cred};
  assign want    = c.spec && c.owed != 48'd0 && $signed(lack) < $signed({1'b0, mtu})
                 ? {1'b0, mtu} : lack;
  assign rounded = mul_p[47:16] + 32'd255;
  assign target  = on && rq.op == acme_cc_pkg::OP_SEND ? c.pulled + rounded[31:8] : 24'd0;
endmodule
