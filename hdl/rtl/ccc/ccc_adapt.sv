// Quick adapt: the once-per-round window set to what was achieved, and the stale feedback after it.
//
// Latency:     state read in stage 1, decision in stage 7, state written in stage 8.
// Throughput:  one event a cycle.
// Comb. paths: none.
// Reset:       none; a context is set up by OPEN.
// Contract:    ccc/contract.md "quick_adapt"; ACK 4 (bytes_ignored, achieved_bytes) and 12;
//              NACK 3, 4; LOSS (bytes_ignored); words 0 (part), 3 (upper half), 5, 6.
module ccc_adapt #(
  parameter int NumContexts = 256,
  parameter int RowW        = 8
) (
  input  logic            clk_i,
  input  ccc_regs_t       cfg_s3_i,
  input  ccc_regs_t       cfg_s4_i,
  input  ccc_regs_t       cfg_s5_i,
  input  logic [RowW-1:0] row_s1_i,
  output logic            trigger_s2_o,       // as stored, for READ
  output logic            qa_valid_s2_o,
  output logic [47:0]     qa_endtime_s2_o,
  output logic [31:0]     ignored_bytes_s2_o,
  output logic [31:0]     to_ignore_s2_o,
  output logic [31:0]     achieved_s2_o,
  input  logic            open_s2_i,
  input  logic            load_trigger_qa_s2_i,
  input  logic            load_qa_endtime_s2_i,
  input  logic            load_bytes_ignored_s2_i,
  input  logic            load_achieved_bytes_s2_i,
  input  logic [63:0]     data_s2_i,
  input  logic            ack_s3_i,
  input  logic            judged_s3_i,        // ACK with a delay to judge it by
  input  logic            nack_s3_i,
  input  logic            nack_adjust_s3_i,   // NACK that adjusts the window
  input  logic            ignore_size_s3_i,   // trim NACK or LOSS
  input  logic            m_s3_i,
  input  logic [47:0]     now_s3_i,
  input  logic [31:0]     size_s3_i,
  input  logic [22:0]     units_s3_i,         // delta / 256
  input  logic [31:0]     base_rtt_s3_i,      // after the event
  input  logic [31:0]     delay_s3_i,
  output logic            saturated_s4_o,
  input  logic [31:0]     max_wnd_s5_i,       // after the event
  input  logic [31:0]     inflight_s5_i,      // after the event
  output logic            fired_s7_o,
  output logic            ignored_s7_o,
  output logic            window_s7_o,
  output logic [31:0]     achieved_s7_o,      // before the window clears it
  input  logic            write_s8_i,
  input  logic [RowW-1:0] row_s8_i
);
  logic        trigger_s8_q;
  logic        qa_valid_s8_q;
  logic [47:0] endtime_s8_q;
  logic [31:0] ignored_bytes_s8_q;
  logic [31:0] to_ignore_s8_q;
  logic [31:0] achieved_s8_q;

  gw_sdp_ram #(.Width(50), .Rows(NumContexts), .AddrW(RowW)) u_round (
    .clk_i  (clk_i),
    .we_i   (write_s8_i),
    .waddr_i(row_s8_i),
    .wdata_i({qa_valid_s8_q, trigger_s8_q, endtime_s8_q}),
    .raddr_i(row_s1_i),
    .rdata_o({qa_valid_s2_o, trigger_s2_o, qa_endtime_s2_o})
  );

  gw_sdp_ram #(.Width(64), .Rows(NumContexts), .AddrW(RowW)) u_ignore (
    .clk_i  (clk_i),
    .we_i   (write_s8_i),
    .waddr_i(row_s8_i),
    .wdata_i({to_ignore_s8_q, ignored_bytes_s8_q}),
    .raddr_i(row_s1_i),
    .rdata_o({to_ignore_s2_o, ignored_bytes_s2_o})
  );

  gw_sdp_ram #(.Width(32), .Rows(NumContexts), .AddrW(RowW)) u_achieved (
    .clk_i  (clk_i),
    .we_i   (write_s8_i),
    .waddr_i(row_s8_i),
    .wdata_i(achieved_s8_q),
    .raddr_i(row_s1_i),
    .rdata_o(achieved_s2_o)
  );

  // ---------------------------------------------------------------- stage 2: OPEN, LOAD
  logic        trigger_s3_q;
  logic        qa_valid_s3_q;
  logic [47:0] endtime_s3_q;
  logic [31:0] ignored_bytes_s3_q;
  logic [31:0] to_ignore_s3_q;
  logic [31:0] achieved_s3_q;

  always_ff @(posedge clk_i) begin
    trigger_s3_q       <= trigger_s2_o;
    qa_valid_s3_q      <= qa_valid_s2_o;
    endtime_s3_q       <= qa_endtime_s2_o;
    ignored_bytes_s3_q <= ignored_bytes_s2_o;
    to_ignore_s3_q     <= to_ignore_s2_o;
    achieved_s3_q      <= achieved_s2_o;
    if (open_s2_i) begin
      trigger_s3_q       <= 1'b0;
      qa_valid_s3_q      <= 1'b0;
      endtime_s3_q       <= '0;
      ignored_bytes_s3_q <= '0;
      to_ignore_s3_q     <= '0;
      achieved_s3_q      <= '0;
    end
    if (load_trigger_qa_s2_i) begin
      trigger_s3_q  <= data_s2_i[ccc_pkg::WORD_TRIGGER_QA_LSB];
      qa_valid_s3_q <= data_s2_i[ccc_pkg::WORD_QA_VALID_LSB];
    end
    if (load_qa_endtime_s2_i) begin
      endtime_s3_q <= data_s2_i[ccc_pkg::WORD_QA_ENDTIME_LSB +: 48];
    end
    if (load_bytes_ignored_s2_i) begin
      ignored_bytes_s3_q <= data_s2_i[ccc_pkg::WORD_BYTES_IGNORED_LSB +: 32];
      to_ignore_s3_q     <= data_s2_i[ccc_pkg::WORD_BYTES_TO_IGNORE_LSB +: 32];
    end
    if (load_achieved_bytes_s2_i) begin
      achieved_s3_q <= data_s2_i[ccc_pkg::WORD_ACHIEVED_BYTES_LSB +: 32];
    end
  end

  // ---------------------------------------------------------------- stage 3: sums, end of round
  logic [31:0] delta_s3;
  logic [31:0] ignored_bytes_d;
  logic [31:0] achieved_d;
  logic [1:0]  saturated_s3;
  logic [1:0]  unused_underflow;   // counters that only rise
  logic [31:0] longest_s3;         // a base RTT that the end of the round may have been set with

  assign delta_s3   = {1'b0, units_s3_i, 8'b0};
  assign longest_s3 = (base_rtt_s3_i > cfg_s3_i.CONFIG_BASE_RTT) ? base_rtt_s3_i
                                                                 : cfg_s3_i.CONFIG_BASE_RTT;

  gw_updown #(.Width(32)) u_step_ignored (
    .x_i        (ignored_bytes_s3_q),
    .step_i     (ack_s3_i ? delta_s3 : size_s3_i),
    .add_i      (ack_s3_i | ignore_size_s3_i),
    .sub_i      (1'b0),
    .y_o        (ignored_bytes_d),
    .saturated_o(saturated_s3[0]),
    .underflow_o(unused_underflow[0])
  );

  gw_updown #(.Width(32)) u_step_achieved (
    .x_i        (achieved_s3_q),
    .step_i     (delta_s3),
    .add_i      (ack_s3_i),
    .sub_i      (1'b0),
    .y_o        (achieved_d),
    .saturated_o(saturated_s3[1]),
    .underflow_o(unused_underflow[1])
  );

  logic        trigger_s4_q;
  logic        qa_valid_s4_q;
  logic [47:0] endtime_s4_q;
  logic [31:0] ignored_bytes_s4_q;
  logic [31:0] to_ignore_s4_q;
  logic [31:0] achieved_s4_q;
  logic        call_s4_q;       // quick_adapt is called and enabled
  logic        mark_s4_q;
  logic        loss_s4_q;
  logic [47:0] ahead_s4_q;      // from now to the end of the round
  logic [32:0] reach_s4_q;      // no round ends further ahead
  logic [47:0] now_s4_q;
  logic [31:0] base_rtt_s4_q;
  logic [31:0] delay_s4_q;

  always_ff @(posedge clk_i) begin
    saturated_s4_o     <= |saturated_s3;
    trigger_s4_q       <= trigger_s3_q | nack_adjust_s3_i;
    qa_valid_s4_q      <= qa_valid_s3_q;
    endtime_s4_q       <= endtime_s3_q;
    ignored_bytes_s4_q <= ignored_bytes_d;
    to_ignore_s4_q     <= to_ignore_s3_q;
    achieved_s4_q      <= achieved_d;
    call_s4_q          <= (judged_s3_i | nack_adjust_s3_i) & ~cfg_s3_i.CTRL[0];
    mark_s4_q          <= m_s3_i | nack_s3_i;
    loss_s4_q          <= nack_s3_i;
    ahead_s4_q         <= endtime_s3_q - now_s3_i;
    reach_s4_q         <= {1'b0, longest_s3} + {1'b0, cfg_s3_i.TARGET_QDELAY};
    now_s4_q           <= now_s3_i;
    base_rtt_s4_q      <= base_rtt_s3_i;
    delay_s4_q         <= delay_s3_i;
  end

  // ---------------------------------------------------------------- stage 4: stale feedback, cause
  logic        stale_s4;
  logic        over_s4;         // the round is over, or there is none
  logic        window_s4;
  logic        late_s4;
  logic        trigger_s5_q;
  logic        qa_valid_s5_q;
  logic [47:0] endtime_s5_q;
  logic [31:0] ignored_bytes_s5_q;
  logic [31:0] to_ignore_s5_q;
  logic [31:0] achieved_s5_q;
  logic        ignored_s5_q;
  logic        window_s5_q;
  logic        cause_s5_q;

  assign stale_s4  = (ignored_bytes_s4_q < to_ignore_s4_q) & mark_s4_q;
  assign over_s4   = ~qa_valid_s4_q | (ahead_s4_q == '0) | (ahead_s4_q > {15'b0, reach_s4_q});
  assign window_s4 = call_s4_q & ~stale_s4 & over_s4;
  assign late_s4   = (delay_s4_q > cfg_s4_i.QA_THRESHOLD);

  always_ff @(posedge clk_i) begin
    trigger_s5_q       <= trigger_s4_q;
    qa_valid_s5_q      <= qa_valid_s4_q | window_s4;
    endtime_s5_q       <= endtime_s4_q;
    if (window_s4) begin
      endtime_s5_q <= now_s4_q + {16'b0, base_rtt_s4_q} + {16'b0, cfg_s4_i.TARGET_QDELAY};
    end
    ignored_bytes_s5_q <= ignored_bytes_s4_q;
    to_ignore_s5_q     <= to_ignore_s4_q;
    achieved_s5_q      <= achieved_s4_q;
    ignored_s5_q       <= call_s4_q & stale_s4;
    window_s5_q        <= window_s4;
    cause_s5_q         <= qa_valid_s4_q & (trigger_s4_q | loss_s4_q | late_s4);
  end

  // ---------------------------------------------------------------- stage 5: gate
  logic [31:0] gate_s6_q;
  logic        trigger_s6_q;
  logic        qa_valid_s6_q;
  logic [47:0] endtime_s6_q;
  logic [31:0] ignored_bytes_s6_q;
  logic [31:0] to_ignore_s6_q;
  logic [31:0] achieved_s6_q;
  logic        ignored_s6_q;
  logic        window_s6_q;
  logic        cause_s6_q;
  logic [31:0] inflight_s6_q;   // not negative

  always_ff @(posedge clk_i) begin
    gate_s6_q          <= (cfg_s5_i.QA_GATE[7:5] == 3'b0) ? (max_wnd_s5_i >> cfg_s5_i.QA_GATE[4:0])
                                                          : '0;
    trigger_s6_q       <= trigger_s5_q;
    qa_valid_s6_q      <= qa_valid_s5_q;
    endtime_s6_q       <= endtime_s5_q;
    ignored_bytes_s6_q <= ignored_bytes_s5_q;
    to_ignore_s6_q     <= to_ignore_s5_q;
    achieved_s6_q      <= achieved_s5_q;
    ignored_s6_q       <= ignored_s5_q;
    window_s6_q        <= window_s5_q;
    cause_s6_q         <= cause_s5_q;
    inflight_s6_q      <= inflight_s5_i[31] ? '0 : inflight_s5_i;
  end

  // ---------------------------------------------------------------- stage 6: fire
  logic        fire_s6;
  logic        trigger_s7_q;
  logic        qa_valid_s7_q;
  logic [47:0] endtime_s7_q;
  logic [31:0] ignored_bytes_s7_q;
  logic [31:0] to_ignore_s7_q;

  assign fire_s6 = window_s6_q & cause_s6_q & (achieved_s6_q < gate_s6_q);

  always_ff @(posedge clk_i) begin
    fired_s7_o         <= fire_s6;
    ignored_s7_o       <= ignored_s6_q;
    window_s7_o        <= window_s6_q;
    achieved_s7_o      <= achieved_s6_q;
    trigger_s7_q       <= trigger_s6_q & ~fire_s6;
    qa_valid_s7_q      <= qa_valid_s6_q;
    endtime_s7_q       <= endtime_s6_q;
    ignored_bytes_s7_q <= fire_s6 ? '0 : ignored_bytes_s6_q;
    to_ignore_s7_q     <= fire_s6 ? inflight_s6_q : to_ignore_s6_q;
  end

  // ---------------------------------------------------------------- stage 7: state after the event
  always_ff @(posedge clk_i) begin
    trigger_s8_q       <= trigger_s7_q;
    qa_valid_s8_q      <= qa_valid_s7_q;
    endtime_s8_q       <= endtime_s7_q;
    ignored_bytes_s8_q <= ignored_bytes_s7_q;
    to_ignore_s8_q     <= to_ignore_s7_q;
    achieved_s8_q      <= window_s7_o ? '0 : achieved_s7_o;
  end
endmodule
