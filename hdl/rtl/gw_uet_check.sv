// Checks that a frame is UET over UDP over IP as it should be: the first rule that is broken.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    trimmer/contract.md "Decision" 2 to 7, which intmd/contract.md shares. The codes of
//              the causes are those of both schemas.
module gw_uet_check (
  input  logic [8:0]   a_i,          // bytes seen
  input  logic [15:0]  f_i,          // length of the frame
  input  logic [4:0]   l2_i,         // first byte of the IP header
  input  logic         ipv4_i,
  input  logic         ipv6_i,
  input  logic [79:0]  l3_i,         // the first 10 bytes of the IP header
  input  logic [6:0]   h_i,          // first byte of the UDP header
  input  logic [31:0]  udp_i,        // destination port and length of the UDP header
  input  logic [15:0]  port_i,       // UDP port of UET
  output logic [3:0]   cause_o,      // 0: none, go on
  output logic         ip_ok_o,      // an IP header of the right version is there as a whole
  output logic [15:0]  plen_o,       // bytes behind the IP header
  output logic [16:0]  end_o         // where the IP packet ends
);
  localparam logic [3:0] None      = 4'd0;
  localparam logic [3:0] Truncated = 4'd1;
  localparam logic [3:0] Ethertype = 4'd2;
  localparam logic [3:0] Header    = 4'd3;
  localparam logic [3:0] Fragment  = 4'd4;
  localparam logic [3:0] Extension = 4'd5;
  localparam logic [3:0] Protocol  = 4'd6;
  localparam logic [3:0] Length    = 4'd7;
  localparam logic [3:0] Port      = 4'd8;

  logic [3:0]  ver;
  logic [15:0] hl;
  logic [15:0] total;            // IPv4 total length
  logic [13:0] offset;           // IPv4 MF and fragment offset
  logic [7:0]  proto;
  logic [7:0]  next;             // IPv6 next header
  logic        short20;
  logic        short40;
  logic        short_hl;
  logic        short_l2;
  logic        bad4;
  logic        bad6;
  logic        extension;
  logic [3:0]  cause4;
  logic [3:0]  cause6;
  logic [3:0]  cause_ip;
  logic [15:0] udp_len;
  logic [15:0] udp_port;

  assign ver      = l3_i[7:4];
  assign hl       = {10'b0, l3_i[3:0], 2'b00};
  assign total    = {l3_i[23:16], l3_i[31:24]};
  assign offset   = {l3_i[53:48], l3_i[63:56]};
  assign proto    = l3_i[79:72];
  assign next     = l3_i[55:48];
  assign udp_port = {udp_i[7:0], udp_i[15:8]};
  assign udp_len  = {udp_i[23:16], udp_i[31:24]};

  // L2 is known from as many tags as are looked at: a frame that ends in its tags is below L2.
  assign short_l2 = (a_i < {4'b0, l2_i});
  assign short20  = (a_i < ({4'b0, l2_i} + 9'd20));
  assign short40  = (a_i < ({4'b0, l2_i} + 9'd40));
  assign short_hl = (a_i < ({4'b0, l2_i} + hl[8:0]));
  assign bad4     = (ver != 4'd4) | (l3_i[3:0] < 4'd5);
  assign bad6     = (ver != 4'd6);

  assign cause4 = short20                                         ? Truncated :
                  bad4                                            ? Header :
                  short_hl                                        ? Truncated :
                  (total < hl)                                    ? Length :
                  ({1'b0, f_i} < ({12'b0, l2_i} + {1'b0, total})) ? Truncated :
                  (offset != '0)                                  ? Fragment :
                  (proto != 8'd17)                                ? Protocol : None;

  assign extension = (next == 8'd0) | (next == 8'd43) | (next == 8'd50) | (next == 8'd51) |
                     (next == 8'd60) | (next == 8'd135);
  assign cause6 = short40                 ? Truncated :
                  bad6                    ? Header :
                  ({1'b0, f_i} < end_o)   ? Truncated :
                  (next == 8'd44)         ? Fragment :
                  extension               ? Extension :
                  (next != 8'd17)         ? Protocol : None;

  assign plen_o   = ipv6_i ? {l3_i[39:32], l3_i[47:40]} : (total - hl);
  assign end_o    = {10'b0, h_i} + {1'b0, plen_o};
  assign cause_ip = short_l2 ? Truncated :
                    ipv4_i   ? cause4 :
                    ipv6_i   ? cause6 : Ethertype;
  assign cause_o  = (cause_ip != None)                        ? cause_ip :
                    ((plen_o < 16'd10) | (udp_len != plen_o)) ? Length :
                    (udp_port != port_i)                      ? Port : None;
  assign ip_ok_o  = ~short_l2 & ((ipv4_i & ~short20 & ~bad4 & ~short_hl) |
                                 (ipv6_i & ~short40 & ~bad6));

  // Traffic class, identification, time to live, the source port: nobody asks.
  logic unused;
  assign unused = (^l3_i[15:8]) ^ (^l3_i[71:64]);
endmodule
