// gw_hazard: the pointer stands on one of the Stall - 1 slots.
`include "prove.svh"
module prove_hazard_ptr #(
  parameter int Stall = 36
) (
  input logic clk_i,
  input logic rst_ni,
  input logic key_i,
  input logic keyed_i,
  input logic exclusive_i,
  input logic issue_i
);
  logic blocked;

  gw_hazard #(.KeyW(1), .Stall(Stall)) dut (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .key_i      (key_i),
    .keyed_i    (keyed_i),
    .exclusive_i(exclusive_i),
    .issue_i    (issue_i),
    .blocked_o  (blocked)
  );

  logic [$clog2(Stall - 1)-1:0] ptr;   // probe
  logic                         started_q = 1'b0;

  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    `ASSUME(started_q || !rst_ni);
    if (started_q) begin
      `PROVE(ptr <= Stall - 2);
      `REACH(ptr == Stall - 2);
    end
  end
endmodule
