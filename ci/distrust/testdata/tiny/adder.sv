// The design under test: one register. Its sum comes from an included file, a parameter and a define.
//
// Latency:     1 cycle.
// Throughput:  one event per cycle.
// Comb. paths: rsp_ready_i to ev_ready_o.
// Reset:       asynchronous; no response.
`include "sub/sum.svh"
module adder #(
  parameter int Bias = 0
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       ev_valid_i,
  output logic       ev_ready_o,
  input  logic [7:0] ev_a_i,
  input  logic [7:0] ev_b_i,
  output logic       rsp_valid_o,
  input  logic       rsp_ready_i,
  output logic [7:0] rsp_a_o,
  output logic [8:0] rsp_sum_o
);
  logic       valid_q;
  logic [7:0] a_q;
  logic [8:0] sum_q;

  assign ev_ready_o  = rst_ni && (!valid_q || rsp_ready_i);
  assign rsp_valid_o = rst_ni && valid_q;
  assign rsp_a_o     = a_q;
  assign rsp_sum_o   = sum_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      a_q     <= 8'd0;
      sum_q   <= 9'd0;
    end else if (ev_ready_o) begin
      valid_q <= ev_valid_i;
      if (ev_valid_i) begin
        a_q   <= ev_a_i;
        sum_q <= `SUM(ev_a_i, ev_b_i) + Bias[8:0];
      end
    end
  end
endmodule
