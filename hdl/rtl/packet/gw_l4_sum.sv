// Sum of a UDP datagram of any length, as its beats pass.
//
// Latency:     good_s6_o is that of the packet whose last beat was at the inputs four cycles ago.
// Throughput:  one beat a cycle, also where each is a packet.
// Comb. paths: none.
// Reset:       no beat on its way.
// Contract:    ackparse/contract.md "Decision" 7, and so ackgen/contract.md. Sums are of words with
//              swapped bytes, which changes nothing but the order of the bytes of the result (RFC
//              1071).
//
// Stages: s2 which bytes of the beat count; s3 sums of 4 words; s4 sum of the beat; s5 added to
// that of the packet; s6 folded.
module gw_l4_sum (
  input  logic         clk_i,
  input  logic         rst_ni,
  // s2
  input  logic         vld_i,
  input  logic         first_i,
  input  logic [511:0] data_i,
  input  logic [11:0]  number_i,     // of the beat in its packet
  input  logic [4:0]   h_i,          // the datagram starts at byte 4 * h_i + 2
  input  logic [16:0]  end_i,        // and ends here
  // s5
  input  logic [20:0]  pseudo_s5_i,  // sum of the pseudo header
  // s6
  output logic         good_s6_o
);
  // ---------------------------------------------------------------- s2: bytes that count
  logic [6:0]  from;                 // first byte of the beat that counts, 64: none does
  logic [6:0]  to;                   // first one behind those
  logic [63:0] counts;

  assign from = (number_i > {11'b0, h_i[4]})      ? 7'd0 :
                (number_i == {11'b0, h_i[4]})     ? {1'b0, h_i[3:0], 2'b10} : 7'd64;
  assign to   = (number_i < {1'b0, end_i[16:6]})  ? 7'd64 :
                (number_i == {1'b0, end_i[16:6]}) ? {1'b0, end_i[5:0]} : 7'd0;

  for (genvar k = 0; k < 64; k++) begin : gen_counts
    localparam logic [6:0] Byte = k[6:0];
    assign counts[k] = (Byte >= from) & (Byte < to);
  end

  // ---------------------------------------------------------------- s2 to s3
  logic         vld_s3_q;
  logic         first_s3_q;
  logic [511:0] data_s3_q;
  logic [63:0]  counts_s3_q;

  always_ff @(posedge clk_i) begin
    if (vld_i) begin
      first_s3_q  <= first_i;
      data_s3_q   <= data_i;
      counts_s3_q <= counts;
    end
  end

  // ---------------------------------------------------------------- s3: sums of 4 words
  logic [511:0] words;
  logic [143:0] sum4;                // 8 sums

  for (genvar k = 0; k < 64; k++) begin : gen_words
    assign words[8*k +: 8] = counts_s3_q[k] ? data_s3_q[8*k +: 8] : 8'b0;
  end

  for (genvar k = 0; k < 8; k++) begin : gen_sum4
    assign sum4[18*k +: 18] = {2'b0, words[64*k +: 16]} + {2'b0, words[64*k+16 +: 16]} +
                              {2'b0, words[64*k+32 +: 16]} + {2'b0, words[64*k+48 +: 16]};
  end

  // ---------------------------------------------------------------- s4, s5: beat, packet
  logic         vld_s4_q, vld_s5_q;
  logic         first_s4_q, first_s5_q;
  logic [143:0] sum4_s4_q;
  logic [20:0]  beat_s5_q;
  logic [20:0]  sofar;               // sum of what is before the beat, folded once
  logic [21:0]  total_s6_q;

  assign sofar = first_s5_q ? pseudo_s5_i :
                              ({5'b0, total_s6_q[15:0]} + {15'b0, total_s6_q[21:16]});

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      vld_s3_q <= 1'b0;
      vld_s4_q <= 1'b0;
      vld_s5_q <= 1'b0;
    end else begin
      vld_s3_q <= vld_i;
      vld_s4_q <= vld_s3_q;
      vld_s5_q <= vld_s4_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (vld_s3_q) begin
      first_s4_q <= first_s3_q;
      sum4_s4_q  <= sum4;
    end
    if (vld_s4_q) begin
      first_s5_q <= first_s4_q;
      beat_s5_q  <= {3'b0, sum4_s4_q[0 +: 18]}  + {3'b0, sum4_s4_q[18 +: 18]} +
                    {3'b0, sum4_s4_q[36 +: 18]} + {3'b0, sum4_s4_q[54 +: 18]} +
                    {3'b0, sum4_s4_q[72 +: 18]} + {3'b0, sum4_s4_q[90 +: 18]} +
                    {3'b0, sum4_s4_q[108 +: 18]} + {3'b0, sum4_s4_q[126 +: 18]};
    end
    if (vld_s5_q) total_s6_q <= {1'b0, sofar} + {1'b0, beat_s5_q};
  end

  // ---------------------------------------------------------------- s6
  logic [15:0] folded;

  gw_fold u_fold (.sum_i({2'b0, total_s6_q}), .sum_o(folded));

  assign good_s6_o = (folded == 16'hffff);
endmodule
