// Walks the headers of a packet as its first beats pass: Ethernet, VLAN tags, IP, UDP, start of UET.
//
// Latency:     p1, where the headers are, one cycle after the release; p2, what they say, two.
// Throughput:  one packet a cycle.
// Comb. paths: none from an input to an output.
// Reset:       no packet on its way; payload keeps its value.
// Contract:    trimmer/contract.md "Decision" 2 to 7; intmd/contract.md "Decision" 1.
//
// A packet's fields count in its beat 0, registers in force in the cycle of its release. Outputs of
// p1 and p2 have a meaning where vld_p1_o, vld_p2_o is 1.
module gw_uet_walk #(
  parameter int HeadBeats = 4       // beats of a packet that count as seen, 2 to 4
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // r0: a beat issues
  input  logic         issue_i,
  input  logic         release_i,   // it releases its packet
  input  logic [2:0]   index_i,     // its number in the packet
  input  logic [511:0] data_i,
  input  logic [63:0]  keep_i,
  input  logic         last_i,
  input  logic [15:0]  len_i,       // length of the frame, believed if it does not end here
  input  logic [15:0]  udp_port_i,  // UDP port of UET
  // p1
  output logic         vld_p1_o,
  output logic [1:0]   index_p1_o,  // number of the beat of the last cycle
  output logic [511:0] beat0_o,
  output logic [511:0] beat1_o,
  output logic [4:0]   h_p1_o,      // the UDP header starts at byte 4 * h_p1_o + 2
  // p2
  output logic         vld_p2_o,
  output logic [1:0]   tags_o,      // VLAN tags before the IP header
  output logic [2:0]   l2_o,        // the IP header starts at byte 4 * l2_o + 2
  output logic         ipv6_o,
  output logic [319:0] l3_o,        // 40 bytes from there
  output logic [4:0]   h_o,         // the UDP header starts at byte 4 * h_o + 2
  output logic [47:0]  udp_o,       // its bytes 2 to 7: port, length, checksum, as they stand
  output logic [4:0]   type_o,      // UET type
  output logic [3:0]   cause_o,     // first rule broken, 0: none
  output logic [2:0]   cause_ip_o,  // first rule broken of those that ask for a whole IP header
  output logic [15:0]  plen_o,      // bytes behind the IP header
  output logic [15:0]  end_o        // where the IP packet ends, if no rule is broken
);
  localparam int SeenBytes = 64 * HeadBeats;
  localparam logic [8:0] Seen = SeenBytes[8:0];

  // ---------------------------------------------------------------- r0 to p1
  logic [15:0] len_q;
  logic        last_q;              // the beat of the last cycle was the last one
  logic [63:0] keep_q;
  logic [15:0] udp_port_p1_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      vld_p1_o <= 1'b0;
      vld_p2_o <= 1'b0;
    end else begin
      vld_p1_o <= release_i;
      vld_p2_o <= vld_p1_o;
    end
  end

  always_ff @(posedge clk_i) begin
    if (issue_i && (index_i == 3'd0)) begin
      beat0_o <= data_i;
      len_q   <= len_i;
    end
    if (issue_i && (index_i == 3'd1)) beat1_o <= data_i;
    index_p1_o    <= index_i[1:0];
    last_q        <= last_i;
    keep_q        <= keep_i;
    udp_port_p1_q <= udp_port_i;
  end

  // ---------------------------------------------------------------- p1: where things are
  logic [1:0]   tags;
  logic [2:0]   l2;
  logic         ipv4;
  logic         ipv6;
  logic [319:0] l3;
  logic [6:0]   keep_bytes;
  logic [8:0]   seen;
  logic [463:0] udp_window;         // bytes 36 .. 93; H is 34 + 4n
  logic [3:0]   udp_word;           // n

  gw_l3_locate u_locate (
    .bytes_i(beat0_o[495:96]),
    .tags_o (tags),
    .l2_o   (l2),
    .ipv4_o (ipv4),
    .ipv6_o (ipv6),
    .l3_o   (l3),
    .h_o    (h_p1_o)
  );

  gw_ones_below u_bytes (.keep_i(keep_q), .count_o(keep_bytes));

  assign seen       = last_q ? ({1'b0, index_p1_o, 6'b0} + {2'b0, keep_bytes}) : Seen;
  assign udp_window = {beat1_o[239:0], beat0_o[511:288]};
  assign udp_word   = {~h_p1_o[3], h_p1_o[2:0]};   // h - 8, modulo 16

  function automatic logic [52:0] udp_part(input logic [463:0] window, input logic [3:0] word);
    logic [52:0] part;
    part = {window[55:51], window[47:0]};
    for (int k = 1; k < 13; k++) begin
      if (word == k[3:0]) part = {window[32*k+51 +: 5], window[32*k +: 48]};
    end
    udp_part = part;
  endfunction

  // ---------------------------------------------------------------- p1 to p2
  logic [7:0]  pairs_q;             // pairs of bytes seen
  logic [15:0] frame_q;
  logic        ipv4_q;
  logic [15:0] udp_port_q;

  always_ff @(posedge clk_i) begin
    if (vld_p1_o) begin
      pairs_q    <= seen[8:1];
      frame_q    <= last_q ? {7'b0, seen} : len_q;
      tags_o     <= tags;
      l2_o       <= l2;
      ipv4_q     <= ipv4;
      ipv6_o     <= ipv6;
      l3_o       <= l3;
      h_o        <= h_p1_o;
      {type_o, udp_o} <= udp_part(udp_window, udp_word);
      udp_port_q <= udp_port_p1_q;
    end
  end

  // ---------------------------------------------------------------- p2: what they say
  gw_uet_check u_check (
    .pairs_i   (pairs_q),
    .f_i       (frame_q),
    .l2_i      (l2_o),
    .ipv4_i    (ipv4_q),
    .ipv6_i    (ipv6_o),
    .l3_i      (l3_o[79:0]),
    .h_i       (h_o),
    .udp_i     (udp_o[31:0]),
    .port_i    (udp_port_q),
    .cause_o   (cause_o),
    .cause_ip_o(cause_ip_o),
    .plen_o    (plen_o),
    .end_o     (end_o)
  );
endmodule
