// One-stage adder: the block on which the bridge is tested.
//
// Latency:     1 cycle.
// Throughput:  one event a cycle.
// Comb. paths: rsp_ready_i to ev_ready_o.
// Reset:       clears the response; the scratch register keeps its value.
module adder #(
  parameter int Offset = 1
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       ev_valid_i,
  output logic       ev_ready_o,
  input  adder_ev_t  ev_i,
  output logic       rsp_valid_o,
  input  logic       rsp_ready_i,
  output adder_rsp_t rsp_o
);
  logic        valid_q;
  logic [32:0] sum_q;
  logic [63:0] tag_q;
  logic [31:0] scratch_q;
  logic        accept;

  assign ev_ready_o  = rst_ni && (!valid_q || rsp_ready_i);
  assign accept      = ev_valid_i && ev_ready_o;
  assign rsp_valid_o = rst_ni && valid_q;
  assign rsp_o       = {sum_q, tag_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)         valid_q <= 1'b0;
    else if (ev_ready_o) valid_q <= ev_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      tag_q <= ev_i.tag;
      sum_q <= {1'b0, ev_i.a} + {1'b0, ev_i.b} + {1'b0, Offset};
      if (ev_i.op == 2'd1) scratch_q <= ev_i.a;
      if (ev_i.op == 2'd2) sum_q <= {1'b0, scratch_q};
      if (ev_i.op == 2'd3) $error("operation FAIL with tag %0d", ev_i.tag);
    end
  end
endmodule
