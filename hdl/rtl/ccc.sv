// NSCC congestion-control context pipeline: NumContexts contexts in RAM, one event in, one response
// out, in order.
//
// Latency:     LATENCY (36) cycles from issue to the response.
// Throughput:  one event a cycle; STALL (36) cycles between two events of one context.
// Comb. paths: rst_ni to ev_ready_o and rsp_valid_o; no other.
// Reset:       empty, configuration at its reset values, sweep of NumContexts cycles.
// Contract:    vectors/event/timing.md, vectors/event/ccc/contract.md.
//
// The pipeline never stops: credits keep the response FIFO from overflowing, the interlock keeps
// two events of one context STALL cycles apart. A signal x_sN is the value N cycles after the issue
// of its event (_q: a register of this module). Each unit keeps its own part of the state in RAM:
// all parts are read in stage 1 and written in the stage that knows them, 3 to 8, the window in 35.
//
//   stage 1     raw RTT, configuration, state read        ccc_rtt, ccc_config
//   stage 2     dispatch, OPEN, LOAD, READ, delta, base   ccc_dispatch, ccc_read, ccc_delta, ccc_rtt
//   stage 3..6  counters, average, quick adapt, products  ccc_counts, ccc_inflight, ccc_ewma, ...
//   stage 7     decision                                  ccc_quadrant
//   stage 6..16 decrease: ratio, factor, product          ccc_decrease
//   stage 17..33 fulfil: division, sum                    ccc_fulfil
//   stage 34    view and response                         ccc_respond
module ccc #(
  parameter int NumContexts = 256
) (
  input  logic     clk_i,
  input  logic     rst_ni,
  input  logic     ev_valid_i,
  output logic     ev_ready_o,
  input  ccc_ev_t  ev_i,
  output logic     rsp_valid_o,
  input  logic     rsp_ready_i,
  output ccc_rsp_t rsp_o
);
  localparam int RowW = $clog2(NumContexts);
  localparam int Last = ccc_pkg::LATENCY - 1;   // the stage that pushes the response

  // ---------------------------------------------------------------- front
  logic            issue;
  logic            take;
  logic            sweep_done;
  logic [RowW-1:0] sweep_row;
  ccc_ev_t         head;

  ccc_issue #(.NumContexts(NumContexts), .RowW(RowW)) u_issue (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .ev_valid_i  (ev_valid_i),
    .ev_ready_o  (ev_ready_o),
    .ev_i        (ev_i),
    .take_i      (take),
    .issue_o     (issue),
    .head_o      (head),
    .sweep_done_o(sweep_done),
    .sweep_row_o (sweep_row)
  );

  // ---------------------------------------------------------------- what travels with an event
  logic [Last:1] vld_q;         // bit k: an event is in stage k
  ccc_ev_t       ev_s1_q;
  ccc_ev_t       ev_s2_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) vld_q <= '0;
    else         vld_q <= {vld_q[Last-1:1], issue};
  end

  always_ff @(posedge clk_i) begin
    ev_s1_q <= head;
    ev_s2_q <= ev_s1_q;
  end

  logic [RowW-1:0] row_s1;
  assign row_s1 = ev_s1_q.ctx[RowW-1:0];

  // ---------------------------------------------------------------- configuration
  logic [15:0] cfg_mtu;
  logic [31:0] cfg_max_wnd;
  logic [31:0] cfg_config_base_rtt;
  logic [31:0] cfg_target;
  logic [31:0] cfg_alpha;
  logic [31:0] cfg_fi;
  logic [31:0] cfg_eta;
  logic [23:0] cfg_fi_scale;
  logic [15:0] cfg_gamma;
  logic [15:0] cfg_md_jump;
  logic [7:0]  cfg_qa_gate;
  logic [31:0] cfg_qa_threshold;
  logic [31:0] cfg_adjust_bytes;
  logic [31:0] cfg_adjust_period;
  logic [23:0] cfg_ewma_gain;
  logic [31:0] cfg_fast_delay;
  logic [31:0] cfg_mwnd_rate;
  logic [31:0] cfg_ack_trigger;
  logic [2:0]  cfg_time_shift;
  logic [1:0]  cfg_ctrl;
  logic [63:0] cfg_rdata_s1;
  logic        write_refused_s1;
  logic        read_refused_s1;

  ccc_config u_config (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .we_i             (cfg_write_s1),
    .addr_i           (ev_s1_q.addr),
    .data_i           (ev_s1_q.data),
    .rdata_o          (cfg_rdata_s1),
    .write_refused_o  (write_refused_s1),
    .read_refused_o   (read_refused_s1),
    .mtu_o            (cfg_mtu),
    .max_wnd_o        (cfg_max_wnd),
    .config_base_rtt_o(cfg_config_base_rtt),
    .target_o         (cfg_target),
    .alpha_o          (cfg_alpha),
    .fi_o             (cfg_fi),
    .eta_o            (cfg_eta),
    .fi_scale_o       (cfg_fi_scale),
    .gamma_o          (cfg_gamma),
    .md_jump_o        (cfg_md_jump),
    .qa_gate_o        (cfg_qa_gate),
    .qa_threshold_o   (cfg_qa_threshold),
    .adjust_bytes_o   (cfg_adjust_bytes),
    .adjust_period_o  (cfg_adjust_period),
    .ewma_gain_o      (cfg_ewma_gain),
    .fast_delay_o     (cfg_fast_delay),
    .mwnd_rate_o      (cfg_mwnd_rate),
    .ack_trigger_o    (cfg_ack_trigger),
    .time_shift_o     (cfg_time_shift),
    .ctrl_o           (cfg_ctrl)
  );

  // ---------------------------------------------------------------- stages 1, 2: dispatch
  logic        cfg_write_s1;
  logic        cfg_read_s1;
  logic        open_s2;
  logic        new_data_s2;
  logic        send_s2;
  logic        ack_s2;
  logic        nack_s2;
  logic        loss_s2;
  logic        read_s2;
  logic [15:0] load_s2;
  logic        write_s2;
  logic        no_context_s2;
  logic        refused_s2;
  logic [RowW-1:0] row_s3_q;

  ccc_dispatch #(.NumContexts(NumContexts), .RowW(RowW)) u_dispatch (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .sweep_done_i      (sweep_done),
    .sweep_row_i       (sweep_row),
    .vld_s1_i          (vld_q[1]),
    .kind_s1_i         (ev_s1_q.kind),
    .ctx_s1_i          (ev_s1_q.ctx),
    .row_s1_i          (row_s1),
    .addr_s1_i         (ev_s1_q.addr),
    .write_refused_s1_i(write_refused_s1),
    .read_refused_s1_i (read_refused_s1),
    .cfg_write_s1_o    (cfg_write_s1),
    .cfg_read_s1_o     (cfg_read_s1),
    .open_s2_o         (open_s2),
    .new_data_s2_o     (new_data_s2),
    .send_s2_o         (send_s2),
    .ack_s2_o          (ack_s2),
    .nack_s2_o         (nack_s2),
    .loss_s2_o         (loss_s2),
    .read_s2_o         (read_s2),
    .load_s2_o         (load_s2),
    .write_s2_o        (write_s2),
    .no_context_s2_o   (no_context_s2),
    .refused_s2_o      (refused_s2),
    .row_s3_i          (row_s3_q)
  );

  // ---------------------------------------------------------------- stage 2: decode for stage 3
  logic       trim_s2;       // the NACK of a trimmed packet
  logic       adjust_s2;     // a NACK that adjusts the window
  logic [2:0] lb_s2;

  assign trim_s2   = nack_s2 & ((ev_s2_q.reason == ccc_pkg::REASON_TRIMMED)
                              | (ev_s2_q.reason == ccc_pkg::REASON_TRIMMED_LASTHOP));
  assign adjust_s2 = nack_s2 & ((ev_s2_q.reason == ccc_pkg::REASON_TRIMMED)
                              | ((ev_s2_q.reason == ccc_pkg::REASON_TRIMMED_LASTHOP) & ~cfg_ctrl[1]));

  always_comb begin
    lb_s2 = ccc_pkg::LB_NONE;
    if (loss_s2) begin
      lb_s2 = ccc_pkg::LB_TIMEOUT;
    end else if (nack_s2 && (ev_s2_q.reason == ccc_pkg::REASON_TRIMMED)) begin
      lb_s2 = ccc_pkg::LB_NACK;
    end else if (ack_s2 || nack_s2) begin
      lb_s2 = ev_s2_q.m ? ccc_pkg::LB_ECN : ccc_pkg::LB_NO_ECN;
    end
  end

  // Registers of stage 3 and later that several units share.
  logic [3:0]  kind_s3_q;
  logic [15:0] ctx_s3_q;
  logic [15:0] entropy_s3_q;
  logic [2:0]  lb_s3_q;
  logic        view_s3_q;
  logic        update_s3_q;
  logic        no_context_s3_q;
  logic        refused_s3_q;
  logic [63:0] data_s3_q;
  logic [31:0] size_s3_q;
  logic        is_rtx_s3_q;
  logic [15:0] acked_pkts_s3_q;
  logic [15:0] unmark_pkts_s3_q;
  logic [31:0] unmark_bytes_s3_q;
  logic [6:0]  pend_s3_q;
  logic        rc_s3_q;
  logic        new_data_s3_q;
  logic        send_s3_q;
  logic        trim_s3_q;
  logic [RowW-1:0] row_s4_q;
  logic [RowW-1:0] row_s5_q;
  logic [RowW-1:0] row_s6_q;
  logic [RowW-1:0] row_s7_q;
  logic [RowW-1:0] row_s8_q;
  logic [47:0] now_s3_q;
  logic [47:0] now_s4_q;
  logic [47:0] now_s5_q;
  logic [47:0] now_s6_q;
  logic [47:0] now_s7_q;
  logic [8:3]  write_q;   // bit k: stage k
  logic [7:3]  ack_q;   // bit k: stage k
  logic [7:3]  nack_q;   // bit k: stage k
  logic [7:3]  adjust_q;   // bit k: stage k
  logic [7:3]  loss_q;   // bit k: stage k
  logic [7:3]  m_q;   // bit k: stage k
  logic [7:4]  sample_q;
  logic        sample_s3;
  logic [63:0] cfg_rdata_s2_q;
  logic        cfg_read_s2_q;
  logic [63:0] data_s2;

  always_ff @(posedge clk_i) begin
    cfg_rdata_s2_q    <= cfg_rdata_s1;
    cfg_read_s2_q     <= cfg_read_s1;
    kind_s3_q         <= ev_s2_q.kind;
    ctx_s3_q          <= ev_s2_q.ctx;
    entropy_s3_q      <= ev_s2_q.entropy;
    lb_s3_q           <= lb_s2;
    view_s3_q         <= write_s2 | read_s2;
    update_s3_q       <= new_data_s2 | send_s2 | ack_s2 | nack_s2 | loss_s2;
    no_context_s3_q   <= no_context_s2;
    refused_s3_q      <= refused_s2;
    data_s3_q         <= data_s2;
    size_s3_q         <= ev_s2_q.size;
    is_rtx_s3_q       <= ev_s2_q.is_rtx;
    acked_pkts_s3_q   <= ev_s2_q.acked_pkts;
    unmark_pkts_s3_q  <= ev_s2_q.unmark_pkts;
    unmark_bytes_s3_q <= ev_s2_q.unmark_bytes;
    pend_s3_q         <= ev_s2_q.pend;
    rc_s3_q           <= ev_s2_q.rc;
    new_data_s3_q     <= new_data_s2;
    send_s3_q         <= send_s2;
    trim_s3_q         <= trim_s2;

    row_s3_q          <= ev_s2_q.ctx[RowW-1:0];
    row_s4_q          <= row_s3_q;
    row_s5_q          <= row_s4_q;
    row_s6_q          <= row_s5_q;
    row_s7_q          <= row_s6_q;
    row_s8_q          <= row_s7_q;
    now_s3_q          <= ev_s2_q.now;
    now_s4_q          <= now_s3_q;
    now_s5_q          <= now_s4_q;
    now_s6_q          <= now_s5_q;
    now_s7_q          <= now_s6_q;
    ack_q             <= {ack_q[6:3], ack_s2};
    nack_q            <= {nack_q[6:3], nack_s2};
    adjust_q          <= {adjust_q[6:3], adjust_s2};
    loss_q            <= {loss_q[6:3], loss_s2};
    m_q               <= {m_q[6:3], ev_s2_q.m};
    sample_q          <= {sample_q[6:4], sample_s3};
  end

  // A write must not survive a reset: the contexts are swept while it would be on its way.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) write_q <= '0;
    else         write_q <= {write_q[7:3], write_s2};
  end

  // ---------------------------------------------------------------- counters
  logic [47:0] backlog_s2;
  logic [31:0] rtx_backlog_s2;
  logic [31:0] waiting_rtx_s2;
  logic [31:0] inflight_pkts_s2;
  logic        counts_sat_s4;
  logic        counts_udf_s4;
  logic        no_work_s4;
  logic        no_pkts_s4;

  ccc_counts #(.NumContexts(NumContexts), .RowW(RowW)) u_counts (
    .clk_i             (clk_i),
    .row_s1_i          (row_s1),
    .backlog_s2_o      (backlog_s2),
    .rtx_backlog_s2_o  (rtx_backlog_s2),
    .waiting_rtx_s2_o  (waiting_rtx_s2),
    .inflight_pkts_s2_o(inflight_pkts_s2),
    .open_s2_i         (open_s2),
    .load_s2_i         (load_s2),
    .data_s2_i         (ev_s2_q.data),
    .new_data_s3_i     (new_data_s3_q),
    .send_s3_i         (send_s3_q),
    .is_rtx_s3_i       (is_rtx_s3_q),
    .ack_s3_i          (ack_q[3]),
    .lost_s3_i         (nack_q[3] | loss_q[3]),
    .size_s3_i         (size_s3_q),
    .acked_pkts_s3_i   (acked_pkts_s3_q),
    .unmark_pkts_s3_i  (unmark_pkts_s3_q),
    .unmark_bytes_s3_i (unmark_bytes_s3_q),
    .write_s4_i        (write_q[4]),
    .row_s4_i          (row_s4_q),
    .saturated_s4_o    (counts_sat_s4),
    .underflow_s4_o    (counts_udf_s4),
    .no_work_s4_o      (no_work_s4),
    .no_pkts_s4_o      (no_pkts_s4)
  );

  logic [23:0] last0_s2;
  logic [23:0] last1_s2;
  logic [23:0] last2_s2;
  logic [23:0] last3_s2;
  logic [22:0] units_s3;
  logic        stale_s3;

  ccc_delta #(.NumContexts(NumContexts), .RowW(RowW)) u_delta (
    .clk_i          (clk_i),
    .row_s1_i       (row_s1),
    .last0_s2_o     (last0_s2),
    .last1_s2_o     (last1_s2),
    .last2_s2_o     (last2_s2),
    .last3_s2_o     (last3_s2),
    .open_s2_i      (open_s2),
    .load_s2_i      (load_s2),
    .data_s2_i      (ev_s2_q.data),
    .ack_s2_i       (ack_s2),
    .pdc_s2_i       (ev_s2_q.pdc),
    .rcvd_bytes_s2_i(ev_s2_q.rcvd_bytes),
    .write_s3_i     (write_q[3]),
    .row_s3_i       (row_s3_q),
    .units_s3_o     (units_s3),
    .stale_s3_o     (stale_s3)
  );

  logic [31:0] inflight_s2;
  logic [31:0] inflight_s5;
  logic        inflight_sat_s5;

  ccc_inflight #(.NumContexts(NumContexts), .RowW(RowW)) u_inflight (
    .clk_i            (clk_i),
    .row_s1_i         (row_s1),
    .inflight_s2_o    (inflight_s2),
    .open_s2_i        (open_s2),
    .load_s2_i        (load_s2),
    .data_s2_i        (ev_s2_q.data),
    .send_s3_i        (send_s3_q),
    .ack_s3_i         (ack_q[3]),
    .lost_s3_i        (nack_q[3] | loss_q[3]),
    .size_s3_i        (size_s3_q),
    .unmark_bytes_s3_i(unmark_bytes_s3_q),
    .units_s3_i       (units_s3),
    .write_s5_i       (write_q[5]),
    .row_s5_i         (row_s5_q),
    .inflight_s5_o    (inflight_s5),
    .saturated_s5_o   (inflight_sat_s5)
  );

  // ---------------------------------------------------------------- RTT and average delay
  logic [31:0] base_rtt_s2;
  logic [31:0] max_wnd_s2;
  logic        base_fell_s3;
  logic [31:0] base_rtt_s3;
  logic [31:0] delay_s3;
  logic [31:0] old_max_wnd_s5;
  logic [31:0] max_wnd_s5;

  ccc_rtt #(.NumContexts(NumContexts), .RowW(RowW)) u_rtt (
    .clk_i            (clk_i),
    .cfg_mtu_i        (cfg_mtu),
    .cfg_max_wnd_i    (cfg_max_wnd),
    .cfg_base_rtt_i   (cfg_config_base_rtt),
    .cfg_mwnd_rate_i  (cfg_mwnd_rate),
    .cfg_time_shift_i (cfg_time_shift),
    .row_s1_i         (row_s1),
    .is_ack_s1_i      (ev_s1_q.kind == ccc_pkg::KIND_ACK),
    .now_s1_i         (ev_s1_q.now),
    .tx_valid_s1_i    (ev_s1_q.tx_valid),
    .tx_time_s1_i     (ev_s1_q.tx_time),
    .rtx_count_s1_i   (ev_s1_q.rtx_count),
    .service_time_s1_i(ev_s1_q.service_time),
    .retx_s1_i        (ev_s1_q.retx),
    .base_rtt_s2_o    (base_rtt_s2),
    .max_wnd_s2_o     (max_wnd_s2),
    .open_s2_i        (open_s2),
    .load_s2_i        (load_s2),
    .data_s2_i        (ev_s2_q.data),
    .ack_s2_i         (ack_s2),
    .nack_s2_i        (nack_s2),
    .sample_s3_o      (sample_s3),
    .base_fell_s3_o   (base_fell_s3),
    .base_rtt_s3_o    (base_rtt_s3),
    .delay_s3_o       (delay_s3),
    .write_s3_i       (write_q[3]),
    .row_s3_i         (row_s3_q),
    .old_max_wnd_s5_o (old_max_wnd_s5),
    .max_wnd_s5_o     (max_wnd_s5),
    .write_s5_i       (write_q[5]),
    .row_s5_i         (row_s5_q)
  );

  logic [47:0] avg_s2;
  logic [47:0] avg_s6;
  logic [47:0] excess_s6;
  logic        above_s6;

  ccc_ewma #(.NumContexts(NumContexts), .RowW(RowW)) u_ewma (
    .clk_i          (clk_i),
    .cfg_gain_i     (cfg_ewma_gain),
    .cfg_target_i   (cfg_target),
    .cfg_base_rtt_i (cfg_config_base_rtt),
    .row_s1_i       (row_s1),
    .avg_s2_o       (avg_s2),
    .open_s2_i      (open_s2),
    .load_s2_i      (load_s2),
    .data_s2_i      (ev_s2_q.data),
    .ack_sample_s3_i(ack_q[3] & sample_s3),
    .trim_s3_i      (trim_s3_q),
    .m_s3_i         (m_q[3]),
    .delay_s3_i     (delay_s3),
    .base_rtt_s3_i  (base_rtt_s3),
    .avg_s6_o       (avg_s6),
    .excess_s6_o    (excess_s6),
    .above_s6_o     (above_s6),
    .write_s6_i     (write_q[6]),
    .row_s6_i       (row_s6_q)
  );

  // ---------------------------------------------------------------- quick adapt
  logic        trigger_s2;
  logic        qa_valid_s2;
  logic [47:0] qa_endtime_s2;
  logic [31:0] ignored_bytes_s2;
  logic [31:0] to_ignore_s2;
  logic [31:0] achieved_s2;
  logic        adapt_sat_s4;
  logic        fired_s7;
  logic        ignored_s7;
  logic        window_s7;
  logic [31:0] achieved_s7;

  ccc_adapt #(.NumContexts(NumContexts), .RowW(RowW)) u_adapt (
    .clk_i             (clk_i),
    .cfg_disable_i     (cfg_ctrl[0]),
    .cfg_target_i      (cfg_target),
    .cfg_qa_gate_i     (cfg_qa_gate),
    .cfg_qa_threshold_i(cfg_qa_threshold),
    .row_s1_i          (row_s1),
    .trigger_s2_o      (trigger_s2),
    .qa_valid_s2_o     (qa_valid_s2),
    .qa_endtime_s2_o   (qa_endtime_s2),
    .ignored_bytes_s2_o(ignored_bytes_s2),
    .to_ignore_s2_o    (to_ignore_s2),
    .achieved_s2_o     (achieved_s2),
    .open_s2_i         (open_s2),
    .load_s2_i         (load_s2),
    .data_s2_i         (ev_s2_q.data),
    .ack_s3_i          (ack_q[3]),
    .ack_sample_s3_i   (ack_q[3] & sample_s3),
    .nack_s3_i         (nack_q[3]),
    .nack_adjust_s3_i  (adjust_q[3]),
    .ignore_size_s3_i  (trim_s3_q | loss_q[3]),
    .m_s3_i            (m_q[3]),
    .now_s3_i          (now_s3_q),
    .size_s3_i         (size_s3_q),
    .units_s3_i        (units_s3),
    .base_rtt_s3_i     (base_rtt_s3),
    .delay_s3_i        (delay_s3),
    .saturated_s4_o    (adapt_sat_s4),
    .max_wnd_s5_i      (max_wnd_s5),
    .inflight_s5_i     (inflight_s5),
    .fired_s7_o        (fired_s7),
    .ignored_s7_o      (ignored_s7),
    .window_s7_o       (window_s7),
    .achieved_s7_o     (achieved_s7),
    .write_s8_i        (write_q[8]),
    .row_s8_i          (row_s8_q)
  );

  // ---------------------------------------------------------------- stage 7: decision
  logic        low_s7;
  logic        flat_s7;
  logic        increase_s7;
  logic [31:0] fi_sum_s7;
  logic        time_due_s7;
  logic        bytes_due_s7;
  logic        pend_s7;
  logic [31:0] cwnd_s7;
  logic        calm_s7;
  logic        fast_s7;
  logic        add_s7;
  logic        md_s7;
  logic        shrink_s7;
  logic        fulfil_s7;
  logic        eta_s7;
  logic [3:0]  action_s7;

  ccc_quadrant u_quadrant (
    .ack_i      (ack_q[7]),
    .sample_i   (sample_q[7]),
    .nack_i     (nack_q[7]),
    .adjust_i   (adjust_q[7]),
    .loss_i     (loss_q[7]),
    .m_i        (m_q[7]),
    .pend_i     (pend_s7),
    .fired_i    (fired_s7),
    .ignored_i  (ignored_s7),
    .low_i      (low_s7),
    .flat_i     (flat_s7),
    .ramp_i     ((fi_sum_s7 > cwnd_s7) | increase_s7),
    .time_due_i (time_due_s7),
    .bytes_due_i(bytes_due_s7),
    .calm_o     (calm_s7),
    .fast_o     (fast_s7),
    .add_o      (add_s7),
    .md_o       (md_s7),
    .shrink_o   (shrink_s7),
    .fulfil_o   (fulfil_s7),
    .eta_o      (eta_s7),
    .action_o   (action_s7)
  );

  // ---------------------------------------------------------------- increase, decrease, window, fulfil
  logic        increase_s2;
  logic [31:0] received_s2;
  logic [31:0] fi_count_s2;
  logic [47:0] last_adjust_s2;
  logic [47:0] inc_bytes_s2;
  logic        received_sat_s4;
  logic [38:0] fast_step_s7;
  logic [47:0] dividend_s8;
  logic        increase_sat_s8;

  ccc_increase #(.NumContexts(NumContexts), .RowW(RowW)) u_increase (
    .clk_i              (clk_i),
    .cfg_target_i       (cfg_target),
    .cfg_alpha_i        (cfg_alpha),
    .cfg_fi_i           (cfg_fi),
    .cfg_fi_scale_i     (cfg_fi_scale),
    .cfg_fast_delay_i   (cfg_fast_delay),
    .cfg_adjust_bytes_i (cfg_adjust_bytes),
    .cfg_adjust_period_i(cfg_adjust_period),
    .row_s1_i           (row_s1),
    .increase_s2_o      (increase_s2),
    .received_s2_o      (received_s2),
    .fi_count_s2_o      (fi_count_s2),
    .last_adjust_s2_o   (last_adjust_s2),
    .inc_bytes_s2_o     (inc_bytes_s2),
    .open_s2_i          (open_s2),
    .load_s2_i          (load_s2),
    .data_s2_i          (ev_s2_q.data),
    .now_s2_i           (ev_s2_q.now),
    .ack_s3_i           (ack_q[3]),
    .now_s3_i           (now_s3_q),
    .units_s3_i         (units_s3),
    .delay_s3_i         (delay_s3),
    .saturated_s4_o     (received_sat_s4),
    .low_s7_o           (low_s7),
    .flat_s7_o          (flat_s7),
    .increase_s7_o      (increase_s7),
    .fi_sum_s7_o        (fi_sum_s7),
    .fast_step_s7_o     (fast_step_s7),
    .time_due_s7_o      (time_due_s7),
    .bytes_due_s7_o     (bytes_due_s7),
    .acted_s7_i         (fired_s7 | ignored_s7),
    .calm_s7_i          (calm_s7),
    .fast_s7_i          (fast_s7),
    .add_s7_i           (add_s7),
    .md_s7_i            (md_s7),
    .fulfil_s7_i        (fulfil_s7),
    .eta_s7_i           (eta_s7),
    .now_s7_i           (now_s7_q),
    .dividend_s8_o      (dividend_s8),
    .saturated_s8_o     (increase_sat_s8),
    .write_s8_i         (write_q[8]),
    .row_s8_i           (row_s8_q)
  );

  logic [47:0] last_dec_s2;
  logic        md_apply_s7;
  logic [31:0] cwnd_s8;
  logic [31:0] cwnd_s17;

  ccc_decrease #(.NumContexts(NumContexts), .RowW(RowW)) u_decrease (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .cfg_mtu_i    (cfg_mtu),
    .cfg_target_i (cfg_target),
    .cfg_gamma_i  (cfg_gamma),
    .cfg_md_jump_i(cfg_md_jump),
    .row_s1_i     (row_s1),
    .last_dec_s2_o(last_dec_s2),
    .open_s2_i    (open_s2),
    .load_s2_i    (load_s2),
    .data_s2_i    (ev_s2_q.data),
    .now_s2_i     (ev_s2_q.now),
    .now_s3_i     (now_s3_q),
    .base_rtt_s3_i(base_rtt_s3),
    .avg_s6_i     (avg_s6),
    .excess_s6_i  (excess_s6),
    .above_s6_i   (above_s6),
    .md_s7_i      (md_s7),
    .now_s7_i     (now_s7_q),
    .apply_s7_o   (md_apply_s7),
    .write_s8_i   (write_q[8]),
    .row_s8_i     (row_s8_q),
    .cwnd_s8_i    (cwnd_s8),
    .cwnd_s17_o   (cwnd_s17)
  );

  logic [1:0]  state_s2;
  logic [31:0] cwnd_s2;
  logic [31:0] saved_cwnd_s2;
  logic [1:0]  state_s3;
  logic        saved_s7;
  logic        restored_s7;
  logic [31:0] max_wnd_s6_q;
  logic [31:0] max_wnd_s7_q;
  logic [31:0] max_wnd_s8_q;
  logic        write_s35;
  logic [1:0]  state_s35;
  logic [31:0] cwnd_s35;
  ccc_rsp_t    rsp_s35;

  ccc_window #(.NumContexts(NumContexts), .RowW(RowW)) u_window (
    .clk_i           (clk_i),
    .cfg_mtu_i       (cfg_mtu),
    .cfg_max_wnd_i   (cfg_max_wnd),
    .row_s1_i        (row_s1),
    .state_s2_o      (state_s2),
    .cwnd_s2_o       (cwnd_s2),
    .saved_cwnd_s2_o (saved_cwnd_s2),
    .open_s2_i       (open_s2),
    .load_s2_i       (load_s2),
    .data_s2_i       (ev_s2_q.data),
    .state_s3_o      (state_s3),
    .ack_s3_i        (ack_q[3]),
    .pend_s3_i       (pend_s3_q),
    .rc_s3_i         (rc_s3_q),
    .size_s3_i       (size_s3_q),
    .units_s3_i      (units_s3),
    .inflight_s5_i   (inflight_s5),
    .old_max_wnd_s5_i(old_max_wnd_s5),
    .write_s6_i      (write_q[6]),
    .row_s6_i        (row_s6_q),
    .saved_s7_o      (saved_s7),
    .restored_s7_o   (restored_s7),
    .pend_s7_o       (pend_s7),
    .cwnd_s7_o       (cwnd_s7),
    .max_wnd_s7_i    (max_wnd_s7_q),
    .fired_s7_i      (fired_s7),
    .achieved_s7_i   (achieved_s7),
    .fast_s7_i       (fast_s7),
    .fast_step_s7_i  (fast_step_s7),
    .shrink_s7_i     (shrink_s7),
    .cwnd_s8_o       (cwnd_s8),
    .write_s35_i     (vld_q[Last] & write_s35),
    .row_s35_i       (rsp_s35.ctx[RowW-1:0]),
    .state_s35_i     (state_s35),
    .cwnd_s35_i      (cwnd_s35)
  );

  logic        fulfil_s8_q;
  logic        eta_s8_q;
  logic [31:0] cwnd_s34;
  logic        fulfil_sat_s34;

  ccc_fulfil u_fulfil (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .cfg_eta_i      (cfg_eta),
    .fulfil_s8_i    (fulfil_s8_q),
    .eta_s8_i       (eta_s8_q),
    .dividend_s8_i  (dividend_s8),
    .max_wnd_s8_i   (max_wnd_s8_q),
    .cwnd_s17_i     (cwnd_s17),
    .cwnd_s34_o     (cwnd_s34),
    .saturated_s34_o(fulfil_sat_s34)
  );

  // ---------------------------------------------------------------- READ

  ccc_read u_read (
    .read_i         (read_s2),
    .cfg_read_i     (cfg_read_s2_q),
    .cfg_rdata_i    (cfg_rdata_s2_q),
    .addr_i         (ev_s2_q.addr[3:0]),
    .trigger_i      (trigger_s2),
    .qa_valid_i     (qa_valid_s2),
    .increase_i     (increase_s2),
    .state_i        (state_s2),
    .cwnd_i         (cwnd_s2),
    .max_wnd_i      (max_wnd_s2),
    .inflight_i     (inflight_s2),
    .saved_cwnd_i   (saved_cwnd_s2),
    .base_rtt_i     (base_rtt_s2),
    .achieved_i     (achieved_s2),
    .received_i     (received_s2),
    .fi_count_i     (fi_count_s2),
    .ignored_bytes_i(ignored_bytes_s2),
    .to_ignore_i    (to_ignore_s2),
    .qa_endtime_i   (qa_endtime_s2),
    .last_adjust_i  (last_adjust_s2),
    .last_dec_i     (last_dec_s2),
    .inc_bytes_i    (inc_bytes_s2),
    .avg_i          (avg_s2),
    .backlog_i      (backlog_s2),
    .rtx_backlog_i  (rtx_backlog_s2),
    .waiting_rtx_i  (waiting_rtx_s2),
    .inflight_pkts_i(inflight_pkts_s2),
    .last0_i        (last0_s2),
    .last1_i        (last1_s2),
    .last2_i        (last2_s2),
    .last3_i        (last3_s2),
    .data_o         (data_s2)
  );

  // ---------------------------------------------------------------- response
  logic [3:0]  action_s8_q;
  logic        pend_s8_q;
  logic        saved_s8_q;
  logic        restored_s8_q;
  logic        window_s8_q;
  logic        fired_s8_q;
  logic        ignored_s8_q;
  logic        md_apply_s8_q;
  logic        sat_s5_q;
  logic        udf_s5_q;
  logic        no_work_s5_q;
  logic        no_pkts_s5_q;
  logic        sat_s6_q;
  logic        udf_s6_q;
  logic        no_work_s6_q;
  logic        no_pkts_s6_q;
  logic [31:0] inflight_s6_q;

  always_ff @(posedge clk_i) begin
    sat_s5_q      <= counts_sat_s4 | adapt_sat_s4 | received_sat_s4;
    udf_s5_q      <= counts_udf_s4;
    no_work_s5_q  <= no_work_s4;
    no_pkts_s5_q  <= no_pkts_s4;
    sat_s6_q      <= sat_s5_q | inflight_sat_s5;
    udf_s6_q      <= udf_s5_q;
    no_work_s6_q  <= no_work_s5_q;
    no_pkts_s6_q  <= no_pkts_s5_q;
    inflight_s6_q <= inflight_s5;
    max_wnd_s6_q  <= max_wnd_s5;
    max_wnd_s7_q  <= max_wnd_s6_q;
    max_wnd_s8_q  <= max_wnd_s7_q;
    fulfil_s8_q   <= fulfil_s7;
    eta_s8_q      <= eta_s7;
    action_s8_q   <= action_s7;
    pend_s8_q     <= pend_s7;
    saved_s8_q    <= saved_s7;
    restored_s8_q <= restored_s7;
    window_s8_q   <= window_s7;
    fired_s8_q    <= fired_s7;
    ignored_s8_q  <= ignored_s7;
    md_apply_s8_q <= md_apply_s7;
  end

  ccc_respond u_respond (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .cfg_mtu_i        (cfg_mtu),
    .cfg_ack_trigger_i(cfg_ack_trigger),
    .kind_s3_i        (kind_s3_q),
    .ctx_s3_i         (ctx_s3_q),
    .entropy_s3_i     (entropy_s3_q),
    .lb_s3_i          (lb_s3_q),
    .view_s3_i        (view_s3_q),
    .update_s3_i      (update_s3_q),
    .write_s3_i       (write_q[3]),
    .no_context_s3_i  (no_context_s3_q),
    .refused_s3_i     (refused_s3_q),
    .stale_s3_i       (stale_s3),
    .sample_s3_i      (sample_s3),
    .base_fell_s3_i   (base_fell_s3),
    .state_s3_i       (state_s3),
    .base_rtt_s3_i    (base_rtt_s3),
    .delay_s3_i       (delay_s3),
    .data_s3_i        (data_s3_q),
    .inflight_s6_i    (inflight_s6_q),
    .avg_s6_i         (avg_s6),
    .saturated_s6_i   (sat_s6_q),
    .underflow_s6_i   (udf_s6_q),
    .no_work_s6_i     (no_work_s6_q),
    .no_pkts_s6_i     (no_pkts_s6_q),
    .action_s8_i      (action_s8_q),
    .saturated_s8_i   (increase_sat_s8),
    .rcv_limit_s8_i   (pend_s8_q),
    .saved_s8_i       (saved_s8_q),
    .restored_s8_i    (restored_s8_q),
    .qa_window_s8_i   (window_s8_q),
    .qa_fired_s8_i    (fired_s8_q),
    .ignored_s8_i     (ignored_s8_q),
    .md_applied_s8_i  (md_apply_s8_q),
    .fulfilled_s8_i   (fulfil_s8_q),
    .eta_applied_s8_i (eta_s8_q),
    .cwnd_s34_i       (cwnd_s34),
    .saturated_s34_i  (fulfil_sat_s34),
    .write_s35_o      (write_s35),
    .state_s35_o      (state_s35),
    .cwnd_s35_o       (cwnd_s35),
    .rsp_s35_o        (rsp_s35)
  );

  gw_rsp_fifo #(.Width(ccc_pkg::RSP_W), .Rows(ccc_pkg::CREDITS)) u_rsp_fifo (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (vld_q[Last]),
    .data_i (rsp_s35),
    .valid_o(rsp_valid_o),
    .ready_i(rsp_ready_i),
    .data_o (rsp_o),
    .take_o (take)
  );
endmodule
