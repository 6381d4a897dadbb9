// Receiver's pacer of credit: who wants credit gets it in turn, at the rate of the receiver's link.
//
// Latency:     an event's response is visible EV_BUSY (4) cycles after its job started, a pull
//              PULL_BUSY (5) cycles after its own.
// Throughput:  one job at a time: an event in 4 cycles, a pull in 5.
// Comb. paths: rst_ni to the ready and valid outputs; no other.
// Reset:       empty, registers at their reset values, counters 0; ready after Senders cycles, in
//              which every word of every sender becomes 0.
// Contract:    vectors/event/timing.md (ports, reset), vectors/event/credit/contract.md.
//
// credit_jobs names the cycles of a job: k0 to k3 of an event's, p0 to p4 of a pull's. A state is
// open, active, idle, target, granted.
module credit #(
  parameter int Senders = 32
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         ev_valid_i,
  output logic         ev_ready_o,
  input  credit_ev_t   ev_i,
  output logic         rsp_valid_o,
  input  logic         rsp_ready_i,
  output credit_rsp_t  rsp_o,
  output logic         pull_valid_o,
  input  logic         pull_ready_i,
  output credit_pull_t pull_o
);
  localparam int SenderW  = $clog2(Senders);
  localparam int PullMax  = credit_pkg::PULLS;
  localparam int PullW    = $clog2(PullMax + 1);
  localparam logic [PullW-1:0] Pulls = PullMax[PullW-1:0];

  // ---------------------------------------------------------------- reset, events
  logic               up;
  logic [SenderW-1:0] sweep_sender;
  logic               waits, room;
  credit_ev_t         head;
  logic               rsp_take;
  logic               start_e, start_p;
  logic [3:1]         ev_step;
  logic [4:1]         pull_step;

  gw_sweep #(.Rows(Senders), .RowW(SenderW)) u_sweep (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .done_o(up),
    .row_o (sweep_sender)
  );

  gw_in_fifo #(.Width(credit_pkg::EV_W)) u_in_fifo (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enable_i    (up),
    .valid_i     (ev_valid_i),
    .ready_o     (ev_ready_o),
    .data_i      (ev_i),
    .head_valid_o(waits),
    .head_o      (head),
    .pop_i       (start_e)
  );

  gw_credit #(.Credits(credit_pkg::CREDITS)) u_credit (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .use_i   (start_e),
    .return_i(rsp_take),
    .avail_o (room)
  );

  // ---------------------------------------------------------------- jobs
  logic             active_any, idle_any;
  logic             ready;            // the next pull need not wait
  logic             pull, stale;      // a pull's job ends with one, without
  logic             pull_take;
  logic [PullW-1:0] pulls_q;          // pulls whose job started, that have not left

  // A list is not empty before the sweep is done.
  credit_jobs u_jobs (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .event_i    (waits & room),
    .due_i      (ready & (pulls_q != Pulls) & (active_any | idle_any)),
    .start_e_o  (start_e),
    .start_p_o  (start_p),
    .ev_step_o  (ev_step),
    .pull_step_o(pull_step)
  );

  // Not a gw_credit: two of these can come back in one cycle.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pulls_q <= '0;
    end else begin
      pulls_q <= pulls_q + {{(PullW-1){1'b0}}, start_p} - {{(PullW-1){1'b0}}, pull_take} -
                 {{(PullW-1){1'b0}}, stale};
    end
  end

  // ---------------------------------------------------------------- job of an event
  credit_regs_t regs;
  logic [3:0]   addr;
  logic [31:0]  data;
  credit_rsp_t  rsp;
  logic [SenderW-1:0] sender;         // k1 to k3
  logic [50:0]  state;                // k1, p2
  logic [50:0]  ev_state;
  logic         ev_we;
  logic         joined;
  logic         write, load;
  logic [31:0]  register, count;
  logic [12:0]  actives, idles;

  credit_event #(.Senders(Senders), .SenderW(SenderW)) u_event (
    .clk_i     (clk_i),
    .start_i   (start_e),
    .step_i    (ev_step),
    .ev_i      (head),
    .state_i   (state),
    .addr_o    (addr),
    .data_o    (data),
    .register_i(register),
    .count_i   (count),
    .actives_i (actives),
    .idles_i   (idles),
    .sender_o  (sender),
    .state_we_o(ev_we),
    .state_o   (ev_state),
    .joined_o  (joined),
    .write_o   (write),
    .load_o    (load),
    .rsp_o     (rsp)
  );

  gw_rsp_fifo #(.Width(credit_pkg::RSP_W), .Rows(credit_pkg::CREDITS)) u_rsp_fifo (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (ev_step[3]),
    .data_i (rsp),
    .valid_o(rsp_valid_o),
    .ready_i(rsp_ready_i),
    .data_o (rsp_o),
    .take_o (rsp_take)
  );

  // ---------------------------------------------------------------- job of a pull
  logic [SenderW-1:0] active_first, idle_first;
  logic [SenderW-1:0] pull_sender;
  logic [50:0]        pull_state;
  logic               active_pop, active_push;
  logic               idle_pop, idle_push;
  credit_pull_t       pull_data;
  logic [31:0]        gap;

  credit_pull #(.SenderW(SenderW)) u_pull (
    .clk_i         (clk_i),
    .start_i       (start_p),
    .step_i        (pull_step),
    .active_any_i  (active_any),
    .active_first_i(active_first),
    .idle_first_i  (idle_first),
    .sender_o      (pull_sender),
    .state_i       (state),
    .quanta_i      (regs.QUANTA),
    .gap_i         (regs.GAP),
    .window_i      (regs.WINDOW),
    .state_o       (pull_state),
    .active_pop_o  (active_pop),
    .active_push_o (active_push),
    .idle_pop_o    (idle_pop),
    .idle_push_o   (idle_push),
    .pull_o        (pull),
    .stale_o       (stale),
    .pull_data_o   (pull_data),
    .gap_o         (gap)
  );

  credit_pace u_pace (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .busy_i (start_p | (pull_step != '0)),
    .pull_i (pull),
    .gap_i  (gap),
    .ready_o(ready)
  );

  gw_rsp_fifo #(.Width(credit_pkg::PULL_W), .Rows(credit_pkg::PULLS)) u_pull_fifo (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (pull),
    .data_i (pull_data),
    .valid_o(pull_valid_o),
    .ready_i(pull_ready_i),
    .data_o (pull_o),
    .take_o (pull_take)
  );

  // ---------------------------------------------------------------- senders and their lists
  logic               we;
  logic [SenderW-1:0] waddr;
  logic [50:0]        wdata;

  // A read never meets a write: jobs run one at a time.
  assign we    = ~up | ev_we | pull_step[4];
  assign waddr = !up ? sweep_sender : pull_step[4] ? pull_sender : sender;
  assign wdata = !up ? 51'b0 : pull_step[4] ? pull_state : ev_state;

  gw_sdp_ram #(.Width(51), .Rows(Senders), .AddrW(SenderW)) u_senders (
    .clk_i  (clk_i),
    .we_i   (we),
    .waddr_i(waddr),
    .wdata_i(wdata),
    .raddr_i(pull_step[1] ? pull_sender : head.sender[SenderW-1:0]),
    .rdata_o(state)
  );

  gw_list #(.Rows(Senders), .RowW(SenderW), .CountW(13)) u_active (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .push_i  (joined | active_push),
    .row_i   (waddr),
    .pop_i   (active_pop),
    .first_o (active_first),
    .any_o   (active_any),
    .count_o (actives)
  );

  gw_list #(.Rows(Senders), .RowW(SenderW), .CountW(13)) u_idle (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .push_i  (idle_push),
    .row_i   (waddr),
    .pop_i   (idle_pop),
    .first_o (idle_first),
    .any_o   (idle_any),
    .count_o (idles)
  );

  // ---------------------------------------------------------------- registers, counters
  credit_config u_config (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .addr_i    (addr),
    .data_i    (data),
    .write_i   (write),
    .load_i    (load),
    .event_i   (ev_step[3]),
    .register_o(register),
    .count_o   (count),
    .regs_o    (regs),
    .pull_i    (pull),
    .stale_i   (stale),
    .slow_i    (pull_data.slow),
    .quanta_i  (pull_data.quanta)
  );

