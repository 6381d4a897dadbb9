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
// The profile is read a stage earlier; its registers go with the event as cfg_sN.
//
//   issue         profile read                              ccc_profile
//   stage 1       raw RTT, registers read, state read       ccc_rtt, ccc_config
//   stage 2       dispatch, OPEN, LOAD, floor, READ,        ccc_dispatch, ccc_window, ccc_rtt,
//                 BIND, delta, base                         ccc_delta
//   stages 3..6   counters, average, products, quick adapt  ccc_measure, ccc_control
//   stages 3..10  credit, target                            ccc_credit
//   stage 7       decision                                  ccc_quadrant
//   stages 6..16  decrease: ratio, factor, product          ccc_decrease
//   stages 17..33 fulfilment: division, sum                 ccc_fulfil
//   stage 34      view and response                         ccc_respond
//   stage 35      response FIFO, window write-back          gw_rsp_fifo, ccc_window
module ccc #(
  parameter int NumContexts = 256,
  parameter int NumPdcs     = 4,
  parameter int NumProfiles = 8
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
  logic        issue;
  logic        take;
  logic        sweep_done;
  logic [RowW-1:0] sweep_row;
  ccc_ev_t     head;
  logic        exclusive;
  logic        keyed;

  assign exclusive = (head.kind == ccc_pkg::KIND_CFG_WRITE);
  assign keyed     = ~exclusive & (head.kind != ccc_pkg::KIND_CFG_READ);

  gw_issue #(
    .Rows   (NumContexts),
    .RowW   (RowW),
    .EventW (ccc_pkg::EV_W),
    .KeyW   (16),
    .Stall  (ccc_pkg::STALL),
    .Credits(ccc_pkg::CREDITS)
  ) u_issue (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .valid_i     (ev_valid_i),
    .ready_o     (ev_ready_o),
    .data_i      (ev_i),
    .head_o      (head),
    .key_i       (head.ctx),
    .keyed_i     (keyed),
    .exclusive_i (exclusive),
    .issue_o     (issue),
    .take_i      (take),
    .sweep_done_o(sweep_done),
    .sweep_row_o (sweep_row)
  );

  // ---------------------------------------------------------------- stages 1 and 2
  logic [Last:1]   vld_q;       // bit k: an event is in stage k
  ccc_ev_t         ev_s1_q;
  ccc_ev_t         ev_s2_q;
  logic [RowW-1:0] row_s1;
  logic [RowW-1:0] row_s3_q;

  assign row_s1 = ev_s1_q.ctx[RowW-1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) vld_q <= '0;
    else         vld_q <= {vld_q[Last-1:1], issue};
  end

  always_ff @(posedge clk_i) begin
    ev_s1_q  <= head;
    ev_s2_q  <= ev_s1_q;
    row_s3_q <= ev_s2_q.ctx[RowW-1:0];
  end

  // ---------------------------------------------------------------- configuration
  // The registers of the event's profile go with it; they are read in stage 1.
  ccc_regs_t   cfg_s1;
  ccc_regs_t   cfg_s2_q;
  ccc_regs_t   cfg_s3_q;
  ccc_regs_t   cfg_s4_q;
  ccc_regs_t   cfg_s5_q;
  ccc_regs_t   cfg_s6_q;
  ccc_regs_t   cfg_s7_q;
  ccc_regs_t   cfg_s8_q;
  logic [2:0]  time_shift;
  logic        cfg_write_s1;
  logic        cfg_read_s1;
  logic [63:0] cfg_rdata_s1;
  logic        write_refused_s1;
  logic        read_refused_s1;
  logic [3:0]  profile_s1;
  logic [3:0]  profile_s2;
  logic        write_s2;
  logic        write_s3_q;

  ccc_profile #(.NumContexts(NumContexts), .RowW(RowW)) u_profile (
    .clk_i       (clk_i),
    .row_s0_i    (head.ctx[RowW-1:0]),
    .kind_s1_i   (ev_s1_q.kind),
    .addr_s1_i   (ev_s1_q.addr),
    .profile_s1_i(ev_s1_q.profile),
    .load_s1_i   (ev_s1_q.data[ccc_pkg::WORD_PROFILE_LSB +: 4]),
    .profile_s1_o(profile_s1),
    .profile_s2_o(profile_s2),
    .write_s3_i  (vld_q[3] & write_s3_q),
    .row_s3_i    (row_s3_q)
  );

  ccc_config #(.NumProfiles(NumProfiles)) u_config (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .we_i           (cfg_write_s1),
    .profile_i      (profile_s1),
    .addr_i         (ev_s1_q.addr),
    .data_i         (ev_s1_q.data),
    .rdata_o        (cfg_rdata_s1),
    .write_refused_o(write_refused_s1),
    .read_refused_o (read_refused_s1),
    .regs_o         (cfg_s1),
    .time_shift_o   (time_shift)
  );

  always_ff @(posedge clk_i) begin
    cfg_s2_q   <= cfg_s1;
    cfg_s3_q   <= cfg_s2_q;
    cfg_s4_q   <= cfg_s3_q;
    cfg_s5_q   <= cfg_s4_q;
    cfg_s6_q   <= cfg_s5_q;
    cfg_s7_q   <= cfg_s6_q;
    cfg_s8_q   <= cfg_s7_q;
    write_s3_q <= write_s2;
  end

  // ---------------------------------------------------------------- dispatch
  logic        open_s2;
  logic        new_data_s2;
  logic        send_s2;
  logic        ack_s2;
  logic        nack_s2;
  logic        loss_s2;
  logic        bind_s2;
  logic        probe_s2;
  logic        pull_s2;
  logic        read_s2;
  logic        no_context_s2;
  logic        refused_s2;
  logic [15:0] load_s2;

  ccc_dispatch #(
    .NumContexts(NumContexts),
    .RowW       (RowW),
    .NumPdcs    (NumPdcs),
    .NumProfiles(NumProfiles)
  ) u_dispatch (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .sweep_done_i      (sweep_done),
    .sweep_row_i       (sweep_row),
    .vld_s1_i          (vld_q[1]),
    .kind_s1_i         (ev_s1_q.kind),
    .ctx_s1_i          (ev_s1_q.ctx),
    .row_s1_i          (row_s1),
    .pdc_s1_i          (ev_s1_q.pdc),
    .addr_s1_i         (ev_s1_q.addr),
    .profile_s1_i      (profile_s1),
    .write_refused_s1_i(write_refused_s1),
    .read_refused_s1_i (read_refused_s1),
    .credit_on_s1_i    (cfg_s1.CTRL[1]),
    .cfg_write_s1_o    (cfg_write_s1),
    .cfg_read_s1_o     (cfg_read_s1),
    .open_s2_o         (open_s2),
    .new_data_s2_o     (new_data_s2),
    .send_s2_o         (send_s2),
    .ack_s2_o          (ack_s2),
    .nack_s2_o         (nack_s2),
    .loss_s2_o         (loss_s2),
    .bind_s2_o         (bind_s2),
    .probe_s2_o        (probe_s2),
    .pull_s2_o         (pull_s2),
    .read_s2_o         (read_s2),
    .load_s2_o         (load_s2),
    .write_s2_o        (write_s2),
    .no_context_s2_o   (no_context_s2),
    .refused_s2_o      (refused_s2),
    .row_s3_i          (row_s3_q)
  );

  logic       trimmed_s2;    // the reason of the event, whatever its kind
  logic       lasthop_s2;
  logic       trim_s2;       // NACK of a trimmed packet
  logic       adjust_s2;     // NACK that adjusts the window
  logic [2:0] lb_s2;

  assign trimmed_s2 = (ev_s2_q.reason == ccc_pkg::REASON_TRIMMED);
  assign lasthop_s2 = (ev_s2_q.reason == ccc_pkg::REASON_TRIMMED_LASTHOP);
  assign trim_s2    = nack_s2 & (trimmed_s2 | lasthop_s2);
  assign adjust_s2  = nack_s2 & (trimmed_s2 | (lasthop_s2 & ~cfg_s2_q.CTRL[1]));

  always_comb begin
    lb_s2 = ccc_pkg::LB_NONE;
    if (loss_s2)                    lb_s2 = ccc_pkg::LB_TIMEOUT;
    else if (nack_s2 && trimmed_s2) lb_s2 = ccc_pkg::LB_NACK;
    else if (ack_s2 || nack_s2)     lb_s2 = ev_s2_q.m ? ccc_pkg::LB_ECN : ccc_pkg::LB_NO_ECN;
  end

  // ---------------------------------------------------------------- the two halves of the state
  logic [63:0] measure_word_s2;
  logic [63:0] control_word_s2;
  logic [22:0] units_s3;
  logic        stale_s3;
  logic        sample_s3;
  logic        judged_s3;
  logic        base_fell_s3;
  logic [31:0] base_rtt_s3;
  logic [31:0] delay_s3;
  logic [31:0] inflight_s5;
  logic [31:0] old_max_wnd_s5;
  logic [31:0] max_wnd_s5;
  logic [47:0] avg_s6;
  logic [47:0] excess_s6;
  logic        above_s6;
  logic        saturated_s6;
  logic        underflow_s6;
  logic        no_work_s6;
  logic        no_pkts_s6;
  logic        spec_ended_s6;
  logic        granted_s6;
  logic        spent_s6;
  logic        last_s6;
  logic [23:0] target_s11;
  logic [31:0] cwnd_s3;

  ccc_measure #(.NumContexts(NumContexts), .RowW(RowW), .NumPdcs(NumPdcs)) u_measure (
    .clk_i                (clk_i),
    .rst_ni               (rst_ni),
    .cfg_time_shift_i     (time_shift),
    .cfg_s2_i             (cfg_s2_q),
    .cfg_s3_i             (cfg_s3_q),
    .cfg_s4_i             (cfg_s4_q),
    .cfg_s5_i             (cfg_s5_q),
    .cfg_s7_i             (cfg_s7_q),
    .row_s1_i             (row_s1),
    .ev_s1_i              (ev_s1_q),
    .open_s2_i            (open_s2),
    .new_data_s2_i        (new_data_s2),
    .send_s2_i            (send_s2),
    .ack_s2_i             (ack_s2),
    .nack_s2_i            (nack_s2),
    .loss_s2_i            (loss_s2),
    .bind_s2_i            (bind_s2),
    .probe_s2_i           (probe_s2),
    .pull_s2_i            (pull_s2),
    .trim_s2_i            (trim_s2),
    .load_s2_i            (load_s2),
    .write_s2_i           (write_s2),
    .ev_s2_i              (ev_s2_q),
    .word_s2_o            (measure_word_s2),
    .cwnd_s3_i            (cwnd_s3),
    .units_s3_o           (units_s3),
    .stale_s3_o           (stale_s3),
    .sample_s3_o          (sample_s3),
    .judged_s3_o          (judged_s3),
    .base_fell_s3_o       (base_fell_s3),
    .base_rtt_s3_o        (base_rtt_s3),
    .delay_s3_o           (delay_s3),
    .inflight_s5_o        (inflight_s5),
    .old_max_wnd_s5_o     (old_max_wnd_s5),
    .max_wnd_s5_o         (max_wnd_s5),
    .avg_s6_o             (avg_s6),
    .excess_s6_o          (excess_s6),
    .above_s6_o           (above_s6),
    .saturated_s6_o       (saturated_s6),
    .underflow_s6_o       (underflow_s6),
    .no_work_s6_o         (no_work_s6),
    .no_pkts_s6_o         (no_pkts_s6),
    .spec_ended_s6_o      (spec_ended_s6),
    .granted_s6_o         (granted_s6),
    .spent_s6_o           (spent_s6),
    .last_s6_o            (last_s6),
    .target_s11_o         (target_s11)
  );

  logic [1:0]  state_s3;
  logic [3:0]  action_s8;
  logic        rcv_limit_s8;
  logic        saved_s8;
  logic        restored_s8;
  logic        qa_window_s8;
  logic        qa_fired_s8;
  logic        ignored_s8;
  logic        md_applied_s8;
  logic        fulfilled_s8;
  logic        eta_applied_s8;
  logic        saturated_s8;
  logic [31:0] cwnd_s34;
  logic        saturated_s34;
  logic        write_s35;
  logic [1:0]  state_s35;
  logic [31:0] cwnd_s35;
  ccc_rsp_t    rsp_s35;

  ccc_control #(.NumContexts(NumContexts), .RowW(RowW)) u_control (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .cfg_s2_i           (cfg_s2_q),
    .cfg_s3_i           (cfg_s3_q),
    .cfg_s4_i           (cfg_s4_q),
    .cfg_s5_i           (cfg_s5_q),
    .cfg_s6_i           (cfg_s6_q),
    .cfg_s7_i           (cfg_s7_q),
    .cfg_s8_i           (cfg_s8_q),
    .row_s1_i           (row_s1),
    .open_s2_i          (open_s2),
    .ack_s2_i           (ack_s2),
    .nack_s2_i          (nack_s2),
    .loss_s2_i          (loss_s2),
    .trim_s2_i          (trim_s2),
    .adjust_s2_i        (adjust_s2),
    .load_s2_i          (load_s2),
    .write_s2_i         (write_s2),
    .ev_s2_i            (ev_s2_q),
    .profile_s2_i       (profile_s2),
    .word_s2_o          (control_word_s2),
    .units_s3_i         (units_s3),
    .judged_s3_i        (judged_s3),
    .base_rtt_s3_i      (base_rtt_s3),
    .delay_s3_i         (delay_s3),
    .inflight_s5_i      (inflight_s5),
    .old_max_wnd_s5_i   (old_max_wnd_s5),
    .max_wnd_s5_i       (max_wnd_s5),
    .avg_s6_i           (avg_s6),
    .excess_s6_i        (excess_s6),
    .above_s6_i         (above_s6),
    .state_s3_o         (state_s3),
    .cwnd_s3_o          (cwnd_s3),
    .action_s8_o        (action_s8),
    .rcv_limit_s8_o     (rcv_limit_s8),
    .saved_s8_o         (saved_s8),
    .restored_s8_o      (restored_s8),
    .qa_window_s8_o     (qa_window_s8),
    .qa_fired_s8_o      (qa_fired_s8),
    .ignored_s8_o       (ignored_s8),
    .md_applied_s8_o    (md_applied_s8),
    .fulfilled_s8_o     (fulfilled_s8),
    .eta_applied_s8_o   (eta_applied_s8),
    .saturated_s8_o     (saturated_s8),
    .cwnd_s34_o         (cwnd_s34),
    .saturated_s34_o    (saturated_s34),
    .write_s35_i        (vld_q[Last] & write_s35),
    .row_s35_i          (rsp_s35.ctx[RowW-1:0]),
    .state_s35_i        (state_s35),
    .cwnd_s35_i         (cwnd_s35)
  );

  // ---------------------------------------------------------------- response
  logic [63:0] cfg_rdata_s2_q;
  logic        cfg_read_s2_q;
  logic [63:0] data_s2;
  logic [31:0] inflight_s6_q;
  logic [3:0]  kind_s3_q;
  logic [15:0] ctx_s3_q;
  logic [15:0] entropy_s3_q;
  logic [2:0]  lb_s3_q;
  logic        update_s3_q;
  logic        no_context_s3_q;
  logic        refused_s3_q;
  logic [63:0] data_s3_q;

  // At most one of the two reads: a register file word or a state word, else 0.
  assign data_s2 = read_s2 ? (measure_word_s2 | control_word_s2)
                 : cfg_read_s2_q ? cfg_rdata_s2_q : 64'b0;

  always_ff @(posedge clk_i) begin
    cfg_rdata_s2_q  <= cfg_rdata_s1;
    cfg_read_s2_q   <= cfg_read_s1;
    inflight_s6_q   <= inflight_s5;
    kind_s3_q       <= ev_s2_q.kind;
    ctx_s3_q        <= ev_s2_q.ctx;
    entropy_s3_q    <= ev_s2_q.entropy;
    lb_s3_q         <= lb_s2;
    update_s3_q     <= new_data_s2 | send_s2 | ack_s2 | nack_s2 | loss_s2 | bind_s2 | probe_s2
                     | pull_s2;
    no_context_s3_q <= no_context_s2;
    refused_s3_q    <= refused_s2;
    data_s3_q       <= data_s2;
  end

  ccc_respond u_respond (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .cfg_s8_i         (cfg_s8_q),
    .kind_s3_i        (kind_s3_q),
    .ctx_s3_i         (ctx_s3_q),
    .entropy_s3_i     (entropy_s3_q),
    .lb_s3_i          (lb_s3_q),
    .update_s3_i      (update_s3_q),
    .write_s3_i       (write_s3_q),
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
    .saturated_s6_i   (saturated_s6),
    .underflow_s6_i   (underflow_s6),
    .no_work_s6_i     (no_work_s6),
    .no_pkts_s6_i     (no_pkts_s6),
    .spec_ended_s6_i  (spec_ended_s6),
    .granted_s6_i     (granted_s6),
    .spent_s6_i       (spent_s6),
    .last_s6_i        (last_s6),
    .action_s8_i      (action_s8),
    .saturated_s8_i   (saturated_s8),
    .rcv_limit_s8_i   (rcv_limit_s8),
    .saved_s8_i       (saved_s8),
    .restored_s8_i    (restored_s8),
    .qa_window_s8_i   (qa_window_s8),
    .qa_fired_s8_i    (qa_fired_s8),
    .ignored_s8_i     (ignored_s8),
    .md_applied_s8_i  (md_applied_s8),
    .fulfilled_s8_i   (fulfilled_s8),
    .eta_applied_s8_i (eta_applied_s8),
    .target_s11_i     (target_s11),
    .cwnd_s34_i       (cwnd_s34),
    .saturated_s34_i  (saturated_s34),
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

`ifdef GW_ASSERT
  // What the latency of the schema promises and the stages below deliver must be one number.
  a_latency: assert property (@(posedge clk_i) disable iff (!rst_ni)
      issue |-> (Last == 35))
    else $error("ccc: the stages are laid out for a latency of 36");
  a_sweep: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !sweep_done |-> (!issue && !rsp_valid_o))
    else $error("ccc: activity during the sweep");
`endif
endmodule
