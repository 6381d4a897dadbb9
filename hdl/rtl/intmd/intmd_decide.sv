// Decision of intmd: from the first two beats of a packet to what becomes of it.
//
// Latency:     a packet released in cycle R has its decision at the queue's head from R + 4 on.
// Throughput:  one packet a cycle.
// Comb. paths: none.
// Reset:       empty.
// Contract:    intmd/contract.md "Decision"; "Insertion" for the new words, but those that need the
//              entry itself.
//
// Stages: r0 the issue of a beat; p1 headers found; p2 rules, new words; p3 push. Sums are of words
// with swapped bytes, which changes nothing but the order of the bytes of the result (RFC 1071).
module intmd_decide #(
  parameter int NumPorts = 4,
  parameter int PortW    = 2
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // r0
  input  logic             issue_i,
  input  logic             release_i,
  input  logic [2:0]       index_i,
  input  intmd_rx_t        beat_i,
  input  intmd_regs_t      regs_i,
  // the oldest decision
  input  logic             pop_i,
  output logic             inserted_o,
  output logic [3:0]       cause_o,
  output logic             is_ack_o,
  output logic [7:0]       hops_o,        // after insertion, 0 without
  output logic [7:0]       out_port_o,
  output logic [PortW-1:0] index_o,       // of the table
  output logic [9:0]       place_o,       // the entry goes before byte 4 * place_o + 2
  output logic [1:0]       tags_o,        // VLAN tags before the IP header
  output logic [95:0]      l3_o,          // new first 12 bytes of the IP header
  output logic [4:0]       udp_place_o,   // the UDP length is at byte 4 * udp_place_o + 2
  output logic [15:0]      udp_len_o,     // new, as it stands
  output logic             udp_summed_o,  // the UDP checksum is in use
  output logic [15:0]      udp_base_o,    // folded sum of all but the entry
  output logic [4:0]       hop_place_o,   // the hop count is at byte 4 * hop_place_o
  output logic [15:0]      hop_word_o     // and the word there, new
);
  localparam int DecisionW = 1 + 4 + 1 + 8 + 8 + PortW + 10 + 2 + 96 + 5 + 16 + 1 + 16 + 5 + 16;
  localparam logic [7:0] PortLimit = NumPorts[7:0];
  localparam int FormByte = intmd_pkg::FORM;
  localparam logic [7:0] Form = FormByte[7:0];

  function automatic logic [15:0] swap(input logic [15:0] x);
    swap = {x[7:0], x[15:8]};
  endfunction

  // ---------------------------------------------------------------- r0: header beats
  logic [7:0]   in_port_q;
  logic [7:0]   out_port_q;
  logic [1:0]   mode_p1_q;
  logic [15:0]  magic_p1_q;
  logic [15:0]  max_frame_p1_q;

  always_ff @(posedge clk_i) begin
    if (issue_i && (index_i == 3'd0)) begin
      in_port_q  <= beat_i.in_port;
      out_port_q <= beat_i.out_port;
    end
    mode_p1_q      <= regs_i.MODE;
    magic_p1_q     <= regs_i.MAGIC;
    max_frame_p1_q <= regs_i.MAX_FRAME;
  end

  // ---------------------------------------------------------------- headers
  logic         vld_p1;
  logic         vld_p2;
  logic [1:0]   index_p1;
  logic [511:0] beat0;
  logic [511:0] beat1;
  logic [4:0]   h_p1;
  logic [1:0]   tags_p2;
  logic [2:0]   l2_p2;
  logic         ipv6_p2;
  logic [319:0] l3_p2;
  logic [4:0]   h_p2;          // the UDP header starts at byte 4 * h_p2 + 2
  logic [47:0]  udp_p2;        // UDP port, length and checksum, as they stand
  logic [4:0]   uet_type;
  logic [3:0]   cause_check;
  logic [2:0]   cause_ip;
  logic [15:0]  plen;
  logic [15:0]  ip_end;

  gw_uet_walk #(.HeadBeats(intmd_pkg::HEAD_BEATS)) u_walk (
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

  // ---------------------------------------------------------------- p1 to p2
  logic [591:0] int_p2_q;      // bytes 54 .. 127; G is 54 + 4n
  logic [7:0]   in_port_p2_q;
  logic [7:0]   out_port_p2_q;
  logic [1:0]   mode_p2_q;
  logic [15:0]  magic_p2_q;
  logic [15:0]  max_frame_p2_q;

  always_ff @(posedge clk_i) begin
    if (vld_p1) begin
      int_p2_q       <= {beat1, beat0[511:432]};
      in_port_p2_q   <= in_port_q;
      out_port_p2_q  <= out_port_q;
      mode_p2_q      <= mode_p1_q;
      magic_p2_q     <= magic_p1_q;
      max_frame_p2_q <= max_frame_p1_q;
    end
  end

  // ---------------------------------------------------------------- p2: rules
  logic        is_ack;         // ACK
  logic        is_ack_cc;
  logic        is_data;        // RUD_REQ, ROD_REQ
  logic        is_data_cc;
  logic        ack;            // sort
  logic        known;
  logic        on;
  logic [3:0]  uet_words;      // O / 4
  logic [4:0]  g;              // G is 4 * g + 2
  logic [4:0]  int_word;
  logic [47:0] int_head;       // bytes G .. G+5
  logic [15:0] magic;
  logic [7:0]  hops;
  logic [7:0]  room;
  logic        well_formed;    // form and complement agree, no more hops than there is room for
  logic [5:0]  need_head;      // plen that holds the INT header
  logic [11:0] need_all;       // and the entries claimed
  logic [7:0]  table_index;
  logic [3:0]  cause;
  logic        inserted;

  function automatic logic [47:0] int_part(input logic [591:0] window, input logic [4:0] word);
    logic [47:0] part;
    part = window[47:0];
    for (int k = 1; k < 18; k++) begin
      if (word == k[4:0]) part = window[32*k +: 48];
    end
    int_part = part;
  endfunction

  assign is_ack     = (uet_type == 5'd7);
  assign is_ack_cc  = (uet_type == 5'd8);
  assign is_data    = (uet_type == 5'd2) | (uet_type == 5'd3);
  assign is_data_cc = (uet_type == 5'd13) | (uet_type == 5'd14);
  assign ack        = is_ack | is_ack_cc;
  assign known      = ack | is_data | is_data_cc;
  assign on         = ack ? mode_p2_q[0] : mode_p2_q[1];
  assign uet_words  = is_ack_cc ? 4'd8 : (is_data_cc ? 4'd4 : 4'd3);
  assign g          = h_p2 + 5'd2 + {1'b0, uet_words};
  assign int_word   = g - 5'd13;
  assign int_head   = int_part(int_p2_q, int_word);
  assign magic      = {int_head[7:0], int_head[15:8]};
  assign hops       = int_head[23:16];
  assign room       = int_head[31:24];
  assign well_formed = (int_head[39:32] == Form) & (int_head[47:40] == ~room) &
                       (hops <= room);
  assign need_head  = {uet_words, 2'b00} + 6'd16;
  assign need_all   = {6'b0, need_head} + {1'b0, hops, 3'b000};
  assign table_index = ack ? in_port_p2_q : out_port_p2_q;

  assign cause = (cause_check != intmd_pkg::CAUSE_NONE)               ? cause_check :
                 !known                                               ? intmd_pkg::CAUSE_TYPE :
                 !on                                                  ? intmd_pkg::CAUSE_OFF :
                 ((plen < {10'b0, need_head}) | (magic != magic_p2_q)) ?
                                                                        intmd_pkg::CAUSE_ABSENT :
                 !well_formed                                         ? intmd_pkg::CAUSE_MALFORMED :
                 (plen < {4'b0, need_all})                            ? intmd_pkg::CAUSE_LENGTH :
                 ((hops == room) |
                  (({1'b0, ip_end} + 17'd8) > {1'b0, max_frame_p2_q})) ? intmd_pkg::CAUSE_NO_ROOM :
                 (table_index >= PortLimit)                           ? intmd_pkg::CAUSE_RANGE :
                                                                        intmd_pkg::CAUSE_NONE;
  assign inserted = (cause == intmd_pkg::CAUSE_NONE);

  // ---------------------------------------------------------------- p2: new words
  logic [15:0] ip_len_old;     // total (IPv4) or payload length (IPv6), in the order of the frame
  logic [15:0] ip_len_new;
  logic [7:0]  class_old;
  logic [95:0] l3_new;
  logic [15:0] udp_len_old;
  logic [15:0] udp_len_new;
  logic [15:0] udp_check_old;
  logic [15:0] hop_old;
  logic [15:0] hop_new;
  logic [18:0] udp_total;
  logic [15:0] udp_folded;
  logic [9:0]  place;

  gw_ip_rewrite u_ip (
    .ipv6_i (ipv6_p2),
    .l3_i   (l3_p2[95:0]),
    .class_i(class_old),
    .len_i  (ip_len_new),
    .l3_o   (l3_new)
  );

  gw_fold u_udp_fold (.sum_i({5'b0, udp_total}), .sum_o(udp_folded));

  assign ip_len_old    = ipv6_p2 ? l3_p2[47:32] : l3_p2[31:16];
  assign ip_len_new    = swap(swap(ip_len_old) + 16'd8);
  assign class_old     = ipv6_p2 ? {l3_p2[3:0], l3_p2[15:12]} : l3_p2[15:8];
  assign udp_len_old   = udp_p2[31:16];
  assign udp_len_new   = swap(swap(udp_len_old) + 16'd8);
  assign udp_check_old = udp_p2[47:32];
  assign hop_old       = int_head[31:16];
  assign hop_new       = {room, hops + 8'd1};
  assign udp_total     = {3'b0, ~udp_check_old} +
                         {2'b0, ~udp_len_old, 1'b0} + {2'b0, udp_len_new, 1'b0} +
                         {3'b0, ~hop_old} + {3'b0, hop_new};
  assign place         = {5'b0, g} + 10'd2 + {1'b0, hops, 1'b0};

  // ---------------------------------------------------------------- p2 to p3, queue
  logic [DecisionW-1:0] decision;
  logic                 decided;

  gw_decisions #(.Width(DecisionW), .Rows(intmd_pkg::STORE)) u_decisions (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .vld_i  (vld_p2),
    .data_i ({inserted, cause, ack, inserted ? hop_new[7:0] : 8'b0, out_port_p2_q,
              table_index[PortW-1:0], place, tags_p2, l3_new, h_p2 + 5'd1, udp_len_new,
              (udp_check_old != '0), udp_folded, g + 5'd1, hop_new}),
    .pop_i  (pop_i),
    .valid_o(decided),
    .data_o (decision)
  );

  assign {inserted_o, cause_o, is_ack_o, hops_o, out_port_o, index_o, place_o, tags_o, l3_o,
          udp_place_o, udp_len_o, udp_summed_o, udp_base_o, hop_place_o, hop_word_o} = decision;

  // The source port, and whether the IP header is whole, is asked elsewhere.
  logic unused;
  assign unused = decided ^ (^cause_ip) ^ (^l3_p2[319:96]) ^ (^udp_p2[15:0]) ^
                  (^index_p1) ^ (^h_p1) ^ (^l2_p2) ^ (^beat0[431:0]);
endmodule
