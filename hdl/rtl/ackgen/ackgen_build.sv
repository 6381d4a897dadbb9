// Builds an answer.
//
// Latency:     load_i in the cycle in which the job ends; push_o BUILD (4) cycles later.
// Throughput:  one answer in BUILD + 1 cycles: jobs that are answered end BUSY apart or more.
// Comb. paths: none.
// Reset:       no answer on its way.
// Contract:    ackgen/contract.md "Answers". Byte i of a vector is bits 8i+7 .. 8i; src_i is a
//              number. Sums are of words with swapped bytes, which changes nothing but the order of
//              the bytes of the result (RFC 1071).
//
// Stages: b1 sums of addresses, base of the bitmap; b2 bitmap, IPv4 sum; b3 PDS header whole, frame
// put together; b4 UDP checksum put in.
module ackgen_build (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         load_i,
  // the request
  input  logic [175:0] l2_i,          // bytes 0 .. 21 of the frame
  input  logic [1:0]   tags_i,
  input  logic         ipv6_i,
  input  logic [7:0]   proto_i,
  input  logic [127:0] src_i,
  input  logic [127:0] dst_i,         // as it stands
  input  logic [31:0]  ports_i,       // bytes H .. H+3
  input  logic [31:0]  tag_i,
  input  logic         retx_i,
  input  logic         p_i,           // a control packet but CLOSE
  input  logic         probe_i,
  input  logic [15:0]  opaque_i,
  input  logic [31:0]  psn_i,
  input  logic [15:0]  spdcid_i,
  // what became of it
  input  logic         nack_i,
  input  logic         plain_i,       // ACK; neither: ACK_CC
  input  logic         m_i,
  input  logic         want_close_i,
  input  logic [7:0]   nack_code_i,
  input  logic [15:0]  pdcid_i,
  input  logic [31:0]  cack_i,
  input  logic [31:0]  delta_i,       // psn - cack
  input  logic [31:0]  base_delta_i,  // base - cack
  input  logic [255:0] seen_i,
  input  logic [31:0]  rcvd_i,
  input  logic [15:0]  service_i,
  // registers
  input  logic [7:0]   mpr_i,
  input  logic [7:0]   pressure_i,
  input  logic [5:0]   dscp_i,
  // b4
  output logic         push_o,
  output logic [31:0]  tag_o,
  output logic [6:0]   length_o,      // 60 .. 102
  output logic [815:0] frame_o
);
  // ---------------------------------------------------------------- e to b1: held until the next
  logic [3:1]   busy_q;               // b1 .. b3
  logic [175:0] l2_q;
  logic [1:0]   tags_q;
  logic         ipv6_q;
  logic [7:0]   proto_q;
  logic [127:0] src_q;                // as it stands: bytes 12 .. 15 are those of an IPv4 address
  logic [127:0] dst_q;
  logic [31:0]  ports_q;
  logic         retx_q, p_q, probe_q;
  logic [15:0]  opaque_q, spdcid_q, pdcid_q;
  logic [31:0]  psn_q, cack_q, delta_q, base_delta_q, rcvd_q;
  logic         nack_q, plain_q, m_q, want_close_q;
  logic [7:0]   nack_code_q;
  logic [255:0] seen_q;
  logic [15:0]  service_q;
  logic [7:0]   mpr_q, pressure_q;
  logic [5:0]   dscp_q;
  logic [127:0] src_raw;

  for (genvar k = 0; k < 16; k++) begin : gen_src
    assign src_raw[8*k +: 8] = src_i[8*(15-k) +: 8];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {push_o, busy_q} <= '0;
    else         {push_o, busy_q} <= {busy_q, load_i};
  end

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      l2_q         <= l2_i;
      tags_q       <= tags_i;
      ipv6_q       <= ipv6_i;
      proto_q      <= proto_i;
      src_q        <= src_raw;
      dst_q        <= dst_i;
      ports_q      <= ports_i;
      tag_o        <= tag_i;
      retx_q       <= retx_i;
      p_q          <= p_i & ~nack_i;
      probe_q      <= probe_i;
      opaque_q     <= opaque_i;
      psn_q        <= psn_i;
      spdcid_q     <= spdcid_i;
      nack_q       <= nack_i;
      plain_q      <= plain_i & ~nack_i;
      m_q          <= m_i;
      want_close_q <= want_close_i & ~nack_i;
      nack_code_q  <= nack_code_i;
      pdcid_q      <= pdcid_i;
      cack_q       <= cack_i;
      delta_q      <= delta_i;
      base_delta_q <= base_delta_i;
      seen_q       <= seen_i;
      rcvd_q       <= rcvd_i;
      service_q    <= service_i;
      mpr_q        <= mpr_i;
      pressure_q   <= pressure_i;
      dscp_q       <= dscp_i;
    end
  end

  // ---------------------------------------------------------------- lengths
  logic        udp;
  logic [5:0]  plen;                  // after the IP header
  logic [5:0]  total;                 // IPv4
  logic [6:0]  length;                // before padding

  assign udp    = (proto_q == 8'd17);
  assign plen   = (udp ? 6'd8 : 6'd4) + (nack_q ? 6'd16 : plain_q ? 6'd12 : 6'd32);
  assign total  = 6'd20 + plen;
  assign length = 7'd14 + {3'b0, tags_q, 2'b0} + (ipv6_q ? 7'd40 : 7'd20) + {1'b0, plen};

  // ---------------------------------------------------------------- b1, b2: sums
  logic [255:0] address;
  logic [71:0]  address4, address4_b2_q;  // 4 sums of 4 words
  logic [19:0]  address_b2;
  logic [19:0]  ip_b3_q;              // of the IPv4 header
  logic [20:0]  other_b3_q;           // of pseudo header and UDP header
  logic [21:0]  udp_b4;
  logic [255:0] pds;

  assign address = {src_q, dst_q};

  for (genvar k = 0; k < 4; k++) begin : gen_address4
    assign address4[18*k +: 18] = {2'b0, address[64*k +: 16]} + {2'b0, address[64*k+16 +: 16]} +
                                  {2'b0, address[64*k+32 +: 16]} + {2'b0, address[64*k+48 +: 16]};
  end

  assign address_b2 = {2'b0, address4_b2_q[0 +: 18]} + {2'b0, address4_b2_q[18 +: 18]} +
                      {2'b0, address4_b2_q[36 +: 18]} + {2'b0, address4_b2_q[54 +: 18]};

  // The length is in the pseudo header and in the UDP header.
  always_ff @(posedge clk_i) begin
    address4_b2_q <= address4;
    ip_b3_q       <= address_b2 + {4'b0, dscp_q, 10'h045} + {4'b0, 2'b0, total, 8'h00} +
                     20'h00040 + {4'b0, proto_q, 8'd64};
    other_b3_q    <= {1'b0, address_b2} + 21'h01100 + {4'b0, 2'b0, plen, 9'h000} +
                     {5'b0, ports_q[15:0]} + {5'b0, ports_q[31:16]};
  end

  ackgen_pds u_pds (
    .clk_i       (clk_i),
    .nack_i      (nack_q),
    .plain_i     (plain_q),
    .m_i         (m_q),
    .retx_i      (retx_q),
    .p_i         (p_q),
    .want_close_i(want_close_q),
    .probe_i     (probe_q),
    .nack_code_i (nack_code_q),
    .opaque_i    (opaque_q),
    .psn_i       (psn_q),
    .cack_i      (cack_q),
    .delta_i     (delta_q),
    .base_delta_i(base_delta_q),
    .seen_i      (seen_q),
    .rcvd_i      (rcvd_q),
    .pdcid_i     (pdcid_q),
    .spdcid_i    (spdcid_q),
    .mpr_i       (mpr_q),
    .pressure_i  (pressure_q),
    .service_i   (service_q),
    .pds_b3_o    (pds),
    .other_b3_i  (other_b3_q),
    .sum_b4_o    (udp_b4)
  );

  // ---------------------------------------------------------------- b3: frame
  logic [15:0]  ip_sum;
  logic [175:0] l2;
  logic [319:0] l4;                   // from the IP payload on
  logic [159:0] header4;
  logic [319:0] header6;
  logic [639:0] l3;                   // from the IP header on
  logic [815:0] frame;
  logic [815:0] frame_b4_q;

  gw_fold u_ip_sum (.sum_i({4'b0, ip_b3_q}), .sum_o(ip_sum));

  assign l2      = {l2_q[175:96], l2_q[47:0], l2_q[95:48]};
  assign header4 = {src_q[127:96], dst_q[31:0], ~ip_sum, proto_q, 8'd64, 16'h0040, 16'h0000,
                    2'b0, total, 8'h00, dscp_q, 2'b00, 8'h45};
  assign header6 = {src_q, dst_q, 8'd64, proto_q, 2'b0, plen, 8'h00, 16'h0000,
                    dscp_q[1:0], 2'b00, 4'h0, 4'h6, dscp_q[5:2]};
  assign l4      = udp ? {pds, 16'h0000, 2'b0, plen, 8'h00, ports_q} :
                         {32'b0, pds, 16'h0000, ports_q[15:0]};
  assign l3      = ipv6_q ? {l4, header6} : {160'b0, l4, header4};
  assign frame   = tags_q[1] ? {l3, l2} :
                   tags_q[0] ? {32'b0, l3, l2[143:0]} : {64'b0, l3, l2[111:0]};

  always_ff @(posedge clk_i) begin
    if (busy_q[3]) begin
      frame_b4_q <= frame;
      length_o   <= (length < 7'd60) ? 7'd60 : length;
    end
  end

  // ---------------------------------------------------------------- b4: UDP checksum
  logic [15:0] check;
  logic [5:0]  place;                 // word of the frame, (H + 6) / 2

  gw_udp_sum u_udp_sum (.sum_i({2'b0, udp_b4}), .used_i(udp), .check_o(check));

  assign place = 6'd20 + {3'b0, tags_q, 1'b0} + (ipv6_q ? 6'd10 : 6'd0);

  for (genvar k = 0; k < 51; k++) begin : gen_frame
    localparam logic [5:0] Word = k[5:0];
    if ((k == 20) || (k == 22) || (k == 24) || (k == 30) || (k == 32) || (k == 34)) begin : gen_sum
      assign frame_o[16*k +: 16] = (udp & (place == Word)) ? check : frame_b4_q[16*k +: 16];
    end else begin : gen_rest
      assign frame_o[16*k +: 16] = frame_b4_q[16*k +: 16];
    end
  end

`ifdef GW_ASSERT
  a_one: assert property (@(posedge clk_i) disable iff (!rst_ni) load_i |-> {push_o, busy_q} == '0)
    else $error("ackgen_build: an answer begins before the one ahead is built");
`endif
endmodule
