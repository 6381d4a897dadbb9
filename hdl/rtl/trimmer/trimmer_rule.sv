// Whether a packet can be trimmed to a size: the last steps of the trimmer's list.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    trimmer/contract.md "Decision" 7 to 9, from what gw_uet_walk found. The switch port
//              applies the same rule before it queues a packet.
module trimmer_rule (
  input  logic [3:0]  walk_i,       // first rule broken in steps 2 to 7, 0: none
  input  logic        any_port_i,   // the UDP port does not count
  input  logic [4:0]  type_i,       // UET type
  input  logic [8:0]  size_i,       // bytes that would be left
  input  logic [15:0] end_i,        // where the IP packet ends
  output logic [3:0]  cause_o       // why it cannot be trimmed, NONE: it can
);
  logic       request;
  logic [3:0] walk;

  assign request = (type_i == 5'd2) | (type_i == 5'd3) | (type_i == 5'd13) | (type_i == 5'd14);

  // The port is the last thing that the walk checks: without that cause, none is left.
  assign walk    = (any_port_i & (walk_i == trimmer_pkg::CAUSE_PORT)) ? trimmer_pkg::CAUSE_NONE :
                                                                        walk_i;
  assign cause_o = (walk != trimmer_pkg::CAUSE_NONE) ? walk :
                   !request                          ? trimmer_pkg::CAUSE_TYPE :
                   ({7'b0, size_i} >= end_i)         ? trimmer_pkg::CAUSE_SHORT :
                                                       trimmer_pkg::CAUSE_NONE;
endmodule
