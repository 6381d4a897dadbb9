// Whether a PDS header is one that gets a job: the first rule that is broken.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    ackgen/contract.md "Decision" 9 to 12. Byte i of a vector is bits 8i+7 .. 8i.
module ackgen_rule (
  input  logic [95:0] pds_i,         // bytes 0 .. 11 of the PDS header
  input  logic [15:0] avail_i,       // bytes of the packet from there on
  output logic [3:0]  cause_o        // 0: none
);
  localparam logic [3:0] None    = 4'd0;
  localparam logic [3:0] Type    = 4'd11;
  localparam logic [3:0] Short   = 4'd12;
  localparam logic [3:0] CtlType = 4'd13;
  localparam logic [3:0] Pdcid   = 4'd14;

  logic [4:0]  pds_type;
  logic [3:0]  ctl_type;
  logic        syn;
  logic        is_req;               // 12 bytes
  logic        is_cp;
  logic        is_cc_req;
  logic [15:0] length;               // O
  logic        bad_ctl;
  logic        bad_pdcid;

  assign pds_type  = pds_i[7:3];
  assign ctl_type  = {pds_i[2:0], pds_i[15]};
  assign syn       = pds_i[10];
  assign is_req    = (pds_type == 5'd2) | (pds_type == 5'd3);
  assign is_cp     = (pds_type == 5'd11);
  assign is_cc_req = (pds_type == 5'd13) | (pds_type == 5'd14);
  assign length    = is_req ? 16'd12 : 16'd16;
  assign bad_ctl   = is_cp & (ctl_type != 4'd1) & (ctl_type != 4'd4) & (ctl_type != 4'd6);
  assign bad_pdcid = (pds_i[79:64] == '0) | (~syn & (pds_i[95:80] == '0));
  assign cause_o   = !(is_req | is_cp | is_cc_req) ? Type :
                     (avail_i < length)            ? Short :
                     bad_ctl                       ? CtlType :
                     bad_pdcid                     ? Pdcid : None;

  // Flags and PSN.
  logic unused;
  assign unused = (^pds_i[9:8]) ^ (^pds_i[14:11]) ^ (^pds_i[63:16]);
endmodule
