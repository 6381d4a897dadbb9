// Ones' complement sum of an Internet checksum, folded into 16 bits.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    RFC 1071; trimmer/contract.md and intmd/contract.md, checksums. Two rounds suffice
//              for 24 bits.
module gw_fold (
  input  logic [23:0] sum_i,
  output logic [15:0] sum_o
);
  logic [16:0] once;

  assign once  = {1'b0, sum_i[15:0]} + {9'b0, sum_i[23:16]};
  assign sum_o = once[15:0] + {15'b0, once[16]};
endmodule
