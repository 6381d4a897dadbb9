// gw_ones_below, gw_first_one, gw_updown: against the plain loop or the plain sum.
`include "prove.svh"
module prove_arith (
  input logic        clk_i,
  input logic [63:0] keep_i,
  input logic [63:0] ones_i,
  input logic [31:0] x_i,
  input logic [31:0] step_i,
  input logic        add_i,
  input logic        sub_i
);
  logic [6:0] below;
  logic       any;
  logic [5:0] index;
  logic       any8;
  logic [2:0] index8;
  logic [31:0] y;
  logic       saturated;
  logic       underflow;

  gw_ones_below u_below (.keep_i(keep_i), .count_o(below));
  gw_first_one #(.Width(64), .IndexW(6)) u_first (.ones_i(ones_i), .any_o(any), .index_o(index));
  gw_first_one #(.Width(8), .IndexW(3)) u_first8 (.ones_i(ones_i[7:0]), .any_o(any8), .index_o(index8));
  gw_updown #(.Width(32)) u_updown (
    .x_i        (x_i),
    .step_i     (step_i),
    .add_i      (add_i),
    .sub_i      (sub_i),
    .y_o        (y),
    .saturated_o(saturated),
    .underflow_o(underflow)
  );

  logic        started_q = 1'b0;     // the engines want a register
  logic [6:0]  count;
  logic        going;
  logic [6:0]  first;
  logic [33:0] exact;

  always_comb begin
    count = '0;
    going = 1'b1;
    for (int k = 0; k < 64; k++) begin
      going = going & keep_i[k];
      count = count + {6'b0, going};
    end
    first = 7'd64;
    for (int k = 63; k >= 0; k--) begin
      if (ones_i[k]) first = k[6:0];
    end
    exact = {2'b0, x_i};
    if (add_i) exact = exact + {2'b0, step_i};
    if (sub_i) exact = exact - {2'b0, step_i};
  end

  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    `ASSUME(!add_i || !sub_i);
    if (started_q) begin
      `PROVE(below == count);
      `PROVE(any == (ones_i != '0));
      `PROVE(!any || {1'b0, index} == first);
      `PROVE(any8 == (first < 7'd8));
      `PROVE(!any8 || {4'b0, index8} == first);
      `PROVE(saturated == (exact[33:32] == 2'b01));
      `PROVE(underflow == exact[33]);
      `PROVE(y == (exact[33] ? 32'd0 : exact[32] ? 32'hffffffff : exact[31:0]));
      `REACH(count == 7'd64);
      `REACH(first == 7'd63);
      `REACH(saturated);
      `REACH(underflow);
    end
  end
endmodule
