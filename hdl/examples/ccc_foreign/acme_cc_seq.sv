// Sequencer of the congestion-control engine: takes one event and its context, walks through the
// rules one register-to-register step a clock, and leaves the new context and the response.
//
// start for one clock; rq, ctx_in, prof and csr stay stable until done, which is high for one
// clock; seen, until it is written. From done on ctx_out, store (write the context back) and resp
// are valid until the next start.
// 3 to about 300 clocks an event: products and quotients are worked out a bit a clock in one shared
// multiplier and one shared divider. Reset drops the event.
module acme_cc_seq #(
  parameter int FLOWS    = 256,
  parameter int CONNS    = 4,
  parameter int PROFILES = 8
) (
  input  logic        clk,
  input  logic        arst,
  input  logic        start,
  input  acme_req_t   rq,
  input  acme_ctx_t   ctx_in,
  input  logic [23:0] seen,       // counter of the connection that rq names
  input  logic [3:0]  prof,       // whose registers csr holds
  input  acme_csr_t   csr,
  input  logic [2:0]  svc_shift,
  input  logic        csr_bad,
  input  logic [31:0] csr_rdata,
  output logic        csr_we,
  output logic        seen_we,
  output logic [3:0]  seen_conn,
  output logic [23:0] seen_wdata,
  output logic        done,
  output logic        store,
  output acme_ctx_t   ctx_out,
  output acme_resp_t  resp
);
  localparam logic [4:0] CONN_END = CONNS[4:0];
  localparam logic [4:0] PROF_END = PROFILES[4:0];

  logic [4:0]  st;
  logic [4:0]  after_base; // what follows base_rtt
  acme_ctx_t   c;
  logic        seen_view;  // the response shows the state
  logic [15:0] mk;
  logic [3:0]  act;
  logic [2:0]  lb;
  logic [63:0] rdata;
  logic [31:0] qd;
  logic [30:0] delta;      // bytes newly received
  logic [47:0] raw;        // RTT before its check
  logic        sampled;    // it passed
  logic [31:0] sample;     // for the average
  logic [62:0] partial;    // alpha * delta
  logic [32:0] factor;     // of the decrease, 32 fraction bits

  logic        is_ack;
  logic        is_nack;
  logic        is_load;
  logic        is_read;
  logic        is_probe;
  logic        in_range;
  logic        conn_bad;
  logic        prof_bad;
  logic        word_bad;
  logic        bad;        // refused on a context that is there
  logic [4:0]  no_rtt;     // what follows an ACK without a sample
  logic [4:0]  slot;       // connection being wiped
  acme_terms_t t;
  logic        math_done;
  logic [95:0] mul_p;
  logic [47:0] div_q;
  logic [63:0] word;
  acme_ctx_t   found;
  acme_ctx_t   fresh;
  assign is_ack   = rq.op == acme_cc_pkg::OP_ACK;
  assign is_nack  = rq.op == acme_cc_pkg::OP_NACK;
  assign is_load  = rq.op == acme_cc_pkg::OP_LOAD;
  assign is_read  = rq.op == acme_cc_pkg::OP_READ;
  assign is_probe = rq.op == acme_cc_pkg::OP_PROBE;
  assign in_range = {16'd0, rq.flow} < FLOWS;

  assign conn_bad = {1'b0, rq.conn} >= CONN_END;
  assign prof_bad = {1'b0, prof} >= PROF_END;
  assign word_bad = rq.waddr > 5'd14 || (rq.waddr == 5'd14 && conn_bad);
  assign bad      = ((is_load || is_read) && word_bad)
                 || (is_load && rq.waddr == 5'd0 && prof_bad)
                 || ((is_ack || rq.op == acme_cc_pkg::OP_BIND) && conn_bad);

  assign after_base = is_ack ? acme_cc_pkg::S_DELAY
                    : (is_probe ? acme_cc_pkg::S_SCHED
                    : (t.trim ? acme_cc_pkg::S_AVERAGE : acme_cc_pkg::S_ADJUST));
  assign no_rtt     = csr.ctrl[2] ? acme_cc_pkg::S_QUICK : acme_cc_pkg::S_TAIL;

  acme_cc_terms u_terms (
    .c      (c),
    .rq     (rq),
    .csr    (csr),
    .shift  (svc_shift),
    .seen   (seen),
    .delta  (delta),
    .raw    (raw),
    .sample (sample),
    .qd     (qd),
    .is_fair(st == acme_cc_pkg::S_FAIR),
    .mul_p  (mul_p),
    .div_q  (div_q),
    .t      (t)
  );

  acme_cc_arith u_arith (
    .clk     (clk),
    .arst    (arst),
    .st      (st),
    .csr     (csr),
    .wnd     (c.wnd),
    .avg     (c.avg),
    .acc     (c.acc),
    .excess  (t.excess),
    .distance(t.distance),
    .delta   (delta),
    .pend    (rq.pend),
    .rtt     (raw[31:0]),
    .qd      (qd),
    .partial (partial),
    .factor  (factor),
    .done    (math_done),
    .mul_p   (mul_p),
    .div_q   (div_q)
  );

  acme_cc_words u_words (
    .ctx(ctx_in), .seen(seen), .csr(csr), .is_load(is_load), .prof(rq.prof), .t_now(rq.t_now),
    .addr(rq.waddr[3:0]), .wdata(rq.wdata), .rdata(word), .found(found), .fresh(fresh)
  );

  // ------------------------------------------------------------ the walk
  always_ff @(posedge clk or posedge arst) begin
    if (arst) begin
      st        <= acme_cc_pkg::S_REST;
      c         <= '0;
      seen_view <= 1'b0;
      mk        <= 16'd0;
      act       <= acme_cc_pkg::ACT_NONE;
      lb        <= acme_cc_pkg::LB_NONE;
      rdata     <= 64'd0;
      qd        <= 32'd0;
      delta     <= 31'd0;
      raw       <= 48'd0;
      sampled   <= 1'b0;
      sample    <= 32'd0;
      partial   <= 63'd0;
      factor    <= 33'd0;
      slot      <= 5'd0;
      csr_we    <= 1'b0;
      seen_we   <= 1'b0;
      seen_conn <= 4'd0;
      seen_wdata <= 24'd0;
      done      <= 1'b0;
      store     <= 1'b0;
    end else begin
      csr_we  <= 1'b0;
      seen_we <= 1'b0;
      done    <= 1'b0;

      unique case (st)
        acme_cc_pkg::S_REST: begin
          if (start) begin
            c         <= ctx_in;
            seen_view <= 1'b0;
            mk        <= 16'd0;
            act       <= acme_cc_pkg::ACT_NONE;
            lb        <= acme_cc_pkg::LB_NONE;
            rdata     <= 64'd0;
            qd        <= 32'd0;
            sampled   <= 1'b0;
            slot      <= 5'd0;
            store     <= 1'b0;
            st        <= acme_cc_pkg::S_DECODE;
          end
        end

        // Who is refused, who has no context, and what is done at once.
        acme_cc_pkg::S_DECODE: begin
          st   <= acme_cc_pkg::S_REST;
          done <= 1'b1;
          if (rq.op > acme_cc_pkg::OP_PROBE) begin
            mk[acme_cc_pkg::MK_REFUSED] <= 1'b1;
          end else if (rq.op == acme_cc_pkg::OP_CSR_WRITE) begin
            mk[acme_cc_pkg::MK_REFUSED] <= csr_bad;
            csr_we                      <= !csr_bad;
          end else if (rq.op == acme_cc_pkg::OP_CSR_READ) begin
            mk[acme_cc_pkg::MK_REFUSED] <= csr_bad;
            rdata                       <= {32'd0, csr_rdata};
          end else if (!in_range) begin
            mk[acme_cc_pkg::MK_NO_CONTEXT] <= 1'b1;
          end else if (rq.op == acme_cc_pkg::OP_OPEN) begin
            if (prof_bad) begin
              mk[acme_cc_pkg::MK_REFUSED] <= 1'b1;
            end else begin
              c         <= fresh;
              seen_view <= 1'b1;
              store     <= 1'b1;
              done      <= 1'b0;
              st        <= acme_cc_pkg::S_WIPE;
            end
          end else if (!c.live) begin
            mk[acme_cc_pkg::MK_NO_CONTEXT] <= 1'b1;
          end else if (rq.op == acme_cc_pkg::OP_CLOSE) begin
            c.live <= 1'b0;
            store  <= 1'b1;
          end else if (bad) begin
            mk[acme_cc_pkg::MK_REFUSED] <= 1'b1;
          end else begin
            c         <= found;
            seen_view <= 1'b1;
            store     <= 1'b1;
            done      <= 1'b0;
            unique case (rq.op)
              acme_cc_pkg::OP_LOAD: begin
                seen_we    <= rq.waddr == 5'd14;
                seen_conn  <= rq.conn;
                seen_wdata <= rq.wdata[23:0];
                done       <= 1'b1;
              end
              acme_cc_pkg::OP_READ: begin
                rdata <= word;
                done  <= 1'b1;
              end
              acme_cc_pkg::OP_NEW_DATA: st <= acme_cc_pkg::S_NEW_DATA;
              acme_cc_pkg::OP_SEND:     st <= acme_cc_pkg::S_SEND;
              acme_cc_pkg::OP_ACK:      st <= acme_cc_pkg::S_ACK;
              acme_cc_pkg::OP_NACK:     st <= acme_cc_pkg::S_NACK;
              acme_cc_pkg::OP_BIND:     st <= acme_cc_pkg::S_BIND;
              acme_cc_pkg::OP_PROBE:    st <= acme_cc_pkg::S_PROBE;
              default:                  st <= acme_cc_pkg::S_LOSS;
            endcase
          end
        end

        // A new context knows nothing of its connections.
        acme_cc_pkg::S_WIPE: begin
          seen_we    <= 1'b1;
          seen_conn  <= slot[3:0];
          seen_wdata <= 24'd0;
          slot       <= slot + 5'd1;
          if (slot + 5'd1 == CONN_END) begin
            done <= 1'b1;
            st   <= acme_cc_pkg::S_REST;
          end
        end

        acme_cc_pkg::S_BIND: begin
          seen_we    <= 1'b1;
          seen_conn  <= rq.conn;
          seen_wdata <= rq.rx_total;
          c.fly      <= t.fly_next;
          if (t.fly_over) mk[acme_cc_pkg::MK_SATURATED] <= 1'b1;
          st <= acme_cc_pkg::S_SCHED;
        end

        acme_cc_pkg::S_PROBE: begin
          raw                     <= rq.wdata[47:0];
          mk[acme_cc_pkg::MK_RTT] <= t.probe_ok;
          st                      <= t.probe_ok ? acme_cc_pkg::S_BASE : acme_cc_pkg::S_SCHED;
        end

        acme_cc_pkg::S_NEW_DATA: begin
          c.owed <= t.owed_up;
          if (t.owed_over) mk[acme_cc_pkg::MK_SATURATED] <= 1'b1;
          st <= acme_cc_pkg::S_SCHED;
        end

        acme_cc_pkg::S_SEND: begin
          if (rq.again) begin
            c.rtx_pkts  <= t.rtx_pkts_down;
            c.rtx_bytes <= t.rtx_bytes_down;
            if (t.rtx_under) mk[acme_cc_pkg::MK_UNDERFLOW] <= 1'b1;
          end else begin
            c.owed <= t.owed_down;
            if (t.owed_under) mk[acme_cc_pkg::MK_UNDERFLOW] <= 1'b1;
          end
          c.fly      <= t.fly_next;
          c.fly_pkts <= t.fly_pkts_up;
          if (t.fly_over || t.fly_pkts_over) mk[acme_cc_pkg::MK_SATURATED] <= 1'b1;
          st <= acme_cc_pkg::S_SCHED;
        end

        // ---------------------------------------------------------- ACK, up to the RTT sample
        acme_cc_pkg::S_ACK: begin
          delta <= t.delta;
          if (t.stale) begin
            mk[acme_cc_pkg::MK_STALE] <= 1'b1;
          end else begin
            seen_we    <= 1'b1;
            seen_conn  <= rq.conn;
            seen_wdata <= rq.rx_total;
          end
          c.rtx_pkts  <= t.rtx_pkts_down;
          c.rtx_bytes <= t.rtx_bytes_down;
          if (t.rtx_under) mk[acme_cc_pkg::MK_UNDERFLOW] <= 1'b1;
          st <= acme_cc_pkg::S_COUNT;
        end

        acme_cc_pkg::S_COUNT: begin
          c.fly     <= t.fly_next;
          c.skipped <= t.skip_up;
          c.got_inc <= t.inc_up;
          c.got_qa  <= t.qa_up;
          if (t.fly_over || t.skip_over || t.got_over) mk[acme_cc_pkg::MK_SATURATED] <= 1'b1;
          lb  <= rq.ecn ? acme_cc_pkg::LB_ECN : acme_cc_pkg::LB_NO_ECN;
          raw <= t.raw_next;
          st  <= acme_cc_pkg::S_RECEIVER;
        end

        acme_cc_pkg::S_RECEIVER: begin
          sampled                 <= t.raw_ok;
          mk[acme_cc_pkg::MK_RTT] <= t.raw_ok;
          st                      <= t.raw_ok ? acme_cc_pkg::S_BASE : no_rtt;
          if (!t.raw_ok) begin
            if (csr.ctrl[2]) qd <= c.avg[47:16];
            else act <= acme_cc_pkg::ACT_NO_RTT;
          end
          if (rq.pend != 7'd0) begin
            mk[acme_cc_pkg::MK_RCV_LIMIT] <= 1'b1;
            if (c.wnd_saved == 32'd0) begin
              c.wnd_saved               <= c.wnd;
              mk[acme_cc_pkg::MK_SAVED] <= 1'b1;
            end
            st <= acme_cc_pkg::S_PENALTY;
          end else if (rq.restore && c.wnd_saved != 32'd0) begin
            c.wnd                        <= c.wnd_saved < c.wnd_max ? c.wnd_saved : c.wnd_max;
            c.wnd_saved                  <= 32'd0;
            mk[acme_cc_pkg::MK_RESTORED] <= 1'b1;
          end
        end

        acme_cc_pkg::S_PENALTY: if (math_done) begin
          c.wnd <= t.wnd_pen;
          st    <= sampled ? acme_cc_pkg::S_BASE : no_rtt;
        end

        // ---------------------------------------------------------- NACK and LOSS
        acme_cc_pkg::S_NACK: begin
          c.fly <= t.fly_next;
          if (t.fly_over) mk[acme_cc_pkg::MK_SATURATED] <= 1'b1;
          raw <= t.raw_next;
          lb  <= rq.why == acme_cc_pkg::WHY_TRIM ? acme_cc_pkg::LB_NACK
               : (rq.ecn ? acme_cc_pkg::LB_ECN : acme_cc_pkg::LB_NO_ECN);
          st  <= acme_cc_pkg::S_TRIMMED;
        end

        acme_cc_pkg::S_TRIMMED: begin
          mk[acme_cc_pkg::MK_RTT] <= t.raw_ok;
          if (t.trim) begin
            c.skipped <= t.skip_up;
            if (t.skip_over) mk[acme_cc_pkg::MK_SATURATED] <= 1'b1;
          end
          sample <= csr.base_init;
          st     <= t.raw_ok ? acme_cc_pkg::S_BASE : after_base;
        end

        acme_cc_pkg::S_ADJUST: begin
          if (t.adjust) c.trig <= 1'b1;
          else act <= acme_cc_pkg::ACT_NOOP;
          st <= t.adjust ? acme_cc_pkg::S_QUICK : acme_cc_pkg::S_TAIL;
        end

        acme_cc_pkg::S_LOSS: begin
          c.wnd     <= t.wnd_less;
          c.skipped <= t.skip_up;
          c.fly     <= t.fly_next;
          if (t.skip_over || t.fly_over) mk[acme_cc_pkg::MK_SATURATED] <= 1'b1;
          lb  <= acme_cc_pkg::LB_TIMEOUT;
          act <= acme_cc_pkg::ACT_LOSS_DEC;
          st  <= acme_cc_pkg::S_TAIL;
        end

        // ---------------------------------------------------------- base RTT, delay, average
        acme_cc_pkg::S_BASE: if (math_done) begin
          if (raw[31:0] < c.base) begin
            c.base                        <= raw[31:0];
            c.wnd_max                     <= t.base_wnd;
            mk[acme_cc_pkg::MK_BASE_FELL] <= 1'b1;
          end
          st <= after_base;
        end

        acme_cc_pkg::S_DELAY: begin
          qd <= raw[31:0] - c.base;
          st <= acme_cc_pkg::S_SAMPLE;
        end

        acme_cc_pkg::S_SAMPLE: begin
          sample <= !rq.ecn && qd > csr.target ? {2'd0, c.base[31:2]} : qd;
          st     <= acme_cc_pkg::S_AVERAGE;
        end

        acme_cc_pkg::S_AVERAGE: if (math_done) begin
          c.avg <= t.avg_next;
          st    <= is_ack ? acme_cc_pkg::S_QUICK : acme_cc_pkg::S_ADJUST;
        end

        // ---------------------------------------------------------- quick adapt
        acme_cc_pkg::S_QUICK: begin
          st <= is_ack ? acme_cc_pkg::S_QUADRANT : acme_cc_pkg::S_TAIL;
          if (t.qa_ignore) begin
            mk[acme_cc_pkg::MK_IGNORED] <= 1'b1;
            act       <= acme_cc_pkg::ACT_IGNORE;
            c.acc     <= 48'd0;
            c.got_inc <= 32'd0;
            st        <= acme_cc_pkg::S_TAIL;
          end else begin
            if (t.qa_ended) begin
              mk[acme_cc_pkg::MK_QA_WINDOW] <= 1'b1;
              c.got_qa <= 32'd0;
              c.t_qa   <= t.t_qa;
              c.qa_on  <= 1'b1;
            end
            if (t.qa_fires) begin
              mk[acme_cc_pkg::MK_QA_FIRED] <= 1'b1;
              act       <= acme_cc_pkg::ACT_QA;
              c.wnd     <= t.wnd_qa;
              c.to_skip <= t.fly_pos;
              c.skipped <= 32'd0;
              c.trig    <= 1'b0;
              c.acc     <= 48'd0;
              c.got_inc <= 32'd0;
              st        <= acme_cc_pkg::S_TAIL;
            end else if (is_nack) begin
              act   <= acme_cc_pkg::ACT_NACK_DEC;
              c.wnd <= t.wnd_less;
            end
          end
        end

        // ---------------------------------------------------------- quadrants
        acme_cc_pkg::S_QUADRANT: begin
          st <= acme_cc_pkg::S_FULFIL;
          if (rq.ecn && qd >= csr.target) begin
            act        <= acme_cc_pkg::ACT_MD;
            c.ramp     <= 1'b0;
            c.got_fast <= 32'd0;
            if (t.cut_due) st <= acme_cc_pkg::S_RATIO;
          end else if (rq.ecn) begin
            act <= acme_cc_pkg::ACT_NOOP;
          end else if (rq.pend != 7'd0) begin
            act <= acme_cc_pkg::ACT_RCV_LIMIT;
          end else if (qd >= csr.target) begin
            act <= acme_cc_pkg::ACT_FAIR;
            st  <= acme_cc_pkg::S_FAIR;
          end else if (qd >= csr.fast_delay) begin
            act        <= acme_cc_pkg::ACT_PROP;
            c.got_fast <= 32'd0;
            c.ramp     <= 1'b0;
            st         <= acme_cc_pkg::S_PROP;
          end else begin
            c.got_fast <= t.fast_up;
            if (t.fast_over) mk[acme_cc_pkg::MK_SATURATED] <= 1'b1;
            if (t.fast_up > c.wnd || c.ramp) begin
              act    <= acme_cc_pkg::ACT_FAST;
              c.ramp <= 1'b1;
              st     <= acme_cc_pkg::S_FAST;
            end else begin
              act <= acme_cc_pkg::ACT_PROP;
              st  <= acme_cc_pkg::S_PROP;
            end
          end
        end

        acme_cc_pkg::S_FAIR, acme_cc_pkg::S_PROP2: if (math_done) begin
          c.acc <= t.acc_up;
          if (t.acc_over) mk[acme_cc_pkg::MK_SATURATED] <= 1'b1;
          st <= acme_cc_pkg::S_FULFIL;
        end

        acme_cc_pkg::S_PROP: if (math_done) begin
          partial <= mul_p[62:0];
          st      <= acme_cc_pkg::S_PROP2;
        end

        acme_cc_pkg::S_FAST: if (math_done) begin
          c.wnd <= t.wnd_fast;
          st    <= acme_cc_pkg::S_FULFIL;
        end

        acme_cc_pkg::S_RATIO: if (math_done) st <= acme_cc_pkg::S_FACTOR;

        acme_cc_pkg::S_FACTOR: if (math_done) begin
          factor <= t.factor;
          st     <= acme_cc_pkg::S_CUT;
        end

        acme_cc_pkg::S_CUT: if (math_done) begin
          c.wnd                  <= t.wnd_cut;
          c.t_dec                <= rq.t_now;
          mk[acme_cc_pkg::MK_MD] <= 1'b1;
          st                     <= acme_cc_pkg::S_FULFIL;
        end

        // ---------------------------------------------------------- fulfilment
        acme_cc_pkg::S_FULFIL: begin
          st <= t.period_over || c.got_inc > csr.adj_bytes ? acme_cc_pkg::S_GROW
                                                           : acme_cc_pkg::S_TAIL;
        end

        acme_cc_pkg::S_GROW: if (math_done) begin
          mk[acme_cc_pkg::MK_FULFILLED] <= 1'b1;
          if (t.quot_over) mk[acme_cc_pkg::MK_SATURATED] <= 1'b1;
          if (t.period_over) begin
            mk[acme_cc_pkg::MK_ETA] <= 1'b1;
            c.t_adj                 <= rq.t_now;
          end
          c.wnd     <= t.wnd_grown;
          c.acc     <= 48'd0;
          c.got_inc <= 32'd0;
          st        <= acme_cc_pkg::S_TAIL;
        end

        // ---------------------------------------------------------- packet counters, schedule
        acme_cc_pkg::S_TAIL: begin
          c.fly_pkts <= t.fly_pkts_down;
          if (t.fly_pkts_under) mk[acme_cc_pkg::MK_UNDERFLOW] <= 1'b1;
          if (!is_ack) begin
            c.rtx_pkts  <= t.rtx_pkts_up;
            c.rtx_bytes <= t.rtx_bytes_up;
            if (t.rtx_over) mk[acme_cc_pkg::MK_SATURATED] <= 1'b1;
          end
          st <= acme_cc_pkg::S_SCHED;
        end

        acme_cc_pkg::S_SCHED: begin
          if (c.owed == 48'd0 && c.rtx_pkts == 32'd0) begin
            c.sched <= c.fly_pkts == 32'd0 ? acme_cc_pkg::SCHED_IDLE : acme_cc_pkg::SCHED_PENDING;
          end else begin
            c.sched <= t.fits ? acme_cc_pkg::SCHED_READY : acme_cc_pkg::SCHED_ACTIVE;
          end
          done <= 1'b1;
          st   <= acme_cc_pkg::S_REST;
        end

        default: st <= acme_cc_pkg::S_REST;
      endcase
    end
  end

  // ------------------------------------------------------------ response
  assign ctx_out = c;

  always_comb begin
    resp       = '0;
    resp.rdata = rdata;
    resp.op    = rq.op;
    resp.flow  = rq.flow;
    resp.path  = rq.path;
    resp.marks = mk;
    resp.act   = act;
    resp.lb    = lb;
    resp.qd    = qd;
    if (seen_view) begin
      resp.sched    = c.sched;
      resp.may_send = t.fits;
      resp.want_ack = !t.fits || c.wnd < csr.ack_trigger;
      resp.wnd      = c.wnd;
      resp.fly      = c.fly;
      resp.base     = c.base;
      resp.avg      = c.avg;
    end
  end
endmodule
