// gw_divider_pipe, one stage: of a remainder below the divisor and two more bits of the dividend it makes two bits of
// the quotient and the next remainder, which is below the divisor again.
//
// By induction over the stages, {hi, lo} = quot * div + rem with rem < div after any number of them.
`include "prove.svh"
module prove_divider #(
  parameter int DivW = 48
) (
  input logic            clk_i,
  input logic [DivW-1:0] hi_i,
  input logic [1:0]      lo_i,
  input logic [DivW-1:0] div_i
);
  logic [1:0]      quot;
  logic [DivW-1:0] div;
  logic [DivW-1:0] rem;    // probe

  gw_divider_pipe #(.DivW(DivW), .Bits(2)) dut (
    .clk_i (clk_i),
    .hi_i  (hi_i),
    .lo_i  (lo_i),
    .div_i (div_i),
    .quot_o(quot),
    .div_o (div)
  );

  logic            started_q = 1'b0;
  logic [DivW-1:0] hi_q;
  logic [1:0]      lo_q;
  logic [DivW-1:0] div_q;
  logic [DivW+1:0] product;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    hi_q      <= hi_i;
    lo_q      <= lo_i;
    div_q     <= div_i;
  end

  assign product = (quot[0] ? {2'b0, div_q} : '0) + (quot[1] ? {1'b0, div_q, 1'b0} : '0);

  always_comb begin
    `ASSUME(hi_i < div_i);
    if (started_q) begin
      `PROVE(div == div_q);
      `PROVE({hi_q, lo_q} == product + {2'b0, rem});
      `PROVE(rem < div_q);
      `REACH(quot == 2'd3 && rem == div_q - 1'b1);
    end
  end
endmodule
