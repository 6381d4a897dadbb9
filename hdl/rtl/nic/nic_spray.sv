// Counts the packets that each context has sent since its form was written, for their entropy.
//
// Latency:     a count or a clear holds from the next cycle on.
// Throughput:  one count and one clear a cycle.
// Comb. paths: ctx_i to spray_o.
// Reset:       all 0.
// Contract:    nic/contract.md "Writer": spray.
// A count and a clear may be of two contexts in one cycle; so a clear is a bit, and the memory has
// one writer.
module nic_spray #(
  parameter int Contexts = 4,
  parameter int CtxW     = 2    // clog2(Contexts)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic [CtxW-1:0] ctx_i,
  input  logic            count_i,
  output logic [15:0]     spray_o,
  input  logic            clear_i,
  input  logic [CtxW-1:0] index_i
);
  logic [15:0]         count_q [0:Contexts-1];
  logic [Contexts-1:0] zero_q;    // whatever the memory holds

  assign spray_o = zero_q[ctx_i] ? 16'b0 : count_q[ctx_i];

  always_ff @(posedge clk_i) begin
    if (count_i) count_q[ctx_i] <= spray_o + 16'd1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      zero_q <= '1;
    end else begin
      if (count_i) zero_q[ctx_i]   <= 1'b0;
      if (clear_i) zero_q[index_i] <= 1'b1;
    end
  end
endmodule
