// Checks that a frame is UET over UDP over IP as it should be: the first rule that is broken.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    trimmer/contract.md "Decision" 2 to 7, which intmd/contract.md shares. The codes of
//              the causes are those of both schemas.
module gw_uet_check (
  input  logic [7:0]   pairs_i,      // pairs of bytes seen
  input  logic [15:0]  f_i,          // length of the frame
  input  logic [2:0]   l2_i,         // the IP header starts at byte 4 * l2_i + 2
  input  logic         ipv4_i,
  input  logic         ipv6_i,
  input  logic [79:0]  l3_i,         // the first 10 bytes of the IP header
  input  logic [4:0]   h_i,          // the UDP header starts at byte 4 * h_i + 2
  input  logic [31:0]  udp_i,        // destination port and length of the UDP header
  input  logic [15:0]  port_i,       // UDP port of UET
  output logic [3:0]   cause_o,      // 0: none, go on
  output logic [2:0]   cause_ip_o,   // of the rules that ask for a whole IP header, 0: it is there
  output logic [15:0]  plen_o,       // bytes behind the IP header
  output logic [15:0]  end_o         // where the IP packet ends; it does not go beyond F if no rule is broken
);
  localparam logic [2:0] None      = 3'd0;
  localparam logic [2:0] Truncated = 3'd1;
  localparam logic [2:0] Fragment  = 3'd4;
  localparam logic [2:0] Extension = 3'd5;
  localparam logic [2:0] Protocol  = 3'd6;
  localparam logic [2:0] Length    = 3'd7;
  localparam logic [3:0] Port      = 4'd8;

  logic [15:0] hl;
  logic [16:0] ip_end;
  logic [15:0] total;            // IPv4 total length
  logic [13:0] offset;           // IPv4 MF and fragment offset
  logic [7:0]  proto;
  logic [7:0]  next;             // IPv6 next header
  logic        extension;
  logic [2:0]  cause4;
  logic [2:0]  cause6;
  logic [2:0]  cause_l3;
  logic [15:0] udp_len;
  logic [15:0] udp_port;

  assign hl       = {10'b0, l3_i[3:0], 2'b00};
  assign total    = {l3_i[23:16], l3_i[31:24]};
  assign offset   = {l3_i[53:48], l3_i[63:56]};
  assign proto    = l3_i[79:72];
  assign next     = l3_i[55:48];
  assign udp_port = {udp_i[7:0], udp_i[15:8]};
  assign udp_len  = {udp_i[23:16], udp_i[31:24]};

  gw_ip_check u_ip (
    .pairs_i(pairs_i),
    .l2_i   (l2_i),
    .ipv4_i (ipv4_i),
    .ipv6_i (ipv6_i),
    .first_i(l3_i[7:0]),
    .cause_o(cause_ip_o)
  );

  assign cause4 = (total < hl)                                           ? Length :
                  ({1'b0, f_i} < ({12'b0, l2_i, 2'b10} + {1'b0, total})) ? Truncated :
                  (offset != '0)                                         ? Fragment :
                  (proto != 8'd17)                                       ? Protocol : None;

  assign extension = (next == 8'd0) | (next == 8'd43) | (next == 8'd50) | (next == 8'd51) |
                     (next == 8'd60) | (next == 8'd135);
  assign cause6 = ({1'b0, f_i} < ip_end) ? Truncated :
                  (next == 8'd44)       ? Fragment :
                  extension             ? Extension :
                  (next != 8'd17)       ? Protocol : None;

  assign plen_o   = ipv6_i ? {l3_i[39:32], l3_i[47:40]} : (total - hl);
  assign ip_end   = {10'b0, h_i, 2'b10} + {1'b0, plen_o};
  assign end_o    = ip_end[15:0];
  assign cause_l3 = (cause_ip_o != None) ? cause_ip_o : (ipv4_i ? cause4 : cause6);
  assign cause_o  = (cause_l3 != None)                        ? {1'b0, cause_l3} :
                    ((plen_o < 16'd10) | (udp_len != plen_o)) ? {1'b0, Length} :
                    (udp_port != port_i)                      ? Port : 4'd0;

  // Traffic class, identification, time to live, the source port: nobody asks.
  logic unused;
  assign unused = (^l3_i[15:8]) ^ (^l3_i[71:64]);
endmodule
