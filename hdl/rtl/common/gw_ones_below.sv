// How many ones a vector has below its lowest zero.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    trimmer/contract.md "Beats": the bytes that count in the last beat, 0 to 64.
module gw_ones_below (
  input  logic [63:0] keep_i,
  output logic [6:0]  count_o
);
  logic [31:0] k32;
  logic [15:0] k16;
  logic [7:0]  k8;
  logic [3:0]  k4;
  logic [1:0]  k2;
  logic        k1;
  logic        n0;
  logic        n1;
  logic        n2;
  logic        n3;
  logic        n4;
  logic        n5;

  // Halve: where the low half is all ones, the rest of the count is in the high half.
  assign n5  = &keep_i[31:0];
  assign k32  = n5 ? keep_i[63:32] : keep_i[31:0];
  assign n4  = &k32[15:0];
  assign k16  = n4 ? k32[31:16] : k32[15:0];
  assign n3  = &k16[7:0];
  assign k8   = n3 ? k16[15:8] : k16[7:0];
  assign n2  = &k8[3:0];
  assign k4   = n2 ? k8[7:4] : k8[3:0];
  assign n1  = &k4[1:0];
  assign k2   = n1 ? k4[3:2] : k4[1:0];
  assign n0  = k2[0];
  assign k1   = n0 ? k2[1] : 1'b0;

  // All but the topmost place are counted by n; 64 is the one number that needs k1.
  assign count_o = {1'b0, n5, n4, n3, n2, n1, n0} + {6'b0, k1};
endmodule
