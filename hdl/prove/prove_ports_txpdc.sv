// txpdc: on every output stream a word that is not taken stays as it is, and valid stays with it; nothing is ready or
// valid in a reset. At most one job runs, of those that may one starts in an idle cycle, the timer not before TIMER_GAP
// cycles. A job but that of a view holds the credit of an action until that has left, or until it ends without one; a
// command holds that of its response. What jobs read and compute is cut away, so that this holds for any values.
//
// What holds it together: the credits in use are the job that runs and the words in the FIFO, so that none is pushed
// into a full one.
`include "prove.svh"
module prove_ports_txpdc (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        cmd_valid_i,
  input txpdc_cmd_t  cmd_i,
  input logic        rec_valid_i,
  input txpdc_rec_t  rec_i,
  input logic        view_valid_i,
  input txpdc_view_t view_i,
  input logic        act_ready_i,
  input logic        rsp_ready_i
);
  logic       cmd_ready, rec_ready, view_ready, act_valid, rsp_valid;
  txpdc_act_t act;
  txpdc_rsp_t rsp;

  txpdc #(.Contexts(2)) dut (
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

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    `ASSUME(started_q || !rst_ni);
    `PROVE(rst_ni || !(cmd_ready || rec_ready || view_ready || act_valid || rsp_valid));
  end

  // ---------------------------------------------------------------- jobs
  logic       view_waits, rec_waits, cmd_waits, list;  // probes, as all that follow
  logic       view_step;
  logic [7:1] timer_step, rec_step, turn_step;
  logic [5:1] cmd_step;
  logic [4:0] starts;                                  // timer, turn, rec, cmd, view
  logic [4:0] gap;
  logic [3:0] acts;                                    // credits in use
  logic [2:0] cmds;
  logic [3:0] others;                                  // actions of turn, timer, record, command
  logic       runs, idle;
  logic [5:0]  since_q;                                // cycles since the timer started, at most 32

  // No wire here is a probe by another name, because Yosys would keep that name alone.
  assign runs = ({timer_step, rec_step, turn_step, cmd_step} != '0);
  assign idle = ~runs & ~view_step;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || starts[4]) since_q <= 6'd1;
    else if (!since_q[5])     since_q <= since_q + 6'd1;
  end

  always_comb begin
    if (started_q && rst_ni) begin
      `PROVE(({view_step, timer_step, rec_step, turn_step, cmd_step} &
              ({view_step, timer_step, rec_step, turn_step, cmd_step} - 27'd1)) == '0);
      `PROVE((starts & (starts - 5'd1)) == '0);
      `PROVE(starts == '0 || idle);
      `PROVE(!idle || starts != '0 || !(view_waits || ((rec_waits || list) && acts != 4'd8)));
      `PROVE(!idle || starts != '0 || !(cmd_waits && acts != 4'd8 && cmds != 3'd4));
      `PROVE(gap < since_q);
      `PROVE(!starts[4] || since_q[5]);
      `PROVE((others & (others - 4'd1)) == '0);
      `PROVE(others == '0 || cmd_step[5] || rec_step[7] || turn_step[7] || timer_step[7]);
      `REACH(starts[4] && rec_waits && cmd_waits && list);
    end
  end

  // ---------------------------------------------------------------- act
  logic [2:0] act_wptr, act_rptr;
  logic       act_wlap, act_rlap;
  logic       act_stalled_q;
  logic [$bits(act)-1:0] act_word;
  logic [1:0] act_last_q;    // a bit of the code and one of the time, which stand for all: they are copied
  logic [3:0] act_held;

  always_ff @(posedge clk_i) begin
    act_stalled_q <= started_q & rst_ni & act_valid & ~act_ready_i;
    act_last_q    <= {act.now[0], act_word[0]};
  end

  assign act_word = act;
  assign act_held = {act_wlap ^ act_rlap, act_wptr} - {1'b0, act_rptr};

  always_comb begin
    if (started_q && rst_ni) begin
      `PROVE(act_held <= 8);
      `PROVE(acts <= 8);
      `PROVE(acts == {3'b0, runs} + act_held);
      `PROVE(!act_stalled_q || act_valid);
      `PROVE(!act_stalled_q || {act.now[0], act_word[0]} == act_last_q);
      `REACH(act_stalled_q);
      `REACH(acts == 4);
    end
  end

  // ---------------------------------------------------------------- rsp
  logic [1:0] rsp_wptr, rsp_rptr;
  logic       rsp_wlap, rsp_rlap;
  logic       rsp_stalled_q;
  logic [$bits(rsp)-1:0] rsp_word;
  logic       rsp_last_q;    // one bit, which stands for all: they are copied
  logic [2:0] rsp_held;

  always_ff @(posedge clk_i) begin
    rsp_stalled_q <= started_q & rst_ni & rsp_valid & ~rsp_ready_i;
    rsp_last_q    <= rsp_word[0];
  end

  assign rsp_word = rsp;
  assign rsp_held = {rsp_wlap ^ rsp_rlap, rsp_wptr} - {1'b0, rsp_rptr};

  always_comb begin
    if (started_q && rst_ni) begin
      `PROVE(rsp_held <= 4);
      `PROVE(cmds <= 4);
      `PROVE(cmds == {2'b0, cmd_step != '0} + rsp_held);
      `PROVE(!rsp_stalled_q || rsp_valid);
      `PROVE(!rsp_stalled_q || rsp_word[0] == rsp_last_q);
      `REACH(rsp_stalled_q);
      `REACH(cmds == 4);
    end
  end
endmodule
