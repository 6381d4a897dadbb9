// Sums over an IP header: that of an IPv4 header, and that of the pseudo header of UDP.
//
// Latency:     good_s4_o two cycles after the header, pseudo_s5_o three.
// Throughput:  one header a cycle.
// Comb. paths: none.
// Reset:       no state that counts.
// Contract:    ackparse/contract.md "Decision" 4 and 7, and so ackgen/contract.md. Sums are of
//              words with swapped bytes, which changes nothing but the order of the bytes of the
//              result (RFC 1071).
module gw_l3_sum (
  input  logic         clk_i,
  // s2
  input  logic         ipv6_i,
  input  logic [3:0]   ihl_i,        // words of 32 bits in the IPv4 header
  input  logic [479:0] l3_i,         // 60 bytes from the IP header on
  input  logic [15:0]  plen_i,       // bytes of the IP payload
  // s4
  output logic         good_s4_o,    // the IPv4 header has the right checksum
  // s5
  output logic [20:0]  pseudo_s5_o   // addresses, protocol 17, length
);
  // ---------------------------------------------------------------- s2: sums of 4 words
  logic [511:0] header;              // the words that count, others 0
  logic [255:0] address;
  logic [143:0] header4;             // 8 sums
  logic [71:0]  address4;            // 4 sums

  for (genvar k = 0; k < 32; k++) begin : gen_header
    localparam logic [4:0] Word = k[4:0];
    if (k < 30) begin : gen_in
      assign header[16*k +: 16] = (Word < {ihl_i, 1'b0}) ? l3_i[16*k +: 16] : 16'b0;
    end else begin : gen_out
      assign header[16*k +: 16] = 16'b0;
    end
  end

  // IPv6: words 4 to 19 of the header, IPv4: 6 to 9.
  for (genvar k = 0; k < 16; k++) begin : gen_address
    if ((k >= 2) && (k < 6)) begin : gen_both
      assign address[16*k +: 16] = l3_i[16*(k+4) +: 16];
    end else begin : gen_ipv6
      assign address[16*k +: 16] = ipv6_i ? l3_i[16*(k+4) +: 16] : 16'b0;
    end
  end

  for (genvar k = 0; k < 8; k++) begin : gen_header4
    assign header4[18*k +: 18] = {2'b0, header[64*k +: 16]} + {2'b0, header[64*k+16 +: 16]} +
                                 {2'b0, header[64*k+32 +: 16]} + {2'b0, header[64*k+48 +: 16]};
  end

  for (genvar k = 0; k < 4; k++) begin : gen_address4
    assign address4[18*k +: 18] = {2'b0, address[64*k +: 16]} + {2'b0, address[64*k+16 +: 16]} +
                                  {2'b0, address[64*k+32 +: 16]} + {2'b0, address[64*k+48 +: 16]};
  end

  // ---------------------------------------------------------------- s3: sums
  logic [143:0] header4_s3_q;
  logic [71:0]  address4_s3_q;
  logic [16:0]  rest_s3_q;           // protocol and length
  logic [20:0]  header_s4_q;
  logic [20:0]  pseudo_s4_q;

  always_ff @(posedge clk_i) begin
    header4_s3_q  <= header4;
    address4_s3_q <= address4;
    rest_s3_q     <= 17'h01100 + {1'b0, plen_i[7:0], plen_i[15:8]};
    header_s4_q   <= {3'b0, header4_s3_q[0 +: 18]}  + {3'b0, header4_s3_q[18 +: 18]} +
                     {3'b0, header4_s3_q[36 +: 18]} + {3'b0, header4_s3_q[54 +: 18]} +
                     {3'b0, header4_s3_q[72 +: 18]} + {3'b0, header4_s3_q[90 +: 18]} +
                     {3'b0, header4_s3_q[108 +: 18]} + {3'b0, header4_s3_q[126 +: 18]};
    pseudo_s4_q   <= {3'b0, address4_s3_q[0 +: 18]}  + {3'b0, address4_s3_q[18 +: 18]} +
                     {3'b0, address4_s3_q[36 +: 18]} + {3'b0, address4_s3_q[54 +: 18]} +
                     {4'b0, rest_s3_q};
    pseudo_s5_o   <= pseudo_s4_q;
  end

  // ---------------------------------------------------------------- s4
  logic [15:0] folded;

  gw_fold u_fold (.sum_i({3'b0, header_s4_q}), .sum_o(folded));

  assign good_s4_o = (folded == 16'hffff);
endmodule
