// gw_credit: a credit is offered exactly while fewer than Credits words are on their way.
`include "prove.svh"
module prove_credit #(
  parameter int Credits = 8
) (
  input logic clk_i,
  input logic rst_ni,
  input logic use_i,
  input logic return_i
);
  localparam int W = $clog2(Credits + 1) + 1;
  logic avail;

  gw_credit #(.Credits(Credits)) dut (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .use_i   (use_i),
    .return_i(return_i),
    .avail_o (avail)
  );

  logic [$clog2(Credits + 1)-1:0] used;   // probe
  logic         started_q = 1'b0;
  logic [W-1:0] out_q;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) out_q <= '0;
    else         out_q <= out_q + {{(W-1){1'b0}}, use_i} - {{(W-1){1'b0}}, return_i};
  end

  always_comb begin
    `ASSUME(started_q || !rst_ni);
    `ASSUME(!use_i || avail);
    `ASSUME(!return_i || !started_q || out_q != '0);
    if (started_q && rst_ni) begin
      `PROVE(avail == (out_q < Credits[W-1:0]));
      `PROVE(out_q <= Credits[W-1:0]);
      `PROVE({1'b0, used} == out_q);
      `REACH(out_q == Credits[W-1:0]);
      `REACH(use_i && return_i);
    end
  end
endmodule
