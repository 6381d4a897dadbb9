// Values from the event: bytes, counters, RTT, base RTT, average delay, receiver credit. The part
// of the state that no window decision touches.
//
// Latency:     results in stages 3 to 6 and 11, as named.
// Throughput:  one event a cycle.
// Comb. paths: ev_s2_i, cfg_s2_i to word_s2_o; no other.
// Reset:       writes on their way are dropped.
// Contract:    ccc/contract.md; each unit below names its section.
module ccc_measure #(
  parameter int NumContexts = 256,
  parameter int RowW        = 8,
  parameter int NumPdcs     = 4
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic [2:0]      cfg_time_shift_i,
  // the registers of the event in each stage
  input  ccc_regs_t       cfg_s2_i,
  input  ccc_regs_t       cfg_s3_i,
  input  ccc_regs_t       cfg_s4_i,
  input  ccc_regs_t       cfg_s5_i,
  input  ccc_regs_t       cfg_s7_i,
  // stage 1
  input  logic [RowW-1:0] row_s1_i,
  input  ccc_ev_t         ev_s1_i,
  // stage 2
  input  logic            open_s2_i,
  input  logic            new_data_s2_i,
  input  logic            send_s2_i,
  input  logic            ack_s2_i,
  input  logic            nack_s2_i,
  input  logic            loss_s2_i,
  input  logic            bind_s2_i,
  input  logic            probe_s2_i,  // SAMPLE
  input  logic            pull_s2_i,  // CREDIT
  input  logic            trim_s2_i,
  input  logic [15:0]     load_s2_i,
  input  logic            write_s2_i,
  input  ccc_ev_t         ev_s2_i,
  output logic [63:0]     word_s2_o,  // this module's fields of the word addressed, others 0
  // stage 3
  input  logic [31:0]     cwnd_s3_i,  // of a SEND, from ccc_control
  output logic [22:0]     units_s3_o,  // delta / 256
  output logic            stale_s3_o,
  output logic            sample_s3_o,  // valid RTT sample
  output logic            judged_s3_o,  // ACK with a delay to judge it by
  output logic            base_fell_s3_o,
  output logic [31:0]     base_rtt_s3_o,  // after the event
  output logic [31:0]     delay_s3_o,  // 0 unless judged
  // stage 5
  output logic [31:0]     inflight_s5_o,  // after the event
  output logic [31:0]     old_max_wnd_s5_o,  // before base_rtt fell
  output logic [31:0]     max_wnd_s5_o,  // after the event
  // stage 6
  output logic [47:0]     avg_s6_o,  // UQ32.16 ticks, after the event
  output logic [47:0]     excess_s6_o,  // avg - target
  output logic            above_s6_o,  // avg > target
  output logic            saturated_s6_o,  // any value of this module
  output logic            underflow_s6_o,
  output logic            no_work_s6_o,  // backlog and waiting_rtx are 0
  output logic            no_pkts_s6_o,  // inflight_pkts is 0
  output logic            spec_ended_s6_o,
  output logic            granted_s6_o,
  output logic            spent_s6_o,  // credit is on and used up
  output logic            last_s6_o,  // credit is on and backlog is 0
  // stage 11
  output logic [23:0]     target_s11_o
);
  // ---------------------------------------------------------------- shared, named by stage
  logic        new_data_s3_q;
  logic        send_s3_q;
  logic        ack_s3_q;
  logic        nack_s3_q;
  logic        loss_s3_q;
  logic        lost_s3;
  logic        bind_s3_q;
  logic        trim_s3_q;
  logic        pull_s3_q;
  logic        no_credit_s3_q;
  logic        m_s3_q;
  logic        is_rtx_s3_q;
  logic [31:0] size_s3_q;
  logic [15:0] acked_pkts_s3_q;
  logic [15:0] unmark_pkts_s3_q;
  logic [31:0] unmark_bytes_s3_q;
  logic [RowW-1:0] row_s3_q;
  logic [RowW-1:0] row_s4_q;
  logic [RowW-1:0] row_s5_q;
  logic [RowW-1:0] row_s6_q;
  logic [6:3]  write_q;   // bit k: the event in stage k may change its context

  always_ff @(posedge clk_i) begin
    new_data_s3_q     <= new_data_s2_i;
    send_s3_q         <= send_s2_i;
    ack_s3_q          <= ack_s2_i;
    nack_s3_q         <= nack_s2_i;
    loss_s3_q         <= loss_s2_i;
    bind_s3_q         <= bind_s2_i;
    trim_s3_q         <= trim_s2_i;
    pull_s3_q         <= pull_s2_i;
    no_credit_s3_q    <= ev_s2_i.no_credit;
    m_s3_q            <= ev_s2_i.m;
    is_rtx_s3_q       <= ev_s2_i.is_rtx;
    size_s3_q         <= ev_s2_i.size;
    acked_pkts_s3_q   <= ev_s2_i.acked_pkts;
    unmark_pkts_s3_q  <= ev_s2_i.unmark_pkts;
    unmark_bytes_s3_q <= ev_s2_i.unmark_bytes;
    row_s3_q          <= ev_s2_i.ctx[RowW-1:0];
    row_s4_q          <= row_s3_q;
    row_s5_q          <= row_s4_q;
    row_s6_q          <= row_s5_q;
  end

  assign lost_s3 = nack_s3_q | loss_s3_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) write_q <= '0;
    else         write_q <= {write_q[5:3], write_s2_i};
  end

  // ---------------------------------------------------------------- counters
  logic [47:0] backlog_s2;
  logic [31:0] rtx_backlog_s2;
  logic [31:0] waiting_rtx_s2;
  logic [31:0] inflight_pkts_s2;
  logic        resends_s3;
  logic [47:0] backlog_s4;
  logic [31:0] rtx_backlog_s4;
  logic        counts_sat_s4;
  logic        counts_udf_s4;
  logic        no_work_s4;
  logic        no_pkts_s4;

  ccc_counts #(.NumContexts(NumContexts), .RowW(RowW)) u_counts (
    .clk_i                  (clk_i),
    .row_s1_i               (row_s1_i),
    .backlog_s2_o           (backlog_s2),
    .rtx_backlog_s2_o       (rtx_backlog_s2),
    .waiting_rtx_s2_o       (waiting_rtx_s2),
    .inflight_pkts_s2_o     (inflight_pkts_s2),
    .open_s2_i              (open_s2_i),
    .load_backlog_s2_i      (load_s2_i[ccc_pkg::WORD_BACKLOG[3:0]]),
    .load_rtx_backlog_s2_i  (load_s2_i[ccc_pkg::WORD_RTX_BACKLOG[3:0]]),
    .load_inflight_pkts_s2_i(load_s2_i[ccc_pkg::WORD_INFLIGHT_PKTS[3:0]]),
    .data_s2_i              (ev_s2_i.data),
    .new_data_s3_i          (new_data_s3_q),
    .send_s3_i              (send_s3_q),
    .is_rtx_s3_i            (is_rtx_s3_q),
    .ack_s3_i               (ack_s3_q),
    .lost_s3_i              (lost_s3),
    .size_s3_i              (size_s3_q),
    .acked_pkts_s3_i        (acked_pkts_s3_q),
    .unmark_pkts_s3_i       (unmark_pkts_s3_q),
    .unmark_bytes_s3_i      (unmark_bytes_s3_q),
    .resends_s3_o           (resends_s3),
    .write_s4_i             (write_q[4]),
    .row_s4_i               (row_s4_q),
    .backlog_s4_o           (backlog_s4),
    .rtx_backlog_s4_o       (rtx_backlog_s4),
    .saturated_s4_o         (counts_sat_s4),
    .underflow_s4_o         (counts_udf_s4),
    .no_work_s4_o           (no_work_s4),
    .no_pkts_s4_o           (no_pkts_s4)
  );

  logic [23:0] last_rcvd_s2;

  ccc_delta #(.NumContexts(NumContexts), .RowW(RowW), .NumPdcs(NumPdcs)) u_delta (
    .clk_i          (clk_i),
    .row_s1_i       (row_s1_i),
    .last_rcvd_s2_o (last_rcvd_s2),
    .open_s2_i      (open_s2_i),
    .load_s2_i      (load_s2_i[ccc_pkg::WORD_LAST_RCVD[3:0]]),
    .data_s2_i      (ev_s2_i.data[ccc_pkg::WORD_LAST_RCVD_LSB +: 24]),
    .ack_s2_i       (ack_s2_i),
    .bind_s2_i      (bind_s2_i),
    .pdc_s2_i       (ev_s2_i.pdc),
    .rcvd_bytes_s2_i(ev_s2_i.rcvd_bytes),
    .write_s3_i     (write_q[3]),
    .row_s3_i       (row_s3_q),
    .units_s3_o     (units_s3_o),
    .stale_s3_o     (stale_s3_o)
  );

  logic [31:0] inflight_s2;
  logic        inflight_sat_s5;

  ccc_inflight #(.NumContexts(NumContexts), .RowW(RowW)) u_inflight (
    .clk_i             (clk_i),
    .row_s1_i          (row_s1_i),
    .inflight_s2_o     (inflight_s2),
    .open_s2_i         (open_s2_i),
    .load_inflight_s2_i(load_s2_i[ccc_pkg::WORD_INFLIGHT[3:0]]),
    .data_s2_i         (ev_s2_i.data),
    .add_s3_i          (send_s3_q | bind_s3_q),
    .ack_s3_i          (ack_s3_q),
    .lost_s3_i         (lost_s3),
    .size_s3_i         (size_s3_q),
    .unmark_bytes_s3_i (unmark_bytes_s3_q),
    .units_s3_i        (units_s3_o),
    .write_s5_i        (write_q[5]),
    .row_s5_i          (row_s5_q),
    .inflight_s5_o     (inflight_s5_o),
    .saturated_s5_o    (inflight_sat_s5)
  );

  // ---------------------------------------------------------------- RTT and average delay
  logic [31:0] base_rtt_s2;
  logic [31:0] max_wnd_s2;
  logic [47:0] avg_s2;

  ccc_rtt #(.NumContexts(NumContexts), .RowW(RowW)) u_rtt (
    .clk_i             (clk_i),
    .cfg_time_shift_i  (cfg_time_shift_i),
    .cfg_s2_i          (cfg_s2_i),
    .cfg_s3_i          (cfg_s3_i),
    .cfg_s4_i          (cfg_s4_i),
    .row_s1_i          (row_s1_i),
    .is_ack_s1_i       (ev_s1_i.kind == ccc_pkg::KIND_ACK),
    .is_probe_s1_i     (ev_s1_i.kind == ccc_pkg::KIND_SAMPLE),
    .data_s1_i         (ev_s1_i.data),
    .now_s1_i          (ev_s1_i.now),
    .tx_valid_s1_i     (ev_s1_i.tx_valid),
    .tx_time_s1_i      (ev_s1_i.tx_time),
    .rtx_count_s1_i    (ev_s1_i.rtx_count),
    .service_time_s1_i (ev_s1_i.service_time),
    .retx_s1_i         (ev_s1_i.retx),
    .base_rtt_s2_o     (base_rtt_s2),
    .max_wnd_s2_o      (max_wnd_s2),
    .avg_s2_i          (avg_s2[47:16]),
    .open_s2_i         (open_s2_i),
    .load_max_wnd_s2_i (load_s2_i[ccc_pkg::WORD_MAX_WND[3:0]]),
    .load_base_rtt_s2_i(load_s2_i[ccc_pkg::WORD_BASE_RTT[3:0]]),
    .data_s2_i         (ev_s2_i.data),
    .ack_s2_i          (ack_s2_i),
    .nack_s2_i         (nack_s2_i),
    .probe_s2_i        (probe_s2_i),
    .sample_s3_o       (sample_s3_o),
    .judged_s3_o       (judged_s3_o),
    .base_fell_s3_o    (base_fell_s3_o),
    .base_rtt_s3_o     (base_rtt_s3_o),
    .delay_s3_o        (delay_s3_o),
    .write_s3_i        (write_q[3]),
    .row_s3_i          (row_s3_q),
    .old_max_wnd_s5_o  (old_max_wnd_s5_o),
    .max_wnd_s5_o      (max_wnd_s5_o),
    .write_s5_i        (write_q[5]),
    .row_s5_i          (row_s5_q)
  );

  ccc_ewma #(.NumContexts(NumContexts), .RowW(RowW)) u_ewma (
    .clk_i              (clk_i),
    .cfg_s3_i           (cfg_s3_i),
    .cfg_s4_i           (cfg_s4_i),
    .cfg_s5_i           (cfg_s5_i),
    .row_s1_i           (row_s1_i),
    .avg_s2_o           (avg_s2),
    .open_s2_i          (open_s2_i),
    .load_avg_delay_s2_i(load_s2_i[ccc_pkg::WORD_AVG_DELAY[3:0]]),
    .data_s2_i          (ev_s2_i.data),
    .ack_sample_s3_i    (ack_s3_q & sample_s3_o),
    .trim_s3_i          (trim_s3_q),
    .m_s3_i             (m_s3_q),
    .delay_s3_i         (delay_s3_o),
    .base_rtt_s3_i      (base_rtt_s3_o),
    .avg_s6_o           (avg_s6_o),
    .excess_s6_o        (excess_s6_o),
    .above_s6_o         (above_s6_o),
    .write_s6_i         (write_q[6]),
    .row_s6_i           (row_s6_q)
  );

  // ---------------------------------------------------------------- receiver credit
  logic [31:0] credit_s2;
  logic [23:0] last_pull_s2;
  logic        speculating_s2;
  logic        credit_sat_s5;

  ccc_credit #(.NumContexts(NumContexts), .RowW(RowW)) u_credit (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .cfg_s2_i        (cfg_s2_i),
    .cfg_s3_i        (cfg_s3_i),
    .cfg_s4_i        (cfg_s4_i),
    .cfg_s5_i        (cfg_s5_i),
    .cfg_s7_i        (cfg_s7_i),
    .row_s1_i        (row_s1_i),
    .credit_s2_o     (credit_s2),
    .last_pull_s2_o  (last_pull_s2),
    .speculating_s2_o(speculating_s2),
    .open_s2_i       (open_s2_i),
    .load_s2_i       (load_s2_i[ccc_pkg::WORD_CREDIT[3:0]]),
    .data_s2_i       (ev_s2_i.data[56:0]),
    .pull_s2_i       (ev_s2_i.credit),
    .share_s2_i      (ev_s2_i.share),
    .send_s3_i       (send_s3_q),
    .no_credit_s3_i  (no_credit_s3_q),
    .ack_s3_i        (ack_s3_q),
    .nack_s3_i       (nack_s3_q),
    .loss_s3_i       (loss_s3_q),
    .pull_s3_i       (pull_s3_q),
    .resends_s3_i    (resends_s3),
    .size_s3_i       (size_s3_q),
    .cwnd_s3_i       (cwnd_s3_i),
    .backlog_s4_i    (backlog_s4),
    .rtx_backlog_s4_i(rtx_backlog_s4),
    .saturated_s5_o  (credit_sat_s5),
    .write_s5_i      (write_q[5]),
    .row_s5_i        (row_s5_q),
    .spec_ended_s6_o (spec_ended_s6_o),
    .granted_s6_o    (granted_s6_o),
    .spent_s6_o      (spent_s6_o),
    .last_s6_o       (last_s6_o),
    .target_s11_o    (target_s11_o)
  );

  // ---------------------------------------------------------------- facts for stage 6
  logic        saturated_s5_q;
  logic        underflow_s5_q;
  logic        no_work_s5_q;
  logic        no_pkts_s5_q;

  always_ff @(posedge clk_i) begin
    saturated_s5_q <= counts_sat_s4;
    underflow_s5_q <= counts_udf_s4;
    no_work_s5_q   <= no_work_s4;
    no_pkts_s5_q   <= no_pkts_s4;
    saturated_s6_o <= saturated_s5_q | inflight_sat_s5 | credit_sat_s5;
    underflow_s6_o <= underflow_s5_q;
    no_work_s6_o   <= no_work_s5_q;
    no_pkts_s6_o   <= no_pkts_s5_q;
  end

  // ---------------------------------------------------------------- READ
  logic [3:0] addr_s2;            // READ of a word beyond is refused

  assign addr_s2 = ev_s2_i.addr[3:0];

  always_comb begin
    unique case (addr_s2)
      ccc_pkg::WORD_MAX_WND[3:0]:       word_s2_o = {max_wnd_s2, 32'b0};
      ccc_pkg::WORD_INFLIGHT[3:0]:      word_s2_o = {32'b0, inflight_s2};
      ccc_pkg::WORD_BASE_RTT[3:0]:      word_s2_o = {32'b0, base_rtt_s2};
      ccc_pkg::WORD_AVG_DELAY[3:0]:     word_s2_o = {16'b0, avg_s2};
      ccc_pkg::WORD_BACKLOG[3:0]:       word_s2_o = {16'b0, backlog_s2};
      ccc_pkg::WORD_RTX_BACKLOG[3:0]:   word_s2_o = {waiting_rtx_s2, rtx_backlog_s2};
      ccc_pkg::WORD_INFLIGHT_PKTS[3:0]: word_s2_o = {32'b0, inflight_pkts_s2};
      ccc_pkg::WORD_LAST_RCVD[3:0]:     word_s2_o = {40'b0, last_rcvd_s2};
      ccc_pkg::WORD_CREDIT[3:0]:        word_s2_o = {7'b0, speculating_s2, last_pull_s2, credit_s2};
      default:                          word_s2_o = '0;
    endcase
  end
endmodule
