// Search for a key, a row of PDCs at a time.
//
// Latency:     the result holds in the second cycle after the last row, which is c1 of the job.
// Throughput:  one row a cycle.
// Comb. paths: none from an input to an output.
// Reset:       start_i forgets the search before.
// Contract:    ackgen/contract.md "Job of a packet" 1: the lowest PDC with the key, and the lowest
//              that is not valid.
module ackgen_find #(
  parameter int PdcW  = 4,
  parameter int Lanes = 16,
  parameter int Rows  = 1,
  parameter int RowW  = 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 start_i,    // before the first row
  input  logic                 row_vld_i,  // a row is looked at
  input  logic [RowW-1:0]      row_i,
  input  logic [146*Lanes-1:0] keys_i,     // its keys: valid, ipv6, spdcid, src
  input  logic [144:0]         key_i,      // ipv6, spdcid, src
  output logic                 found_o,
  output logic [PdcW-1:0]      found_pdc_o,
  output logic                 free_o,
  output logic [PdcW-1:0]      free_pdc_o
);
  localparam int LaneW = $clog2(Lanes);

  // ---------------------------------------------------------------- a row: compared
  logic             vld_q;
  logic [RowW-1:0]  row_q;
  logic [Lanes-1:0] equal, equal_q;
  logic [Lanes-1:0] empty, empty_q;

  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    assign empty[k] = ~keys_i[146*k+145];
    assign equal[k] = ~empty[k] & (keys_i[146*k +: 145] == key_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) vld_q <= 1'b0;
    else         vld_q <= row_vld_i;
  end

  always_ff @(posedge clk_i) begin
    if (row_vld_i) begin
      row_q   <= row_i;
      equal_q <= equal;
      empty_q <= empty;
    end
  end

  // ---------------------------------------------------------------- one cycle later: the first one
  logic             equal_any, empty_any;
  logic [LaneW-1:0] equal_lane, empty_lane;
  logic [PdcW-1:0]  equal_pdc, empty_pdc;
  logic             found_q, free_q;       // in the rows before
  logic [PdcW-1:0]  found_pdc_q, free_pdc_q;

  gw_first_one #(.Width(Lanes), .IndexW(LaneW)) u_equal (
    .ones_i (equal_q),
    .any_o  (equal_any),
    .index_o(equal_lane)
  );

  gw_first_one #(.Width(Lanes), .IndexW(LaneW)) u_empty (
    .ones_i (empty_q),
    .any_o  (empty_any),
    .index_o(empty_lane)
  );

  if (Rows > 1) begin : gen_rows
    assign equal_pdc = {row_q, equal_lane};
    assign empty_pdc = {row_q, empty_lane};
  end else begin : gen_row
    assign equal_pdc = equal_lane;
    assign empty_pdc = empty_lane;

    logic unused;
    assign unused = ^row_q;
  end

  assign found_o     = found_q | (vld_q & equal_any);
  assign found_pdc_o = found_q ? found_pdc_q : equal_pdc;
  assign free_o      = free_q | (vld_q & empty_any);
  assign free_pdc_o  = free_q ? free_pdc_q : empty_pdc;

  always_ff @(posedge clk_i) begin
    found_q     <= found_o & ~start_i;
    found_pdc_q <= found_pdc_o;
    free_q      <= free_o & ~start_i;
    free_pdc_q  <= free_pdc_o;
  end
endmodule
