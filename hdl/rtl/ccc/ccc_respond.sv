// Back of the ccc block: carries results past the dividers, makes the view and the response.
//
// Latency:     inputs of stages 3, 6, 8, 11 and 34; the response stands in stage 35.
// Throughput:  one event a cycle.
// Comb. paths: none.
// Reset:       none; payload only.
// Contract:    ccc/contract.md "Dispatch" (what a response holds), "update_state".
module ccc_respond (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  ccc_regs_t   cfg_s8_i,
  // stage 3
  input  logic [3:0]  kind_s3_i,
  input  logic [15:0] ctx_s3_i,
  input  logic [15:0] entropy_s3_i,
  input  logic [2:0]  lb_s3_i,
  input  logic        update_s3_i,      // update_state runs
  input  logic        write_s3_i,       // it acts: its context is written and shown
  input  logic        no_context_s3_i,
  input  logic        refused_s3_i,
  input  logic        stale_s3_i,
  input  logic        sample_s3_i,
  input  logic        base_fell_s3_i,
  input  logic [1:0]  state_s3_i,
  input  logic [31:0] base_rtt_s3_i,
  input  logic [31:0] delay_s3_i,
  input  logic [63:0] data_s3_i,
  // stage 6
  input  logic [31:0] inflight_s6_i,
  input  logic [47:0] avg_s6_i,
  input  logic        saturated_s6_i,   // by then
  input  logic        underflow_s6_i,
  input  logic        no_work_s6_i,
  input  logic        no_pkts_s6_i,
  input  logic        spec_ended_s6_i,
  input  logic        granted_s6_i,
  input  logic        spent_s6_i,
  input  logic        last_s6_i,
  // stage 8
  input  logic [3:0]  action_s8_i,
  input  logic        saturated_s8_i,   // since then
  input  logic        rcv_limit_s8_i,
  input  logic        saved_s8_i,
  input  logic        restored_s8_i,
  input  logic        qa_window_s8_i,
  input  logic        qa_fired_s8_i,
  input  logic        ignored_s8_i,
  input  logic        md_applied_s8_i,
  input  logic        fulfilled_s8_i,
  input  logic        eta_applied_s8_i,
  // stage 11
  input  logic [23:0] target_s11_i,
  // stage 34
  input  logic [31:0] cwnd_s34_i,
  input  logic        saturated_s34_i,
  // stage 35
  output logic        write_s35_o,
  output logic [1:0]  state_s35_o,
  output logic [31:0] cwnd_s35_o,
  output ccc_rsp_t    rsp_s35_o
);
  localparam int FactW = 4 + 16 + 16 + 3 + 2 + 7;
  localparam int EarlyW = 48 + 8;
  localparam int DoneW = 4 + 10 + 1 + 16 + 32;

  // ---------------------------------------------------------------- carried to stage 34
  logic [3:0]  kind;
  logic [15:0] ctx;
  logic [15:0] entropy;
  logic [2:0]  lb;
  logic [1:0]  old_state;
  logic        update;
  logic        write;
  logic        no_context;
  logic        refused;
  logic        stale;
  logic        sample;
  logic        base_fell;
  logic [31:0] base_rtt;
  logic [31:0] delay;
  logic [63:0] data;
  logic [31:0] inflight;
  logic [47:0] avg;
  logic        saturated_early;
  logic        underflow;
  logic        no_work;
  logic        no_pkts;
  logic        spec_ended;
  logic        granted;
  logic        spent;
  logic        last;
  logic [3:0]  action;
  logic        saturated_late;
  logic        rcv_limit;
  logic        saved;
  logic        restored;
  logic        qa_window;
  logic        qa_fired;
  logic        ignored;
  logic        md_applied;
  logic        fulfilled;
  logic        eta_applied;
  logic        no_window;
  logic [15:0] mtu;
  logic [31:0] ack_trigger;
  logic [23:0] target;

  gw_delay #(.Width(FactW), .Depth(31)) u_facts (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .d_i   ({kind_s3_i, ctx_s3_i, entropy_s3_i, lb_s3_i, state_s3_i, update_s3_i,
             write_s3_i, no_context_s3_i, refused_s3_i, stale_s3_i, sample_s3_i, base_fell_s3_i}),
    .q_o   ({kind, ctx, entropy, lb, old_state, update,
             write, no_context, refused, stale, sample, base_fell})
  );

  gw_delay #(.Width(64), .Depth(31)) u_times (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .d_i   ({base_rtt_s3_i, delay_s3_i}),
    .q_o   ({base_rtt, delay})
  );

  gw_delay #(.Width(64), .Depth(31)) u_data (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .d_i   (data_s3_i),
    .q_o   (data)
  );

  gw_delay #(.Width(EarlyW), .Depth(28)) u_average (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .d_i   ({avg_s6_i, saturated_s6_i, underflow_s6_i, no_work_s6_i, no_pkts_s6_i,
             spec_ended_s6_i, granted_s6_i, spent_s6_i, last_s6_i}),
    .q_o   ({avg, saturated_early, underflow, no_work, no_pkts, spec_ended, granted, spent, last})
  );

  gw_delay #(.Width(32), .Depth(28)) u_inflight (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .d_i   (inflight_s6_i),
    .q_o   (inflight)
  );

  gw_delay #(.Width(DoneW), .Depth(26)) u_done (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .d_i   ({action_s8_i, saturated_s8_i, rcv_limit_s8_i, saved_s8_i, restored_s8_i, qa_window_s8_i,
             qa_fired_s8_i, ignored_s8_i, md_applied_s8_i, fulfilled_s8_i, eta_applied_s8_i,
             cfg_s8_i.CTRL[1] & cfg_s8_i.CTRL[3], cfg_s8_i.MTU, cfg_s8_i.ACK_GEN_TRIGGER}),
    .q_o   ({action, saturated_late, rcv_limit, saved, restored, qa_window,
             qa_fired, ignored, md_applied, fulfilled, eta_applied, no_window, mtu, ack_trigger})
  );

  gw_delay #(.Width(24), .Depth(23)) u_target (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .d_i   (target_s11_i),
    .q_o   (target)
  );

  // ---------------------------------------------------------------- stage 34: view
  logic       can_send;
  logic       ack_request;
  logic [1:0] state;

  ccc_view u_view (
    .mtu_i        (mtu),
    .ack_trigger_i(ack_trigger),
    .cwnd_i       (cwnd_s34_i),
    .inflight_i   (inflight),
    .no_window_i  (no_window),
    .spent_i      (spent),
    .last_i       (last),
    .update_i     (update),
    .old_state_i  (old_state),
    .no_work_i    (no_work),
    .no_pkts_i    (no_pkts),
    .can_send_o   (can_send),
    .ack_request_o(ack_request),
    .state_o      (state)
  );

  always_ff @(posedge clk_i) begin
    write_s35_o <= write;
    state_s35_o <= state;
    cwnd_s35_o  <= cwnd_s34_i;

    rsp_s35_o.kind        <= kind;
    rsp_s35_o.ctx         <= ctx;
    rsp_s35_o.entropy     <= entropy;
    rsp_s35_o.action      <= action;
    rsp_s35_o.lb          <= lb;
    rsp_s35_o.state       <= write ? state : '0;
    rsp_s35_o.cwnd        <= write ? cwnd_s34_i : '0;
    rsp_s35_o.inflight    <= write ? inflight : '0;
    rsp_s35_o.base_rtt    <= write ? base_rtt : '0;
    rsp_s35_o.delay       <= delay;
    rsp_s35_o.avg_delay   <= write ? avg : '0;
    rsp_s35_o.can_send    <= write & can_send;
    rsp_s35_o.ack_request <= write & ack_request;
    rsp_s35_o.no_context  <= no_context;
    rsp_s35_o.refused     <= refused;
    rsp_s35_o.saturated   <= saturated_early | saturated_late | saturated_s34_i;
    rsp_s35_o.underflow   <= underflow;
    rsp_s35_o.stale       <= stale;
    rsp_s35_o.rtt_valid   <= sample;
    rsp_s35_o.base_fell   <= base_fell;
    rsp_s35_o.rcv_limit   <= rcv_limit;
    rsp_s35_o.saved       <= saved;
    rsp_s35_o.restored    <= restored;
    rsp_s35_o.qa_window   <= qa_window;
    rsp_s35_o.qa_fired    <= qa_fired;
    rsp_s35_o.ignored     <= ignored;
    rsp_s35_o.md_applied  <= md_applied;
    rsp_s35_o.fulfilled   <= fulfilled;
    rsp_s35_o.eta_applied <= eta_applied;
    rsp_s35_o.spec_ended  <= spec_ended;
    rsp_s35_o.granted     <= granted;
    rsp_s35_o.target      <= target;
    rsp_s35_o.data        <= data;
  end
endmodule
