// RAM with one write port and one read port that sees the write of its own cycle.
//
// Latency:     read data one cycle after the address.
// Throughput:  one read and one write a cycle. A read of the row being written gives the new word.
// Comb. paths: none.
// Reset:       none; contents are arbitrary until written.
// Contract:    timing.md "Reset and sweep": what was never written is never visible, which is the
//              user's duty. A stage that reads here and writes back one cycle later is never stale.
module gw_fwd_ram #(
  parameter int Width = 32,
  parameter int Rows  = 256,
  parameter int AddrW = 8     // clog2(Rows), at least 1
) (
  input  logic             clk_i,
  input  logic             we_i,
  input  logic [AddrW-1:0] waddr_i,
  input  logic [Width-1:0] wdata_i,
  input  logic [AddrW-1:0] raddr_i,
  output logic [Width-1:0] rdata_o
);
  logic [Width-1:0] mem_q [0:Rows-1];
  logic [Width-1:0] rdata_q;

  always_ff @(posedge clk_i) begin
    if (we_i) mem_q[waddr_i] <= wdata_i;
    rdata_q <= (we_i && (waddr_i == raddr_i)) ? wdata_i : mem_q[raddr_i];
  end

  assign rdata_o = rdata_q;
endmodule
