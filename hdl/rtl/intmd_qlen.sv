// Queue length in units of 80 bytes, saturated to 16 bits.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    intmd/contract.md "Clock, counters, table": floor(q / 80) by one product, exact
//              where it does not saturate.
module intmd_qlen (
  input  logic [31:0] bytes_i,
  output logic [15:0] units_o
);
  logic [39:0] product;
  logic        over;

  assign product = {20'b0, bytes_i[23:4]} * 40'd838861;
  assign over    = (bytes_i >= 32'd5242880);
  assign units_o = over ? 16'hffff : product[37:22];

  // 80 is 16 * 5: the lowest four bits do not matter; the fraction is dropped.
  logic unused;
  assign unused = (^bytes_i[3:0]) ^ (^product[39:38]) ^ (^product[21:0]);
endmodule
