// Saturating counter step: y = x + step, x - step or x, kept inside 0 .. 2^Width - 1.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    ccc/contract.md "State of a context": sat32, sat48 and sub0 with their flags.
module gw_updown #(
  parameter int Width = 32
) (
  input  logic [Width-1:0] x_i,
  input  logic [Width-1:0] step_i,
  input  logic             add_i,
  input  logic             sub_i,   // not together with add_i
  output logic [Width-1:0] y_o,
  output logic             saturated_o,
  output logic             underflow_o
);
  logic [Width:0] up;

  assign up          = {1'b0, x_i} + {1'b0, step_i};
  assign saturated_o = add_i & up[Width];
  assign underflow_o = sub_i & (step_i > x_i);

  always_comb begin
    y_o = x_i;
    if (add_i)      y_o = up[Width] ? '1 : up[Width-1:0];
    else if (sub_i) y_o = underflow_o ? '0 : (x_i - step_i);
  end
endmodule
