// Queue length in units of 80 bytes, saturated to 16 bits.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    intmd/contract.md "Clock, counters, table": floor(q / 80) by one product, exact
//              where it does not saturate.
module intmd_qlen (
  input  logic [27:0] sixteens_i,     // length in units of 16 bytes, rounded down
  output logic [15:0] units_o
);
  logic [39:0] product;
  logic        over;

  assign product = {20'b0, sixteens_i[19:0]} * 40'd838861;
  assign over    = (sixteens_i >= 28'd327680);
  assign units_o = over ? 16'hffff : product[37:22];

  // The fraction is dropped.
  logic unused;
  assign unused = (^product[39:38]) ^ (^product[21:0]);
endmodule
