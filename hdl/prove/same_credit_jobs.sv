// credit_jobs with a fault, as credit uses it: after a reset the lists are empty, so that no pull is due before the job
// of an event has started. From then on both start the same jobs.
`include "prove.svh"
module same_credit_jobs (
  input logic clk_i,
  input logic rst_ni,
  input logic event_i,
  input logic due_i
);
  logic       started_q = 1'b0;
  logic       some_q;                 // a job has started since the reset
  logic       start_e_a, start_p_a, start_e_b, start_p_b;
  logic [3:1] ev_step_a, ev_step_b;
  logic [4:1] pull_step_a, pull_step_b;

  credit_jobs u_a (
    .clk_i(clk_i), .rst_ni(rst_ni), .event_i(event_i), .due_i(due_i), .start_e_o(start_e_a), .start_p_o(start_p_a),
    .ev_step_o(ev_step_a), .pull_step_o(pull_step_a)
  );

  credit_jobs_planted u_b (
    .clk_i(clk_i), .rst_ni(rst_ni), .event_i(event_i), .due_i(due_i), .start_e_o(start_e_b), .start_p_o(start_p_b),
    .ev_step_o(ev_step_b), .pull_step_o(pull_step_b)
  );

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni)        some_q <= 1'b0;
    else if (start_e_a) some_q <= 1'b1;
  end

  always_comb begin
    `ASSUME(started_q || !rst_ni);
    `ASSUME(some_q || !due_i || !started_q);
    if (started_q && rst_ni) begin
      `PROVE(start_e_a == start_e_b);
      `PROVE(start_p_a == start_p_b);
      `PROVE(ev_step_a == ev_step_b);
      `PROVE(pull_step_a == pull_step_b);
      `REACH(start_p_a && event_i);
      `REACH(start_e_a && due_i);
    end
  end
endmodule
