// One value a port, and beside it the value at the last tick of a period.
//
// Latency:     a write holds from the next cycle on; so does the value of a tick.
// Throughput:  one write and two reads a cycle; a tick takes every port at once.
// Comb. paths: port_i to old_o; read_*_i to held_*_o.
// Reset:       init_i writes one row a cycle; a tick beside it puts nothing aside.
// Contract:    intmd/contract.md "Clock, counters, table".
//
// A tick does not copy: a value is put aside only when it is first overwritten after a tick. So a
// tick costs one bit a port, and both tables are memories.
module intmd_table #(
  parameter int Width    = 64,
  parameter int NumPorts = 4,
  parameter int PortW    = 2
) (
  input  logic             clk_i,
  input  logic             init_i,
  input  logic [PortW-1:0] init_row_i,
  input  logic [Width-1:0] init_data_i,
  input  logic             tick_i,
  input  logic             we_i,
  input  logic [PortW-1:0] port_i,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] old_o,        // value of port_i now
  input  logic [PortW-1:0] read_a_i,
  output logic [Width-1:0] held_a_o,     // value at the last tick
  input  logic [PortW-1:0] read_b_i,
  output logic [Width-1:0] held_b_o
);
  localparam int Rows = 1 << PortW;

  logic [Width-1:0] now_q  [0:NumPorts-1];
  logic [Width-1:0] held_q [0:NumPorts-1];
  logic [Rows-1:0]  newer_q;               // now_q has changed since the last tick

  assign old_o    = now_q[port_i];
  assign held_a_o = newer_q[read_a_i] ? held_q[read_a_i] : now_q[read_a_i];
  assign held_b_o = newer_q[read_b_i] ? held_q[read_b_i] : now_q[read_b_i];

  always_ff @(posedge clk_i) begin
    if (init_i)    now_q[init_row_i] <= init_data_i;
    else if (we_i) now_q[port_i] <= data_i;
    if (we_i && (tick_i || !newer_q[port_i])) held_q[port_i] <= old_o;
  end

  always_ff @(posedge clk_i) begin
    if (tick_i) newer_q <= '0;
    // What is written in the cycle of a tick comes after it.
    if (we_i) newer_q[port_i] <= 1'b1;
  end
endmodule
