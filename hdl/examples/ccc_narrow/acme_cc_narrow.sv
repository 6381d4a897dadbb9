// The engine of ccc_foreign at shorter word lengths: formats.yaml beside this file has them as a
// table, README.md what they cost. Ports, reset and timing are those of acme_cc_engine.
//
// Latency 6 to about 300 clocks, one request at a time. No combinational path from an input to an
// output. arst: asynchronous, active high.
module acme_cc_narrow #(
  parameter int FLOWS      = 256,
  parameter int CONNS      = 4,
  parameter int PROFILES   = 8,
  parameter int AVG_FRAC   = 8,   // avg_delay UQ32.8
  parameter int GAIN_FRAC  = 16,  // EWMA_GAIN UQ0.16
  parameter int ALPHA_FRAC = 10,  // ALPHA UQ16.10
  parameter int GAMMA_FRAC = 12,  // GAMMA UQ0.12
  parameter int JUMP_FRAC  = 8,   // MAX_MD_JUMP UQ0.8
  parameter int RATIO_FRAC = 16   // ratio UQ1.16, as in the contract
) (
  input  logic                           clk,
  input  logic                           arst,
  input  logic                           req_valid,
  output logic                           req_ready,
  input  logic [acme_cc_pkg::REQ_W-1:0]  req_bits,
  output logic                           resp_valid,
  input  logic                           resp_ready,
  output logic [acme_cc_pkg::RESP_W-1:0] resp_bits
);
  acme_cc_engine #(
    .FLOWS     (FLOWS),
    .CONNS     (CONNS),
    .PROFILES  (PROFILES),
    .AVG_FRAC  (AVG_FRAC),
    .GAIN_FRAC (GAIN_FRAC),
    .ALPHA_FRAC(ALPHA_FRAC),
    .GAMMA_FRAC(GAMMA_FRAC),
    .JUMP_FRAC (JUMP_FRAC),
    .RATIO_FRAC(RATIO_FRAC)
  ) u_engine (
    .clk       (clk),
    .arst      (arst),
    .req_valid (req_valid),
    .req_ready (req_ready),
    .req_bits  (req_bits),
    .resp_valid(resp_valid),
    .resp_ready(resp_ready),
    .resp_bits (resp_bits)
  );
endmodule
