// Decision of the trimmer: from the first beats of a packet to what becomes of it.
//
// Latency:     a packet released in cycle R has its decision at the queue's head from R + 5 on.
// Throughput:  one packet a cycle.
// Comb. paths: rst_ni to valid_o; no other.
// Reset:       empty.
// Contract:    trimmer/contract.md "Decision", "Marking", "Rewriting a trimmed packet".
//
// A packet that comes with a trim size is cut to that size: the switch that queued it has already
// decided by the registers.
//
// Stages: r0 the issue of a beat; p1 headers found, trim size, end beat picked; p2 rules, partial
// sum; p3 sums, new words; p4 push. The bytes of a UDP segment are summed as they come: each header
// beat that is not the last is summed from H on in the cycle after its issue, and of the beat in
// which the packet is to end, once that is known, the part before the end. Sums are of words with
// swapped bytes, which changes nothing but the order of the bytes of the result (RFC 1071).
module trimmer_decide (
  input  logic          clk_i,
  input  logic          rst_ni,
  // r0
  input  logic          issue_i,
  input  logic          release_i,
  input  logic [2:0]    index_i,
  input  trimmer_rx_t   beat_i,
  input  trimmer_regs_t regs_i,
  // the oldest decision
  input  logic          pop_i,
  output logic          valid_o,
  output logic          trimmed_o,
  output logic          marked_o,
  output logic          last_hop_o,
  output logic [3:0]    cause_o,
  output logic [31:0]   tag_o,
  output logic [2:0]    beats_o,       // trimmed: beats to keep
  output logic [6:0]    bytes_o,       // trimmed: bytes of the last of them
  output logic [1:0]    tags_o,        // VLAN tags before the IP header
  output logic [95:0]   l3_o,          // trimmed or marked: new first 12 bytes of the IP header
  output logic [4:0]    udp_place_o,   // trimmed: the UDP length is at byte 4 * udp_place_o + 2
  output logic [31:0]   udp_o          // trimmed: new UDP length and checksum, as they stand
);
  localparam int MaxTrimBytes = trimmer_pkg::MAX_TRIM;
  localparam int UetMinBytes  = trimmer_pkg::UET_MIN;
  localparam logic [8:0] MaxTrim = MaxTrimBytes[8:0];
  localparam logic [8:0] UetMin  = UetMinBytes[8:0];
  localparam int DecisionW = 1 + 1 + 1 + 4 + 32 + 3 + 7 + 2 + 96 + 5 + 32;

  // Sum of the 16-bit words from .. to-1; an odd number of bytes ends in a zero byte.
  function automatic logic [20:0] sum_part(input logic [511:0] data, input logic [5:0] from,
                                           input logic [6:0] bytes);
    logic [20:0] sum;
    sum = '0;
    for (int k = 0; k < 32; k++) begin
      if ((k[5:0] >= from) && (k[5:0] < bytes[6:1])) sum = sum + {5'b0, data[16*k +: 16]};
      else if ((k[5:0] >= from) && (k[5:0] == bytes[6:1]) && bytes[0]) begin
        sum = sum + {13'b0, data[16*k +: 8]};
      end
    end
    sum_part = sum;
  endfunction

  // One line, also in intmd_decide: a module of its own would say no more than its name.
  function automatic logic [15:0] swap(input logic [15:0] x);
    swap = {x[7:0], x[15:8]};
  endfunction

  // ---------------------------------------------------------------- r0: header beats
  logic [511:0] beat0;         // these two are held where the headers are read
  logic [511:0] beat1;
  logic [511:0] beat2_q;
  logic [511:0] beat3_q;
  logic         trim_q;
  logic [8:0]   given_q;       // trim size that came with the packet, 0: the registers decide
  logic         last_hop_q;
  logic         ce_q;
  logic [31:0]  tag_q;
  logic         summed_q;      // the beat of the last cycle is to be summed as a whole
  logic [8:0]   reg_size_p1_q; // trim size by the registers
  logic [5:0]   dscp_trimmed_p1_q;
  logic [5:0]   dscp_lasthop_p1_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) summed_q <= 1'b0;
    else         summed_q <= issue_i & (index_i < 3'd3) & ~beat_i.last;
  end

  always_ff @(posedge clk_i) begin
    if (issue_i && (index_i == 3'd0)) begin
      trim_q     <= beat_i.trim;
      given_q    <= beat_i.trim_size;
      last_hop_q <= beat_i.last_hop;
      ce_q       <= beat_i.ce;
      tag_q      <= beat_i.tag;
    end
    if (issue_i && (index_i == 3'd2)) beat2_q <= beat_i.data;
    if (issue_i && (index_i == 3'd3)) beat3_q <= beat_i.data;
    reg_size_p1_q     <= (regs_i.TRIM_SIZE > regs_i.MIN_SIZE) ? regs_i.TRIM_SIZE
                                                              : regs_i.MIN_SIZE;
    dscp_trimmed_p1_q <= regs_i.DSCP_TRIMMED;
    dscp_lasthop_p1_q <= regs_i.DSCP_LASTHOP;
  end

  // ---------------------------------------------------------------- headers
  logic         vld_p1;
  logic         vld_p2;
  logic [1:0]   index_p1;      // of the beat of the last cycle
  logic [4:0]   h_p1;          // the UDP header starts at byte 4 * h_p1 + 2
  logic [1:0]   tags_p2;
  logic [2:0]   l2_p2;         // the IP header starts at byte 4 * l2_p2 + 2
  logic         ipv6_p2;
  logic [319:0] l3_p2;
  logic [4:0]   h_p2;
  logic [47:0]  udp_p2;        // UDP port, length and checksum, as they stand
  logic [4:0]   uet_type;
  logic [3:0]   cause_check;
  logic [2:0]   cause_ip;      // 0: the IP header is there as a whole
  logic [15:0]  plen;
  logic [15:0]  ip_end;

  gw_uet_walk #(.HeadBeats(trimmer_pkg::HEAD_BEATS)) u_walk (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .issue_i   (issue_i),
    .release_i (release_i),
    .index_i   (index_i),
    .data_i    (beat_i.data),
    .keep_i    (beat_i.keep),
    .last_i    (beat_i.last),
    .len_i     (beat_i.len),
    .udp_port_i(regs_i.UDP_PORT),
    .vld_p1_o  (vld_p1),
    .index_p1_o(index_p1),
    .beat0_o   (beat0),
    .beat1_o   (beat1),
    .h_p1_o    (h_p1),
    .vld_p2_o  (vld_p2),
    .tags_o    (tags_p2),
    .l2_o      (l2_p2),
    .ipv6_o    (ipv6_p2),
    .l3_o      (l3_p2),
    .h_o       (h_p2),
    .udp_o     (udp_p2),
    .type_o    (uet_type),
    .cause_o   (cause_check),
    .cause_ip_o(cause_ip),
    .plen_o    (plen),
    .end_o     (ip_end)
  );

  // ---------------------------------------------------------------- p1: where it is to end
  logic         given;         // the packet came with a trim size
  logic [8:0]   size_uet;
  logic [8:0]   size_base;
  logic [8:0]   size;
  logic [7:0]   size_last;     // number of the last byte
  logic [1:0]   end_beat;
  logic         deep;          // the UDP header starts in beat 1
  logic [5:0]   from0;         // first word to be summed of beat 0, in 16 bits
  logic [4:0]   from1;

  assign given     = (given_q != '0);
  assign size_uet  = {2'b0, h_p1, 2'b10} + UetMin;
  assign size_base = !given              ? reg_size_p1_q :
                     (given_q > MaxTrim) ? MaxTrim : given_q;
  assign size      = (size_base > size_uet) ? size_base : size_uet;
  assign size_last = size[7:0] - 8'd1;
  assign end_beat  = size_last[7:6];
  assign deep      = h_p1[4];
  assign from0     = deep ? 6'd32 : {1'b0, h_p1[3:0], 1'b1};
  assign from1     = deep ? {h_p1[3:0], 1'b1} : 5'd0;

  // ---------------------------------------------------------------- p1: sums of whole beats
  logic [20:0] sum0_q;
  logic [20:0] sum1_q;
  logic [20:0] sum2_q;

  always_ff @(posedge clk_i) begin
    if (summed_q) begin
      if (index_p1 == 2'd0) sum0_q <= sum_part(beat0, from0, 7'd64);
      if (index_p1 == 2'd1) sum1_q <= sum_part(beat1, {1'b0, from1}, 7'd64);
      if (index_p1 == 2'd2) sum2_q <= sum_part(beat2_q, 6'd0, 7'd64);
    end
  end

  // ---------------------------------------------------------------- p1 to p2
  logic         trim_p2_q;
  logic         given_p2_q;
  logic         last_hop_p2_q;
  logic         ce_p2_q;
  logic [31:0]  tag_p2_q;
  logic [8:0]   size_p2_q;
  logic [1:0]   end_beat_p2_q;
  logic [511:0] end_p2_q;
  logic [4:0]   end_from_p2_q;
  logic [6:0]   end_bytes_p2_q;
  logic [22:0]  before_p2_q;   // sum of the beats before it
  logic [5:0]   dscp_p2_q;

  always_ff @(posedge clk_i) begin
    if (vld_p1) begin
      trim_p2_q      <= trim_q;
      given_p2_q     <= given;
      last_hop_p2_q  <= last_hop_q;
      ce_p2_q        <= ce_q;
      tag_p2_q       <= tag_q;
      size_p2_q      <= size;
      end_beat_p2_q  <= end_beat;
      end_bytes_p2_q <= {1'b0, size_last[5:0]} + 7'd1;
      dscp_p2_q      <= last_hop_q ? dscp_lasthop_p1_q : dscp_trimmed_p1_q;
      unique case (end_beat)
        2'd0: begin
          end_p2_q      <= beat0;
          end_from_p2_q <= {h_p1[3:0], 1'b1}; // a packet that ends here has UDP here
          before_p2_q   <= '0;
        end
        2'd1: begin
          end_p2_q      <= beat1;
          end_from_p2_q <= from1;
          before_p2_q   <= {2'b0, sum0_q};
        end
        2'd2: begin
          end_p2_q      <= beat2_q;
          end_from_p2_q <= '0;
          before_p2_q   <= {2'b0, sum0_q} + {2'b0, sum1_q};
        end
        default: begin
          end_p2_q      <= beat3_q;
          end_from_p2_q <= '0;
          before_p2_q   <= {2'b0, sum0_q} + {2'b0, sum1_q} + {2'b0, sum2_q};
        end
      endcase
    end
  end

  // ---------------------------------------------------------------- p2: rules
  logic [3:0]  cause_rule;
  logic [3:0]  cause;
  logic        trimmed;
  logic        marked;
  logic [1:0]  ecn;
  logic [7:0]  class_old;
  logic [7:0]  class_new;

  trimmer_rule u_rule (
    .walk_i    (cause_check),
    .any_port_i(given_p2_q),
    .type_i    (uet_type),
    .size_i    (size_p2_q),
    .end_i     (ip_end),
    .cause_o   (cause_rule)
  );

  assign cause     = trim_p2_q ? cause_rule : trimmer_pkg::CAUSE_NONE;
  assign trimmed   = trim_p2_q & (cause == trimmer_pkg::CAUSE_NONE);
  assign class_old = ipv6_p2 ? {l3_p2[3:0], l3_p2[15:12]} : l3_p2[15:8];
  assign ecn       = class_old[1:0];
  assign marked    = ce_p2_q & (cause_ip == '0) & (ecn[1] ^ ecn[0]);
  assign class_new = {trimmed ? dscp_p2_q : class_old[7:2], marked ? 2'b11 : ecn};

  // ---------------------------------------------------------------- p2 to p3
  logic        vld_p3_q;
  logic        trimmed_p3_q;
  logic        marked_p3_q;
  logic        last_hop_p3_q;
  logic [3:0]  cause_p3_q;
  logic [31:0] tag_p3_q;
  logic [1:0]  end_beat_p3_q;
  logic [6:0]  end_bytes_p3_q;
  logic [1:0]  tags_p3_q;
  logic        ipv6_p3_q;
  logic [95:0] l3_p3_q;
  logic [7:0]  class_p3_q;
  logic [4:0]  h_p3_q;
  logic [31:0] udp_p3_q;       // old UDP length and checksum
  logic [15:0] udp_len_p3_q;   // new
  logic [15:0] ip_len_p3_q;    // new total (IPv4) or payload length (IPv6), as it stands
  logic [22:0] before_p3_q;
  logic [20:0] end_sum_p3_q;
  logic [20:0] pseudo_p3_q;    // addresses and protocol
  logic [8:0]  udp_len;
  logic [8:0]  ip_len;
  logic [15:0] ip_len_old;

  assign udp_len    = size_p2_q - {2'b0, h_p2, 2'b10};
  assign ip_len     = ipv6_p2 ? udp_len : (size_p2_q - {4'b0, l2_p2, 2'b10});
  assign ip_len_old = ipv6_p2 ? l3_p2[47:32] : l3_p2[31:16];

  always_ff @(posedge clk_i) begin
    if (vld_p2) begin
      trimmed_p3_q   <= trimmed;
      marked_p3_q    <= marked;
      last_hop_p3_q  <= last_hop_p2_q;
      cause_p3_q     <= cause;
      tag_p3_q       <= tag_p2_q;
      end_beat_p3_q  <= end_beat_p2_q;
      end_bytes_p3_q <= end_bytes_p2_q;
      tags_p3_q      <= tags_p2;
      ipv6_p3_q      <= ipv6_p2;
      l3_p3_q        <= l3_p2[95:0];
      class_p3_q     <= class_new;
      h_p3_q         <= h_p2;
      udp_p3_q       <= udp_p2[47:16];
      udp_len_p3_q   <= {7'b0, udp_len};
      ip_len_p3_q    <= trimmed ? swap({7'b0, ip_len}) : ip_len_old;
      before_p3_q    <= before_p2_q;
      end_sum_p3_q   <= sum_part(end_p2_q, {1'b0, end_from_p2_q}, end_bytes_p2_q);
      pseudo_p3_q    <= pseudo(l3_p2, ipv6_p2);
    end
  end

  function automatic logic [20:0] pseudo(input logic [319:0] ip, input logic v6);
    logic [20:0] sum;
    sum = 21'h1100;            // protocol 17, bytes swapped
    for (int k = 4; k < 20; k++) begin
      if (v6 || ((k >= 6) && (k < 10))) sum = sum + {5'b0, ip[16*k +: 16]};
    end
    pseudo = sum;
  endfunction

  // ---------------------------------------------------------------- p3: new words
  logic [22:0] udp_total;      // less than 128 words, whatever they hold
  logic [15:0] udp_check;
  logic [95:0] l3_new;

  gw_udp_sum u_udp_sum (
    .sum_i  ({1'b0, udp_total}),
    .used_i (udp_p3_q[31:16] != '0),
    .check_o(udp_check)
  );

  gw_ip_rewrite u_ip (
    .ipv6_i (ipv6_p3_q),
    .l3_i   (l3_p3_q),
    .class_i(class_p3_q),
    .len_i  (ip_len_p3_q),
    .l3_o   (l3_new)
  );

  // The old length and checksum are in the sums of the beats: out with them.
  assign udp_total = before_p3_q + {2'b0, end_sum_p3_q} + {2'b0, pseudo_p3_q} +
                     {6'b0, swap(udp_len_p3_q), 1'b0} -
                     {7'b0, udp_p3_q[15:0]} - {7'b0, udp_p3_q[31:16]};

  // ---------------------------------------------------------------- p3 to p4, queue
  logic [DecisionW-1:0] decision;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) vld_p3_q <= 1'b0;
    else         vld_p3_q <= vld_p2;
  end

  gw_decisions #(.Width(DecisionW), .Rows(trimmer_pkg::STORE)) u_decisions (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .vld_i  (vld_p3_q),
    .data_i ({trimmed_p3_q, marked_p3_q, last_hop_p3_q, cause_p3_q, tag_p3_q,
              {1'b0, end_beat_p3_q} + 3'd1, end_bytes_p3_q, tags_p3_q, l3_new,
              h_p3_q + 5'd1, {udp_check, swap(udp_len_p3_q)}}),
    .pop_i  (pop_i),
    .valid_o(valid_o),
    .data_o (decision)
  );

  assign {trimmed_o, marked_o, last_hop_o, cause_o, tag_o, beats_o, bytes_o, tags_o, l3_o,
          udp_place_o, udp_o} = decision;

  logic unused;
  assign unused = (^plen) ^ (^udp_p2[15:0]);
endmodule
