// A stream of accesses that wait for nothing but room, each answered one cycle after its issue.
//
// Latency:     an event accepted in cycle t can issue in t+1; its response is visible 2 cycles after
//              the issue.
// Throughput:  one access a cycle.
// Comb. paths: rst_ni to ready_o and valid_o; enable_i to ready_o; no other.
// Reset:       empty, no credit in use; payload keeps its value.
// Contract:    trimmer/contract.md and intmd/contract.md, "Timing": cfg.
module gw_cfg_port #(
  parameter int EventW    = 41,
  parameter int ResponseW = 37,
  parameter int Credits   = 8
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 enable_i,  // a register: low until the sweep is done
  input  logic                 valid_i,
  output logic                 ready_o,
  input  logic [EventW-1:0]    data_i,
  output logic                 issue_o,
  output logic [EventW-1:0]    head_o,    // the event that issues
  input  logic [ResponseW-1:0] answer_i,  // to the event that issued one cycle ago
  output logic                 valid_o,
  input  logic                 ready_i,
  output logic [ResponseW-1:0] data_o
);
  logic held;
  logic credit;
  logic take;
  logic push_q;

  gw_in_fifo #(.Width(EventW)) u_in_fifo (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enable_i    (enable_i),
    .valid_i     (valid_i),
    .ready_o     (ready_o),
    .data_i      (data_i),
    .head_valid_o(held),
    .head_o      (head_o),
    .pop_i       (issue_o)
  );

  gw_credit #(.Credits(Credits)) u_credit (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .use_i   (issue_o),
    .return_i(take),
    .avail_o (credit)
  );

  assign issue_o = held & credit;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) push_q <= 1'b0;
    else         push_q <= issue_o;
  end

  gw_rsp_fifo #(.Width(ResponseW), .Rows(Credits)) u_rsp_fifo (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (push_q),
    .data_i (answer_i),
    .valid_o(valid_o),
    .ready_i(ready_i),
    .data_o (data_o),
    .take_o (take)
  );
endmodule
