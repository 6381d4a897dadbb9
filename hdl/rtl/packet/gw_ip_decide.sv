// Decides whether a packet reaches a parser of PDS headers, and joins the parser's own rules.
//
// Latency:     four cycles from the headers of gw_ip_walk to the cause.
// Throughput:  one packet a cycle.
// Comb. paths: none from an input to an output.
// Reset:       no packet on its way; payload keeps its value.
// Contract:    ackparse/contract.md "Decision" 4 to 8, to which ackgen/contract.md refers; the
//              causes of these steps are 1 to 10 in both.
//
// Stages: s3 rules of IP and UDP, PDS header cut out; s4 IPv4 sum, the parser's rules; s6 UDP sum,
// the first rule that is broken.
module gw_ip_decide (
  input  logic         clk_i,
  input  logic         rst_ni,
  // s3: registers in force when the packet's last beat issued
  input  logic [15:0]  udp_port_s3_i,
  input  logic [7:0]   native_s3_i,
  input  logic         refuse_s3_i,        // a UDP checksum of 0 is refused
  // s3: a packet that ended
  input  logic         vld_s3_i,
  input  logic         ipv6_s3_i,
  input  logic [2:0]   cause_ip_s3_i,
  input  logic         below_s3_i,
  input  logic         cut_s3_i,
  input  logic         fragment_s3_i,
  input  logic         extension_s3_i,
  input  logic [7:0]   proto_s3_i,
  input  logic [15:0]  plen_s3_i,
  input  logic [415:0] payload_s3_i,
  // s4, s6: its sums
  input  logic         ip_good_s4_i,
  input  logic         udp_good_s6_i,
  // s4
  output logic         vld_s4_o,
  output logic         udp_s4_o,
  output logic [15:0]  avail_s4_o,         // bytes from the PDS header on
  output logic [351:0] pds_s4_o,           // 44 of them
  input  logic [3:0]   cause_rule_s4_i,    // first broken of the parser's own rules, 0: none
  // s5 to s7
  output logic         vld_s5_o,
  output logic         vld_s6_o,
  output logic         vld_s7_o,
  output logic [3:0]   cause_s7_o          // counter of the reason, 0: passed on
);
  localparam logic [3:0] None      = 4'd0;
  localparam logic [3:0] Truncated = 4'd1;
  localparam logic [3:0] Fragment  = 4'd4;
  localparam logic [3:0] Extension = 4'd5;
  localparam logic [3:0] Protocol  = 4'd6;
  localparam logic [3:0] Length    = 4'd7;
  localparam logic [3:0] IpSum     = 4'd8;
  localparam logic [3:0] UdpSum    = 4'd9;
  localparam logic [3:0] Port      = 4'd10;
  localparam logic [7:0] Udp       = 8'd17;

  // ---------------------------------------------------------------- s3: rules of IP and UDP
  logic        udp;
  logic        native;               // if it is not UDP
  logic [15:0] port;
  logic [15:0] udp_len;
  logic        unsummed;             // UDP without a checksum
  logic        bad_len;
  logic [3:0]  cause_net;            // after the IPv4 sum

  assign udp       = (proto_s3_i == Udp);
  assign native    = (proto_s3_i == native_s3_i);
  assign port      = {payload_s3_i[23:16], payload_s3_i[31:24]};
  assign udp_len   = {payload_s3_i[39:32], payload_s3_i[47:40]};
  assign unsummed  = (payload_s3_i[63:48] == '0);
  assign bad_len   = udp ? ((plen_s3_i < 16'd10) | (udp_len != plen_s3_i)) : (plen_s3_i < 16'd6);
  assign cause_net = below_s3_i      ? Length :
                     cut_s3_i        ? Truncated :
                     fragment_s3_i   ? Fragment :
                     extension_s3_i  ? Extension :
                     !(udp | native) ? Protocol :
                     bad_len         ? Length : None;

  // ---------------------------------------------------------------- s3 to s4
  logic       ipv6_s4_q;
  logic [2:0] cause_ip_s4_q;
  logic [3:0] cause_net_s4_q;
  logic       other_port_s4_q;
  logic       sum_due_s4_q;          // the datagram has a checksum, which must be right
  logic       sum_refused_s4_q;      // it has none, and must

  always_ff @(posedge clk_i) begin
    if (vld_s3_i) begin
      ipv6_s4_q        <= ipv6_s3_i;
      cause_ip_s4_q    <= cause_ip_s3_i;
      cause_net_s4_q   <= cause_net;
      udp_s4_o         <= udp;
      other_port_s4_q  <= udp & (port != udp_port_s3_i);
      sum_due_s4_q     <= udp & ~unsummed;
      sum_refused_s4_q <= udp & unsummed & refuse_s3_i;
      avail_s4_o       <= plen_s3_i - (udp ? 16'd8 : 16'd4);
      pds_s4_o         <= udp ? payload_s3_i[64 +: 352] : payload_s3_i[32 +: 352];
    end
  end

  // ---------------------------------------------------------------- s4: IPv4 sum, PDS header
  logic [3:0] cause_l3;              // of steps 1 to 6
  logic [3:0] cause_pds;             // of step 8 and the parser's

  assign cause_l3  = (cause_ip_s4_q != '0)         ? {1'b0, cause_ip_s4_q} :
                     (~ipv6_s4_q & ~ip_good_s4_i)  ? IpSum : cause_net_s4_q;
  assign cause_pds = other_port_s4_q ? Port : cause_rule_s4_i;

  // ---------------------------------------------------------------- s4 to s6
  logic [3:0] cause_l3_s5_q, cause_l3_s6_q;
  logic [3:0] cause_pds_s5_q, cause_pds_s6_q;
  logic       sum_due_s5_q, sum_due_s6_q;
  logic       sum_refused_s5_q, sum_refused_s6_q;

  always_ff @(posedge clk_i) begin
    if (vld_s4_o) begin
      cause_l3_s5_q    <= cause_l3;
      cause_pds_s5_q   <= cause_pds;
      sum_due_s5_q     <= sum_due_s4_q;
      sum_refused_s5_q <= sum_refused_s4_q;
    end
    if (vld_s5_o) begin
      cause_l3_s6_q    <= cause_l3_s5_q;
      cause_pds_s6_q   <= cause_pds_s5_q;
      sum_due_s6_q     <= sum_due_s5_q;
      sum_refused_s6_q <= sum_refused_s5_q;
    end
  end

  // ---------------------------------------------------------------- s6: UDP sum, cause
  logic       bad_sum;
  logic [3:0] cause;

  assign bad_sum = sum_refused_s6_q | (sum_due_s6_q & ~udp_good_s6_i);
  assign cause   = (cause_l3_s6_q != None) ? cause_l3_s6_q :
                   bad_sum                 ? UdpSum : cause_pds_s6_q;

  // ---------------------------------------------------------------- s6 to s7
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      vld_s4_o <= 1'b0;
      vld_s5_o <= 1'b0;
      vld_s6_o <= 1'b0;
      vld_s7_o <= 1'b0;
    end else begin
      vld_s4_o <= vld_s3_i;
      vld_s5_o <= vld_s4_o;
      vld_s6_o <= vld_s5_o;
      vld_s7_o <= vld_s6_o;
    end
  end

  always_ff @(posedge clk_i) begin
    if (vld_s6_o) cause_s7_o <= cause;
  end

  // The entropy decides nothing.
  logic unused;
  assign unused = ^payload_s3_i[15:0];
endmodule
