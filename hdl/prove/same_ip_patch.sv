// gw_ip_patch with a fault, as intmd connects it: both patches are wanted together.
`include "prove.svh"
module same_ip_patch (
  input logic         clk_i,
  input logic [511:0] data_i,
  input logic         first_i,
  input logic         second_i,
  input logic         l3_patch_i,
  input logic [1:0]   tags_i,
  input logic [95:0]  l3_i,
  input logic         udp_patch_i,
  input logic [4:0]   udp_place_i,
  input logic [31:0]  udp_i
);
  logic         started_q = 1'b0;
  logic [511:0] data_a;
  logic [511:0] data_b;

  gw_ip_patch u_a (
    .data_i     (data_i),
    .first_i    (first_i),
    .second_i   (second_i),
    .l3_patch_i (l3_patch_i),
    .tags_i     (tags_i),
    .l3_i       (l3_i),
    .udp_patch_i(udp_patch_i),
    .udp_place_i(udp_place_i),
    .udp_i      (udp_i),
    .data_o     (data_a)
  );

  gw_ip_patch_planted u_b (
    .data_i     (data_i),
    .first_i    (first_i),
    .second_i   (second_i),
    .l3_patch_i (l3_patch_i),
    .tags_i     (tags_i),
    .l3_i       (l3_i),
    .udp_patch_i(udp_patch_i),
    .udp_place_i(udp_place_i),
    .udp_i      (udp_i),
    .data_o     (data_b)
  );

  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    `ASSUME(l3_patch_i == udp_patch_i);
    if (started_q) begin
      `PROVE(data_a == data_b);
      `REACH(data_a != data_i && first_i);
      `REACH(data_a != data_i && second_i && !first_i);
    end
  end
endmodule
