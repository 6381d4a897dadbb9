// Actions and responses, as jobs end.
//
// Latency:     what a job that ends in cycle t gives is visible from t+1 on.
// Throughput:  one job a cycle.
// Comb. paths: rst_ni to the valid outputs; act_ready_i and rsp_ready_i to the takes.
// Reset:       empty; payload keeps its value.
// Contract:    txpdc/contract.md "Timing": act, rsp and x.
module txpdc_out (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [15:0] pdc_i,          // of the job that ends
  input  logic [47:0] now_i,
  input  logic        end_i,          // not of a view
  input  logic        cmd_i,          // it is a command's
  input  txpdc_rsp_t  rsp_i,
  // each with an action
  input  logic        cmd_done_i,
  input  txpdc_act_t  cmd_act_i,
  input  logic        rec_done_i,
  input  txpdc_act_t  rec_act_i,
  input  logic        turn_done_i,
  input  txpdc_act_t  turn_act_i,
  input  logic        timer_done_i,
  input  txpdc_act_t  timer_act_i,
  output logic        silent_o,       // it has no action
  output logic        act_valid_o,
  input  logic        act_ready_i,
  output txpdc_act_t  act_o,
  output logic        act_take_o,
  output logic        rsp_valid_o,
  input  logic        rsp_ready_i,
  output txpdc_rsp_t  rsp_o,
  output logic        rsp_take_o
);
  logic       done;
  txpdc_act_t act;

  assign done     = cmd_done_i | rec_done_i | turn_done_i | timer_done_i;
  assign silent_o = end_i & ~done;

  always_comb begin
    act     = cmd_done_i ? cmd_act_i : rec_done_i ? rec_act_i : turn_done_i ? turn_act_i :
              timer_act_i;
    act.pdc = pdc_i;
    act.now = now_i;
  end

  gw_rsp_fifo #(.Width(txpdc_pkg::ACT_W), .Rows(txpdc_pkg::ACTS)) u_acts (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (done),
    .data_i (act),
    .valid_o(act_valid_o),
    .ready_i(act_ready_i),
    .data_o (act_o),
    .take_o (act_take_o)
  );

  gw_rsp_fifo #(.Width(txpdc_pkg::RSP_W), .Rows(txpdc_pkg::CMDS)) u_rsps (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (cmd_i),
    .data_i (rsp_i),
    .valid_o(rsp_valid_o),
    .ready_i(rsp_ready_i),
    .data_o (rsp_o),
    .take_o (rsp_take_o)
  );

`ifdef GW_ASSERT
  a_one: assert property (@(posedge clk_i) disable iff (!rst_ni)
      $countones({cmd_done_i, rec_done_i, turn_done_i, timer_done_i}) <= int'(end_i))
    else $error("txpdc_out: an action of no job, or two of one");
`endif
endmodule
