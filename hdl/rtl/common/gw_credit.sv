// Credits: how many words may still be issued into a pipeline that cannot stop.
//
// Latency:     a credit given back in cycle t can be used from t+1 on.
// Throughput:  one use and one return a cycle.
// Comb. paths: none; avail_o is decided by registers.
// Reset:       no credit in use.
// Contract:    timing.md "Acceptance": o(t+1) = o(t) + issue(t) - take(t), issue needs o(t) < D.
module gw_credit #(
  parameter int Credits = 8
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic use_i,
  input  logic return_i,
  output logic avail_o
);
  localparam int CountW = $clog2(Credits + 1);
  localparam logic [CountW-1:0] Max = Credits[CountW-1:0];

  logic [CountW-1:0] used_q;

  assign avail_o = (used_q != Max);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                    used_q <= '0;
    else if (use_i && !return_i)    used_q <= used_q + 1'b1;
    else if (return_i && !use_i)    used_q <= used_q - 1'b1;
  end

`ifdef GW_ASSERT
  // Words on their way, counted at the ports: what the FIFO at the end must have rows for.
  int out_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) out_q <= 0;
    else         out_q <= out_q + int'(use_i) - int'(return_i);
  end

  a_no_overdraw: assert property (@(posedge clk_i) disable iff (!rst_ni)
      use_i |-> (out_q < Credits))
    else $error("gw_credit: more words on their way than the FIFO has rows");
  a_no_excess: assert property (@(posedge clk_i) disable iff (!rst_ni)
      return_i |-> (out_q > 0))
    else $error("gw_credit: return of a credit that was not in use");
  a_avail: assert property (@(posedge clk_i) disable iff (!rst_ni)
      avail_o == (out_q < Credits))
    else $error("gw_credit: a row is free and not offered, or offered and not free");
`endif
endmodule
