// Front of ackgen: beats in, and for each packet a request or the reason why there is none.
//
// Latency:     DECIDE (7) cycles from the issue of a packet's last beat to the outputs.
// Throughput:  one beat of 64 bytes a cycle, also where each beat is a packet.
// Comb. paths: none from an input to an output.
// Reset:       the next beat begins a packet, none is on its way.
// Contract:    ackgen/contract.md "Beats", "Decision", "Timing".
//
// Stages are those of gw_ip_walk and gw_ip_decide. A request is what its job and its answer need of
// the packet; ackgen_fields names its parts.
module ackgen_front (
  input  logic         clk_i,
  input  logic         rst_ni,
  // r0
  input  logic [15:0]  udp_port_i,   // registers
  input  logic [7:0]   native_i,
  input  logic         refuse_i,
  input  logic [31:0]  tick_i,
  input  logic [15:0]  phase_i,
  input  logic         issue_i,
  input  logic [511:0] data_i,
  input  logic [63:0]  keep_i,
  input  logic         last_i,
  input  logic [31:0]  tag_i,
  // s7
  output logic         vld_o,
  output logic [3:0]   cause_o,      // 0: the packet becomes a request
  output logic [706:0] req_o
);
  // ---------------------------------------------------------------- headers
  logic         vld_s2;
  logic         first_s2;
  logic [511:0] data_s2;
  logic [11:0]  number_s2;
  logic [4:0]   h_s2;
  logic [15:0]  plen_s2;
  logic [16:0]  end_s2;
  logic         ipv6_s2;
  logic [3:0]   ihl_s2;
  logic [479:0] l3_s2;
  logic         vld_s3;
  logic         ipv6_s3;
  logic [2:0]   cause_ip_s3;
  logic         below_s3;
  logic         cut_s3;
  logic         fragment_s3;
  logic         extension_s3;
  logic [7:0]   proto_s3;
  logic [15:0]  plen_s3;
  logic [7:0]   class_s3;
  logic [127:0] src_s3;
  logic [415:0] payload_s3;
  logic [31:0]  tag_s3;

  gw_ip_walk u_walk (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .issue_i       (issue_i),
    .data_i        (data_i),
    .keep_i        (keep_i),
    .last_i        (last_i),
    .tag_i         (tag_i),
    .vld_s2_o      (vld_s2),
    .first_s2_o    (first_s2),
    .data_s2_o     (data_s2),
    .number_s2_o   (number_s2),
    .h_s2_o        (h_s2),
    .plen_s2_o     (plen_s2),
    .end_s2_o      (end_s2),
    .ipv6_s2_o     (ipv6_s2),
    .ihl_s2_o      (ihl_s2),
    .l3_s2_o       (l3_s2),
    .vld_s3_o      (vld_s3),
    .ipv6_s3_o     (ipv6_s3),
    .cause_ip_s3_o (cause_ip_s3),
    .below_s3_o    (below_s3),
    .cut_s3_o      (cut_s3),
    .fragment_s3_o (fragment_s3),
    .extension_s3_o(extension_s3),
    .proto_s3_o    (proto_s3),
    .plen_s3_o     (plen_s3),
    .class_s3_o    (class_s3),
    .src_s3_o      (src_s3),
    .payload_s3_o  (payload_s3),
    .tag_s3_o      (tag_s3)
  );

  // ---------------------------------------------------------------- what only an answer needs
  logic [4:0]   l2_s2;               // the IP header starts at byte 4 * l2_s2 + 2
  logic [175:0] l2_s3_q;             // bytes of the packet's first beat
  logic [1:0]   tags_s3_q;
  logic [127:0] dst_s3_q;

  assign l2_s2 = h_s2 - (ipv6_s2 ? 5'd10 : {1'b0, ihl_s2});

  always_ff @(posedge clk_i) begin
    if (vld_s2 && first_s2) l2_s3_q <= data_s2[175:0];
    tags_s3_q <= l2_s2[1:0] - 2'd3;
    dst_s3_q  <= ipv6_s2 ? l3_s2[8*24 +: 128] : {96'b0, l3_s2[8*16 +: 32]};
  end

  // ---------------------------------------------------------------- sums
  logic        ip_good_s4;
  logic [20:0] pseudo_s5;
  logic        udp_good_s6;

  gw_l3_sum u_l3_sum (
    .clk_i      (clk_i),
    .ipv6_i     (ipv6_s2),
    .ihl_i      (ihl_s2),
    .l3_i       (l3_s2),
    .plen_i     (plen_s2),
    .good_s4_o  (ip_good_s4),
    .pseudo_s5_o(pseudo_s5)
  );

  gw_l4_sum u_l4_sum (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .vld_i      (vld_s2),
    .first_i    (first_s2),
    .data_i     (data_s2),
    .number_i   (number_s2),
    .h_i        (h_s2),
    .end_i      (end_s2),
    .pseudo_s5_i(pseudo_s5),
    .good_s6_o  (udp_good_s6)
  );

  // ---------------------------------------------------------------- decision
  logic [15:0]  udp_port_s3;
  logic [7:0]   native_s3;
  logic         refuse_s3;
  logic [15:0]  avail_s4;
  logic [351:0] pds_s4;
  logic [3:0]   cause_rule;
  logic         vld_s4, vld_s5, vld_s6;
  logic         udp_s4;

  // The registers in force when the last beat issued.
  gw_delay #(.Width(25), .Depth(3)) u_regs (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .d_i   ({udp_port_i, native_i, refuse_i}),
    .q_o   ({udp_port_s3, native_s3, refuse_s3})
  );

  gw_ip_decide u_net (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .udp_port_s3_i  (udp_port_s3),
    .native_s3_i    (native_s3),
    .refuse_s3_i    (refuse_s3),
    .vld_s3_i       (vld_s3),
    .ipv6_s3_i      (ipv6_s3),
    .cause_ip_s3_i  (cause_ip_s3),
    .below_s3_i     (below_s3),
    .cut_s3_i       (cut_s3),
    .fragment_s3_i  (fragment_s3),
    .extension_s3_i (extension_s3),
    .proto_s3_i     (proto_s3),
    .plen_s3_i      (plen_s3),
    .payload_s3_i   (payload_s3),
    .ip_good_s4_i   (ip_good_s4),
    .udp_good_s6_i  (udp_good_s6),
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

  ackgen_rule u_rule (
    .pds_i  (pds_s4[95:0]),
    .avail_i(avail_s4),
    .cause_o(cause_rule)
  );

  // ---------------------------------------------------------------- s3 to s7: the request
  logic [7:0]   proto_s7;
  logic [7:0]   class_s7;
  logic [15:0]  plen_s7;
  logic [191:0] payload_s7;
  logic [31:0]  tag_s7;
  logic [31:0]  stamp_s7;
  logic [15:0]  phase_s7;
  logic [178:0] head_s7;             // L2 header, tags, version
  logic [255:0] pair_s7;             // addresses
  logic [127:0] pds_s7;

  gw_delay #(.Width(691), .Depth(4)) u_request (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .d_i   ({l2_s3_q, tags_s3_q, ipv6_s3, proto_s3, class_s3, src_s3, dst_s3_q, plen_s3,
             payload_s3[191:0], tag_s3}),
    .q_o   ({head_s7, proto_s7, class_s7, pair_s7, plen_s7, payload_s7, tag_s7})
  );

  gw_delay #(.Width(48), .Depth(7)) u_stamp (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .d_i   ({tick_i, phase_i}),
    .q_o   ({stamp_s7, phase_s7})
  );

  assign pds_s7 = (proto_s7 == 8'd17) ? payload_s7[64 +: 128] : payload_s7[32 +: 128];
  assign req_o  = {head_s7, proto_s7, class_s7, pair_s7, plen_s7, payload_s7[31:0], pds_s7,
                   stamp_s7, phase_s7, tag_s7};

  // Of the PDS header no more is needed than a request has.
  logic unused;
  assign unused = (^payload_s3[415:192]) ^ (^pds_s4[351:96]) ^ (^l2_s2[4:2]) ^ vld_s4 ^ vld_s5 ^
                  vld_s6 ^ udp_s4;
endmodule
