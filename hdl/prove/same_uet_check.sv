// gw_uet_check with a fault, as intmd connects it: with two head beats 128 bytes are seen at most, 64 pairs.
`include "prove.svh"
module same_uet_check (
  input logic        clk_i,
  input logic [7:0]  pairs_i,
  input logic [15:0] f_i,
  input logic [2:0]  l2_i,
  input logic        ipv4_i,
  input logic        ipv6_i,
  input logic [79:0] l3_i,
  input logic [4:0]  h_i,
  input logic [31:0] udp_i,
  input logic [15:0] port_i
);
  logic        started_q = 1'b0;
  logic [38:0] out_a;
  logic [38:0] out_b;

  gw_uet_check u_a (
    .pairs_i(pairs_i), .f_i(f_i), .l2_i(l2_i), .ipv4_i(ipv4_i), .ipv6_i(ipv6_i), .l3_i(l3_i), .h_i(h_i),
    .udp_i(udp_i), .port_i(port_i), .cause_o(out_a[38:35]), .cause_ip_o(out_a[34:32]), .plen_o(out_a[31:16]),
    .end_o(out_a[15:0])
  );

  gw_uet_check_planted u_b (
    .pairs_i(pairs_i), .f_i(f_i), .l2_i(l2_i), .ipv4_i(ipv4_i), .ipv6_i(ipv6_i), .l3_i(l3_i), .h_i(h_i),
    .udp_i(udp_i), .port_i(port_i), .cause_o(out_b[38:35]), .cause_ip_o(out_b[34:32]), .plen_o(out_b[31:16]),
    .end_o(out_b[15:0])
  );

  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    `ASSUME(pairs_i <= 8'd64);
    if (started_q) begin
      `PROVE(out_a == out_b);
      `REACH(out_a[38:35] == 4'd0);
      `REACH(out_a[34:32] != 3'd0 && pairs_i == 8'd64);
    end
  end
endmodule