`ifdef GW_ASSERT
  // What each sender has been granted: where OPEN or LOAD put it, and the quanta of pulls since.
  logic [23:0] granted_q [0:Senders-1];
  logic [23:0] sum;
  logic        put;                   // by OPEN or LOAD

  assign put = ev_we & ((rsp.kind == credit_pkg::KIND_OPEN) | (rsp.kind == credit_pkg::KIND_LOAD));
  assign sum = granted_q[waddr] + (pull ? {16'b0, pull_data.quanta} : 24'b0);

  always_ff @(posedge clk_i) begin
    if (we) granted_q[waddr] <= (!up || put) ? wdata[23:0] : sum;
  end

  a_credit: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (we && up && !put) |-> (wdata[23:0] == sum))
    else $error("credit: granted does not grow by what the pull carries");
  a_number: assert property (@(posedge clk_i) disable iff (!rst_ni)
      pull |-> (pull_data.number == wdata[23:0]))
    else $error("credit: the number of a pull is not all that its sender has been granted");
  a_room: assert property (@(posedge clk_i) disable iff (!rst_ni) pulls_q <= Pulls)
    else $error("credit: a pull's job starts without room for its pull");
  a_flags: assert property (@(posedge clk_i) disable iff (!rst_ni)
      pull_step[4] |-> (active_pop ? (wdata[49] == active_push) : (wdata[48] == idle_push)))
    else $error("credit: a sender's flags are not the lists that it is in");
`endif
endmodule
