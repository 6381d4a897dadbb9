// Job of a pull: whose turn it is, what it grants, where the sender goes then.
//
// Latency:     PULL_BUSY (5) cycles: the first of a list leaves the RAM in p1, its state in p2;
//              what is granted is settled in p3, results in p4.
// Throughput:  one job at a time.
// Comb. paths: active_first_i and idle_first_i to sender_o; step_i to the enables.
// Reset:       none; payload only.
// Contract:    credit/contract.md "Pull". A state is open, active, idle, target, granted.
module credit_pull #(
  parameter int SenderW = 5             // clog2(Senders)
) (
  input  logic               clk_i,
  input  logic               start_i,         // p0
  input  logic [4:1]         step_i,          // p1 .. p4
  input  logic               active_any_i,    // p0
  input  logic [SenderW-1:0] active_first_i,  // p1
  input  logic [SenderW-1:0] idle_first_i,
  output logic [SenderW-1:0] sender_o,        // p1 to p4
  input  logic [50:0]        state_i,         // p2
  input  logic [7:0]         quanta_i,        // registers
  input  logic [23:0]        gap_i,
  input  logic [15:0]        window_i,
  // p4
  output logic [50:0]        state_o,
  output logic               active_pop_o,
  output logic               active_push_o,
  output logic               idle_pop_o,
  output logic               idle_push_o,
  output logic               pull_o,          // it ends with a pull
  output logic               stale_o,         // it ends without
  output credit_pull_t       pull_data_o,
  output logic [31:0]        gap_o            // that the pull takes of the link
);
  localparam int EmptyMax = credit_pkg::EMPTY;
  localparam logic [7:0] Empty = EmptyMax[7:0];

  // ---------------------------------------------------------------- p1: whose turn it is
  logic               slow_q;           // of the idle list
  logic [SenderW-1:0] sender_q;

  assign sender_o = !step_i[1] ? sender_q : slow_q ? idle_first_i : active_first_i;

  always_ff @(posedge clk_i) begin
    if (start_i) slow_q <= ~active_any_i;
    sender_q <= sender_o;
  end

  // ---------------------------------------------------------------- p2: what it wants
  logic        open, idle;
  logic [23:0] target, granted;
  logic        open_q, idle_q;
  logic [23:0] target_q, granted_q;
  logic [23:0] wanted_q;                // diff(target, granted)
  logic        unused_active;

  // Its active is cleared, or was: nobody is in the active list while the idle list has its turn.
  assign {open, unused_active, idle, target, granted} = state_i;

  always_ff @(posedge clk_i) begin
    if (step_i[2]) begin
      open_q    <= open;
      idle_q    <= idle;
      target_q  <= target;
      granted_q <= granted;
      wanted_q  <= target - granted;
    end
  end

  // ---------------------------------------------------------------- p3: what it gets
  logic        more;                    // than QUANTA is wanted
  logic [7:0]  n;
  logic [23:0] excess;                  // diff(new granted, target)
  logic        near;                    // in the window of slow pulls

  assign more   = ~wanted_q[23] & (wanted_q > {16'b0, quanta_i});
  assign n      = (slow_q | more) ? quanta_i : wanted_q[23] ? 8'd0 : wanted_q[7:0];
  assign excess = {16'b0, n} - wanted_q;
  assign near = ~excess[23] & (excess < {8'b0, window_i});

  // ---------------------------------------------------------------- p3 to p4
  logic        again_q;                 // to the end of the active list
  logic        rest_q;                  // to the end of the idle list
  logic [7:0]  n_q;
  logic [23:0] number_q;

  always_ff @(posedge clk_i) begin
    if (step_i[3]) begin
      again_q  <= open_q & ~slow_q & more;
      rest_q   <= open_q & (slow_q ? near : (~more & ~idle_q));
      n_q      <= n;
      number_q <= open_q ? granted_q + {16'b0, n} : granted_q;
      gap_o    <= {24'b0, (n == '0) ? Empty : n} * {8'b0, gap_i};
    end
  end

  assign state_o       = {open_q, again_q, rest_q | (idle_q & ~slow_q), target_q, number_q};
  assign active_pop_o  = step_i[4] & ~slow_q;
  assign active_push_o = step_i[4] & again_q;
  assign idle_pop_o    = step_i[4] & slow_q;
  assign idle_push_o   = step_i[4] & rest_q;
  assign pull_o        = step_i[4] & open_q;
  assign stale_o       = step_i[4] & ~open_q;
  assign pull_data_o   = {{(16-SenderW){1'b0}}, sender_q, number_q, n_q, slow_q};

`ifdef GW_ASSERT
  a_listed: assert property (@(posedge clk_i)
      step_i[2] |-> (slow_q ? (idle && !unused_active) : unused_active))
    else $error("credit_pull: the state of the first of a list does not have it in that list");
  a_target: assert property (@(posedge clk_i)
      (pull_o && !slow_q && !wanted_q[23]) |-> ({16'b0, n_q} <= wanted_q))
    else $error("credit_pull: a pull grants more than the sender wants");
  a_backwards: assert property (@(posedge clk_i)
      (pull_o && !slow_q && wanted_q[23]) |-> (n_q == 0))
    else $error("credit_pull: a pull grants to a sender who is past the target");
`endif
endmodule
