// Record of a PDS header.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    ackparse/contract.md "Record": a field that a type does not have is 0. Byte i of the
//              header is bits 8i+7 .. 8i, numbers in it are big-endian.
module ackparse_record (
  input  logic [351:0]  pds_i,         // 44 bytes from the PDS header on
  input  logic [4:0]    ack_state_i,   // registers
  input  logic [4:0]    nack_state_i,
  input  logic          native_i,
  input  logic          ipv6_i,
  input  logic [7:0]    class_i,       // traffic class
  input  logic [127:0]  src_i,
  input  logic [15:0]   entropy_i,
  input  logic [15:0]   rest_i,
  input  logic [31:0]   tag_i,
  output ackparse_rec_t rec_o
);
  logic [351:0] be;                    // the header with byte i at the place of byte 43 - i
  logic [15:0]  y;
  logic [4:0]   pds_type;
  logic         is_cc;                 // ACK_CC
  logic         is_ccx;                // ACK_CCX
  logic         is_nackx;              // NACK_CCX
  logic         is_cp;
  logic         any_ack;
  logic         any_nack;
  logic         any_cc;                // ACK_CC, ACK_CCX
  logic         probe;                 // of an acknowledgement
  logic         syn;                   // of a control packet
  logic         nscc;
  logic         credit;
  logic [15:0]  second;                // be16[2]
  logic [31:0]  psn;
  logic [15:0]  dpdcid;
  logic [15:0]  base;                  // be16[14]
  logic [159:0] state;

  for (genvar k = 0; k < 44; k++) begin : gen_be
    assign be[8*(43-k) +: 8] = pds_i[8*k +: 8];
  end

  assign y        = be[8*42 +: 16];
  assign second   = be[8*40 +: 16];
  assign psn      = be[8*36 +: 32];
  assign dpdcid   = be[8*32 +: 16];
  assign base     = be[8*28 +: 16];
  assign pds_type = y[15:11];
  assign is_cc    = (pds_type == ackparse_pkg::PDS_TYPE_ACK_CC);
  assign is_ccx   = (pds_type == ackparse_pkg::PDS_TYPE_ACK_CCX);
  assign is_nackx = (pds_type == ackparse_pkg::PDS_TYPE_NACK_CCX);
  assign is_cp    = (pds_type == ackparse_pkg::PDS_TYPE_CP);
  assign any_cc   = is_cc | is_ccx;
  assign any_ack  = any_cc | (pds_type == ackparse_pkg::PDS_TYPE_ACK);
  assign any_nack = is_nackx | (pds_type == ackparse_pkg::PDS_TYPE_NACK);
  assign probe    = any_ack & y[3];
  assign syn      = is_cp & y[2];
  assign nscc     = is_cc & (pds_i[103:100] == 4'd0);
  assign credit   = is_cc & (pds_i[103:100] == 4'd1);

  assign rec_o.pds_type      = pds_type;
  assign rec_o.native        = native_i;
  assign rec_o.ipv6          = ipv6_i;
  assign rec_o.ecn           = class_i[1:0];
  assign rec_o.dscp          = class_i[7:2];
  assign rec_o.src           = src_i;
  assign rec_o.entropy       = entropy_i;
  assign rec_o.next          = y[10:7];
  assign rec_o.epsn          = any_ack & y[6];
  assign rec_o.m             = (any_ack | any_nack) & y[5];
  assign rec_o.isrod         = is_cp & y[5];
  assign rec_o.retx          = y[4];
  assign rec_o.probe         = probe;
  assign rec_o.nt            = any_nack & y[3];
  assign rec_o.ar            = is_cp & y[3];
  assign rec_o.syn           = syn;
  assign rec_o.req           = any_ack ? y[2:1] : 2'b0;
  assign rec_o.psn           = psn;
  assign rec_o.ack_psn       = (any_ack & ~probe) ? psn + {{16{second[15]}}, second} : 32'b0;
  assign rec_o.opaque        = (probe | is_cp) ? second : 16'b0;
  assign rec_o.spdcid        = be[8*34 +: 16];
  assign rec_o.dpdcid        = syn ? 16'b0 : dpdcid;
  assign rec_o.pdc_info      = syn ? dpdcid[15:12] : 4'b0;
  assign rec_o.psn_offset    = syn ? dpdcid[11:0] : 12'b0;
  assign rec_o.payload       = (any_nack | is_cp) ? be[8*28 +: 32] : 32'b0;
  assign rec_o.nack_code     = any_nack ? second[15:8] : 8'b0;
  assign rec_o.vendor_code   = any_nack ? second[7:0] : 8'b0;
  assign rec_o.cc_type       = any_cc   ? pds_i[8*12+4 +: 4] :
                               is_nackx ? pds_i[8*16+4 +: 4] : 4'b0;
  assign rec_o.cc_flags      = any_cc ? pds_i[8*12 +: 4] : 4'b0;
  assign rec_o.mpr           = any_cc ? pds_i[8*13 +: 8] : 8'b0;
  assign rec_o.sack_base     = any_cc ? psn + {{16{base[15]}}, base} : 32'b0;
  assign rec_o.sack_bitmap   = any_cc ? be[8*20 +: 64] : 64'b0;
  assign rec_o.service_time  = nscc ? be[8*18 +: 16] : 16'b0;
  assign rec_o.rc            = nscc & pds_i[8*26+7];
  assign rec_o.rcv_cwnd_pend = nscc ? pds_i[8*26 +: 7] : 7'b0;
  assign rec_o.rcvd_bytes    = nscc ? be[8*14 +: 24] : 24'b0;
  assign rec_o.ooo           = is_cc ? be[8*12 +: 16] : 16'b0;
  assign rec_o.credit        = credit ? be[8*17 +: 24] : 24'b0;
  assign rec_o.state         = state;
  assign rec_o.rest          = rest_i;
  assign rec_o.tag           = tag_i;

  // Bytes from 24 on of an ACK_CCX, from 16 on of a NACK_CCX.
  for (genvar k = 0; k < 20; k++) begin : gen_state
    localparam logic [4:0] Byte = k[4:0];
    if (k < 16) begin : gen_both
      assign state[8*k +: 8] =
          (is_ccx & (Byte < ack_state_i))    ? pds_i[8*(24+k) +: 8] :
          (is_nackx & (Byte < nack_state_i)) ? pds_i[8*(16+k) +: 8] : 8'b0;
    end else begin : gen_ack
      assign state[8*k +: 8] =
          (is_ccx & (Byte < ack_state_i)) ? pds_i[8*(24+k) +: 8] : 8'b0;
    end
  end

  // The bit that nobody has a name for.
  logic unused;
  assign unused = y[0] ^ (^be);
endmodule
