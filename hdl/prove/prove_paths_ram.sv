// gw_sdp_ram by itself, for its paths: the reset is there because the row asks for one.
module prove_paths_ram (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       we_i,
  input  logic [1:0] waddr_i,
  input  logic [7:0] wdata_i,
  input  logic [1:0] raddr_i,
  output logic [7:0] rdata_o,
  output logic       up_o
);
  gw_sdp_ram #(.Width(8), .Rows(4), .AddrW(2)) dut (
    .clk_i  (clk_i),
    .we_i   (we_i),
    .waddr_i(waddr_i),
    .wdata_i(wdata_i),
    .raddr_i(raddr_i),
    .rdata_o(rdata_o)
  );

  assign up_o = rst_ni;
endmodule
