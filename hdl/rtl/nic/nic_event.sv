// Event of ccc for an action of txpdc and what txstate answered.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    nic/contract.md "Join", the table.
module nic_event (
  input  txpdc_act_t   act_i,
  input  txstate_rsp_t times_i,    // looked at with tx = 1
  output logic         any_o,      // it has an event
  output ccc_ev_t      ev_o
);
  logic timed;      // an ACK or a NACK of a packet whose times txstate had

  assign timed = act_i.tx & ((act_i.kind == nic_pkg::ACT_ACKED) |
                             (act_i.kind == nic_pkg::ACT_NACKED));

  always_comb begin
    any_o     = 1'b1;
    ev_o      = '0;
    ev_o.ctx  = {2'b0, act_i.pdc[15:2]};
    ev_o.now  = act_i.now;
    unique case (act_i.kind)
      nic_pkg::ACT_OPENED: begin
        ev_o.kind = ccc_pkg::KIND_BIND;
        ev_o.pdc  = {2'b0, act_i.pdc[1:0]};
        ev_o.size = act_i.size;
      end
      nic_pkg::ACT_MESSAGE: begin
        ev_o.kind = ccc_pkg::KIND_NEW_DATA;
        ev_o.size = act_i.size;
      end
      nic_pkg::ACT_SENT: begin
        ev_o.kind   = ccc_pkg::KIND_SEND;
        ev_o.size   = act_i.size;
        ev_o.is_rtx = act_i.is_rtx;
      end
      nic_pkg::ACT_ACKED: begin
        ev_o.kind         = ccc_pkg::KIND_ACK;
        ev_o.pdc          = {2'b0, act_i.pdc[1:0]};
        ev_o.rcvd_bytes   = act_i.rcvd_bytes;
        ev_o.acked_pkts   = {8'b0, act_i.acked_pkts};
        ev_o.unmark_pkts  = {8'b0, act_i.unmark_pkts};
        ev_o.unmark_bytes = {8'b0, act_i.unmark_bytes};
        ev_o.m            = act_i.m;
        ev_o.entropy      = act_i.entropy;
        ev_o.service_time = act_i.service_time;
        ev_o.retx         = act_i.retx;
        ev_o.pend         = act_i.pend;
        ev_o.rc           = act_i.rc;
      end
      nic_pkg::ACT_NACKED: begin
        ev_o.kind    = ccc_pkg::KIND_NACK;
        ev_o.size    = act_i.size;
        ev_o.m       = act_i.m;
        ev_o.entropy = act_i.entropy;
        ev_o.retx    = act_i.retx;
        ev_o.reason  = act_i.code;
      end
      nic_pkg::ACT_LOST: begin
        ev_o.kind = ccc_pkg::KIND_LOSS;
        ev_o.size = act_i.size;
      end
      default: any_o = 1'b0;   // CLOSING, FREED, STOPPED
    endcase
    if (timed) begin
      ev_o.tx_valid  = times_i.found;
      ev_o.tx_time   = times_i.tx_time;
      ev_o.rtx_count = times_i.rtx_count;
    end
  end

  // Fields of an action for the packet and the note; of the response for the note and a command.
  logic unused;
  assign unused = (^act_i.psn) ^ act_i.syn ^ (^act_i.psn_offset) ^ act_i.ar ^ act_i.eom ^
                  (^act_i.peer) ^ act_i.done ^ (^times_i.kind) ^ (^times_i.pdc) ^ (^times_i.psn) ^
                  times_i.rtt_valid ^ (^times_i.rtt) ^ times_i.evicted ^ times_i.unknown_rtx ^
                  times_i.no_pdc ^ times_i.refused;
endmodule
