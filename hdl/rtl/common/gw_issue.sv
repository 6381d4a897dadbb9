// Front of a pipeline that cannot stop: reset sweep, input FIFO, interlock, credits.
//
// Latency:     an event accepted in cycle t can issue in t+1.
// Throughput:  one event a cycle; Stall cycles between two events of one key.
// Comb. paths: rst_ni to ready_o; key_i, keyed_i, exclusive_i to issue_o.
// Reset:       empty, no credit in use, sweep from row 0.
// Contract:    timing.md "Reset and sweep", "Acceptance".
module gw_issue #(
  parameter int Rows    = 256,     // of the tables that are swept
  parameter int RowW    = 8,       // clog2(Rows), at least 1
  parameter int EventW  = 32,
  parameter int KeyW    = 16,
  parameter int Stall   = 4,
  parameter int Credits = 8
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              valid_i,
  output logic              ready_o,
  input  logic [EventW-1:0] data_i,
  output logic [EventW-1:0] head_o,         // the event that waits, or issues
  input  logic [KeyW-1:0]   key_i,          // its key
  input  logic              keyed_i,        // it has one
  input  logic              exclusive_i,    // it issues with none behind it in the pipeline
  output logic              issue_o,
  input  logic              take_i,         // a response left the block
  output logic              sweep_done_o,
  output logic [RowW-1:0]   sweep_row_o
);
  logic head_valid;
  logic blocked;
  logic credit;

  gw_sweep #(.Rows(Rows), .RowW(RowW)) u_sweep (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .done_o(sweep_done_o),
    .row_o (sweep_row_o)
  );

  gw_in_fifo #(.Width(EventW)) u_in_fifo (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enable_i    (sweep_done_o),
    .valid_i     (valid_i),
    .ready_o     (ready_o),
    .data_i      (data_i),
    .head_valid_o(head_valid),
    .head_o      (head_o),
    .pop_i       (issue_o)
  );

  assign issue_o = head_valid & credit & ~blocked;

  gw_hazard #(.KeyW(KeyW), .Stall(Stall)) u_hazard (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .key_i      (key_i),
    .keyed_i    (keyed_i),
    .exclusive_i(exclusive_i),
    .issue_i    (issue_o),
    .blocked_o  (blocked)
  );

  gw_credit #(.Credits(Credits)) u_credit (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .use_i   (issue_o),
    .return_i(take_i),
    .avail_o (credit)
  );
endmodule
