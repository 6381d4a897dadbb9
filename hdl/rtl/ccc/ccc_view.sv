// View of the context after the event: scheduling state, can_send, ack_request.
//
// Latency:     none, combinational (stage 34).
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    ccc/contract.md "Dispatch" (raw functions) and "update_state".
module ccc_view (
  input  logic [15:0] mtu_i,
  input  logic [31:0] ack_trigger_i,
  input  logic [31:0] cwnd_i,
  input  logic [31:0] inflight_i,     // two's complement
  input  logic        no_window_i,    // the window does not hold packets back
  input  logic        spent_i,        // credit is on and used up
  input  logic        last_i,         // credit is on and backlog is 0
  input  logic        update_i,       // update_state runs
  input  logic [1:0]  old_state_i,
  input  logic        no_work_i,      // backlog and waiting_rtx are 0
  input  logic        no_pkts_i,      // inflight_pkts is 0
  output logic        can_send_o,
  output logic        ack_request_o,
  output logic [1:0]  state_o
);
  logic [33:0] room;    // cwnd - inflight, two's complement
  logic [33:0] mtu;
  logic        fits;

  assign room          = {2'b0, cwnd_i} - {{2{inflight_i[31]}}, inflight_i};
  assign mtu           = {18'b0, mtu_i};
  assign fits          = ~room[33] & (room >= mtu);
  assign can_send_o    = (no_window_i | fits) & ~spent_i;
  assign ack_request_o = (~no_window_i & (~fits | (cwnd_i < ack_trigger_i))) | last_i | spent_i;

  always_comb begin
    state_o = old_state_i;
    if (update_i) begin
      if (no_work_i) state_o = no_pkts_i ? ccc_pkg::STATE_IDLE : ccc_pkg::STATE_PENDING;
      else           state_o = can_send_o ? ccc_pkg::STATE_READY : ccc_pkg::STATE_ACTIVE;
    end
  end
endmodule
