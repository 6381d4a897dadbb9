// The congestion-control decision of an event: quadrant, increase kind, fulfil, action code.
//
// Latency:     none, combinational (stage 7).
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    ccc/contract.md ACK 8, 12, 13, 14 (conditions); NACK 4; LOSS (action).
module ccc_quadrant (
  input  logic       ack_i,
  input  logic       judged_i,        // it has a delay to judge it by
  input  logic       nack_i,
  input  logic       adjust_i,        // NACK that adjusts the window
  input  logic       loss_i,
  input  logic       m_i,
  input  logic       pend_i,          // receiver flow control in force
  input  logic       fired_i,         // quick adapt set the window
  input  logic       ignored_i,       // quick adapt found stale feedback
  input  logic       low_i,           // delay < target
  input  logic       flat_i,          // delay < FAST_DELAY
  input  logic       ramp_i,          // fi_count > cwnd or increase
  input  logic       time_due_i,
  input  logic       bytes_due_i,
  output logic       calm_o,          // fast_increase is called
  output logic       fast_o,          // and acted
  output logic       add_o,           // FAIR or PROP
  output logic       md_o,
  output logic       shrink_o,        // cwnd loses size
  output logic       fulfil_o,
  output logic       eta_o,
  output logic [3:0] action_o
);
  logic acted;
  logic quad;
  logic grow;

  assign acted    = fired_i | ignored_i;
  assign quad     = ack_i & judged_i & ~acted;
  assign grow     = quad & ~m_i & ~pend_i;
  assign calm_o   = grow & low_i;
  assign fast_o   = calm_o & flat_i & ramp_i;
  assign add_o    = grow & ~fast_o;
  assign md_o     = quad & m_i & ~low_i;
  assign shrink_o = loss_i | (nack_i & adjust_i & ~acted);
  assign fulfil_o = quad & (time_due_i | bytes_due_i);
  assign eta_o    = quad & time_due_i;

  always_comb begin
    action_o = ccc_pkg::ACTION_NONE;
    if (ack_i) begin
      if (!judged_i)      action_o = ccc_pkg::ACTION_NO_RTT;
      else if (ignored_i) action_o = ccc_pkg::ACTION_IGNORE;
      else if (fired_i)   action_o = ccc_pkg::ACTION_QA;
      else if (m_i)       action_o = low_i ? ccc_pkg::ACTION_NOOP : ccc_pkg::ACTION_MD;
      else if (pend_i)    action_o = ccc_pkg::ACTION_RCV_LIMIT;
      else if (fast_o)    action_o = ccc_pkg::ACTION_FAST;
      else                action_o = low_i ? ccc_pkg::ACTION_PROP : ccc_pkg::ACTION_FAIR;
    end else if (nack_i) begin
      if (!adjust_i)      action_o = ccc_pkg::ACTION_NOOP;
      else if (ignored_i) action_o = ccc_pkg::ACTION_IGNORE;
      else if (fired_i)   action_o = ccc_pkg::ACTION_QA;
      else                action_o = ccc_pkg::ACTION_NACK_DEC;
    end else if (loss_i) begin
      action_o = ccc_pkg::ACTION_LOSS_DEC;
    end
  end
endmodule
