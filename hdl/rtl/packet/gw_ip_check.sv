// Checks that an IP header of the right version is there as a whole: the first rule that is broken.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    trimmer/contract.md "Decision" 2 to 4 and the first steps of 5, "Marking"; the codes
//              of the causes are those of both schemas. Each length here is 2 modulo 4 and compared
//              with bytes seen, of which the lowest bit does not matter: pairs of bytes suffice.
module gw_ip_check (
  input  logic [7:0] pairs_i,        // pairs of bytes seen
  input  logic [2:0] l2_i,           // the IP header starts at byte 4 * l2_i + 2
  input  logic       ipv4_i,
  input  logic       ipv6_i,
  input  logic [7:0] first_i,        // the first byte of the IP header
  output logic [2:0] cause_o         // 0: none
);
  localparam logic [2:0] None      = 3'd0;
  localparam logic [2:0] Truncated = 3'd1;
  localparam logic [2:0] Ethertype = 3'd2;
  localparam logic [2:0] Header    = 3'd3;

  logic [7:0] l2;                    // in pairs of bytes
  logic       short_l2;
  logic       short20;
  logic       short40;
  logic       short_hl;
  logic       bad4;
  logic       bad6;

  assign l2 = {4'b0, l2_i, 1'b1};

  // L2 is known from as many tags as are looked at: a frame that ends in its tags is below L2.
  assign short_l2 = (pairs_i < l2);
  assign short20  = (pairs_i < (l2 + 8'd10));
  assign short40  = (pairs_i < (l2 + 8'd20));
  assign short_hl = (pairs_i < (l2 + {3'b0, first_i[3:0], 1'b0}));
  assign bad4     = (first_i[7:4] != 4'd4) | (first_i[3:0] < 4'd5);
  assign bad6     = (first_i[7:4] != 4'd6);

  assign cause_o = short_l2 ? Truncated :
                   ipv4_i   ? (short20 ? Truncated : bad4 ? Header : short_hl ? Truncated : None) :
                   ipv6_i   ? (short40 ? Truncated : bad6 ? Header : None) : Ethertype;
endmodule
