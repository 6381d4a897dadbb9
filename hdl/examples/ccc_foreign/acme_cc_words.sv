// The state words of a context, and the context as an event sees it: with a loaded word merged in,
// and with no window below the MTU. Also builds a new context.
//
// Combinational.
module acme_cc_words #(
  parameter int AVG_FRAC = 16  // fraction bits of the average
) (
  input  acme_ctx_t   ctx,
  input  logic [23:0] seen,     // of the connection that the request names
  /* verilator lint_off UNUSEDSIGNAL */  // the whole bundle; only a part is used here
  input  acme_csr_t   csr,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic        is_load,
  input  logic [3:0]  prof,     // of a new context
  input  logic [47:0] t_now,
  input  logic [23:0] pull,     // first number of a new context
  input  logic [3:0]  addr,
  input  logic [63:0] wdata,
  output logic [63:0] rdata,
  output acme_ctx_t   found,
  output acme_ctx_t   fresh
);
  localparam logic [47:0] AVG_BITS = 48'hffff_ffff_ffff << (16 - AVG_FRAC);

  logic [31:0] mtu;
  logic [31:0] lo;
  logic [31:0] hi;

  assign mtu = {16'd0, csr.mtu};
  assign lo  = wdata[31:0];
  assign hi  = wdata[63:32];

  always_comb begin
    found = ctx;
    if (is_load) begin
      unique case (addr)
        4'd0: begin
          found.trig  = wdata[0];
          found.qa_on = wdata[1];
          found.ramp  = wdata[2];
          found.sched = wdata[5:4];
          found.prof  = wdata[11:8];
        end
        4'd1: begin
          found.wnd     = lo;
          found.wnd_max = hi;
        end
        4'd2: begin
          found.fly       = lo;
          found.wnd_saved = hi;
        end
        4'd3: begin
          found.base   = lo;
          found.got_qa = hi;
        end
        4'd4: begin
          found.got_inc  = lo;
          found.got_fast = hi;
        end
        4'd5: begin
          found.skipped = lo;
          found.to_skip = hi;
        end
        4'd6:  found.t_qa  = wdata[47:0];
        4'd7:  found.t_adj = wdata[47:0];
        4'd8:  found.t_dec = wdata[47:0];
        4'd9:  found.acc   = wdata[47:0];
        4'd10: found.avg   = wdata[47:0] & AVG_BITS;
        4'd11: found.owed  = wdata[47:0];
        4'd12: begin
          found.rtx_bytes = lo;
          found.rtx_pkts  = hi;
        end
        4'd13: found.fly_pkts = lo;
        4'd15: begin
          found.cred   = lo;
          found.pulled = hi[23:0];
          found.spec   = hi[24];
        end
        default: found.live = ctx.live;  // the counters of the connections are elsewhere
      endcase
    end
    if (found.wnd < mtu) found.wnd = mtu;
    if (found.wnd_max < mtu) found.wnd_max = mtu;
    if (found.wnd_saved < mtu && found.wnd_saved != 32'd0) found.wnd_saved = mtu;

    unique case (addr)
      4'd0:    rdata = {52'd0, found.prof, 2'd0, found.sched, 1'b0, found.ramp, found.qa_on,
                        found.trig};
      4'd1:    rdata = {found.wnd_max, found.wnd};
      4'd2:    rdata = {found.wnd_saved, found.fly};
      4'd3:    rdata = {found.got_qa, found.base};
      4'd4:    rdata = {found.got_fast, found.got_inc};
      4'd5:    rdata = {found.to_skip, found.skipped};
      4'd6:    rdata = {16'd0, found.t_qa};
      4'd7:    rdata = {16'd0, found.t_adj};
      4'd8:    rdata = {16'd0, found.t_dec};
      4'd9:    rdata = {16'd0, found.acc};
      4'd10:   rdata = {16'd0, found.avg};
      4'd11:   rdata = {16'd0, found.owed};
      4'd12:   rdata = {found.rtx_pkts, found.rtx_bytes};
      4'd13:   rdata = {32'd0, found.fly_pkts};
      4'd15:   rdata = {7'd0, found.spec, found.pulled, found.cred};
      default: rdata = {40'd0, seen};
    endcase
  end

  always_comb begin
    fresh         = '0;
    fresh.live    = 1'b1;
    fresh.prof    = prof;
    fresh.sched   = acme_cc_pkg::SCHED_IDLE;
    fresh.wnd     = csr.wnd_init < mtu ? mtu : csr.wnd_init;
    fresh.wnd_max = csr.wnd_init < mtu ? mtu : csr.wnd_init;
    fresh.base    = csr.base_init;
    fresh.t_adj   = t_now;
    fresh.t_dec   = t_now;
    fresh.spec    = 1'b1;
    fresh.pulled  = pull;
    fresh.cred    = fresh.wnd[31] ? 32'h7fffffff : fresh.wnd;
  end
endmodule
