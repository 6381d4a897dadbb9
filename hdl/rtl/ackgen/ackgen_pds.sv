// The PDS header of an answer, and the sum of its words.
//
// Latency:     the header is whole in b3; sum_b4_o holds in b4.
// Throughput:  one answer at a time; inputs hold from b1 on.
// Comb. paths: inputs to pds_b3_o.
// Reset:       none; payload only.
// Contract:    ackgen/contract.md "Answers", the table. Byte i of the header is bits 8i+7 .. 8i;
//              bytes from O on are 0. Sums are of words with swapped bytes.
module ackgen_pds (
  input  logic         clk_i,
  input  logic         nack_i,
  input  logic         plain_i,       // ACK; neither: ACK_CC
  input  logic         m_i,
  input  logic         retx_i,
  input  logic         p_i,           // of a control packet but CLOSE
  input  logic         want_close_i,
  input  logic         probe_i,
  input  logic [7:0]   nack_code_i,
  input  logic [15:0]  opaque_i,
  input  logic [31:0]  psn_i,
  input  logic [31:0]  cack_i,
  input  logic [31:0]  delta_i,       // psn - cack
  input  logic [31:0]  base_delta_i,  // base - cack
  input  logic [255:0] seen_i,
  input  logic [31:0]  rcvd_i,
  input  logic [15:0]  pdcid_i,
  input  logic [15:0]  spdcid_i,
  input  logic [7:0]   mpr_i,
  input  logic [7:0]   pressure_i,
  input  logic [15:0]  service_i,
  output logic [255:0] pds_b3_o,
  input  logic [20:0]  other_b3_i,    // sum of the words that are not the header's
  output logic [21:0]  sum_b4_o
);
  logic [255:0] be;                   // the header with byte i at the place of byte 31 - i
  logic [15:0]  second_b2_q;          // be16[2]
  logic [23:0]  rcvd_b2_q;
  logic [15:0]  base_b2;
  logic [63:0]  bitmap_b3;
  logic [8:0]   ones_b3;
  logic         fits;
  logic [4:0]   pds_type;
  logic [31:0]  number;               // be32[4]

  ackgen_sack u_sack (
    .clk_i       (clk_i),
    .probe_i     (probe_i),
    .delta_i     (delta_i),
    .base_delta_i(base_delta_i),
    .seen_i      (seen_i),
    .base_b2_o   (base_b2),
    .bitmap_b3_o (bitmap_b3),
    .ones_b3_o   (ones_b3)
  );

  // ---------------------------------------------------------------- b1 to b2
  assign fits = (delta_i[31:15] == '0) | (delta_i[31:15] == '1);

  always_ff @(posedge clk_i) begin
    second_b2_q <= nack_i ? {nack_code_i, 8'b0} :
                   p_i    ? opaque_i :
                   fits   ? delta_i[15:0] : 16'b0;
    rcvd_b2_q   <= rcvd_i[31:8] + {23'b0, rcvd_i[7:0] != '0};
  end

  // ---------------------------------------------------------------- the header
  assign pds_type = nack_i ? 5'd10 : plain_i ? 5'd7 : 5'd8;
  assign number   = nack_i ? psn_i : cack_i;
  assign be[255:160] = {pds_type, 5'b0, m_i, retx_i, p_i, want_close_i, 2'b0, second_b2_q, number,
                        pdcid_i, spdcid_i};
  assign be[159:0]   = (nack_i | plain_i) ? 160'b0 :
                       {8'b0, mpr_i, base_b2, bitmap_b3, service_i, pressure_i, rcvd_b2_q,
                        7'b0, ones_b3};

  for (genvar k = 0; k < 32; k++) begin : gen_pds
    assign pds_b3_o[8*k +: 8] = be[8*(31-k) +: 8];
  end

  // ---------------------------------------------------------------- its sum
  logic [17:0] early_b2_q, early_b3_q; // words that are known from b1 on
  logic [18:0] late_b3_q;              // from b2 on

  always_ff @(posedge clk_i) begin
    early_b2_q <= {2'b0, pds_b3_o[0 +: 16]} + {2'b0, pds_b3_o[32 +: 16]} +
                  {2'b0, pds_b3_o[48 +: 16]} + {2'b0, pds_b3_o[64 +: 16]};
    early_b3_q <= early_b2_q;
    late_b3_q  <= {3'b0, pds_b3_o[16 +: 16]} + {3'b0, pds_b3_o[80 +: 16]} +
                  {3'b0, pds_b3_o[96 +: 16]} + {3'b0, pds_b3_o[112 +: 16]} +
                  {3'b0, pds_b3_o[192 +: 16]} + {3'b0, pds_b3_o[208 +: 16]} +
                  {3'b0, pds_b3_o[224 +: 16]};
    sum_b4_o   <= {1'b0, other_b3_i} + {4'b0, early_b3_q} + {3'b0, late_b3_q} +
                  {6'b0, pds_b3_o[128 +: 16]} + {6'b0, pds_b3_o[144 +: 16]} +
                  {6'b0, pds_b3_o[160 +: 16]} + {6'b0, pds_b3_o[176 +: 16]} +
                  {6'b0, pds_b3_o[240 +: 16]};
  end
endmodule
