// Fields of a request, as its job and its answer use them.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    ackgen/contract.md "Fields". The parts of the request are in the order of
//              ackgen_front; byte i of a part is bits 8i+7 .. 8i, but src is a number.
module ackgen_fields (
  input  logic [706:0] req_i,
  output logic [175:0] l2_o,         // bytes 0 .. 21 of the frame
  output logic [1:0]   tags_o,
  output logic         ipv6_o,
  output logic [7:0]   proto_o,
  output logic [127:0] src_o,
  output logic [127:0] dst_o,        // as it stands
  output logic [31:0]  ports_o,      // bytes H .. H+3
  output logic [15:0]  plen_o,       // E - H
  output logic [31:0]  stamp_o,
  output logic [15:0]  phase_o,
  output logic [31:0]  tag_o,
  output logic         ce_o,
  output logic [5:0]   dscp_o,
  output logic         cp_o,
  output logic [3:0]   ctl_type_o,
  output logic         rod_o,
  output logic         retx_o,
  output logic         ar_o,
  output logic         syn_o,
  output logic [31:0]  psn_o,
  output logic [15:0]  spdcid_o,
  output logic [15:0]  dpdcid_o,     // with syn: psn_offset in bits 11:0
  output logic [15:0]  opaque_o,
  output logic [31:0]  base_o
);
  logic [7:0]   class_raw;
  logic [127:0] pds;
  logic [127:0] be;                  // the header with byte i at the place of byte 15 - i
  logic [15:0]  y;
  logic [4:0]   pds_type;

  assign {l2_o, tags_o, ipv6_o, proto_o, class_raw, src_o, dst_o, plen_o, ports_o, pds, stamp_o,
          phase_o, tag_o} = req_i;

  for (genvar k = 0; k < 16; k++) begin : gen_be
    assign be[8*(15-k) +: 8] = pds[8*k +: 8];
  end

  assign y          = be[112 +: 16];
  assign pds_type   = y[15:11];
  assign ce_o       = (class_raw[1:0] == 2'd3);
  assign dscp_o     = class_raw[7:2];
  assign cp_o       = (pds_type == 5'd11);
  assign ctl_type_o = y[10:7];
  assign rod_o      = (pds_type == 5'd3) | (pds_type == 5'd14) | (cp_o & y[5]);
  assign retx_o     = y[4];
  assign ar_o       = y[3];
  assign syn_o      = y[2];
  assign opaque_o   = be[96 +: 16];
  assign psn_o      = be[64 +: 32];
  assign spdcid_o   = be[48 +: 16];
  assign dpdcid_o   = be[32 +: 16];
  assign base_o     = be[0 +: 32];

  logic unused;
  assign unused = y[6] ^ (^y[1:0]);
endmodule
