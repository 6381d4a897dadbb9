// credit: a sender is in a list at most once, the flags of its state are the lists that it is in, and the active list is
// served in turn. Times, registers, counters and FIFOs out are cut away: whatever they do, it holds.
`include "prove.svh"
module prove_credit_lists #(
  parameter int Senders = 2
) (
  input logic                       clk_i,
  input logic                       rst_ni,
  input logic                       ev_valid_i,
  input credit_ev_t                 ev_i,
  input logic                       rsp_ready_i,
  input logic                       pull_ready_i,
  input logic [$clog2(Senders)-1:0] choice_i
);
  localparam int W = $clog2(Senders);
  logic         ev_ready, rsp_valid, pull_valid;
  credit_rsp_t  rsp;
  credit_pull_t pull;

  credit #(.Senders(Senders)) dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .ev_valid_i  (ev_valid_i),
    .ev_ready_o  (ev_ready),
    .ev_i        (ev_i),
    .rsp_valid_o (rsp_valid),
    .rsp_ready_i (rsp_ready_i),
    .rsp_o       (rsp),
    .pull_valid_o(pull_valid),
    .pull_ready_i(pull_ready_i),
    .pull_o      (pull)
  );

  logic                  up, due;                     // probes, as all that follow
  logic                  start_e, start_p;
  logic [W-1:0]          sender;
  logic                  a_push, a_pop, i_push, i_pop;
  logic [W-1:0]          a_first, i_first;
  logic [W:0]            a_count, i_count;
  logic [51*Senders-1:0] states;

  logic               started_q = 1'b0;
  logic [W-1:0]       choice_q;
  logic [Senders-1:0] a_in_q, i_in_q;                 // who is in the lists
  logic [W:0]         a_len, i_len;
  logic [W:0]         ahead_q;                        // of choice_q in the active list
  logic [W+1:0]       jobs_q;                         // that may start before the one that serves choice_q has started

  always_comb begin
    a_len = '0;
    i_len = '0;
    for (int k = 0; k < Senders; k++) begin
      a_len = a_len + {{W{1'b0}}, a_in_q[k]};
      i_len = i_len + {{W{1'b0}}, i_in_q[k]};
    end
  end

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!started_q) choice_q <= choice_i;
    if (!rst_ni) begin
      a_in_q <= '0;
      i_in_q <= '0;
    end else begin
      a_in_q <= (a_in_q & ~({{(Senders-1){1'b0}}, a_pop} << a_first)) | ({{(Senders-1){1'b0}}, a_push} << sender);
      i_in_q <= (i_in_q & ~({{(Senders-1){1'b0}}, i_pop} << i_first)) | ({{(Senders-1){1'b0}}, i_push} << sender);
      if (a_push && sender == choice_q) begin
        ahead_q <= a_len - {{W{1'b0}}, a_pop};
        jobs_q  <= {a_len - {{W{1'b0}}, a_pop}, 1'b1};
      end else begin
        ahead_q <= ahead_q - {{W{1'b0}}, a_pop};
        jobs_q  <= jobs_q - {{(W+1){1'b0}}, due & (start_e | start_p)};
      end
    end
  end

  always_comb begin
    `ASSUME(started_q || !rst_ni);
    if (started_q && rst_ni) begin
      // In a list once, which is no longer than there are senders.
      `PROVE(!a_push || !a_in_q[sender] || (a_pop && a_first == sender));
      `PROVE(!i_push || !i_in_q[sender] || (i_pop && i_first == sender));
      `PROVE(!a_pop || a_in_q[a_first]);
      `PROVE(!i_pop || i_in_q[i_first]);
      `PROVE(a_count == a_len);
      `PROVE(i_count == i_len);
      for (int k = 0; k < Senders; k++) begin
        `PROVE(!up || states[51*k+49] == a_in_q[k]);
        `PROVE(!up || states[51*k+48] == i_in_q[k]);
      end
      // In turn, and while a pull is due an event's job starts at most once before each pull's.
      `PROVE(!a_pop || !a_in_q[choice_q] || (a_first == choice_q) == (ahead_q == '0));
      `PROVE(!a_in_q[choice_q] || jobs_q != '0 || !(due && (start_e || (start_p && ahead_q != '0))));
      `PROVE(!i_pop || a_in_q == '0);
      `REACH(&a_in_q && &i_in_q);
      `REACH(i_pop && i_push);
      `REACH(a_pop && a_push && &a_in_q);
      `REACH(a_in_q[choice_q] && due && start_e && ahead_q != '0);
    end
  end
endmodule
