// ackgen_find with a fault, as ackgen uses it: a search begins with start_i, and nobody looks at what was found before.
`include "prove.svh"
module same_ackgen_find (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               start_i,
  input logic               row_vld_i,
  input logic               row_i,
  input logic [146*2-1:0]   keys_i,
  input logic [144:0]       key_i
);
  logic       started_q = 1'b0;
  logic       begun_q;                // a search has begun since the reset
  logic       found_a, found_b, free_a, free_b;
  logic [1:0] found_pdc_a, found_pdc_b, free_pdc_a, free_pdc_b;

  ackgen_find #(.PdcW(2), .Lanes(2), .Rows(2), .RowW(1)) u_a (
    .clk_i(clk_i), .rst_ni(rst_ni), .start_i(start_i), .row_vld_i(row_vld_i), .row_i(row_i), .keys_i(keys_i),
    .key_i(key_i), .found_o(found_a), .found_pdc_o(found_pdc_a), .free_o(free_a), .free_pdc_o(free_pdc_a)
  );

  ackgen_find_planted #(.PdcW(2), .Lanes(2), .Rows(2), .RowW(1)) u_b (
    .clk_i(clk_i), .rst_ni(rst_ni), .start_i(start_i), .row_vld_i(row_vld_i), .row_i(row_i), .keys_i(keys_i),
    .key_i(key_i), .found_o(found_b), .found_pdc_o(found_pdc_b), .free_o(free_b), .free_pdc_o(free_pdc_b)
  );

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni)      begun_q <= 1'b0;
    else if (start_i) begun_q <= 1'b1;
  end

  always_comb begin
    `ASSUME(started_q || !rst_ni);
    if (started_q && rst_ni && begun_q) begin
      `PROVE(found_a == found_b);
      `PROVE(free_a == free_b);
      `PROVE(!found_a || found_pdc_a == found_pdc_b);
      `PROVE(!free_a || free_pdc_a == free_pdc_b);
      `REACH(found_a);
      `REACH(free_a);
    end
  end
endmodule
