// gw_first_one with a fault: the same where there is a one. Without one nobody looks at the number.
`include "prove.svh"
module same_first_one #(
  parameter int Width = 64,
  parameter int IndexW = 6
) (
  input logic             clk_i,
  input logic [Width-1:0] ones_i
);
  logic              started_q = 1'b0;
  logic              any_a;
  logic              any_b;
  logic [IndexW-1:0] index_a;
  logic [IndexW-1:0] index_b;

  gw_first_one #(.Width(Width), .IndexW(IndexW)) u_a (.ones_i(ones_i), .any_o(any_a), .index_o(index_a));
  gw_first_one_planted #(.Width(Width), .IndexW(IndexW)) u_b (.ones_i(ones_i), .any_o(any_b), .index_o(index_b));

  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    if (started_q) begin
      `PROVE(any_a == any_b);
      `PROVE(!any_a || index_a == index_b);
      `REACH(any_a);
      `REACH(!any_a);
    end
  end
endmodule
