// The pace of pulls: how long the next one has to wait, and how late it is.
//
// Latency:     a pull that ends in cycle t holds from t+1 on.
// Throughput:  one pull at a time.
// Comb. paths: none.
// Reset:       nothing to wait for, not late.
// Contract:    credit/contract.md "Timing": wait and late.
module credit_pace (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        busy_i,     // a pull's job starts or runs: both stay
  input  logic        pull_i,     // it ends, with a pull
  input  logic [31:0] gap_i,      // that this pull takes of the link: g
  output logic        ready_o     // the next one need not wait
);
  localparam int Frac      = credit_pkg::FRAC;
  localparam int SlackMax  = credit_pkg::SLACK;
  localparam int PullBusy  = credit_pkg::PULL_BUSY;
  localparam int LateW     = $clog2(SlackMax + 1);
  localparam logic [LateW-1:0] Slack = SlackMax[LateW-1:0];
  localparam logic [16:0]      Busy  = PullBusy[16:0];

  logic [16+Frac:0]  wait_q;      // 17 bits of cycles, and the fraction
  logic [LateW-1:0]  late_q;      // cycles
  logic [16+Frac:0]  sum;
  logic [16:0]       back;        // cycles that have passed already

  assign ready_o = (wait_q[16+Frac:Frac] == '0);
  assign sum     = wait_q + {1'b0, gap_i};
  assign back    = Busy + ((late_q == Slack) ? 17'd0 : {{(17-LateW){1'b0}}, late_q});

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wait_q <= '0;
      late_q <= '0;
    end else if (pull_i) begin
      wait_q <= (sum[16+Frac:Frac] < back) ? '0 : {sum[16+Frac:Frac] - back, sum[Frac-1:0]};
      late_q <= '0;
    end else if (!busy_i) begin
      if (!ready_o)              wait_q[16+Frac:Frac] <= wait_q[16+Frac:Frac] - 17'd1;
      else if (late_q != Slack)  late_q <= late_q + 1'b1;
    end
  end

`ifdef GW_ASSERT
  a_waited: assert property (@(posedge clk_i) disable iff (!rst_ni) busy_i |-> ready_o)
    else $error("credit_pace: a pull's job starts or runs that has to wait");
  a_runs: assert property (@(posedge clk_i) disable iff (!rst_ni) pull_i |-> busy_i)
    else $error("credit_pace: a pull ends whose job does not run");
  a_late: assert property (@(posedge clk_i) disable iff (!rst_ni) late_q <= Slack)
    else $error("credit_pace: later than SLACK");
`endif
endmodule
