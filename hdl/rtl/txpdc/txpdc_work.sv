// Whether a PDC has anything to send, and which packet is sent again first.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    txpdc/contract.md "State of a PDC": limit, again, fresh, work.
module txpdc_work (
  input  logic         valid_i,
  input  logic         closing_i,
  input  logic         stopped_i,
  input  logic [7:0]   mpr_i,
  input  logic [7:0]   n_i,         // outstanding
  input  logic         left_i,      // not 0
  input  logic [127:0] acked_i,
  input  logic [127:0] marked_i,
  output logic [7:0]   limit_o,
  output logic [6:0]   place_o,     // of the lowest packet that waits to be sent again
  output logic         again_o,     // and it may
  output logic         work_o
);
  localparam int WindowMax = txpdc_pkg::WINDOW;
  localparam logic [7:0] Window = WindowMax[7:0];

  logic [127:0] waits;
  logic         any;
  logic         open;

  assign waits = marked_i & ~acked_i & ~({128{1'b1}} << n_i);

  gw_first_one #(.Width(128), .IndexW(7)) u_first (
    .ones_i (waits),
    .any_o  (any),
    .index_o(place_o)
  );

  assign open    = valid_i & ~closing_i & ~stopped_i;
  assign limit_o = ((mpr_i == '0) | (mpr_i > Window)) ? Window : mpr_i;
  assign again_o = open & any & ({1'b0, place_o} < limit_o);
  assign work_o  = again_o | (open & left_i & (n_i < limit_o));
endmodule
