// Saturating byte counter with a limit.
//
// Latency:     1 cycle.
// Throughput:  one event in two cycles.
// Comb. paths: rst_ni to ev_ready_o and rsp_valid_o; no other.
// Reset:       count 0, limit 1500, no response held.
// Contract:    vectors/event/toy/contract.md.
module toy (
  input  logic     clk_i,
  input  logic     rst_ni,
  input  logic     ev_valid_i,
  output logic     ev_ready_o,
  input  toy_ev_t  ev_i,
  output logic     rsp_valid_o,
  input  logic     rsp_ready_i,
  output toy_rsp_t rsp_o
);
  logic        held_q;
  logic [2:0]  kind_q;
  logic        saturated_q;
  logic        refused_q;
  logic [15:0] count_q;
  logic [15:0] limit_q;
  logic        accept;
  logic [16:0] sum;

  assign ev_ready_o  = rst_ni & ~held_q;
  assign rsp_valid_o = rst_ni & held_q;
  assign accept      = ev_valid_i & ev_ready_o;
  assign sum         = {1'b0, count_q} + {1'b0, ev_i.len};
  assign rsp_o       = {kind_q, count_q, count_q > limit_q, saturated_q, refused_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q  <= 1'b0;
      count_q <= 16'd0;
      limit_q <= 16'd1500;
    end else if (accept) begin
      held_q <= 1'b1;
      if (ev_i.kind == toy_pkg::KIND_ADD)   count_q <= sum[16] ? 16'hffff : sum[15:0];
      if (ev_i.kind == toy_pkg::KIND_CLEAR) count_q <= 16'd0;
      if (ev_i.kind == toy_pkg::KIND_LIMIT) limit_q <= ev_i.len;
    end else if (rsp_ready_i) begin
      held_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      kind_q      <= ev_i.kind;
      saturated_q <= (ev_i.kind == toy_pkg::KIND_ADD) & sum[16];
      refused_q   <= ev_i.kind[2];
    end
  end
endmodule
