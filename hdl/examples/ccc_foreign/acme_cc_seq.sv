// Sequencer of the congestion-control engine: takes one event and its context, walks through the
// rules at one register-to-register step per clock, and produces the new context and the response.
//
// start is high for one clock. rq, ctx_in, prof and csr must stay stable until done, which is high
// for one clock; seen must stay stable until it is written. From done until the next start,
// ctx_out, store (write the context back) and resp are valid.
//
// An event takes 3 to about 300 clocks: products and quotients are computed at one bit per clock in
// one shared multiplier and one shared divider. Reset drops the event.
module acme_cc_seq #(
  parameter int FLOWS      = 256,
  parameter int CONNS      = 4,
  parameter int PROFILES   = 8,
  parameter int AVG_FRAC   = 16,
  parameter int RATIO_FRAC = 16
) (
  input  logic        clk,
  input  logic        arst,
  input  logic        start,
  input  acme_req_t   rq,
  input  acme_ctx_t   ctx_in,
  input  logic [23:0] seen,       // counter of the connection that rq names
  input  logic [3:0]  prof,       // profile whose registers csr holds
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
  logic [5:0]  st;
  logic [5:0]  after_base; // what follows base_rtt
  acme_ctx_t   c;
  logic        seen_view;  // the response shows the state
  logic [acme_cc_pkg::MARKS-1:0] mk;
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
  logic        is_probe;
  logic        refused;
  logic        absent;
  logic        csr_write;
  logic        csr_read;
  logic        opens;
  logic        closes;
  logic        works;
  logic [5:0]  first;      // state after S_DECODE
  logic        wiped;
  logic [5:0]  no_rtt;     // what follows an ACK without a sample
  acme_terms_t t;
  logic        math_done;
  logic [95:0] mul_p;
  logic [47:0] div_q;
  logic [63:0] word;
  acme_ctx_t   counted;    // c after the counters of this state
  acme_ctx_t   credited;   // and after its credit
  logic        ended;
  logic        granted;
  logic        deep;
  logic [32:0] want;
  logic [23:0] target;
  logic        over;
  logic        under;
  acme_ctx_t   found;
  acme_ctx_t   fresh;

  assign is_ack   = rq.op == acme_cc_pkg::OP_ACK;
  assign is_nack  = rq.op == acme_cc_pkg::OP_NACK;
  assign is_load  = rq.op == acme_cc_pkg::OP_LOAD;
  assign is_probe = rq.op == acme_cc_pkg::OP_PROBE;

  assign after_base = is_ack ? acme_cc_pkg::S_DELAY
                    : (is_probe ? acme_cc_pkg::S_SCHED
                    : (t.trim ? acme_cc_pkg::S_AVERAGE : acme_cc_pkg::S_ADJUST));
  assign no_rtt     = csr.ctrl[2] ? acme_cc_pkg::S_QUICK : acme_cc_pkg::S_TAIL;

  acme_cc_admit #(.FLOWS(FLOWS), .CONNS(CONNS), .PROFILES(PROFILES)) u_admit (
    .op     (rq.op),
    .flow   (rq.flow),
    .conn   (rq.conn),
    .waddr  (rq.waddr),
    .prof   (prof),
    .live   (c.live),
    .csr_bad(csr_bad),
    .paying (csr.ctrl[1]),
    .refused(refused),
    .absent (absent),
    .csr_we (csr_write),
    .csr_re (csr_read),
    .opens  (opens),
    .closes (closes),
    .works  (works),
    .first  (first)
  );

  acme_cc_conns #(.CONNS(CONNS)) u_conns (
    .clk       (clk),
    .arst      (arst),
    .st        (st),
    .loads     (works && is_load),
    .waddr     (rq.waddr),
    .wdata     (rq.wdata[23:0]),
    .conn      (rq.conn),
    .rx_total  (rq.rx_total),
    .stale     (t.stale),
    .wiped     (wiped),
    .seen_we   (seen_we),
    .seen_conn (seen_conn),
    .seen_wdata(seen_wdata)
  );

  acme_cc_terms #(.AVG_FRAC(AVG_FRAC)) u_terms (
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

  acme_cc_tally u_tally (
    .st(st), .c(c), .again(rq.again), .is_ack(is_ack), .t(t), .counted(counted), .over(over),
    .under(under)
  );

  acme_cc_credit u_credit (
    .st(st), .c(c), .counted(counted), .rq(rq), .csr(csr), .mul_p(mul_p[47:0]),
    .credited(credited), .ended(ended), .granted(granted), .deep(deep), .want(want),
    .target(target)
  );

  acme_cc_arith #(.RATIO_FRAC(RATIO_FRAC)) u_arith (
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
    .want    (want),
    .share   (rq.share),
    .done    (math_done),
    .mul_p   (mul_p),
    .div_q   (div_q)
  );

  acme_cc_words #(.AVG_FRAC(AVG_FRAC)) u_words (
    .ctx(ctx_in), .seen(seen), .csr(csr), .is_load(is_load), .prof(rq.prof), .t_now(rq.t_now),
    .pull(rq.pull), .addr(rq.waddr[3:0]), .wdata(rq.wdata), .rdata(word), .found(found),
    .fresh(fresh)
  );

  acme_cc_reply u_reply (
    .rq(rq), .c(c), .view(seen_view), .may_send(t.may_send), .want_ack(t.want_ack), .rdata(rdata),
    .mk(mk), .act(act), .lb(lb), .qd(qd), .target(target), .resp(resp)
  );

  assign ctx_out = c;

  // ------------------------------------------------------------ the walk
  always_ff @(posedge clk or posedge arst) begin
    if (arst) begin
      st        <= acme_cc_pkg::S_REST;
      c         <= '0;
      seen_view <= 1'b0;
      mk        <= '0;
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
      csr_we    <= 1'b0;
      done      <= 1'b0;
      store     <= 1'b0;
    end else begin
      csr_we <= 1'b0;
      done   <= 1'b0;
      c      <= credited;  // the state below may change more of it
      if (ended) mk[acme_cc_pkg::MK_SPEC_ENDED] <= 1'b1;
      if (granted) mk[acme_cc_pkg::MK_GRANTED] <= 1'b1;
      if (over || deep) mk[acme_cc_pkg::MK_SATURATED] <= 1'b1;
      if (under) mk[acme_cc_pkg::MK_UNDERFLOW] <= 1'b1;

      unique case (st)
        acme_cc_pkg::S_REST: begin
          if (start) begin
            c         <= ctx_in;
            seen_view <= 1'b0;
            mk        <= '0;
            act       <= acme_cc_pkg::ACT_NONE;
            lb        <= acme_cc_pkg::LB_NONE;
            rdata     <= 64'd0;
            qd        <= 32'd0;
            sampled   <= 1'b0;
            store     <= 1'b0;
            st        <= acme_cc_pkg::S_DECODE;
          end
        end

        // Requests that are refused, have no context or are done at once.
        acme_cc_pkg::S_DECODE: begin
          mk[acme_cc_pkg::MK_REFUSED]    <= refused;
          mk[acme_cc_pkg::MK_NO_CONTEXT] <= absent;
          csr_we                         <= csr_write;
          seen_view                      <= opens || works;
          store                          <= opens || closes || works;
          if (csr_read) rdata <= {32'd0, csr_rdata};
          if (opens) c <= fresh;
          if (closes) c.live <= 1'b0;
          if (works) begin
            c <= found;
            if (rq.op == acme_cc_pkg::OP_READ) rdata <= word;
          end
          done <= first == acme_cc_pkg::S_REST;
          st   <= first;
        end

        // A new context starts with cleared counters of its connections.
        acme_cc_pkg::S_WIPE: if (wiped) begin
          done <= 1'b1;
          st   <= acme_cc_pkg::S_REST;
        end

        acme_cc_pkg::S_PROBE: begin
          raw                     <= rq.wdata[47:0];
          mk[acme_cc_pkg::MK_RTT] <= t.probe_ok;
          st                      <= t.probe_ok ? acme_cc_pkg::S_BASE : acme_cc_pkg::S_SCHED;
        end

        // acme_cc_tally and acme_cc_credit have counted.
        acme_cc_pkg::S_NEW_DATA, acme_cc_pkg::S_BIND,
        acme_cc_pkg::S_PULL: st <= acme_cc_pkg::S_SCHED;

        acme_cc_pkg::S_SEND: st <= csr.ctrl[1] ? acme_cc_pkg::S_SHARE : acme_cc_pkg::S_SCHED;

        acme_cc_pkg::S_SHARE: if (math_done) st <= acme_cc_pkg::S_SCHED;

        // ---------------------------------------------------------- ACK, up to the RTT sample
        acme_cc_pkg::S_ACK: begin
          delta <= t.delta;
          if (t.stale) mk[acme_cc_pkg::MK_STALE] <= 1'b1;
          st <= acme_cc_pkg::S_COUNT;
        end

        acme_cc_pkg::S_COUNT: begin
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
          raw <= t.raw_next;
          lb  <= rq.why == acme_cc_pkg::WHY_TRIM ? acme_cc_pkg::LB_NACK
               : (rq.ecn ? acme_cc_pkg::LB_ECN : acme_cc_pkg::LB_NO_ECN);
          st  <= acme_cc_pkg::S_TRIMMED;
        end

        acme_cc_pkg::S_TRIMMED: begin
          mk[acme_cc_pkg::MK_RTT] <= t.raw_ok;
          sample                  <= csr.base_init;
          st                      <= t.raw_ok ? acme_cc_pkg::S_BASE : after_base;
        end

        acme_cc_pkg::S_ADJUST: begin
          if (t.adjust) c.trig <= 1'b1;
          else act <= acme_cc_pkg::ACT_NOOP;
          st <= t.adjust ? acme_cc_pkg::S_QUICK : acme_cc_pkg::S_TAIL;
        end

        acme_cc_pkg::S_LOSS: begin
          c.wnd <= t.wnd_less;
          lb    <= acme_cc_pkg::LB_TIMEOUT;
          act   <= acme_cc_pkg::ACT_LOSS_DEC;
          st    <= acme_cc_pkg::S_TAIL;
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
        acme_cc_pkg::S_TAIL: st <= acme_cc_pkg::S_SCHED;

        acme_cc_pkg::S_SCHED: begin
          if (c.owed == 48'd0 && c.rtx_pkts == 32'd0) begin
            c.sched <= c.fly_pkts == 32'd0 ? acme_cc_pkg::SCHED_IDLE : acme_cc_pkg::SCHED_PENDING;
          end else begin
            c.sched <= t.may_send ? acme_cc_pkg::SCHED_READY : acme_cc_pkg::SCHED_ACTIVE;
          end
          done <= 1'b1;
          st   <= acme_cc_pkg::S_REST;
        end

        default: st <= acme_cc_pkg::S_REST;
      endcase
    end
  end
endmodule
