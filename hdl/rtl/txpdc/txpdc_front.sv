// The input FIFOs, the items that wait for a job, and the job that runs.
//
// Latency:     what is accepted in cycle t can start its job in t+1.
// Throughput:  one job at a time.
// Comb. paths: rst_ni to the ready outputs; none from list_i.
// Reset:       empty, no job runs, no credit in use.
// Contract:    txpdc/contract.md "Timing".
module txpdc_front (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         up_i,            // the sweep is done
  input  logic         cmd_valid_i,
  output logic         cmd_ready_o,
  input  txpdc_cmd_t   cmd_i,
  input  logic         rec_valid_i,
  output logic         rec_ready_o,
  input  txpdc_rec_t   rec_i,
  input  logic         view_valid_i,
  output logic         view_ready_o,
  input  txpdc_view_t  view_i,
  input  logic         list_i,          // a context waits for its turn
  input  logic         walk_i,          // step 4 of a job lasts
  input  logic         act_take_i,      // an action leaves
  input  logic         rsp_take_i,      // a response leaves
  input  logic         silent_i,        // a job, not of a view, ends without an action
  // the one whose job starts
  output txpdc_cmd_t   cmd_o,
  output txpdc_rec_t   rec_o,
  output txpdc_view_t  view_o,
  // starts and steps of jobs: txpdc_jobs
  output logic         view_start_o,
  output logic         timer_start_o,
  output logic         rec_start_o,
  output logic         cmd_start_o,
  output logic         view_step_o,
  output logic [7:1]   timer_step_o,
  output logic [7:1]   rec_step_o,
  output logic [5:1]   cmd_step_o,
  output logic [7:1]   turn_step_o
);
  logic cmd_waits, rec_waits, view_waits;
  logic cmd_room;

  gw_in_fifo #(.Width(txpdc_pkg::CMD_W)) u_cmd_fifo (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enable_i    (up_i),
    .valid_i     (cmd_valid_i),
    .ready_o     (cmd_ready_o),
    .data_i      (cmd_i),
    .head_valid_o(cmd_waits),
    .head_o      (cmd_o),
    .pop_i       (cmd_start_o)
  );

  gw_in_fifo #(.Width(txpdc_pkg::REC_W)) u_rec_fifo (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enable_i    (up_i),
    .valid_i     (rec_valid_i),
    .ready_o     (rec_ready_o),
    .data_i      (rec_i),
    .head_valid_o(rec_waits),
    .head_o      (rec_o),
    .pop_i       (rec_start_o)
  );

  gw_in_fifo #(.Width(txpdc_pkg::VIEW_W)) u_view_fifo (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enable_i    (up_i),
    .valid_i     (view_valid_i),
    .ready_o     (view_ready_o),
    .data_i      (view_i),
    .head_valid_o(view_waits),
    .head_o      (view_o),
    .pop_i       (view_start_o)
  );

  gw_credit #(.Credits(txpdc_pkg::CMDS)) u_credit (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .use_i   (cmd_start_o),
    .return_i(rsp_take_i),
    .avail_o (cmd_room)
  );

  txpdc_jobs u_jobs (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .up_i         (up_i),
    .view_i       (view_waits),
    .rec_i        (rec_waits),
    .cmd_i        (cmd_waits & cmd_room),
    .list_i       (list_i),
    .walk_i       (walk_i),
    .take_i       (act_take_i),
    .silent_i     (silent_i),
    .view_start_o (view_start_o),
    .timer_start_o(timer_start_o),
    .rec_start_o  (rec_start_o),
    .cmd_start_o  (cmd_start_o),
    .view_step_o  (view_step_o),
    .timer_step_o (timer_step_o),
    .rec_step_o   (rec_step_o),
    .cmd_step_o   (cmd_step_o),
    .turn_step_o  (turn_step_o)
  );
endmodule
