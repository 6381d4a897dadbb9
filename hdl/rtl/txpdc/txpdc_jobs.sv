// Sequence of jobs: which starts when, and how far the one that runs has come.
//
// Latency:     none; a job starts in the cycle in which it may.
// Throughput:  one job at a time: VIEW_BUSY (2) cycles a view, CMD_BUSY (6) a command, SEND_BUSY
//              (8) a turn, TIMER_BUSY (8) the timer, REC_BUSY (8) a record, and one more for each
//              cycle with walk_i.
// Comb. paths: all inputs but clock and reset to the starts.
// Reset:       no job runs, no action is on its way; turn and gap are 0.
// Contract:    txpdc/contract.md "Timing": idle, may_*, turn, gap and x.
//
// Cycles of a job: 0, in which it starts, to the one in which it ends: step 1 of a view, 5 of a
// command, 7 of the others.
module txpdc_jobs (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       up_i,            // the sweep is done: before, nothing waits
  input  logic       view_i,          // a view waits
  input  logic       rec_i,           // a record waits
  input  logic       cmd_i,           // a command waits, and there is room for its response
  input  logic       list_i,          // a context waits for its turn
  input  logic       walk_i,          // step 4 lasts, of a record or the timer
  input  logic       take_i,          // an action leaves
  input  logic       silent_i,        // a job, not of a view, ends without an action
  output logic       view_start_o,
  output logic       timer_start_o,
  output logic       rec_start_o,
  output logic       cmd_start_o,
  output logic       view_step_o,     // step 1
  output logic [7:1] timer_step_o,
  output logic [7:1] rec_step_o,
  output logic [5:1] cmd_step_o,
  output logic [7:1] turn_step_o
);
  localparam int ActMax = txpdc_pkg::ACTS;
  localparam int ActW   = $clog2(ActMax + 1);
  localparam int GapMax = txpdc_pkg::TIMER_GAP - 1;
  localparam int GapW   = $clog2(GapMax + 1);
  localparam logic [ActW-1:0] Acts = ActMax[ActW-1:0];
  localparam logic [GapW-1:0] Gap  = GapMax[GapW-1:0];

  logic            idle, room;
  logic            start;             // of a job that takes a credit
  logic [ActW-1:0] acts_q;            // jobs that started, whose action has not left
  logic [GapW-1:0] gap_q;
  logic [1:0]      turn_q;            // 0 record, 1 command, 2 turn
  logic [2:0]      may;
  logic [2:0]      first;             // the one whose turn it is, of those that may
  logic            served;            // it starts
  logic            turn_start;
  logic [1:0]      turn;

  assign idle = ~view_step_o & (timer_step_o == '0) & (rec_step_o == '0) & (cmd_step_o == '0) &
                (turn_step_o == '0);
  assign room = (acts_q != Acts);
  assign may  = {list_i, cmd_i, rec_i} & {3{room}};

  always_comb begin
    unique case (turn_q)
      2'd0:    first = {may[2] & ~may[1] & ~may[0], may[1] & ~may[0], may[0]};
      2'd1:    first = {may[2] & ~may[1], may[1], may[0] & ~may[2] & ~may[1]};
      default: first = {may[2], may[1] & ~may[0] & ~may[2], may[0] & ~may[2]};
    endcase
  end

  assign view_start_o  = idle & view_i;
  assign timer_start_o = idle & ~view_i & (gap_q == Gap) & room;
  assign served        = idle & ~view_i & ~timer_start_o;
  assign rec_start_o   = served & first[0];
  assign cmd_start_o   = served & first[1];
  assign turn_start    = served & first[2];
  assign start         = timer_start_o | rec_start_o | cmd_start_o | turn_start;
  assign turn          = rec_start_o ? 2'd1 : cmd_start_o ? 2'd2 : turn_start ? 2'd0 : turn_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      acts_q       <= '0;
      gap_q        <= '0;
      turn_q       <= '0;
      view_step_o  <= 1'b0;
      timer_step_o <= '0;
      rec_step_o   <= '0;
      cmd_step_o   <= '0;
      turn_step_o  <= '0;
    end else begin
      acts_q <= acts_q + {{(ActW-1){1'b0}}, start} - {{(ActW-1){1'b0}}, take_i} -
                {{(ActW-1){1'b0}}, silent_i};
      if (timer_start_o)              gap_q <= '0;
      else if (up_i && gap_q != Gap)  gap_q <= gap_q + 1'b1;
      turn_q       <= turn;
      view_step_o  <= view_start_o;
      timer_step_o <= {timer_step_o[6:5], timer_step_o[4] & ~walk_i,
                       timer_step_o[3] | (timer_step_o[4] & walk_i), timer_step_o[2:1],
                       timer_start_o};
      rec_step_o   <= {rec_step_o[6:5], rec_step_o[4] & ~walk_i,
                       rec_step_o[3] | (rec_step_o[4] & walk_i), rec_step_o[2:1], rec_start_o};
      cmd_step_o   <= {cmd_step_o[4:1], cmd_start_o};
      turn_step_o  <= {turn_step_o[6:1], turn_start};
    end
  end

`ifdef GW_ASSERT
  int busy_q;                         // steps that hold a job, and starts: never two

  assign busy_q = $countones({view_start_o, start, view_step_o, timer_step_o, rec_step_o,
                              cmd_step_o, turn_step_o});

  a_one_job: assert property (@(posedge clk_i) disable iff (!rst_ni) busy_q <= 1)
    else $error("txpdc_jobs: two jobs run at a time");
  a_works: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (idle && (view_i || (|may))) |-> (busy_q == 1))
    else $error("txpdc_jobs: no job starts although one may");
  a_room: assert property (@(posedge clk_i) disable iff (!rst_ni) acts_q <= Acts)
    else $error("txpdc_jobs: a job starts without room for its action");
  a_free: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (acts_q == 0) |-> !(take_i || silent_i))
    else $error("txpdc_jobs: a credit comes back that was not in use");
`endif
endmodule
