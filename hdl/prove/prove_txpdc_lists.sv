// txpdc: a context is in the list at most once, and as its row says; one that may send is in it, and the first of the
// list has the turn. A context that sent a packet sends no other before the view of that one. Packets, PDCs and
// output FIFOs are cut away, so that this holds for any values of theirs.
`include "prove.svh"
module prove_txpdc_lists #(
  parameter int Contexts = 2
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input logic                        cmd_valid_i,
  input txpdc_cmd_t                  cmd_i,
  input logic                        rec_valid_i,
  input txpdc_rec_t                  rec_i,
  input logic                        view_valid_i,
  input txpdc_view_t                 view_i,
  input logic                        act_ready_i,
  input logic                        rsp_ready_i,
  input logic [$clog2(Contexts)-1:0] choice_i
);
  localparam int W = $clog2(Contexts);
  logic       cmd_ready, rec_ready, view_ready, act_valid, rsp_valid;
  txpdc_act_t act;
  txpdc_rsp_t rsp;

  txpdc #(.Contexts(Contexts)) dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .cmd_valid_i (cmd_valid_i),
    .cmd_ready_o (cmd_ready),
    .cmd_i       (cmd_i),
    .rec_valid_i (rec_valid_i),
    .rec_ready_o (rec_ready),
    .rec_i       (rec_i),
    .view_valid_i(view_valid_i),
    .view_ready_o(view_ready),
    .view_i      (view_i),
    .act_valid_o (act_valid),
    .act_ready_i (act_ready_i),
    .act_o       (act),
    .rsp_valid_o (rsp_valid),
    .rsp_ready_i (rsp_ready_i),
    .rsp_o       (rsp)
  );

  logic                   up;                        // probes, as all that follow
  logic [W+8:0]           sweep_row;
  logic                   joins, turn, sent, viewed;
  logic [W-1:0]           context_w, first;          // that is written; the first of the list
  logic [W:0]             count;
  logic [13*Contexts-1:0] rows;
  txpdc_view_t            view;

  logic                started_q = 1'b0;
  logic                up_q;
  logic [Contexts-1:0] swept_q;
  logic [W-1:0]        choice_q;
  logic [Contexts-1:0] in_q;                         // who is in the list
  logic [Contexts-1:0] answer_q;                     // whose packet has no view yet
  logic [Contexts-1:0] one;                          // context_w
  logic [W:0]          len;
  logic [W:0]          ahead_q;                      // of choice_q in the list

  assign one = {{(Contexts-1){1'b0}}, 1'b1} << context_w;

  always_comb begin
    len = '0;
    for (int k = 0; k < Contexts; k++) len = len + {{W{1'b0}}, in_q[k]};
  end

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    up_q      <= rst_ni & up;
    if (!started_q) choice_q <= choice_i;
    if (!rst_ni) begin
      swept_q  <= '0;
      in_q     <= '0;
      answer_q <= '0;
    end else begin
      if (!up) swept_q[sweep_row[W+8:9]] <= 1'b1;
      in_q     <= (in_q & ~({{(Contexts-1){1'b0}}, turn} << first)) | (one & {Contexts{joins}});
      answer_q <= (answer_q & ~(one & {Contexts{viewed & view.kind == 4'd5}})) | (one & {Contexts{sent}});
      ahead_q  <= (joins && context_w == choice_q) ? len - {{W{1'b0}}, turn} : ahead_q - {{W{1'b0}}, turn};
    end
  end

  always_comb begin
    `ASSUME(started_q || !rst_ni);
    // row sweep: every row once, and done exactly then
    `ASSUME(!up || (rst_ni && &swept_q));
    `ASSUME(!up_q || !rst_ni || up);
    if (started_q && rst_ni) begin
      `PROVE(!joins || !in_q[context_w]);
      `PROVE(!turn || (in_q[first] && first == context_w));
      `PROVE(count == len);
      for (int k = 0; k < Contexts; k++) begin
        // next, queued, waits, can_send, again, work
        `PROVE(!up || rows[13*k+10] == in_q[k]);
        `PROVE(!up || rows[13*k+9] == answer_q[k]);
        `PROVE(!up || in_q[k] || answer_q[k] || !rows[13*k+8] || rows[13*k +: 4] == '0);
      end
      // In turn; a context that sent waits.
      `PROVE(!turn || !in_q[choice_q] || (first == choice_q) == (ahead_q == '0));
      `PROVE(!sent || (turn && !answer_q[context_w]));
      `REACH(&in_q);
      `REACH(turn && !sent);
      `REACH(sent && &in_q);
      `REACH(turn && ahead_q != '0 && in_q[choice_q]);
    end
  end
endmodule
