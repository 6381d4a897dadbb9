// Decisions on packets, in order, each held until its packet leaves the store.
//
// Latency:     a decision made in cycle t is at the head of an empty queue from t + 2 on.
// Throughput:  one packet a cycle.
// Comb. paths: rst_ni to valid_o; no other.
// Reset:       empty.
// Contract:    trimmer/contract.md and intmd/contract.md, "Decision".
module gw_decisions #(
  parameter int Width = 32,
  parameter int Rows  = 16          // a packet not yet decided upon has a beat in the store: so many
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             vld_i,   // a packet is decided upon
  input  logic [Width-1:0] data_i,
  input  logic             pop_i,   // its packet leaves
  output logic             valid_o,
  output logic [Width-1:0] data_o   // the oldest decision
);
  logic             vld_q;
  logic [Width-1:0] data_q;
  logic             take;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) vld_q <= 1'b0;
    else         vld_q <= vld_i;
  end

  always_ff @(posedge clk_i) begin
    if (vld_i) data_q <= data_i;
  end

  gw_rsp_fifo #(.Width(Width), .Rows(Rows)) u_fifo (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (vld_q),
    .data_i (data_q),
    .valid_o(valid_o),
    .ready_i(pop_i),
    .data_o (data_o),
    .take_o (take)
  );

  // Whether a decision is there is only asserted: its packet is released after it is made.
  logic unused;
  assign unused = take;

`ifdef GW_ASSERT
  a_decided: assert property (@(posedge clk_i) disable iff (!rst_ni) pop_i |-> take)
    else $error("gw_decisions: a packet leaves that is not decided upon");
`endif
endmodule
