// The slot of a context that has the turn: of those that send again if there are any, else of those
// with work, the first from next on.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    txpdc/contract.md "Turn".
module txpdc_pick (
  input  logic [1:0] next_i,
  input  logic [3:0] again_i,
  input  logic [3:0] work_i,
  output logic       again_o,
  output logic [1:0] slot_o
);
  logic [3:0] some;
  logic [6:0] turned;            // twice the slots, from next on

  assign again_o = |again_i;
  assign some    = again_o ? again_i : work_i;
  assign turned  = {some[2:0], some} >> next_i;
  assign slot_o  = turned[0] ? next_i :
                   turned[1] ? next_i + 2'd1 :
                   turned[2] ? next_i + 2'd2 : next_i + 2'd3;

  logic unused;
  assign unused = ^turned[6:3];
endmodule
