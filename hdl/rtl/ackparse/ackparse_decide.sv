// Decision of ackparse: from the headers of a packet and its sums to a record, or to the reason why
// there is none.
//
// Latency:     DECIDE (7) cycles from the issue of a packet's last beat to its outputs.
// Throughput:  one packet a cycle.
// Comb. paths: none from an input to an output.
// Reset:       no packet on its way; payload keeps its value.
// Contract:    ackparse/contract.md "Decision", "Record".
//
// Stages: r0 to s3 are those of ackparse_walk; s3 rules of IP and UDP, PDS header cut out; s4 IPv4
// sum, rules of the PDS header; s5 record; s6 UDP sum, the first rule that is broken. Registers are
// those in force in the cycle of r0, and travel with the packet.
module ackparse_decide (
  input  logic           clk_i,
  input  logic           rst_ni,
  // r0
  input  ackparse_regs_t regs_i,
  // s3: a packet that ended
  input  logic           vld_s3_i,
  input  logic           ipv6_s3_i,
  input  logic [2:0]     cause_ip_s3_i,
  input  logic           below_s3_i,
  input  logic           cut_s3_i,
  input  logic           fragment_s3_i,
  input  logic           extension_s3_i,
  input  logic [7:0]     proto_s3_i,
  input  logic [15:0]    plen_s3_i,
  input  logic [7:0]     class_s3_i,
  input  logic [127:0]   src_s3_i,
  input  logic [415:0]   payload_s3_i,
  input  logic [31:0]    tag_s3_i,
  // s4, s6: its sums
  input  logic           ip_good_s4_i,
  input  logic           udp_good_s6_i,
  // s7
  output logic           vld_o,
  output logic [3:0]     cause_o,      // counter of the reason, 0: passed on
  output ackparse_rec_t  rec_o
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

  // ---------------------------------------------------------------- r0 to s3: registers
  ackparse_regs_t regs_s1_q, regs_s2_q, regs_s3_q;

  always_ff @(posedge clk_i) begin
    regs_s1_q <= regs_i;
    regs_s2_q <= regs_s1_q;
    regs_s3_q <= regs_s2_q;
  end

  // ---------------------------------------------------------------- s3: rules of IP and UDP
  logic        udp;
  logic        native;               // if it is not UDP
  logic [15:0] port;
  logic [15:0] udp_len;
  logic        unsummed;             // UDP without a checksum
  logic        bad_len;
  logic [3:0]  cause_net;            // after the IPv4 sum

  assign udp       = (proto_s3_i == Udp);
  assign native    = (proto_s3_i == regs_s3_q.NATIVE);
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
  logic         vld_s4_q;
  logic         ipv6_s4_q;
  logic [2:0]   cause_ip_s4_q;
  logic [3:0]   cause_net_s4_q;
  logic         udp_s4_q;
  logic         other_port_s4_q;
  logic         sum_due_s4_q;        // the datagram has a checksum, which must be right
  logic         sum_refused_s4_q;    // it has none, and must
  logic [15:0]  avail_s4_q;          // bytes from the PDS header on
  logic [4:0]   ack_state_s4_q;
  logic [4:0]   nack_state_s4_q;
  logic [351:0] pds_s4_q;
  logic [7:0]   class_s4_q;
  logic [127:0] src_s4_q;
  logic [15:0]  entropy_s4_q;
  logic [31:0]  tag_s4_q;

  always_ff @(posedge clk_i) begin
    if (vld_s3_i) begin
      ipv6_s4_q        <= ipv6_s3_i;
      cause_ip_s4_q    <= cause_ip_s3_i;
      cause_net_s4_q   <= cause_net;
      udp_s4_q         <= udp;
      other_port_s4_q  <= udp & (port != regs_s3_q.UDP_PORT);
      sum_due_s4_q     <= udp & ~unsummed;
      sum_refused_s4_q <= udp & unsummed & regs_s3_q.CONTROL;
      avail_s4_q       <= plen_s3_i - (udp ? 16'd8 : 16'd4);
      ack_state_s4_q   <= regs_s3_q.ACK_STATE;
      nack_state_s4_q  <= regs_s3_q.NACK_STATE;
      pds_s4_q         <= udp ? payload_s3_i[64 +: 352] : payload_s3_i[32 +: 352];
      class_s4_q       <= class_s3_i;
      src_s4_q         <= src_s3_i;
      entropy_s4_q     <= {payload_s3_i[7:0], payload_s3_i[15:8]};
      tag_s4_q         <= tag_s3_i;
    end
  end

  // ---------------------------------------------------------------- s4: IPv4 sum, PDS header
  logic [3:0]  cause_l3;             // of steps 1 to 6
  logic [3:0]  cause_pds;            // of steps 8 to 12
  logic [3:0]  cause_rule;
  logic [15:0] rest;

  ackparse_rule u_rule (
    .pds_i       (pds_s4_q[103:0]),
    .avail_i     (avail_s4_q),
    .ack_state_i (ack_state_s4_q),
    .nack_state_i(nack_state_s4_q),
    .cause_o     (cause_rule),
    .rest_o      (rest)
  );

  assign cause_l3  = (cause_ip_s4_q != '0)         ? {1'b0, cause_ip_s4_q} :
                     (~ipv6_s4_q & ~ip_good_s4_i)  ? IpSum : cause_net_s4_q;
  assign cause_pds = other_port_s4_q ? Port : cause_rule;

  // ---------------------------------------------------------------- s4 to s5
  logic         vld_s5_q;
  logic         ipv6_s5_q;
  logic [3:0]   cause_l3_s5_q;
  logic [3:0]   cause_pds_s5_q;
  logic         udp_s5_q;
  logic         sum_due_s5_q;
  logic         sum_refused_s5_q;
  logic [4:0]   ack_state_s5_q;
  logic [4:0]   nack_state_s5_q;
  logic [351:0] pds_s5_q;
  logic [7:0]   class_s5_q;
  logic [127:0] src_s5_q;
  logic [15:0]  entropy_s5_q;
  logic [15:0]  rest_s5_q;
  logic [31:0]  tag_s5_q;

  always_ff @(posedge clk_i) begin
    if (vld_s4_q) begin
      ipv6_s5_q        <= ipv6_s4_q;
      cause_l3_s5_q    <= cause_l3;
      cause_pds_s5_q   <= cause_pds;
      udp_s5_q         <= udp_s4_q;
      sum_due_s5_q     <= sum_due_s4_q;
      sum_refused_s5_q <= sum_refused_s4_q;
      ack_state_s5_q   <= ack_state_s4_q;
      nack_state_s5_q  <= nack_state_s4_q;
      pds_s5_q         <= pds_s4_q;
      class_s5_q       <= class_s4_q;
      src_s5_q         <= src_s4_q;
      entropy_s5_q     <= entropy_s4_q;
      rest_s5_q        <= rest;
      tag_s5_q         <= tag_s4_q;
    end
  end

  // ---------------------------------------------------------------- s5: record
  ackparse_rec_t rec;

  ackparse_record u_record (
    .pds_i       (pds_s5_q),
    .ack_state_i (ack_state_s5_q),
    .nack_state_i(nack_state_s5_q),
    .native_i    (~udp_s5_q),
    .ipv6_i      (ipv6_s5_q),
    .class_i     (class_s5_q),
    .src_i       (src_s5_q),
    .entropy_i   (entropy_s5_q),
    .rest_i      (rest_s5_q),
    .tag_i       (tag_s5_q),
    .rec_o       (rec)
  );

  // ---------------------------------------------------------------- s5 to s6
  logic          vld_s6_q;
  logic [3:0]    cause_l3_s6_q;
  logic [3:0]    cause_pds_s6_q;
  logic          sum_due_s6_q;
  logic          sum_refused_s6_q;
  ackparse_rec_t rec_s6_q;

  always_ff @(posedge clk_i) begin
    if (vld_s5_q) begin
      cause_l3_s6_q    <= cause_l3_s5_q;
      cause_pds_s6_q   <= cause_pds_s5_q;
      sum_due_s6_q     <= sum_due_s5_q;
      sum_refused_s6_q <= sum_refused_s5_q;
      rec_s6_q         <= rec;
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
      vld_s4_q <= 1'b0;
      vld_s5_q <= 1'b0;
      vld_s6_q <= 1'b0;
      vld_o    <= 1'b0;
    end else begin
      vld_s4_q <= vld_s3_i;
      vld_s5_q <= vld_s4_q;
      vld_s6_q <= vld_s5_q;
      vld_o    <= vld_s6_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (vld_s6_q) begin
      cause_o <= cause;
      rec_o   <= rec_s6_q;
    end
  end
endmodule
