// Front of the ccc block: input FIFO, interlock, credits, reset sweep.
//
// Latency:     an event accepted in cycle t can issue in t+1.
// Throughput:  one event a cycle; STALL cycles between two events of one context.
// Comb. paths: rst_ni to ev_ready_o; no other from input to output.
// Reset:       empty, no credit in use, sweep from context 0.
// Contract:    timing.md "Reset and sweep", "Acceptance"; ccc/contract.md "Timing".
module ccc_issue #(
  parameter int NumContexts = 256,
  parameter int RowW        = 8
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            ev_valid_i,
  output logic            ev_ready_o,
  input  ccc_ev_t         ev_i,
  input  logic            take_i,         // a response left the block
  output logic            issue_o,
  output ccc_ev_t         head_o,         // the event that issues
  output logic            sweep_done_o,
  output logic [RowW-1:0] sweep_row_o
);
  logic head_valid;
  logic exclusive;
  logic keyed;
  logic blocked;
  logic credit;

  gw_sweep #(.Rows(NumContexts), .RowW(RowW)) u_sweep (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .done_o(sweep_done_o),
    .row_o (sweep_row_o)
  );

  gw_in_fifo #(.Width(ccc_pkg::EV_W)) u_in_fifo (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enable_i    (sweep_done_o),
    .valid_i     (ev_valid_i),
    .ready_o     (ev_ready_o),
    .data_i      (ev_i),
    .head_valid_o(head_valid),
    .head_o      (head_o),
    .pop_i       (issue_o)
  );

  assign exclusive = (head_o.kind == ccc_pkg::KIND_CFG_WRITE);
  assign keyed     = ~exclusive & (head_o.kind != ccc_pkg::KIND_CFG_READ);
  assign issue_o   = head_valid & credit & ~blocked;

  gw_hazard #(.KeyW(16), .Stall(ccc_pkg::STALL)) u_hazard (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .key_i      (head_o.ctx),
    .keyed_i    (keyed),
    .exclusive_i(exclusive),
    .issue_i    (issue_o),
    .blocked_o  (blocked)
  );

  gw_credit #(.Credits(ccc_pkg::CREDITS)) u_credit (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .use_i   (issue_o),
    .return_i(take_i),
    .avail_o (credit)
  );
endmodule
