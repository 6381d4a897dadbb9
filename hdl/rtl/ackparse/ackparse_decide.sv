// Decision of ackparse: from the headers of a packet and its sums to a record, or to the reason why
// there is none.
//
// Latency:     DECIDE (7) cycles from the issue of a packet's last beat to its outputs.
// Throughput:  one packet a cycle.
// Comb. paths: none from an input to an output.
// Reset:       no packet on its way; payload keeps its value.
// Contract:    ackparse/contract.md "Decision", "Record".
//
// Stages: r0 to s3 are those of gw_ip_walk; s3 to s7 those of gw_ip_decide, with the rules of the
// PDS header in s4; s5 record. Registers are those in force in the cycle of r0, and travel with the
// packet.
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
  // ---------------------------------------------------------------- r0 to s3: registers
  ackparse_regs_t regs_s1_q, regs_s2_q, regs_s3_q;

  always_ff @(posedge clk_i) begin
    regs_s1_q <= regs_i;
    regs_s2_q <= regs_s1_q;
    regs_s3_q <= regs_s2_q;
  end

  // ---------------------------------------------------------------- s3 to s7: IP and UDP
  logic         vld_s4, vld_s5, vld_s6;
  logic         udp_s4;
  logic [15:0]  avail_s4;
  logic [351:0] pds_s4;
  logic [3:0]   cause_rule;

  gw_ip_decide u_net (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .udp_port_s3_i  (regs_s3_q.UDP_PORT),
    .native_s3_i    (regs_s3_q.NATIVE),
    .refuse_s3_i    (regs_s3_q.CONTROL),
    .vld_s3_i       (vld_s3_i),
    .ipv6_s3_i      (ipv6_s3_i),
    .cause_ip_s3_i  (cause_ip_s3_i),
    .below_s3_i     (below_s3_i),
    .cut_s3_i       (cut_s3_i),
    .fragment_s3_i  (fragment_s3_i),
    .extension_s3_i (extension_s3_i),
    .proto_s3_i     (proto_s3_i),
    .plen_s3_i      (plen_s3_i),
    .payload_s3_i   (payload_s3_i),
    .ip_good_s4_i   (ip_good_s4_i),
    .udp_good_s6_i  (udp_good_s6_i),
    .vld_s4_o       (vld_s4),
    .udp_s4_o       (udp_s4),
    .avail_s4_o     (avail_s4),
    .pds_s4_o       (pds_s4),
    .cause_rule_s4_i(cause_rule),
    .vld_s5_o       (vld_s5),
    .vld_s6_o       (vld_s6),
    .vld_s7_o       (vld_o),
    .cause_s7_o     (cause_o)
  );

  // ---------------------------------------------------------------- s4: rules of the PDS header
  logic         ipv6_s4_q;
  logic [4:0]   ack_state_s4_q;
  logic [4:0]   nack_state_s4_q;
  logic [7:0]   class_s4_q;
  logic [127:0] src_s4_q;
  logic [15:0]  entropy_s4_q;
  logic [31:0]  tag_s4_q;
  logic [15:0]  rest;

  always_ff @(posedge clk_i) begin
    if (vld_s3_i) begin
      ipv6_s4_q       <= ipv6_s3_i;
      ack_state_s4_q  <= regs_s3_q.ACK_STATE;
      nack_state_s4_q <= regs_s3_q.NACK_STATE;
      class_s4_q      <= class_s3_i;
      src_s4_q        <= src_s3_i;
      entropy_s4_q    <= {payload_s3_i[7:0], payload_s3_i[15:8]};
      tag_s4_q        <= tag_s3_i;
    end
  end

  ackparse_rule u_rule (
    .pds_i       (pds_s4[103:0]),
    .avail_i     (avail_s4),
    .ack_state_i (ack_state_s4_q),
    .nack_state_i(nack_state_s4_q),
    .cause_o     (cause_rule),
    .rest_o      (rest)
  );

  // ---------------------------------------------------------------- s5: record
  logic          ipv6_s5_q;
  logic          udp_s5_q;
  logic [4:0]    ack_state_s5_q;
  logic [4:0]    nack_state_s5_q;
  logic [351:0]  pds_s5_q;
  logic [7:0]    class_s5_q;
  logic [127:0]  src_s5_q;
  logic [15:0]   entropy_s5_q;
  logic [15:0]   rest_s5_q;
  logic [31:0]   tag_s5_q;
  ackparse_rec_t rec;
  ackparse_rec_t rec_s6_q;

  always_ff @(posedge clk_i) begin
    if (vld_s4) begin
      ipv6_s5_q       <= ipv6_s4_q;
      udp_s5_q        <= udp_s4;
      ack_state_s5_q  <= ack_state_s4_q;
      nack_state_s5_q <= nack_state_s4_q;
      pds_s5_q        <= pds_s4;
      class_s5_q      <= class_s4_q;
      src_s5_q        <= src_s4_q;
      entropy_s5_q    <= entropy_s4_q;
      rest_s5_q       <= rest;
      tag_s5_q        <= tag_s4_q;
    end
  end

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

  // ---------------------------------------------------------------- s6, s7
  always_ff @(posedge clk_i) begin
    if (vld_s5) rec_s6_q <= rec;
    if (vld_s6) rec_o    <= rec_s6_q;
  end
endmodule
