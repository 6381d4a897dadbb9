// The PDC of a job: found, read, or opened.
//
// Latency:     of a packet's job: chosen in c1, read in c2, at the outputs from c3 on; of a cfg
//              event's: chosen in k0, at the outputs in k2.
// Throughput:  one job at a time.
// Comb. paths: none from an input to an output.
// Reset:       none that counts; the sweep writes 0 to every PDC.
// Contract:    ackgen/contract.md "Job of a packet" 1, "Words", "Timing" (the sweep).
//
// A key is valid, ipv6, spdcid, src. A state is want_close, refuse, rod, started, asking, ce,
// start, cack, rcvd, pending, asked, seen.
module ackgen_pdc #(
  parameter int Pdcs  = 16,
  parameter int PdcW  = 4,            // clog2(Pdcs)
  parameter int Lanes = 16,           // PDCs in a row of keys
  parameter int Rows  = 1,
  parameter int RowW  = 1             // clog2(Rows), at least 1
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            sweep_i,    // PDC sweep_pdc_i becomes 0
  input  logic [PdcW-1:0] sweep_pdc_i,
  // jobs
  input  logic            start_i,
  input  logic            scan_i,
  input  logic [RowW-1:0] scan_row_i,
  input  logic [2:1]      step_i,     // c1, c2
  input  logic            cfg_start_i,
  input  logic            cfg_step_i, // k1
  input  logic [PdcW-1:0] cfg_pdc_i,  // k0
  // the request, from the cycle after its start on
  input  logic            syn_i,
  input  logic            cp_i,
  input  logic            rod_i,
  input  logic            ipv6_i,
  input  logic [127:0]    src_i,
  input  logic [15:0]     spdcid_i,
  input  logic [15:0]     dpdcid_i,
  input  logic [31:0]     psn_i,
  // c3, k2
  output logic            missing_o,  // there is no such PDC
  output logic            opened_o,   // there was none, and one is opened
  output logic [PdcW-1:0] pdc_o,
  output logic [145:0]    key_o,
  output logic [421:0]    state_o,
  output logic [31:0]     d_o,        // psn - u
  output logic            other_o,    // its start is not that of a packet with syn
  // c5, k2
  input  logic            key_we_i,
  input  logic            state_we_i,
  input  logic [145:0]    key_i,
  input  logic [421:0]    state_i
);
  localparam int LaneW = $clog2(Lanes);

  // ---------------------------------------------------------------- c1, k0: which PDC
  logic            found;
  logic [PdcW-1:0] found_pdc;
  logic            free;
  logic [PdcW-1:0] free_pdc;
  logic [15:0]     wanted;
  logic            outside;
  logic [PdcW-1:0] pdc;
  logic [RowW-1:0] row;

  assign wanted  = dpdcid_i - 16'd1;
  assign outside = (wanted[15:PdcW] != '0);
  assign pdc     = !step_i[1] ? cfg_pdc_i :
                   !syn_i     ? wanted[PdcW-1:0] :
                   found      ? found_pdc : free_pdc;

  if (Rows > 1) begin : gen_rows
    assign row = scan_i  ? scan_row_i + 1'b1 :
                 start_i ? '0 : pdc[PdcW-1:LaneW];
  end else begin : gen_row
    assign row = '0;
  end

  always_ff @(posedge clk_i) begin
    if (step_i[1] || cfg_start_i) pdc_o <= pdc;
    if (step_i[1]) begin
      missing_o <= syn_i ? (~found & (cp_i | ~free)) : outside;
      opened_o  <= syn_i & ~found & ~cp_i & free;
    end
  end

  // ---------------------------------------------------------------- c2, k1: its words
  logic [146*Lanes-1:0] keys;
  logic [421:0]         state;
  logic [LaneW-1:0]     lane;
  logic [145:0]         key;
  logic                 fresh;
  logic [31:0]          offset;         // psn_offset
  logic [31:0]          start;

  assign lane   = pdc_o[LaneW-1:0];
  assign fresh  = step_i[2] & opened_o;
  assign offset = {20'b0, dpdcid_i[11:0]};
  assign start  = psn_i - offset;

  function automatic logic [145:0] key_of(input logic [146*Lanes-1:0] row_keys,
                                          input logic [LaneW-1:0] number);
    logic [145:0] one;
    one = row_keys[145:0];
    for (int k = 1; k < Lanes; k++) begin
      if (number == k[LaneW-1:0]) one = row_keys[146*k +: 146];
    end
    key_of = one;
  endfunction

  assign key = key_of(keys, lane);

  always_ff @(posedge clk_i) begin
    if (step_i[2] || cfg_step_i) begin
      key_o   <= fresh ? {1'b1, ipv6_i, spdcid_i, src_i} : key;
      state_o <= fresh ? {2'b00, rod_i, 3'b000, start, psn_i + ~offset, 352'b0} : state;
      d_o     <= fresh ? offset : psn_i + ~state[383:352];
      other_o <= (state[415:384] != start) & ~fresh;
    end
  end

  // ---------------------------------------------------------------- memories
  logic            key_we;
  logic            state_we;
  logic [PdcW-1:0] wpdc;

  assign key_we   = sweep_i | key_we_i;
  assign state_we = sweep_i | state_we_i;
  assign wpdc     = sweep_i ? sweep_pdc_i : pdc_o;

  ackgen_store #(.Pdcs(Pdcs), .PdcW(PdcW), .Lanes(Lanes), .RowW(RowW)) u_store (
    .clk_i     (clk_i),
    .row_i     (row),
    .keys_o    (keys),
    .pdc_i     (pdc),
    .state_o   (state),
    .key_we_i  (key_we),
    .state_we_i(state_we),
    .wpdc_i    (wpdc),
    .key_i     (sweep_i ? 146'b0 : key_i),
    .state_i   (sweep_i ? 422'b0 : state_i)
  );

  ackgen_find #(.PdcW(PdcW), .Lanes(Lanes), .Rows(Rows), .RowW(RowW)) u_find (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .start_i    (start_i),
    .row_vld_i  (scan_i),
    .row_i      (scan_row_i),
    .keys_i     (keys),
    .key_i      ({ipv6_i, spdcid_i, src_i}),
    .found_o    (found),
    .found_pdc_o(found_pdc),
    .free_o     (free),
    .free_pdc_o (free_pdc)
  );
endmodule
