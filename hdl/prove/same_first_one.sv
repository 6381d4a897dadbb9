// gw_first_one with a fault: the same where there is a one. Without one nobody looks at the number.
`include "prove.svh"
module same_first_one (
  input logic        clk_i,
  input logic [63:0] ones_i
);
  logic       started_q = 1'b0;
  logic       any_a;
  logic       any_b;
  logic [5:0] index_a;
  logic [5:0] index_b;

  gw_first_one #(.Width(64), .IndexW(6)) u_a (.ones_i(ones_i), .any_o(any_a), .index_o(index_a));
  gw_first_one_planted #(.Width(64), .IndexW(6)) u_b (.ones_i(ones_i), .any_o(any_b), .index_o(index_b));

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
