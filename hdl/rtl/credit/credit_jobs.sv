// Sequence of jobs: which starts when, and how far the one that runs has come.
//
// Latency:     none; a job starts in the cycle in which it may.
// Throughput:  one job at a time: EV_BUSY (4) cycles an event, PULL_BUSY (5) a pull.
// Comb. paths: all inputs but clock and reset to start_e_o and start_p_o.
// Reset:       no job runs, and it is a pull's turn after the next event's.
// Contract:    credit/contract.md "Timing": start_e, start_p and turn.
//
// Cycles of an event's job: k0, in which it starts, to k3, in which it ends; of a pull's: p0 to p4.
module credit_jobs (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       event_i,     // an event waits, and there is room for its response
  input  logic       due_i,       // a pull is due
  output logic       start_e_o,   // k0
  output logic       start_p_o,   // p0
  output logic [3:1] ev_step_o,   // k1 .. k3
  output logic [4:1] pull_step_o  // p1 .. p4
);
  logic turn_q;                   // of a pull, where an event waits too
  logic idle;

  assign idle      = (ev_step_o == '0) & (pull_step_o == '0);
  assign start_p_o = idle & due_i & (~event_i | turn_q);
  assign start_e_o = idle & event_i & ~start_p_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      turn_q      <= 1'b0;
      ev_step_o   <= '0;
      pull_step_o <= '0;
    end else begin
      if (start_e_o)      turn_q <= 1'b1;
      else if (start_p_o) turn_q <= 1'b0;
      ev_step_o   <= {ev_step_o[2:1], start_e_o};
      pull_step_o <= {pull_step_o[3:1], start_p_o};
    end
  end

`ifdef GW_ASSERT
  logic again_q;                  // the last job that started was a pull's, and an event waited

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                     again_q <= 1'b0;
    else if (start_e_o || start_p_o) again_q <= start_p_o & event_i;
  end

  a_one_job: assert property (@(posedge clk_i) disable iff (!rst_ni)
      $countones({start_e_o, start_p_o, ev_step_o, pull_step_o}) <= 1)
    else $error("credit_jobs: two jobs run at a time");
  a_turns: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(start_p_o && event_i && again_q))
    else $error("credit_jobs: two pulls in a row keep an event waiting");
  a_works: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (idle && (event_i || due_i)) |-> (start_e_o || start_p_o))
    else $error("credit_jobs: no job starts although one may");
`endif
endmodule
