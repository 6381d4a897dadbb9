// Finds the headers of a packet as its beats pass, and measures the packet.
//
// Latency:     the beat of an issue is at the outputs of s2 two cycles later; the headers of the
//              packet that ended with it are at the outputs of s3 three cycles later.
// Throughput:  one beat a cycle, also where each is a packet.
// Comb. paths: none from an input to an output.
// Reset:       the next beat begins a packet; payload keeps its value.
// Contract:    ackparse/contract.md and ackgen/contract.md, "Beats", "Decision" 1 to 4.
//
// Stages: r0 the issue of a beat, IP header located; s1 where the IP payload ends, bytes of the
// frame; s2 headers cut out of the first beats, lengths compared. L2, H and P are 2 modulo 4: their
// quarter is all there is to know. No rule compares A with more than 82 bytes, so that F
// stands for A. What lies in the window beyond the end of the frame is never believed.
module gw_ip_walk (
  input  logic         clk_i,
  input  logic         rst_ni,
  // r0
  input  logic         issue_i,
  input  logic [511:0] data_i,
  input  logic [63:0]  keep_i,
  input  logic         last_i,
  input  logic [31:0]  tag_i,
  // s2: a beat
  output logic         vld_s2_o,
  output logic         first_s2_o,
  output logic [511:0] data_s2_o,
  output logic [11:0]  number_s2_o,    // of the beat in its packet, 2048 for all from there on
  // s2: its packet; beyond h, plen and end only where it is IP
  output logic [4:0]   h_s2_o,         // the IP payload starts at byte 4 * h_s2_o + 2
  output logic [15:0]  plen_s2_o,      // bytes of the IP payload
  output logic [16:0]  end_s2_o,       // where it ends
  output logic         ipv6_s2_o,
  output logic [3:0]   ihl_s2_o,       // words of 32 bits in the IPv4 header
  output logic [479:0] l3_s2_o,        // 60 bytes from the IP header on
  // s3: a packet that ended
  output logic         vld_s3_o,
  output logic         ipv6_s3_o,
  output logic [2:0]   cause_ip_s3_o,  // first broken of the rules that ask for a whole IP header
  output logic         below_s3_o,     // the length in the IPv4 header is less than the header's
  output logic         cut_s3_o,       // the frame ends before the IP packet
  output logic         fragment_s3_o,
  output logic         extension_s3_o,
  output logic [7:0]   proto_s3_o,     // IPv4 protocol, IPv6 next header
  output logic [15:0]  plen_s3_o,
  output logic [7:0]   class_s3_o,     // traffic class
  output logic [127:0] src_s3_o,
  output logic [415:0] payload_s3_o,   // 52 bytes from the IP payload on, as they stand
  output logic [31:0]  tag_s3_o
);
  // ---------------------------------------------------------------- r0
  logic [11:0]  number_q;            // of the beat that issues next
  logic [1:0]   tags;
  logic [2:0]   l2;
  logic         ipv4;
  logic         ipv6;
  logic [319:0] l3;
  logic [4:0]   h;

  gw_l3_locate u_locate (
    .bytes_i(data_i[495:96]),
    .tags_o (tags),
    .l2_o   (l2),
    .ipv4_o (ipv4),
    .ipv6_o (ipv6),
    .l3_o   (l3),
    .h_o    (h)
  );

  // ---------------------------------------------------------------- r0 to s1
  logic         vld_s1_q;
  logic         last_s1_q;
  logic [11:0]  number_s1_q;
  logic [511:0] data_s1_q;
  logic [63:0]  keep_s1_q;
  logic [31:0]  tag_s1_q;            // from here on: of the packet, held
  logic [1:0]   tags_s1_q;
  logic [2:0]   l2_s1_q;
  logic         ipv4_s1_q;
  logic         ipv6_s1_q;
  logic [79:0]  l3_s1_q;             // the first 10 bytes of the IP header
  logic [4:0]   h_s1_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      number_q <= '0;
      vld_s1_q <= 1'b0;
    end else begin
      vld_s1_q <= issue_i;
      if (issue_i) begin
        if (last_i)        number_q <= '0;
        else if (!number_q[11]) number_q <= number_q + 12'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (issue_i) begin
      last_s1_q   <= last_i;
      number_s1_q <= number_q;
      data_s1_q   <= data_i;
      keep_s1_q   <= keep_i;
    end
    if (issue_i && (number_q == '0)) begin
      tag_s1_q  <= tag_i;
      tags_s1_q <= tags;
      l2_s1_q   <= l2;
      ipv4_s1_q <= ipv4;
      ipv6_s1_q <= ipv6;
      l3_s1_q   <= l3[79:0];
      h_s1_q    <= h;
    end
  end

  // ---------------------------------------------------------------- s1: lengths
  logic [6:0]  keep_bytes;
  logic [17:0] bytes;                // of the frame up to this beat
  logic [16:0] frame;                // F, where this beat is the last
  logic [15:0] total;                // IPv4 total length
  logic [15:0] hl;                   // bytes of the IPv4 header
  logic [15:0] ip_len;               // total (IPv4) or payload length (IPv6)
  logic [16:0] ip_end;
  logic [16:0] ip_start;             // where ip_len counts from

  gw_ones_below u_bytes (.keep_i(keep_s1_q), .count_o(keep_bytes));

  assign bytes    = {number_s1_q, 6'b0} + {11'b0, keep_bytes};
  assign frame    = bytes[17] ? 17'h1ffff : bytes[16:0];
  assign total    = {l3_s1_q[23:16], l3_s1_q[31:24]};
  assign hl       = {10'b0, l3_s1_q[3:0], 2'b00};
  assign ip_len   = ipv6_s1_q ? {l3_s1_q[39:32], l3_s1_q[47:40]} : total;
  assign ip_start = {10'b0, ipv6_s1_q ? h_s1_q : {2'b0, l2_s1_q}, 2'b10};
  assign ip_end   = ip_start + {1'b0, ip_len};

  // ---------------------------------------------------------------- s1 to s2
  logic         last_s2_q;
  logic [511:112] beat0_s2_q;        // of the window, from the least L2 on
  logic [511:0] beat1_s2_q;
  logic [47:0]  beat2_s2_q;          // as far as the longest header goes
  logic [16:0]  frame_s2_q;
  logic [31:0]  tag_s2_q;
  logic [1:0]   tags_s2_q;
  logic [2:0]   l2_s2_q;
  logic         ipv4_s2_q;
  logic [79:0]  ip_s2_q;
  logic         below_s2_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) vld_s2_o <= 1'b0;
    else         vld_s2_o <= vld_s1_q;
  end

  always_ff @(posedge clk_i) begin
    if (vld_s1_q) begin
      first_s2_o  <= (number_s1_q == 12'd0);
      last_s2_q   <= last_s1_q;
      number_s2_o <= number_s1_q;
      data_s2_o   <= data_s1_q;
      if (number_s1_q == 12'd0) beat0_s2_q <= data_s1_q[511:112];
      if (number_s1_q == 12'd1) beat1_s2_q <= data_s1_q;
      if (number_s1_q == 12'd2) beat2_s2_q <= data_s1_q[47:0];
      frame_s2_q  <= frame;
      tag_s2_q    <= tag_s1_q;
      tags_s2_q   <= tags_s1_q;
      l2_s2_q     <= l2_s1_q;
      ipv4_s2_q   <= ipv4_s1_q;
      ipv6_s2_o   <= ipv6_s1_q;
      ip_s2_q     <= l3_s1_q;
      h_s2_o      <= h_s1_q;
      plen_s2_o   <= ipv6_s1_q ? ip_len : (total - hl);
      end_s2_o    <= ip_end;
      below_s2_q  <= ~ipv6_s1_q & (total < hl);
    end
  end

  // ---------------------------------------------------------------- s2: headers
  logic [543:0] l3_window;           // bytes 14 .. 81; L2 is 14 + 4 * tags
  logic [799:0] payload_window;      // bytes 34 .. 133; H is 34 + 4n
  logic [3:0]   payload_word;        // n
  logic [7:0]   pairs;               // pairs of bytes of the frame, 255 for all from there on
  logic [2:0]   cause_ip;
  logic         fragment;
  logic         extension;
  logic [7:0]   proto;
  logic [127:0] src;

  function automatic logic [415:0] payload_part(input logic [799:0] window,
                                                input logic [3:0] word);
    logic [415:0] part;
    part = window[415:0];
    for (int k = 1; k < 13; k++) begin
      if (word == k[3:0]) part = window[32*k +: 416];
    end
    payload_part = part;
  endfunction

  gw_ip_check u_ip (
    .pairs_i(pairs),
    .l2_i   (l2_s2_q),
    .ipv4_i (ipv4_s2_q),
    .ipv6_i (ipv6_s2_o),
    .first_i(ip_s2_q[7:0]),
    .cause_o(cause_ip)
  );

  assign l3_window      = {beat1_s2_q[143:0], beat0_s2_q};
  assign l3_s2_o        = tags_s2_q[1] ? l3_window[64 +: 480] :
                          tags_s2_q[0] ? l3_window[32 +: 480] : l3_window[0 +: 480];
  assign ihl_s2_o       = ip_s2_q[3:0];
  assign payload_window = {beat2_s2_q, beat1_s2_q, beat0_s2_q[511:272]};
  assign payload_word   = {~h_s2_o[3], h_s2_o[2:0]};  // h - 8, modulo 16
  assign pairs          = (frame_s2_q[16:9] != '0) ? 8'hff : frame_s2_q[8:1];
  assign proto          = ipv6_s2_o ? ip_s2_q[55:48] : ip_s2_q[79:72];
  assign fragment       = ipv6_s2_o ? (proto == 8'd44) :
                                      ({ip_s2_q[53:48], ip_s2_q[63:56]} != '0);
  assign extension      = ipv6_s2_o & ((proto == 8'd0) | (proto == 8'd43) | (proto == 8'd50) |
                                       (proto == 8'd51) | (proto == 8'd60) | (proto == 8'd135));

  // Bytes 8 .. 23 (IPv6) or 12 .. 15 (IPv4) of the header, the first one highest.
  for (genvar k = 0; k < 16; k++) begin : gen_src
    if (k < 4) begin : gen_both
      assign src[8*k +: 8] = ipv6_s2_o ? l3_s2_o[8*(23-k) +: 8] : l3_s2_o[8*(15-k) +: 8];
    end else begin : gen_ipv6
      assign src[8*k +: 8] = ipv6_s2_o ? l3_s2_o[8*(23-k) +: 8] : 8'b0;
    end
  end

  // ---------------------------------------------------------------- s2 to s3
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) vld_s3_o <= 1'b0;
    else         vld_s3_o <= vld_s2_o & last_s2_q;
  end

  always_ff @(posedge clk_i) begin
    if (vld_s2_o && last_s2_q) begin
      ipv6_s3_o      <= ipv6_s2_o;
      cause_ip_s3_o  <= cause_ip;
      below_s3_o     <= below_s2_q;
      cut_s3_o       <= (frame_s2_q < end_s2_o);
      fragment_s3_o  <= fragment;
      extension_s3_o <= extension;
      proto_s3_o     <= proto;
      plen_s3_o      <= plen_s2_o;
      class_s3_o     <= ipv6_s2_o ? {ip_s2_q[3:0], ip_s2_q[15:12]} : ip_s2_q[15:8];
      src_s3_o       <= src;
      payload_s3_o   <= payload_part(payload_window, payload_word);
      tag_s3_o       <= tag_s2_q;
    end
  end

  // Identification, time to live and what is behind are asked by nobody, or later.
  logic unused;
  assign unused = (^l3[319:80]) ^ (^ip_s2_q[47:16]) ^ (^ip_s2_q[71:64]);
endmodule
