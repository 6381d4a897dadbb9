// The state words of a context: reads one word, merges a loaded one into the context, and makes a
// new context.
//
// Combinational. A loaded window, and a loaded saved window that is not 0, are raised to the MTU.
module acme_cc_words (
  input  acme_ctx_t   ctx,
  /* verilator lint_off UNUSEDSIGNAL */  // the whole bundle; what a new context needs is part
  input  acme_csr_t   csr,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [47:0] t_now,
  input  logic [3:0]  addr,
  input  logic [63:0] wdata,
  output logic [63:0] rdata,
  output acme_ctx_t   merged,
  output acme_ctx_t   fresh
);
  logic [31:0] mtu;
  logic [31:0] wnd_init;
  logic [31:0] lo;
  logic [31:0] hi;
  logic [31:0] lo_raised;
  logic [31:0] hi_raised;

  assign mtu       = {16'd0, csr.mtu};
  assign wnd_init  = csr.wnd_init < mtu ? mtu : csr.wnd_init;
  assign lo        = wdata[31:0];
  assign hi        = wdata[63:32];
  assign lo_raised = lo < mtu ? mtu : lo;
  assign hi_raised = hi < mtu ? mtu : hi;

  always_comb begin
    unique case (addr)
      4'd0:    rdata = {58'd0, ctx.sched, 1'b0, ctx.ramp, ctx.qa_on, ctx.trig};
      4'd1:    rdata = {ctx.wnd_max, ctx.wnd};
      4'd2:    rdata = {ctx.wnd_saved, ctx.fly};
      4'd3:    rdata = {ctx.got_qa, ctx.base};
      4'd4:    rdata = {ctx.got_fast, ctx.got_inc};
      4'd5:    rdata = {ctx.to_skip, ctx.skipped};
      4'd6:    rdata = {16'd0, ctx.t_qa};
      4'd7:    rdata = {16'd0, ctx.t_adj};
      4'd8:    rdata = {16'd0, ctx.t_dec};
      4'd9:    rdata = {16'd0, ctx.acc};
      4'd10:   rdata = {16'd0, ctx.avg};
      4'd11:   rdata = {16'd0, ctx.owed};
      4'd12:   rdata = {ctx.rtx_pkts, ctx.rtx_bytes};
      4'd13:   rdata = {32'd0, ctx.fly_pkts};
      4'd14:   rdata = {8'd0, ctx.seen1, 8'd0, ctx.seen0};
      default: rdata = {8'd0, ctx.seen3, 8'd0, ctx.seen2};
    endcase
  end

  always_comb begin
    merged = ctx;
    unique case (addr)
      4'd0: begin
        merged.trig  = wdata[0];
        merged.qa_on = wdata[1];
        merged.ramp  = wdata[2];
        merged.sched = wdata[5:4];
      end
      4'd1: begin
        merged.wnd     = lo_raised;
        merged.wnd_max = hi_raised;
      end
      4'd2: begin
        merged.fly       = lo;
        merged.wnd_saved = hi == 32'd0 ? 32'd0 : hi_raised;
      end
      4'd3: begin
        merged.base   = lo;
        merged.got_qa = hi;
      end
      4'd4: begin
        merged.got_inc  = lo;
        merged.got_fast = hi;
      end
      4'd5: begin
        merged.skipped = lo;
        merged.to_skip = hi;
      end
      4'd6:  merged.t_qa  = wdata[47:0];
      4'd7:  merged.t_adj = wdata[47:0];
      4'd8:  merged.t_dec = wdata[47:0];
      4'd9:  merged.acc   = wdata[47:0];
      4'd10: merged.avg   = wdata[47:0];
      4'd11: merged.owed  = wdata[47:0];
      4'd12: begin
        merged.rtx_bytes = lo;
        merged.rtx_pkts  = hi;
      end
      4'd13: merged.fly_pkts = lo;
      4'd14: begin
        merged.seen0 = lo[23:0];
        merged.seen1 = hi[23:0];
      end
      default: begin
        merged.seen2 = lo[23:0];
        merged.seen3 = hi[23:0];
      end
    endcase
  end

  always_comb begin
    fresh         = '0;
    fresh.live    = 1'b1;
    fresh.sched   = acme_cc_pkg::SCHED_IDLE;
    fresh.wnd     = wnd_init;
    fresh.wnd_max = wnd_init;
    fresh.base    = csr.base_init;
    fresh.t_adj   = t_now;
    fresh.t_dec   = t_now;
  end
endmodule
