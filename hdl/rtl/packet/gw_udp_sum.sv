// UDP checksum from the sum of the words that it covers.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    RFC 768: 0 means that there is none, so that a sum of 0 is sent as ones. A packet
//              without a checksum stays without one.
module gw_udp_sum (
  input  logic [23:0] sum_i,        // of words with swapped bytes
  input  logic        used_i,       // the packet has a checksum
  output logic [15:0] check_o       // as it stands
);
  logic [15:0] folded;
  logic [15:0] sum;

  gw_fold u_fold (.sum_i(sum_i), .sum_o(folded));

  assign sum     = ~folded;
  assign check_o = !used_i ? 16'h0000 : ((sum == '0) ? 16'hffff : sum);
endmodule
