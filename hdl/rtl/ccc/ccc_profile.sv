// Profile of the contexts, and which profile's registers an event is judged by.
//
// Latency:     state read in the cycle of the issue (stage 0), profile in stage 1, state written in
//              stage 3.
// Throughput:  one event a cycle.
// Comb. paths: kind_s1_i, addr_s1_i, profile_s1_i, load_s1_i to profile_s1_o.
// Reset:       none; a context is set up by OPEN.
// Contract:    ccc/contract.md "Registers and profiles"; "Dispatch" 9; OPEN; word 0 (profile).
//
// One stage before the rest of the state, so that the registers stand beside it in stage 2. An OPEN
// and a LOAD of word 0 are judged by the profile that they bring; whether they act is known later.
module ccc_profile #(
  parameter int NumContexts = 256,
  parameter int RowW        = 8
) (
  input  logic            clk_i,
  input  logic [RowW-1:0] row_s0_i,
  input  logic [3:0]      kind_s1_i,
  input  logic [4:0]      addr_s1_i,
  input  logic [3:0]      profile_s1_i,   // of the event
  input  logic [3:0]      load_s1_i,      // of the word, if it is a LOAD of word 0
  output logic [3:0]      profile_s1_o,
  output logic [3:0]      profile_s2_o,   // after the event
  input  logic            write_s3_i,
  input  logic [RowW-1:0] row_s3_i
);
  logic [3:0] stored_s1;
  logic       named_s1;     // the event names its profile
  logic       loaded_s1;    // the word brings it
  logic [3:0] profile_s3_q;

  gw_sdp_ram #(.Width(4), .Rows(NumContexts), .AddrW(RowW)) u_profile (
    .clk_i  (clk_i),
    .we_i   (write_s3_i),
    .waddr_i(row_s3_i),
    .wdata_i(profile_s3_q),
    .raddr_i(row_s0_i),
    .rdata_o(stored_s1)
  );

  assign named_s1     = (kind_s1_i == ccc_pkg::KIND_OPEN) | (kind_s1_i == ccc_pkg::KIND_CFG_WRITE)
                      | (kind_s1_i == ccc_pkg::KIND_CFG_READ);
  assign loaded_s1    = (kind_s1_i == ccc_pkg::KIND_LOAD) & (addr_s1_i == ccc_pkg::WORD_PROFILE);
  assign profile_s1_o = named_s1 ? profile_s1_i : loaded_s1 ? load_s1_i : stored_s1;

  always_ff @(posedge clk_i) begin
    profile_s2_o <= profile_s1_o;
    profile_s3_q <= profile_s2_o;
  end
endmodule
