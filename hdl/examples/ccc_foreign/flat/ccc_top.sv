// The engine under the flat ports of the ccc block: only names, directions and the polarity of
// reset differ. Adds no latency.
module ccc_top #(
  parameter int NumContexts = 256,
  parameter int NumPdcs = 4,
  parameter int NumProfiles = 8
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic ev_valid_i,
  output logic ev_ready_o,
  input  logic [3:0] ev_kind_i,
  input  logic [15:0] ev_ctx_i,
  input  logic [3:0] ev_pdc_i,
  input  logic [3:0] ev_profile_i,
  input  logic [47:0] ev_now_i,
  input  logic [31:0] ev_size_i,
  input  logic ev_is_rtx_i,
  input  logic [23:0] ev_rcvd_bytes_i,
  input  logic [15:0] ev_acked_pkts_i,
  input  logic [15:0] ev_unmark_pkts_i,
  input  logic [31:0] ev_unmark_bytes_i,
  input  logic ev_m_i,
  input  logic [15:0] ev_entropy_i,
  input  logic ev_tx_valid_i,
  input  logic [47:0] ev_tx_time_i,
  input  logic [1:0] ev_rtx_count_i,
  input  logic [15:0] ev_service_time_i,
  input  logic ev_retx_i,
  input  logic [6:0] ev_pend_i,
  input  logic ev_rc_i,
  input  logic [7:0] ev_reason_i,
  input  logic [4:0] ev_addr_i,
  input  logic [63:0] ev_data_i,
  input  logic ev_no_credit_i,
  input  logic [15:0] ev_share_i,
  input  logic [23:0] ev_credit_i,
  output logic rsp_valid_o,
  input  logic rsp_ready_i,
  output logic [3:0] rsp_kind_o,
  output logic [15:0] rsp_ctx_o,
  output logic [15:0] rsp_entropy_o,
  output logic [3:0] rsp_action_o,
  output logic [2:0] rsp_lb_o,
  output logic [1:0] rsp_state_o,
  output logic [31:0] rsp_cwnd_o,
  output logic [31:0] rsp_inflight_o,
  output logic [31:0] rsp_base_rtt_o,
  output logic [31:0] rsp_delay_o,
  output logic [47:0] rsp_avg_delay_o,
  output logic rsp_can_send_o,
  output logic rsp_ack_request_o,
  output logic rsp_no_context_o,
  output logic rsp_refused_o,
  output logic rsp_saturated_o,
  output logic rsp_underflow_o,
  output logic rsp_stale_o,
  output logic rsp_rtt_valid_o,
  output logic rsp_base_fell_o,
  output logic rsp_rcv_limit_o,
  output logic rsp_saved_o,
  output logic rsp_restored_o,
  output logic rsp_qa_window_o,
  output logic rsp_qa_fired_o,
  output logic rsp_ignored_o,
  output logic rsp_md_applied_o,
  output logic rsp_fulfilled_o,
  output logic rsp_eta_applied_o,
  output logic rsp_spec_ended_o,
  output logic rsp_granted_o,
  output logic [23:0] rsp_target_o,
  output logic [63:0] rsp_data_o
);

  acme_req_t  rq;
  acme_resp_t rp;
  logic [acme_cc_pkg::RESP_W-1:0] bits;

  assign rq.wdata    = ev_data_i;
  assign rq.waddr    = ev_addr_i;
  assign rq.op       = ev_kind_i;
  assign rq.flow     = ev_ctx_i;
  assign rq.prof     = ev_profile_i;
  assign rq.conn     = ev_pdc_i;
  assign rq.path     = ev_entropy_i;
  assign rq.t_now    = ev_now_i;
  assign rq.t_tx     = ev_tx_time_i;
  assign rq.t_tx_ok  = ev_tx_valid_i;
  assign rq.tries    = ev_rtx_count_i;
  assign rq.resent   = ev_retx_i;
  assign rq.svc      = ev_service_time_i;
  assign rq.ecn      = ev_m_i;
  assign rq.bytes    = ev_size_i;
  assign rq.again    = ev_is_rtx_i;
  assign rq.rx_total = ev_rcvd_bytes_i;
  assign rq.acked    = ev_acked_pkts_i;
  assign rq.un_pkts  = ev_unmark_pkts_i;
  assign rq.un_bytes = ev_unmark_bytes_i;
  assign rq.pend     = ev_pend_i;
  assign rq.restore  = ev_rc_i;
  assign rq.why      = ev_reason_i;
  assign rq.unpaid   = ev_no_credit_i;
  assign rq.share    = ev_share_i;
  assign rq.pull     = ev_credit_i;
  assign rp          = bits;
  assign rsp_data_o = rp.rdata;
  assign rsp_kind_o = rp.op;
  assign rsp_ctx_o = rp.flow;
  assign rsp_entropy_o = rp.path;
  assign rsp_action_o = rp.act;
  assign rsp_lb_o = rp.lb;
  assign rsp_state_o = rp.sched;
  assign rsp_can_send_o = rp.may_send;
  assign rsp_ack_request_o = rp.want_ack;
  assign rsp_cwnd_o = rp.wnd;
  assign rsp_inflight_o = rp.fly;
  assign rsp_base_rtt_o = rp.base;
  assign rsp_delay_o = rp.qd;
  assign rsp_avg_delay_o = rp.avg;
  assign rsp_no_context_o = rp.marks[0];
  assign rsp_refused_o = rp.marks[1];
  assign rsp_saturated_o = rp.marks[2];
  assign rsp_underflow_o = rp.marks[3];
  assign rsp_stale_o = rp.marks[4];
  assign rsp_rtt_valid_o = rp.marks[5];
  assign rsp_base_fell_o = rp.marks[6];
  assign rsp_rcv_limit_o = rp.marks[7];
  assign rsp_saved_o = rp.marks[8];
  assign rsp_restored_o = rp.marks[9];
  assign rsp_qa_window_o = rp.marks[10];
  assign rsp_qa_fired_o = rp.marks[11];
  assign rsp_ignored_o = rp.marks[12];
  assign rsp_md_applied_o = rp.marks[13];
  assign rsp_fulfilled_o = rp.marks[14];
  assign rsp_eta_applied_o = rp.marks[15];
  assign rsp_granted_o = rp.late[0];
  assign rsp_spec_ended_o = rp.late[1];
  assign rsp_target_o = rp.target;

  acme_cc_engine #(.FLOWS(NumContexts), .CONNS(NumPdcs), .PROFILES(NumProfiles)) u_engine (
    .clk       (clk_i),
    .arst      (!rst_ni),
    .req_valid (ev_valid_i),
    .req_ready (ev_ready_o),
    .req_bits  (rq),
    .resp_valid(rsp_valid_o),
    .resp_ready(rsp_ready_i),
    .resp_bits (bits)
  );
endmodule
