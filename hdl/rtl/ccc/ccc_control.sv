// What becomes of the window: quick adapt, the quadrants, increase, decrease, fulfilment.
//
// Latency:     decision in stage 7, flags in stage 8, window in stage 34.
// Throughput:  one event a cycle.
// Comb. paths: ev_s2_i.addr, cfg_s2_i, profile_s2_i to word_s2_o; no other.
// Reset:       writes on their way are dropped.
// Contract:    ccc/contract.md; each unit below names its section.
module ccc_control #(
  parameter int NumContexts = 256,
  parameter int RowW        = 8
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  // the registers of the event in each stage
  input  ccc_regs_t       cfg_s2_i,
  input  ccc_regs_t       cfg_s3_i,
  input  ccc_regs_t       cfg_s4_i,
  input  ccc_regs_t       cfg_s5_i,
  input  ccc_regs_t       cfg_s6_i,
  input  ccc_regs_t       cfg_s7_i,
  input  ccc_regs_t       cfg_s8_i,
  // stage 1
  input  logic [RowW-1:0] row_s1_i,
  // stage 2
  input  logic            open_s2_i,
  input  logic            ack_s2_i,
  input  logic            nack_s2_i,
  input  logic            loss_s2_i,
  input  logic            trim_s2_i,
  input  logic            adjust_s2_i,
  input  logic [15:0]     load_s2_i,
  input  logic            write_s2_i,
  input  ccc_ev_t         ev_s2_i,
  input  logic [3:0]      profile_s2_i,
  output logic [63:0]     word_s2_o,  // this module's fields of the word addressed, others 0
  // stages 3 to 6, from ccc_measure
  input  logic [22:0]     units_s3_i,
  input  logic            judged_s3_i,
  input  logic [31:0]     base_rtt_s3_i,
  input  logic [31:0]     delay_s3_i,
  input  logic [31:0]     inflight_s5_i,
  input  logic [31:0]     old_max_wnd_s5_i,
  input  logic [31:0]     max_wnd_s5_i,
  input  logic [47:0]     avg_s6_i,
  input  logic [47:0]     excess_s6_i,
  input  logic            above_s6_i,
  // results
  output logic [1:0]      state_s3_o,  // stored, opened or loaded
  output logic [31:0]     cwnd_s3_o,  // likewise, not below one MTU
  output logic [3:0]      action_s8_o,
  output logic            rcv_limit_s8_o,
  output logic            saved_s8_o,
  output logic            restored_s8_o,
  output logic            qa_window_s8_o,
  output logic            qa_fired_s8_o,
  output logic            ignored_s8_o,
  output logic            md_applied_s8_o,
  output logic            fulfilled_s8_o,
  output logic            eta_applied_s8_o,
  output logic            saturated_s8_o,  // any value of this module up to stage 8
  output logic [31:0]     cwnd_s34_o,
  output logic            saturated_s34_o,  // the quotient of the fulfilment
  // write-back of what is known last
  input  logic            write_s35_i,
  input  logic [RowW-1:0] row_s35_i,
  input  logic [1:0]      state_s35_i,
  input  logic [31:0]     cwnd_s35_i
);
  // ---------------------------------------------------------------- shared, named by stage
  logic [31:0] size_s3_q;
  logic [6:0]  pend_s3_q;
  logic        rc_s3_q;
  logic        trim_s3_q;
  logic [47:0] now_s3_q;
  logic [47:0] now_s4_q;
  logic [47:0] now_s5_q;
  logic [47:0] now_s6_q;
  logic [47:0] now_s7_q;
  logic [RowW-1:0] row_s3_q;
  logic [RowW-1:0] row_s4_q;
  logic [RowW-1:0] row_s5_q;
  logic [RowW-1:0] row_s6_q;
  logic [RowW-1:0] row_s7_q;
  logic [RowW-1:0] row_s8_q;
  // Bit k: of the event in stage k.
  logic [7:3]  ack_q;
  logic [7:3]  nack_q;
  logic [7:3]  adjust_q;
  logic [7:3]  loss_q;
  logic [7:3]  m_q;
  logic [7:4]  judged_q;
  logic [8:3]  write_q;

  always_ff @(posedge clk_i) begin
    size_s3_q <= ev_s2_i.size;
    pend_s3_q <= ev_s2_i.pend;
    rc_s3_q   <= ev_s2_i.rc;
    trim_s3_q <= trim_s2_i;
    now_s3_q  <= ev_s2_i.now;
    now_s4_q  <= now_s3_q;
    now_s5_q  <= now_s4_q;
    now_s6_q  <= now_s5_q;
    now_s7_q  <= now_s6_q;
    row_s3_q  <= ev_s2_i.ctx[RowW-1:0];
    row_s4_q  <= row_s3_q;
    row_s5_q  <= row_s4_q;
    row_s6_q  <= row_s5_q;
    row_s7_q  <= row_s6_q;
    row_s8_q  <= row_s7_q;
    ack_q     <= {ack_q[6:3], ack_s2_i};
    nack_q    <= {nack_q[6:3], nack_s2_i};
    adjust_q  <= {adjust_q[6:3], adjust_s2_i};
    loss_q    <= {loss_q[6:3], loss_s2_i};
    m_q       <= {m_q[6:3], ev_s2_i.m};
    judged_q  <= {judged_q[6:4], judged_s3_i};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) write_q <= '0;
    else         write_q <= {write_q[7:3], write_s2_i};
  end

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
    .clk_i                   (clk_i),
    .cfg_s3_i                (cfg_s3_i),
    .cfg_s4_i                (cfg_s4_i),
    .cfg_s5_i                (cfg_s5_i),
    .row_s1_i                (row_s1_i),
    .trigger_s2_o            (trigger_s2),
    .qa_valid_s2_o           (qa_valid_s2),
    .qa_endtime_s2_o         (qa_endtime_s2),
    .ignored_bytes_s2_o      (ignored_bytes_s2),
    .to_ignore_s2_o          (to_ignore_s2),
    .achieved_s2_o           (achieved_s2),
    .open_s2_i               (open_s2_i),
    .load_trigger_qa_s2_i    (load_s2_i[ccc_pkg::WORD_TRIGGER_QA[3:0]]),
    .load_qa_endtime_s2_i    (load_s2_i[ccc_pkg::WORD_QA_ENDTIME[3:0]]),
    .load_bytes_ignored_s2_i (load_s2_i[ccc_pkg::WORD_BYTES_IGNORED[3:0]]),
    .load_achieved_bytes_s2_i(load_s2_i[ccc_pkg::WORD_ACHIEVED_BYTES[3:0]]),
    .data_s2_i               (ev_s2_i.data),
    .ack_s3_i                (ack_q[3]),
    .judged_s3_i             (judged_s3_i),
    .nack_s3_i               (nack_q[3]),
    .nack_adjust_s3_i        (adjust_q[3]),
    .ignore_size_s3_i        (trim_s3_q | loss_q[3]),
    .m_s3_i                  (m_q[3]),
    .now_s3_i                (now_s3_q),
    .size_s3_i               (size_s3_q),
    .units_s3_i              (units_s3_i),
    .base_rtt_s3_i           (base_rtt_s3_i),
    .delay_s3_i              (delay_s3_i),
    .saturated_s4_o          (adapt_sat_s4),
    .max_wnd_s5_i            (max_wnd_s5_i),
    .inflight_s5_i           (inflight_s5_i),
    .fired_s7_o              (fired_s7),
    .ignored_s7_o            (ignored_s7),
    .window_s7_o             (window_s7),
    .achieved_s7_o           (achieved_s7),
    .write_s8_i              (write_q[8]),
    .row_s8_i                (row_s8_q)
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
    .judged_i   (judged_q[7]),
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

  // ---------------------------------------------------------------- increase
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
    .clk_i                     (clk_i),
    .cfg_s3_i                  (cfg_s3_i),
    .cfg_s4_i                  (cfg_s4_i),
    .row_s1_i                  (row_s1_i),
    .increase_s2_o             (increase_s2),
    .received_s2_o             (received_s2),
    .fi_count_s2_o             (fi_count_s2),
    .last_adjust_s2_o          (last_adjust_s2),
    .inc_bytes_s2_o            (inc_bytes_s2),
    .open_s2_i                 (open_s2_i),
    .load_increase_s2_i        (load_s2_i[ccc_pkg::WORD_INCREASE[3:0]]),
    .load_received_bytes_s2_i  (load_s2_i[ccc_pkg::WORD_RECEIVED_BYTES[3:0]]),
    .load_last_adjust_time_s2_i(load_s2_i[ccc_pkg::WORD_LAST_ADJUST_TIME[3:0]]),
    .load_inc_bytes_s2_i       (load_s2_i[ccc_pkg::WORD_INC_BYTES[3:0]]),
    .data_s2_i                 (ev_s2_i.data),
    .now_s2_i                  (ev_s2_i.now),
    .ack_s3_i                  (ack_q[3]),
    .now_s3_i                  (now_s3_q),
    .units_s3_i                (units_s3_i),
    .delay_s3_i                (delay_s3_i),
    .saturated_s4_o            (received_sat_s4),
    .low_s7_o                  (low_s7),
    .flat_s7_o                 (flat_s7),
    .increase_s7_o             (increase_s7),
    .fi_sum_s7_o               (fi_sum_s7),
    .fast_step_s7_o            (fast_step_s7),
    .time_due_s7_o             (time_due_s7),
    .bytes_due_s7_o            (bytes_due_s7),
    .acted_s7_i                (fired_s7 | ignored_s7),
    .calm_s7_i                 (calm_s7),
    .fast_s7_i                 (fast_s7),
    .add_s7_i                  (add_s7),
    .md_s7_i                   (md_s7),
    .fulfil_s7_i               (fulfil_s7),
    .eta_s7_i                  (eta_s7),
    .now_s7_i                  (now_s7_q),
    .dividend_s8_o             (dividend_s8),
    .saturated_s8_o            (increase_sat_s8),
    .write_s8_i                (write_q[8]),
    .row_s8_i                  (row_s8_q)
  );

  // ---------------------------------------------------------------- window
  logic [1:0]  state_s2;
  logic [31:0] cwnd_s2;
  logic [31:0] saved_cwnd_s2;
  logic        saved_s7;
  logic        restored_s7;
  logic [31:0] max_wnd_s6_q;
  logic [31:0] max_wnd_s7_q;
  logic [31:0] max_wnd_s8_q;
  logic [31:0] cwnd_s8;

  ccc_window #(.NumContexts(NumContexts), .RowW(RowW)) u_window (
    .clk_i               (clk_i),
    .cfg_s2_i            (cfg_s2_i),
    .cfg_s6_i            (cfg_s6_i),
    .cfg_s7_i            (cfg_s7_i),
    .row_s1_i            (row_s1_i),
    .state_s2_o          (state_s2),
    .cwnd_s2_o           (cwnd_s2),
    .saved_cwnd_s2_o     (saved_cwnd_s2),
    .open_s2_i           (open_s2_i),
    .load_cwnd_s2_i      (load_s2_i[ccc_pkg::WORD_CWND[3:0]]),
    .load_saved_cwnd_s2_i(load_s2_i[ccc_pkg::WORD_SAVED_CWND[3:0]]),
    .load_ccc_state_s2_i (load_s2_i[ccc_pkg::WORD_CCC_STATE[3:0]]),
    .data_s2_i           (ev_s2_i.data),
    .state_s3_o          (state_s3_o),
    .cwnd_s3_o           (cwnd_s3_o),
    .ack_s3_i            (ack_q[3]),
    .pend_s3_i           (pend_s3_q),
    .rc_s3_i             (rc_s3_q),
    .size_s3_i           (size_s3_q),
    .units_s3_i          (units_s3_i),
    .inflight_s5_i       (inflight_s5_i),
    .old_max_wnd_s5_i    (old_max_wnd_s5_i),
    .write_s6_i          (write_q[6]),
    .row_s6_i            (row_s6_q),
    .saved_s7_o          (saved_s7),
    .restored_s7_o       (restored_s7),
    .pend_s7_o           (pend_s7),
    .cwnd_s7_o           (cwnd_s7),
    .max_wnd_s7_i        (max_wnd_s7_q),
    .fired_s7_i          (fired_s7),
    .achieved_s7_i       (achieved_s7),
    .fast_s7_i           (fast_s7),
    .fast_step_s7_i      (fast_step_s7),
    .shrink_s7_i         (shrink_s7),
    .cwnd_s8_o           (cwnd_s8),
    .write_s35_i         (write_s35_i),
    .row_s35_i           (row_s35_i),
    .state_s35_i         (state_s35_i),
    .cwnd_s35_i          (cwnd_s35_i)
  );

  // ---------------------------------------------------------------- decrease and fulfilment
  logic [47:0] last_dec_s2;
  logic        md_apply_s7;
  logic [31:0] cwnd_s17;

  ccc_decrease #(.NumContexts(NumContexts), .RowW(RowW)) u_decrease (
    .clk_i                  (clk_i),
    .rst_ni                 (rst_ni),
    .cfg_s8_i               (cfg_s8_i),
    .row_s1_i               (row_s1_i),
    .last_dec_s2_o          (last_dec_s2),
    .open_s2_i              (open_s2_i),
    .load_last_dec_time_s2_i(load_s2_i[ccc_pkg::WORD_LAST_DEC_TIME[3:0]]),
    .data_s2_i              (ev_s2_i.data),
    .now_s2_i               (ev_s2_i.now),
    .now_s3_i               (now_s3_q),
    .base_rtt_s3_i          (base_rtt_s3_i),
    .avg_s6_i               (avg_s6_i),
    .excess_s6_i            (excess_s6_i),
    .above_s6_i             (above_s6_i),
    .md_s7_i                (md_s7),
    .now_s7_i               (now_s7_q),
    .apply_s7_o             (md_apply_s7),
    .write_s8_i             (write_q[8]),
    .row_s8_i               (row_s8_q),
    .cwnd_s8_i              (cwnd_s8),
    .cwnd_s17_o             (cwnd_s17)
  );

  ccc_fulfil u_fulfil (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .cfg_s8_i       (cfg_s8_i),
    .fulfil_s8_i    (fulfilled_s8_o),
    .eta_s8_i       (eta_applied_s8_o),
    .dividend_s8_i  (dividend_s8),
    .max_wnd_s8_i   (max_wnd_s8_q),
    .cwnd_s17_i     (cwnd_s17),
    .cwnd_s34_o     (cwnd_s34_o),
    .saturated_s34_o(saturated_s34_o)
  );

  // ---------------------------------------------------------------- flags of stage 8
  logic [7:5]  sum_sat_q;   // a byte counter saturated; bit k: the event in stage k
  logic        sum_sat_s8_q;

  always_ff @(posedge clk_i) begin
    max_wnd_s6_q     <= max_wnd_s5_i;
    max_wnd_s7_q     <= max_wnd_s6_q;
    max_wnd_s8_q     <= max_wnd_s7_q;
    sum_sat_q        <= {sum_sat_q[6:5], adapt_sat_s4 | received_sat_s4};
    sum_sat_s8_q     <= sum_sat_q[7];
    action_s8_o      <= action_s7;
    rcv_limit_s8_o   <= pend_s7;
    saved_s8_o       <= saved_s7;
    restored_s8_o    <= restored_s7;
    qa_window_s8_o   <= window_s7;
    qa_fired_s8_o    <= fired_s7;
    ignored_s8_o     <= ignored_s7;
    md_applied_s8_o  <= md_apply_s7;
    fulfilled_s8_o   <= fulfil_s7;
    eta_applied_s8_o <= eta_s7;
  end

  assign saturated_s8_o = sum_sat_s8_q | increase_sat_s8;

  // ---------------------------------------------------------------- READ
  logic [3:0] addr_s2;            // READ of a word beyond is refused

  assign addr_s2 = ev_s2_i.addr[3:0];

  always_comb begin
    unique case (addr_s2)
      ccc_pkg::WORD_CCC_STATE[3:0]:        word_s2_o = {52'b0, profile_s2_i, 2'b0, state_s2, 1'b0,
                                                        increase_s2, qa_valid_s2, trigger_s2};
      ccc_pkg::WORD_CWND[3:0]:             word_s2_o = {32'b0, cwnd_s2};
      ccc_pkg::WORD_SAVED_CWND[3:0]:       word_s2_o = {saved_cwnd_s2, 32'b0};
      ccc_pkg::WORD_ACHIEVED_BYTES[3:0]:   word_s2_o = {achieved_s2, 32'b0};
      ccc_pkg::WORD_RECEIVED_BYTES[3:0]:   word_s2_o = {fi_count_s2, received_s2};
      ccc_pkg::WORD_BYTES_IGNORED[3:0]:    word_s2_o = {to_ignore_s2, ignored_bytes_s2};
      ccc_pkg::WORD_QA_ENDTIME[3:0]:       word_s2_o = {16'b0, qa_endtime_s2};
      ccc_pkg::WORD_LAST_ADJUST_TIME[3:0]: word_s2_o = {16'b0, last_adjust_s2};
      ccc_pkg::WORD_LAST_DEC_TIME[3:0]:    word_s2_o = {16'b0, last_dec_s2};
      ccc_pkg::WORD_INC_BYTES[3:0]:        word_s2_o = {16'b0, inc_bytes_s2};
      default:                             word_s2_o = '0;
    endcase
  end
endmodule
