// RAM with one write port and two read ports that see the write of their own cycle.
//
// Latency:     read data one cycle after the address.
// Throughput:  two reads and one write a cycle. A read of the row being written gives the new word.
// Comb. paths: none.
// Reset:       none; contents are arbitrary until written.
// Contract:    timing.md "Reset and sweep": what was never written is never visible, which is the
//              user's duty. A stage that reads here and writes back one cycle later is never stale.
// Not two gw_fwd_ram side by side: that would hold every bit twice.
module gw_fwd_ram2 #(
  parameter int Width = 32,
  parameter int Rows  = 256,
  parameter int AddrW = 8     // clog2(Rows), at least 1
) (
  input  logic             clk_i,
  input  logic             we_i,
  input  logic [AddrW-1:0] waddr_i,
  input  logic [Width-1:0] wdata_i,
  input  logic [AddrW-1:0] raddr_a_i,
  output logic [Width-1:0] rdata_a_o,
  input  logic [AddrW-1:0] raddr_b_i,
  output logic [Width-1:0] rdata_b_o
);
  logic [Width-1:0] mem_q [0:Rows-1];
  logic [Width-1:0] rdata_a_q;
  logic [Width-1:0] rdata_b_q;

  always_ff @(posedge clk_i) begin
    if (we_i) mem_q[waddr_i] <= wdata_i;
    rdata_a_q <= (we_i && (waddr_i == raddr_a_i)) ? wdata_i : mem_q[raddr_a_i];
    rdata_b_q <= (we_i && (waddr_i == raddr_b_i)) ? wdata_i : mem_q[raddr_b_i];
  end

  assign rdata_a_o = rdata_a_q;
  assign rdata_b_o = rdata_b_q;
endmodule
