// Parser of acknowledgements, NACKs and control packets: packets in, one record for each that is
// whole and sound; all others dropped, and counted by the reason.
//
// Latency:     LATENCY (8) cycles from the issue of a packet's last beat to its record being seen.
// Throughput:  one beat of 64 bytes a cycle, also where each beat is a packet.
// Comb. paths: rst_ni to the ready and valid outputs; no other.
// Reset:       empty, registers at their reset values, counters 0; ready one cycle later.
// Contract:    vectors/event/timing.md, vectors/event/ackparse/contract.md.
//
// No beat is stored: headers and sums are taken from the beats as they pass. r0 is the cycle in
// which a beat issues, s1 the next one; a packet is judged when its last beat is in s6, and
// counted, dropped or put into the record FIFO in s7.
module ackparse (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           rx_valid_i,
  output logic           rx_ready_o,
  input  ackparse_rx_t   rx_i,
  input  logic           cfg_valid_i,
  output logic           cfg_ready_o,
  input  ackparse_cfg_t  cfg_i,
  output logic           rec_valid_o,
  input  logic           rec_ready_i,
  output ackparse_rec_t  rec_o,
  output logic           cfgr_valid_o,
  input  logic           cfgr_ready_i,
  output ackparse_cfgr_t cfgr_o
);
  // ---------------------------------------------------------------- reset
  logic up_q;         // a sweep of one cycle: there are no rows

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) up_q <= 1'b0;
    else         up_q <= 1'b1;
  end

  // ---------------------------------------------------------------- beats in, credits
  localparam int CreditMax = ackparse_pkg::CREDITS;
  localparam int CreditW   = $clog2(CreditMax + 1);
  localparam logic [CreditW-1:0] Credits = CreditMax[CreditW-1:0];

  logic               held;
  ackparse_rx_t       head;
  logic               issue;
  logic               ends;         // the beat that issues is the last of its packet
  logic               take;         // a record leaves
  logic               drop;         // a packet gives no record
  logic [CreditW-1:0] used_q;       // packets that ended, neither dropped nor taken

  gw_in_fifo #(.Width(ackparse_pkg::RX_W)) u_rx_fifo (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enable_i    (up_q),
    .valid_i     (rx_valid_i),
    .ready_o     (rx_ready_o),
    .data_i      (rx_i),
    .head_valid_o(held),
    .head_o      (head),
    .pop_i       (issue)
  );

  assign issue = held & (used_q != Credits);
  assign ends  = issue & head.last;

  // Not a gw_credit: two of these can come back in one cycle.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q <= '0;
    end else begin
      used_q <= used_q + {{(CreditW-1){1'b0}}, ends} - {{(CreditW-1){1'b0}}, take} -
                {{(CreditW-1){1'b0}}, drop};
    end
  end

  // ---------------------------------------------------------------- configuration
  logic [21:0]    inc;
  ackparse_regs_t regs;

  ackparse_config u_config (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .up_i        (up_q),
    .cfg_valid_i (cfg_valid_i),
    .cfg_ready_o (cfg_ready_o),
    .cfg_i       (cfg_i),
    .cfgr_valid_o(cfgr_valid_o),
    .cfgr_ready_i(cfgr_ready_i),
    .cfgr_o      (cfgr_o),
    .inc_i       (inc),
    .regs_o      (regs)
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
    .issue_i       (issue),
    .data_i        (head.data),
    .keep_i        (head.keep),
    .last_i        (head.last),
    .tag_i         (head.tag),
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

  gw_l4_sum u_udp_sum (
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
  logic          vld_s7;
  logic [3:0]    cause_s7;
  ackparse_rec_t rec_s7;

  ackparse_decide u_decide (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .regs_i        (regs),
    .vld_s3_i      (vld_s3),
    .ipv6_s3_i     (ipv6_s3),
    .cause_ip_s3_i (cause_ip_s3),
    .below_s3_i    (below_s3),
    .cut_s3_i      (cut_s3),
    .fragment_s3_i (fragment_s3),
    .extension_s3_i(extension_s3),
    .proto_s3_i    (proto_s3),
    .plen_s3_i     (plen_s3),
    .class_s3_i    (class_s3),
    .src_s3_i      (src_s3),
    .payload_s3_i  (payload_s3),
    .tag_s3_i      (tag_s3),
    .ip_good_s4_i  (ip_good_s4),
    .udp_good_s6_i (udp_good_s6),
    .vld_o         (vld_s7),
    .cause_o       (cause_s7),
    .rec_o         (rec_s7)
  );

  // ---------------------------------------------------------------- s7: counted, dropped or pushed
  logic push;

  assign push = vld_s7 & (cause_s7 == '0);
  assign drop = vld_s7 & (cause_s7 != '0);

  assign inc[0]  = vld_s7;
  assign inc[16] = push & (rec_s7.pds_type == ackparse_pkg::PDS_TYPE_ACK);
  assign inc[17] = push & (rec_s7.pds_type == ackparse_pkg::PDS_TYPE_ACK_CC);
  assign inc[18] = push & (rec_s7.pds_type == ackparse_pkg::PDS_TYPE_ACK_CCX);
  assign inc[19] = push & (rec_s7.pds_type == ackparse_pkg::PDS_TYPE_NACK);
  assign inc[20] = push & (rec_s7.pds_type == ackparse_pkg::PDS_TYPE_NACK_CCX);
  assign inc[21] = push & (rec_s7.pds_type == ackparse_pkg::PDS_TYPE_CP);
  for (genvar k = 1; k < 16; k++) begin : gen_cause
    localparam logic [3:0] Cause = k[3:0];
    assign inc[k] = vld_s7 & (cause_s7 == Cause);
  end

  gw_rsp_fifo #(.Width(ackparse_pkg::REC_W), .Rows(ackparse_pkg::CREDITS)) u_rec_fifo (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (push),
    .data_i (rec_s7),
    .valid_o(rec_valid_o),
    .ready_i(rec_ready_i),
    .data_o (rec_o),
    .take_o (take)
  );

`ifdef GW_ASSERT
  // Packets that ended so many cycles ago, and records that wait, counted at the ports.
  localparam int Decide = ackparse_pkg::DECIDE;
  logic [Decide-1:0] ended_q;
  int                waiting_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ended_q   <= '0;
      waiting_q <= 0;
    end else begin
      ended_q   <= {ended_q[Decide-2:0], ends};
      waiting_q <= waiting_q + int'(push) - int'(take);
    end
  end

  a_credits: assert property (@(posedge clk_i) disable iff (!rst_ni)
      int'(used_q) == $countones(ended_q) + waiting_q)
    else $error("ackparse: the credits in use are not the packets on their way and the records");
  a_room: assert property (@(posedge clk_i) disable iff (!rst_ni) used_q <= Credits)
    else $error("ackparse: more credits in use than the record FIFO has rows");
  a_judged: assert property (@(posedge clk_i) disable iff (!rst_ni) vld_s7 == ended_q[Decide-1])
    else $error("ackparse: a packet is not judged DECIDE cycles after its last beat");
  a_once: assert property (@(posedge clk_i) disable iff (!rst_ni)
      $countones(inc[21:1]) == int'(vld_s7))
    else $error("ackparse: a packet is not counted by one reason or by one type");
`endif
endmodule
