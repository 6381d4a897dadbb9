// Whether a PDS header is one that gives a record: the first rule that is broken.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    ackparse/contract.md "Decision" 9 to 12, O of "Record". Byte i of a vector is bits
//              8i+7 .. 8i.
module ackparse_rule (
  input  logic [103:0] pds_i,        // bytes 0 .. 12 of the PDS header
  input  logic [15:0]  avail_i,      // bytes of the packet from there on
  input  logic [4:0]   ack_state_i,  // registers
  input  logic [4:0]   nack_state_i,
  output logic [3:0]   cause_o,      // 0: none
  output logic [15:0]  rest_o        // bytes of the packet behind the header
);
  localparam logic [3:0] None    = 4'd0;
  localparam logic [3:0] Type    = 4'd11;
  localparam logic [3:0] Short   = 4'd12;
  localparam logic [3:0] CcType  = 4'd13;
  localparam logic [3:0] CtlType = 4'd14;
  localparam logic [3:0] Pdcid   = 4'd15;

  logic [4:0] pds_type;
  logic [3:0] ctl_type;
  logic       syn;
  logic [3:0] cc_type;
  logic       no_spdcid;
  logic       no_dpdcid;
  logic       is_cc;
  logic       is_cp;
  logic       is_any_ack;
  logic       known;
  logic [5:0] length;                // O
  logic       bad_pdcid;

  assign pds_type   = pds_i[7:3];
  assign ctl_type   = {pds_i[2:0], pds_i[15]};
  assign syn        = pds_i[10];
  assign cc_type    = pds_i[103:100];
  assign no_spdcid  = (pds_i[79:64] == '0);
  assign no_dpdcid  = (pds_i[95:80] == '0);
  assign is_cc      = (pds_type == ackparse_pkg::PDS_TYPE_ACK_CC);
  assign is_cp      = (pds_type == ackparse_pkg::PDS_TYPE_CP);
  assign is_any_ack = is_cc | (pds_type == ackparse_pkg::PDS_TYPE_ACK) |
                      (pds_type == ackparse_pkg::PDS_TYPE_ACK_CCX);
  assign known      = (pds_type >= ackparse_pkg::PDS_TYPE_ACK) &
                      (pds_type <= ackparse_pkg::PDS_TYPE_NACK_CCX);

  always_comb begin
    unique case (pds_type)
      ackparse_pkg::PDS_TYPE_ACK:      length = 6'd12;
      ackparse_pkg::PDS_TYPE_ACK_CC:   length = 6'd32;
      ackparse_pkg::PDS_TYPE_ACK_CCX:  length = 6'd24 + {1'b0, ack_state_i};
      ackparse_pkg::PDS_TYPE_NACK_CCX: length = 6'd16 + {1'b0, nack_state_i};
      default:                         length = 6'd16;
    endcase
  end

  assign bad_pdcid = is_any_ack ? (no_spdcid | no_dpdcid) :
                     is_cp      ? (no_spdcid | (no_dpdcid & ~syn)) : 1'b0;
  assign rest_o    = avail_i - {10'b0, length};
  assign cause_o   = !known                       ? Type :
                     (avail_i < {10'b0, length})  ? Short :
                     (is_cc & (cc_type > 4'd1))   ? CcType :
                     (is_cp & (ctl_type > 4'd9))  ? CtlType :
                     bad_pdcid                    ? Pdcid : None;

  // Flags and PSN.
  logic unused;
  assign unused = (^pds_i[9:8]) ^ (^pds_i[14:11]) ^ (^pds_i[63:16]) ^ (^pds_i[99:96]);
endmodule
