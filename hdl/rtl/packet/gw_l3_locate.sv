// Finds the IP header behind up to two VLAN tags, and the UDP header behind it.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    trimmer/contract.md "Decision" 3, 4 and H of 5; intmd/contract.md "Decision" 1.
//              Byte i of a vector is bits 8i+7 .. 8i. L2 and H are 2 modulo 4: their quarter is
//              all there is to know.
module gw_l3_locate (
  input  logic [399:0] bytes_i,    // bytes 12 .. 61 of the frame
  output logic [1:0]   tags_o,     // tags found; a third one is an unknown type
  output logic [2:0]   l2_o,       // the IP header starts at byte 4 * l2_o + 2
  output logic         ipv4_o,
  output logic         ipv6_o,
  output logic [319:0] l3_o,       // 40 bytes from there
  output logic [4:0]   h_o         // the UDP header starts at byte 4 * h_o + 2
);
  logic [15:0] type0;
  logic [15:0] type1;
  logic [15:0] type2;
  logic [15:0] ethertype;
  logic        tag0;
  logic        tag1;

  assign type0 = {bytes_i[7:0], bytes_i[15:8]};      // bytes 12, 13
  assign type1 = {bytes_i[39:32], bytes_i[47:40]};   // bytes 16, 17
  assign type2 = {bytes_i[71:64], bytes_i[79:72]};   // bytes 20, 21
  assign tag0  = (type0 == 16'h8100) | (type0 == 16'h88a8);
  assign tag1  = (type1 == 16'h8100) | (type1 == 16'h88a8);

  assign tags_o    = !tag0 ? 2'd0 : (!tag1 ? 2'd1 : 2'd2);
  assign l2_o      = 3'd3 + {1'b0, tags_o};
  assign ethertype = tags_o[1] ? type2 : (tags_o[0] ? type1 : type0);
  assign ipv4_o    = (ethertype == 16'h0800);
  assign ipv6_o    = (ethertype == 16'h86dd);
  assign l3_o      = tags_o[1] ? bytes_i[8*10 +: 320] :
                     tags_o[0] ? bytes_i[8*6 +: 320] : bytes_i[8*2 +: 320];
  assign h_o       = {2'b00, l2_o} + (ipv6_o ? 5'd10 : {1'b0, l3_o[3:0]});
endmodule
