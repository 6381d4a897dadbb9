// State of every PDC: its key, by which a row of them is compared at a time, and the rest.
//
// Latency:     words one cycle after their address.
// Throughput:  one read and one write a cycle.
// Comb. paths: none.
// Reset:       none; the sweep writes 0 everywhere before a job can run.
// Contract:    ackgen/contract.md "Words". A read never meets a write: jobs run one at a time.
module ackgen_store #(
  parameter int Pdcs  = 16,
  parameter int PdcW  = 4,            // clog2(Pdcs)
  parameter int Lanes = 16,           // PDCs in a row of keys
  parameter int RowW  = 1             // clog2(Pdcs / Lanes), at least 1
) (
  input  logic                 clk_i,
  input  logic [RowW-1:0]      row_i,      // keys to be read
  output logic [146*Lanes-1:0] keys_o,     // each: valid, ipv6, spdcid, src
  input  logic [PdcW-1:0]      pdc_i,      // state to be read
  output logic [421:0]         state_o,
  input  logic                 key_we_i,
  input  logic                 state_we_i,
  input  logic [PdcW-1:0]      wpdc_i,
  input  logic [145:0]         key_i,
  input  logic [421:0]         state_i
);
  localparam int Rows  = Pdcs / Lanes;
  localparam int LaneW = $clog2(Lanes);

  logic [RowW-1:0] wrow;

  if (Rows > 1) begin : gen_rows
    assign wrow = wpdc_i[PdcW-1:LaneW];
  end else begin : gen_row
    assign wrow = '0;
  end

  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    localparam logic [LaneW-1:0] Lane = k[LaneW-1:0];
    logic we;
    assign we = key_we_i & (wpdc_i[LaneW-1:0] == Lane);

    gw_sdp_ram #(.Width(146), .Rows(Rows), .AddrW(RowW)) u_key (
      .clk_i  (clk_i),
      .we_i   (we),
      .waddr_i(wrow),
      .wdata_i(key_i),
      .raddr_i(row_i),
      .rdata_o(keys_o[146*k +: 146])
    );
  end

  gw_sdp_ram #(.Width(422), .Rows(Pdcs), .AddrW(PdcW)) u_state (
    .clk_i  (clk_i),
    .we_i   (state_we_i),
    .waddr_i(wpdc_i),
    .wdata_i(state_i),
    .raddr_i(pdc_i),
    .rdata_o(state_o)
  );
endmodule
