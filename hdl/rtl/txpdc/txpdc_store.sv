// State of every PDC, and size and stamp of the packets that it may have outstanding.
//
// Latency:     words one cycle after their address.
// Throughput:  one read and one write a cycle.
// Comb. paths: none.
// Reset:       none; the sweep writes 0 everywhere before a job can run.
// Contract:    txpdc/contract.md "State of a PDC"; schema.yaml, words. A read never meets a write:
//              jobs run one at a time. A state is closed_at, rcvd, sum, left, outstanding, una,
//              start, peer, mpr, tries, stopped, closing, syn, valid; bits are resent, marked,
//              acked.
module txpdc_store #(
  parameter int Pdcs = 16,
  parameter int PdcW = 4,               // clog2(Pdcs)
  parameter int RowW = 11               // of a packet: PdcW + clog2(WINDOW)
) (
  input  logic            clk_i,
  input  logic            sweep_i,
  input  logic [RowW-1:0] sweep_row_i,
  input  logic [PdcW-1:0] pdc_i,        // to be read
  output logic [222:0]    state_o,
  output logic [383:0]    bits_o,
  input  logic            we_i,
  input  logic [PdcW-1:0] wpdc_i,       // to be written
  input  logic [222:0]    state_i,
  input  logic [383:0]    bits_i,
  input  logic [6:0]      packet_i,     // of wpdc_i: to be read, and to be written
  output logic [15:0]     size_o,
  output logic [31:0]     stamp_o,
  input  logic            size_we_i,
  input  logic [15:0]     size_i,
  input  logic            stamp_we_i,
  input  logic [31:0]     stamp_i
);
  localparam int Packets = Pdcs * txpdc_pkg::WINDOW;

  logic [PdcW-1:0] wpdc;
  logic [RowW-1:0] row, wrow;

  assign wpdc = sweep_i ? sweep_row_i[RowW-1:7] : wpdc_i;
  assign row  = {wpdc_i, packet_i};
  assign wrow = sweep_i ? sweep_row_i : row;

  gw_sdp_ram #(.Width(607), .Rows(Pdcs), .AddrW(PdcW)) u_pdcs (
    .clk_i  (clk_i),
    .we_i   (sweep_i | we_i),
    .waddr_i(wpdc),
    .wdata_i(sweep_i ? 607'b0 : {bits_i, state_i}),
    .raddr_i(pdc_i),
    .rdata_o({bits_o, state_o})
  );

  gw_sdp_ram #(.Width(16), .Rows(Packets), .AddrW(RowW)) u_sizes (
    .clk_i  (clk_i),
    .we_i   (sweep_i | size_we_i),
    .waddr_i(wrow),
    .wdata_i(sweep_i ? 16'b0 : size_i),
    .raddr_i(row),
    .rdata_o(size_o)
  );

  gw_sdp_ram #(.Width(32), .Rows(Packets), .AddrW(RowW)) u_stamps (
    .clk_i  (clk_i),
    .we_i   (sweep_i | stamp_we_i),
    .waddr_i(wrow),
    .wdata_i(sweep_i ? 32'b0 : stamp_i),
    .raddr_i(row),
    .rdata_o(stamp_o)
  );
endmodule
