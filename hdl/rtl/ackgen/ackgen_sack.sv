// What an ACK_CC reports of the packets that have arrived: base, bitmap, and the ones of seen.
//
// Latency:     outputs of b2, b3 one and two cycles after their inputs in b1.
// Throughput:  one answer at a time; inputs hold from b1 to b3.
// Comb. paths: none.
// Reset:       none; payload only.
// Contract:    ackgen/contract.md "Answers": sack_base, bytes 14 to 23 and 30.
//
// PSNs are relative to cack here: u is 1. The base is within the 16 bits of its field, so that no
// place of the bitmap wraps.
module ackgen_sack (
  input  logic         clk_i,
  input  logic         probe_i,
  input  logic [31:0]  delta_i,       // psn - cack
  input  logic [31:0]  base_delta_i,  // base - cack
  input  logic [255:0] seen_i,
  output logic [15:0]  base_b2_o,     // sack_base - cack
  output logic [63:0]  bitmap_b3_o,
  output logic [8:0]   ones_b3_o      // of seen
);
  // ---------------------------------------------------------------- b1
  logic [31:0] above_u;               // psn - u
  logic [31:0] wanted;
  logic        fits;
  logic [79:0] ones16;                // of each 16 bits

  assign above_u = delta_i - 32'd1;
  assign wanted  = probe_i                               ? base_delta_i :
                   (~above_u[31] & (above_u > 32'd63)) ? delta_i - 32'd63 : 32'd1;
  assign fits    = (wanted[31:15] == '0) | (wanted[31:15] == '1);

  function automatic logic [4:0] ones_of(input logic [15:0] v);
    ones_of = '0;
    for (int k = 0; k < 16; k++) ones_of = ones_of + {4'b0, v[k]};
  endfunction

  for (genvar k = 0; k < 16; k++) begin : gen_ones16
    assign ones16[5*k +: 5] = ones_of(seen_i[16*k +: 16]);
  end

  // ---------------------------------------------------------------- b2
  logic [79:0]  ones16_b2_q;
  logic [15:0]  offset;               // sack_base - u + 64: bits below u first
  logic [383:0] arrived;              // from 64 below u on
  logic [383:0] from_base;
  logic [63:0]  bitmap;
  logic [8:0]   ones;

  always_ff @(posedge clk_i) begin
    base_b2_o   <= fits ? wanted[15:0] : 16'd1;
    ones16_b2_q <= ones16;
  end

  assign offset    = base_b2_o + 16'd63;
  assign arrived   = {64'b0, seen_i, {64{1'b1}}};
  assign from_base = arrived >> offset[8:0];
  // All 64 are below u, or above what is kept; else the shift is 0 to 319.
  assign bitmap    = (base_b2_o[15] & (base_b2_o < 16'hffc1)) ? '1 :
                     (~base_b2_o[15] & (base_b2_o > 16'd256)) ? '0 : from_base[63:0];

  always_comb begin
    ones = '0;
    for (int k = 0; k < 16; k++) ones = ones + {4'b0, ones16_b2_q[5*k +: 5]};
  end

  // ---------------------------------------------------------------- b3
  always_ff @(posedge clk_i) begin
    bitmap_b3_o <= bitmap;
    ones_b3_o   <= ones;
  end

  // What the shift brings to the places above 64 is not looked at.
  logic unused;
  assign unused = (^from_base[383:64]) ^ (^offset[15:9]);
endmodule
