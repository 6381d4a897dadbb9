// What becomes of a request: the first rule that applies.
//
// Latency:     inputs of c3, outputs from c4 on.
// Throughput:  one job at a time.
// Comb. paths: none.
// Reset:       none; payload only.
// Contract:    ackgen/contract.md "Job of a packet" 1 to 4. A key is valid, ipv6, spdcid, src.
module ackgen_verdict (
  input  logic         clk_i,
  input  logic         step_i,       // c3
  // registers
  input  logic [7:0]   mpr_i,
  input  logic [5:0]   trimmed_i,
  input  logic [5:0]   lasthop_i,
  // the request
  input  logic         cp_i,
  input  logic [3:0]   ctl_type_i,
  input  logic         rod_i,
  input  logic         syn_i,
  input  logic [5:0]   dscp_i,
  input  logic         ipv6_i,
  input  logic [127:0] src_i,
  input  logic [15:0]  spdcid_i,
  // its PDC
  input  logic         missing_i,
  input  logic [145:0] key_i,
  input  logic         pdc_rod_i,
  input  logic         refuse_i,
  input  logic [255:0] seen_i,
  input  logic [31:0]  d_i,
  input  logic         other_i,      // it has another start
  // c4
  output logic [2:0]   verdict_o,
  output logic [7:0]   nack_code_o,
  output logic         has_pdc_o
);
  localparam logic [3:0] AckReq = 4'd1;
  localparam logic [3:0] Close  = 4'd4;

  logic         invalid;
  logic         wrong;
  logic         far;                 // d is 256 or above
  logic         arrived;
  logic         beyond;
  logic         early;               // a control packet before the PDC
  logic [255:1] above;               // bits of seen above d, where that is below 256
  logic         below;               // psn is below something that has arrived
  logic [7:0]   nack_pdc;            // of steps 1 and 2
  logic [7:0]   nack_data;
  logic [7:0]   nack_cp;
  logic [7:0]   nack;
  logic [2:0]   verdict;

  // A PDC that the search found, or that is opened, is valid and of this source.
  assign invalid  = missing_i | ~key_i[145];
  assign wrong    = (key_i[144:0] != {ipv6_i, spdcid_i, src_i});
  assign early    = invalid & syn_i & cp_i;
  assign nack_pdc = (invalid & ~syn_i)   ? ackgen_pkg::NACK_CODE_INV_DPDCID :
                    invalid              ? ackgen_pkg::NACK_CODE_NO_PDC :
                    wrong                ? ackgen_pkg::NACK_CODE_PDC_HDR_MISMATCH :
                    (syn_i & other_i)    ? ackgen_pkg::NACK_CODE_NEW_START_PSN :
                    (pdc_rod_i != rod_i) ? ackgen_pkg::NACK_CODE_PDC_MODE_MISMATCH :
                                           ackgen_pkg::NACK_CODE_NONE;

  assign far       = (d_i[31:8] != '0);
  assign arrived   = d_i[31] | (~far & seen_i[d_i[7:0]]);
  assign beyond    = far | (d_i[7:0] >= mpr_i);
  assign nack_data = arrived               ? ackgen_pkg::NACK_CODE_NONE :
                     beyond                ? ackgen_pkg::NACK_CODE_PSN_OOR :
                     (refuse_i & ~below)   ? ackgen_pkg::NACK_CODE_CLOSING :
                     (dscp_i == trimmed_i) ? ackgen_pkg::NACK_CODE_TRIMMED :
                     (dscp_i == lasthop_i) ? ackgen_pkg::NACK_CODE_TRIMMED_LASTHOP :
                     (rod_i & (d_i != '0)) ? ackgen_pkg::NACK_CODE_ROD_OOO :
                                             ackgen_pkg::NACK_CODE_NONE;
  assign nack_cp   = ((ctl_type_i == Close) & ((d_i != '0) | (seen_i != '0))) ?
                     ackgen_pkg::NACK_CODE_PKT_NOT_RCVD : ackgen_pkg::NACK_CODE_NONE;

  for (genvar k = 1; k < 256; k++) begin : gen_above
    localparam logic [7:0] Place = k[7:0];
    assign above[k] = seen_i[k] & (d_i[7:0] < Place);
  end
  assign below = (above != '0);

  assign nack    = early ? ackgen_pkg::NACK_CODE_NONE :
                   (nack_pdc != ackgen_pkg::NACK_CODE_NONE) ? nack_pdc :
                   cp_i                                     ? nack_cp : nack_data;
  assign verdict = early ? ackgen_pkg::VERDICT_EARLY :
                   (nack != ackgen_pkg::NACK_CODE_NONE) ? ackgen_pkg::VERDICT_REFUSED :
                   !cp_i ? (arrived ? ackgen_pkg::VERDICT_DUPLICATE :
                                      ackgen_pkg::VERDICT_ACCEPTED) :
                   (ctl_type_i == AckReq) ? ackgen_pkg::VERDICT_ASKED :
                   (ctl_type_i == Close)  ? ackgen_pkg::VERDICT_CLOSED :
                                            ackgen_pkg::VERDICT_PROBED;

  always_ff @(posedge clk_i) begin
    if (step_i) begin
      verdict_o   <= verdict;
      nack_code_o <= nack;
      has_pdc_o   <= ~invalid & ~wrong;
    end
  end
endmodule
