// The values that the sequencer may write next: every sum, difference and verdict of the rules,
// computed from the current context, the request, the registers and the last product and quotient.
//
// Combinational. A value ending in _up or _down is clamped; the flag beside it reports whether it
// was.
module acme_cc_terms #(
  parameter int AVG_FRAC = 16  // fraction bits of the average
) (
  /* verilator lint_off UNUSEDSIGNAL */  // whole bundles; the rules here need part of each
  input  acme_ctx_t   c,
  input  acme_req_t   rq,
  input  acme_csr_t   csr,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [2:0]  shift,     // of the service time
  input  logic [23:0] seen,      // received-bytes counter of the connection
  input  logic [30:0] delta,     // bytes newly received
  input  logic [47:0] raw,       // RTT before its check
  input  logic [31:0] sample,    // for the average
  input  logic [31:0] qd,        // queueing delay
  input  logic        is_fair,   // the product is FI * delta
  input  logic [95:0] mul_p,
  input  logic [47:0] div_q,
  output acme_terms_t t
);
  logic        is_ack;
  logic        is_nack;
  logic        adds;       // puts its bytes in flight
  logic [31:0] mtu;
  assign is_ack  = rq.op == acme_cc_pkg::OP_ACK;
  assign is_nack = rq.op == acme_cc_pkg::OP_NACK;
  assign adds    = rq.op == acme_cc_pkg::OP_SEND || rq.op == acme_cc_pkg::OP_BIND;
  assign mtu     = {16'd0, csr.mtu};

  assign t.trim   = rq.why == acme_cc_pkg::WHY_TRIM || rq.why == acme_cc_pkg::WHY_TRIM_LAST;
  assign t.adjust = rq.why == acme_cc_pkg::WHY_TRIM
                 || (rq.why == acme_cc_pkg::WHY_TRIM_LAST && !csr.ctrl[1]);

  // Members of t from which others in this module are computed.
  logic        fly_over;
  logic        qa_ignore;
  logic        qa_ended;
  logic        owed_under;
  logic        fly_pkts_under;
  logic [31:0] fly_pos;
  logic        quot_over;
  logic        period_over;
  logic        acc_over;
  assign t.fly_over       = fly_over;
  assign t.qa_ignore      = qa_ignore;
  assign t.qa_ended       = qa_ended;
  assign t.owed_under     = owed_under;
  assign t.fly_pkts_under = fly_pkts_under;
  assign t.fly_pos        = fly_pos;
  assign t.quot_over      = quot_over;
  assign t.period_over    = period_over;
  assign t.acc_over       = acc_over;

  // ------------------------------------------------------------ counters
  logic [23:0] gap;
  assign gap     = rq.rx_total - seen;
  assign t.stale = gap[23];
  assign t.delta = gap[23] ? 31'd0 : {gap[22:0], 8'd0};

  logic [31:0] fly_plus;
  logic [31:0] fly_minus;
  logic [34:0] fly_sum;    // two's complement
  assign fly_plus   = is_ack ? rq.un_bytes : (adds ? rq.bytes : 32'd0);
  assign fly_minus  = is_ack ? {1'b0, delta} : (adds ? 32'd0 : rq.bytes);
  assign fly_sum    = {{3{c.fly[31]}}, c.fly} + {3'd0, fly_plus} - {3'd0, fly_minus};
  assign fly_over = fly_sum[34:31] != 4'h0 && fly_sum[34:31] != 4'hf;
  assign t.fly_next = !fly_over ? fly_sum[31:0] : (fly_sum[34] ? 32'h80000000 : 32'h7fffffff);

  logic [31:0] skip_plus;
  logic [32:0] skip_sum;
  logic [32:0] qa_sum;
  logic [32:0] inc_sum;
  logic [32:0] fast_sum;
  logic [48:0] owed_sum;
  logic [32:0] rtx_bytes_sum;
  logic [32:0] rtx_pkts_sum;
  logic [32:0] fly_pkts_sum;
  assign skip_plus     = is_ack ? {1'b0, delta} : rq.bytes;
  assign skip_sum      = {1'b0, c.skipped} + {1'b0, skip_plus};
  assign qa_sum        = {1'b0, c.got_qa} + {2'd0, delta};
  assign inc_sum       = {1'b0, c.got_inc} + {2'd0, delta};
  assign fast_sum      = {1'b0, c.got_fast} + {2'd0, delta};
  assign owed_sum      = {1'b0, c.owed} + {17'd0, rq.bytes};
  assign rtx_bytes_sum = {1'b0, c.rtx_bytes} + {1'b0, rq.bytes};
  assign rtx_pkts_sum  = {1'b0, c.rtx_pkts} + 33'd1;
  assign fly_pkts_sum  = {1'b0, c.fly_pkts} + 33'd1;

  assign t.skip_up       = skip_sum[31:0] | {32{skip_sum[32]}};
  assign t.skip_over     = skip_sum[32];
  assign t.qa_up         = qa_sum[31:0] | {32{qa_sum[32]}};
  assign t.inc_up        = inc_sum[31:0] | {32{inc_sum[32]}};
  assign t.got_over      = qa_sum[32] || inc_sum[32];
  assign t.fast_up       = fast_sum[31:0] | {32{fast_sum[32]}};
  assign t.fast_over     = fast_sum[32];
  assign t.owed_up       = owed_sum[47:0] | {48{owed_sum[48]}};
  assign t.owed_over     = owed_sum[48];
  assign t.rtx_bytes_up  = rtx_bytes_sum[31:0] | {32{rtx_bytes_sum[32]}};
  assign t.rtx_pkts_up   = rtx_pkts_sum[31:0] | {32{rtx_pkts_sum[32]}};
  assign t.rtx_over      = rtx_bytes_sum[32] || rtx_pkts_sum[32];
  assign t.fly_pkts_up   = fly_pkts_sum[31:0] | {32{fly_pkts_sum[32]}};
  assign t.fly_pkts_over = fly_pkts_sum[32];

  logic [31:0] off_pkts;   // removed from the retransmission list
  logic [31:0] off_bytes;
  logic [31:0] arrived;    // packets no longer in flight
  assign off_pkts  = is_ack ? {16'd0, rq.un_pkts} : 32'd1;
  assign off_bytes = is_ack ? rq.un_bytes : rq.bytes;
  assign arrived   = is_ack ? {16'd0, rq.acked} : 32'd1;

  assign t.rtx_pkts_down  = off_pkts > c.rtx_pkts ? 32'd0 : c.rtx_pkts - off_pkts;
  assign t.rtx_bytes_down = off_bytes > c.rtx_bytes ? 32'd0 : c.rtx_bytes - off_bytes;
  assign t.rtx_under      = off_pkts > c.rtx_pkts || off_bytes > c.rtx_bytes;
  assign owed_under     = {16'd0, rq.bytes} > c.owed;
  assign t.owed_down      = owed_under ? 48'd0 : c.owed - {16'd0, rq.bytes};
  assign fly_pkts_under = arrived > c.fly_pkts;
  assign t.fly_pkts_down  = fly_pkts_under ? 32'd0 : c.fly_pkts - arrived;

  // ------------------------------------------------------------ round-trip time and its average
  logic [22:0] svc_ticks;
  logic        svc_ok;
  logic        tries_ok;
  logic [31:0] rate_wnd;   // MWND_RATE * base_rtt, at most MAX_WND
  assign svc_ticks  = is_ack ? {7'd0, rq.svc} << shift : 23'd0;
  assign svc_ok     = !is_ack || (rq.svc != 16'd0 && rq.svc != 16'hffff);
  assign tries_ok   = (rq.tries == 2'd0 && !rq.resent) || (rq.tries == 2'd1 && rq.resent);
  assign t.raw_next = rq.t_now - rq.t_tx - {25'd0, svc_ticks};
  assign t.raw_ok   = rq.t_tx_ok && tries_ok && svc_ok && raw[47:31] == 17'd0 && raw[30:0] != 31'd0;
  assign t.probe_ok = rq.wdata[63:31] == 33'd0 && rq.wdata[30:0] != 31'd0;
  assign rate_wnd   = mul_p[63:16] > {16'd0, csr.wnd_init} ? csr.wnd_init : mul_p[47:16];
  assign t.base_wnd = rate_wnd < mtu ? mtu : rate_wnd;

  // The bits that the average has, and its last place.
  localparam logic [47:0] AVG_BITS = 48'hffff_ffff_ffff << (16 - AVG_FRAC);
  localparam logic [47:0] AVG_LAST = 48'd1 << (16 - AVG_FRAC);

  logic        below;      // the sample lies below the average
  logic        cut_off;    // the step has places that the average lacks
  logic [47:0] avg_step;
  assign below      = {sample, 16'd0} < c.avg;
  assign t.distance = below ? c.avg - {sample, 16'd0} : {sample, 16'd0} - c.avg;
  // The floor of a negative step is the ceiling of its size.
  assign cut_off    = (mul_p[71:0] & {~AVG_BITS, 24'hffffff}) != 72'd0;
  assign avg_step   = (mul_p[71:24] & AVG_BITS) + (below && cut_off ? AVG_LAST : 48'd0);
  assign t.avg_next = below ? c.avg - avg_step : c.avg + avg_step;

  // ------------------------------------------------------------ quick adapt
  logic [31:0] qa_bar;
  logic [31:0] qa_qd;
  logic [47:0] qa_left;    // until the window ends, if it is still open
  logic [32:0] qa_most;    // the maximum that can remain
  logic        qa_open;
  assign qa_left     = c.t_qa - rq.t_now;
  assign qa_most     = {1'b0, csr.target}
                     + {1'b0, c.base < csr.base_init ? csr.base_init : c.base};
  assign qa_open     = c.qa_on && qa_left != 48'd0 && qa_left <= {15'd0, qa_most};
  assign qa_qd       = is_nack ? 32'd0 : qd;
  assign qa_bar      = csr.qa_gate[7:5] != 3'd0 ? 32'd0 : c.wnd_max >> csr.qa_gate[4:0];
  assign qa_ignore = !csr.ctrl[0] && c.skipped < c.to_skip && (is_nack || rq.ecn);
  assign qa_ended  = !csr.ctrl[0] && !qa_ignore && !qa_open;
  assign t.qa_fires  = qa_ended && c.qa_on && c.got_qa < qa_bar
                    && (c.trig || is_nack || qa_qd > csr.qa_delay);
  assign t.t_qa      = rq.t_now + {16'd0, c.base} + {16'd0, csr.target};
  assign t.wnd_qa    = c.got_qa < mtu ? mtu : c.got_qa;

  // ------------------------------------------------------------ window
  logic [31:0] wnd_held;   // limited to the bytes in flight
  logic [31:0] wnd_pen;
  logic [31:0] wnd_less;   // less the packet
  logic [40:0] wnd_fast;
  logic [33:0] wnd_grown;
  logic [33:0] fly_mtu;    // two's complement
  logic        fits;       // one more packet
  logic [31:0] quotient;
  logic [47:0] since_adj;
  logic [47:0] since_dec;
  logic [47:0] target_q;   // 16 fraction bits
  assign since_adj     = rq.t_now - c.t_adj;
  assign since_dec     = rq.t_now - c.t_dec;
  assign target_q      = {csr.target, 16'd0};
  assign period_over = since_adj >= {16'd0, csr.adj_period};
  assign t.cut_due     = c.avg > target_q && since_dec > {16'd0, c.base};
  assign t.excess      = c.avg - target_q;

  assign fly_pos   = c.fly[31] ? 32'd0 : c.fly;
  assign wnd_held    = fly_pos < c.wnd ? fly_pos : c.wnd;
  assign wnd_pen     = wnd_held > mul_p[38:7] ? wnd_held - mul_p[38:7] : 32'd0;
  assign t.wnd_pen   = wnd_pen < mtu ? mtu : wnd_pen;
  assign wnd_less    = c.wnd > rq.bytes ? c.wnd - rq.bytes : 32'd0;
  assign t.wnd_less  = wnd_less < mtu ? mtu : wnd_less;
  assign wnd_fast    = {9'd0, c.wnd} + {2'd0, mul_p[54:16]};
  assign t.wnd_fast  = wnd_fast > {9'd0, c.wnd_max} ? c.wnd_max : wnd_fast[31:0];
  assign t.wnd_cut   = mul_p[63:32] < mtu ? mtu : mul_p[63:32];
  assign quot_over = div_q[47:32] != 16'd0;
  assign quotient    = div_q[31:0] | {32{quot_over}};
  assign wnd_grown   = {2'd0, c.wnd} + {2'd0, quotient}
                     + (period_over ? {10'd0, csr.eta[31:8]} : 34'd0);
  assign t.wnd_grown = wnd_grown > {2'd0, c.wnd_max} ? c.wnd_max : wnd_grown[31:0];
  assign fly_mtu     = {{2{c.fly[31]}}, c.fly} + {2'd0, mtu};
  assign fits        = $signed(fly_mtu) <= $signed({2'd0, c.wnd});

  logic free;              // credit alone holds packets back
  logic broke;
  assign free       = csr.ctrl[1] && csr.ctrl[3];
  assign broke      = csr.ctrl[1] && (c.cred[31] || c.cred == 32'd0);
  assign t.may_send = (free || fits) && !broke;
  assign t.want_ack = (!free && (!fits || c.wnd < csr.ack_trigger))
                   || broke || (csr.ctrl[1] && c.owed == 48'd0);

  logic [79:0] acc_step;   // what FAIR or PROP adds
  logic [80:0] acc_sum;
  assign acc_step   = is_fair ? mul_p[87:8] : mul_p[95:16];
  assign acc_sum    = {33'd0, c.acc} + {1'b0, acc_step};
  assign acc_over = acc_sum[80:48] != 33'd0;
  assign t.acc_up   = acc_sum[47:0] | {48{acc_over}};

  // gamma * ratio is at most (2^16 - 1) * 2^16 and fits 32 bits.
  logic [32:0] factor;
  assign factor   = 33'h100000000 - {1'b0, mul_p[31:0]};
  assign t.factor = factor < {1'b0, csr.jump, 16'd0} ? {1'b0, csr.jump, 16'd0} : factor;
endmodule
