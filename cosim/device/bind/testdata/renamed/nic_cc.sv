// The ccc block as another team might wrap it: one command word, a packed struct for the results, an
// active-high asynchronous reset, an inverted and a split port.
typedef struct packed {
  logic [31:0] window;
  logic signed [31:0] flying;
  logic [47:0] average;
  logic [17:0] flags;
} nic_result_t;

module nic_cc #(
  parameter int Flows = 256
) (
  input  logic clock,
  input  logic areset,
  input  logic scan_en,
  // command: kind, context, PDC, profile
  input  logic req_n,
  output logic gnt,
  input  logic [27:0] cmd,
  input  logic [15:0] stamp_hi,
  input  logic [31:0] stamp_lo,
  input  logic [31:0] len,
  input  logic [0:31] bytes256,  // is_rtx, m, then rcvd_bytes in the last 24
  input  logic [15:0] acked,
  input  logic [15:0] unmarked,
  input  logic [31:0] unmarked_bytes,
  input  logic [15:0] ev,
  input  logic sent_known,
  input  logic [47:0] sent_at,
  input  logic [1:0] sent_again,
  input  logic [15:0] svc,
  input  logic [16:0] misc,  // retx, pend, rc, reason
  input  logic [4:0] reg_addr,
  input  logic [63:0] reg_wdata,
  input  logic [40:0] pull,  // no_credit, share, credit
  // result
  output logic res_vld,
  input  logic res_rdy,
  output logic [35:0] res_id,
  output logic [3:0] res_action,
  output logic [2:0] res_lb,
  output logic [1:0] res_state,
  output nic_result_t res,
  output logic [31:0] res_base,
  output logic [31:0] res_delay,
  output logic [63:0] reg_rdata,
  output logic [25:0] res_pull  // spec_ended, granted, target
);
  ccc_ev_t ev_s;
  ccc_rsp_t rsp_s;

  assign ev_s = {
    cmd, stamp_hi, stamp_lo, len, bytes256[6], bytes256[8:31], acked, unmarked, unmarked_bytes,
    bytes256[7], ev, sent_known, sent_at, sent_again, svc, misc, reg_addr, reg_wdata,
    pull
  };
  assign res_id = {rsp_s.kind, rsp_s.ctx, rsp_s.entropy};
  assign res_action = rsp_s.action;
  assign res_lb = rsp_s.lb;
  assign res_state = rsp_s.state;
  assign res_base = rsp_s.base_rtt;
  assign res_delay = rsp_s.delay;
  assign reg_rdata = rsp_s.data;
  assign res_pull = {rsp_s.spec_ended, rsp_s.granted, rsp_s.target};
  assign res = {
    rsp_s.cwnd, rsp_s.inflight, rsp_s.avg_delay,
    rsp_s.can_send, rsp_s.ack_request, rsp_s.no_context, rsp_s.refused, rsp_s.saturated, rsp_s.underflow,
    rsp_s.stale, rsp_s.rtt_valid, rsp_s.base_fell, rsp_s.rcv_limit, rsp_s.saved, rsp_s.restored,
    rsp_s.qa_window, rsp_s.qa_fired, rsp_s.ignored, rsp_s.md_applied, rsp_s.fulfilled, rsp_s.eta_applied
  };

  ccc #(
    .NumContexts(Flows)
  ) u_ccc (
    .clk_i(clock),
    .rst_ni(~areset),
    .ev_valid_i(~req_n & ~scan_en),
    .ev_ready_o(gnt),
    .ev_i(ev_s),
    .rsp_valid_o(res_vld),
    .rsp_ready_i(res_rdy),
    .rsp_o(rsp_s)
  );
endmodule
