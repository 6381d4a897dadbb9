// Destination half of a NIC: packets in, the state of every PDC kept, ACKs, ACK_CCs and NACKs out.
//
// Latency:     LATENCY (8) cycles from the issue of a packet's last beat to the start of its job at
//              the earliest; the job takes BUSY (6) cycles, with syn ceil(Pdcs / LANES) more; its
//              indication is visible one cycle later, its answer BUILD (4) cycles after that.
// Throughput:  one beat of 64 bytes a cycle; one packet in BUSY cycles.
// Comb. paths: rst_ni to the ready and valid outputs; no other.
// Reset:       empty, registers at their reset values, counters 0; ready after Pdcs cycles, in
//              which every word of every PDC becomes 0.
// Contract:    vectors/event/timing.md (ports, reset), vectors/event/ackgen/contract.md.
//
// Jobs run one at a time: ackgen_jobs names their cycles. A packet waits for its job in a FIFO of
// requests.
module ackgen #(
  parameter int Pdcs = 16
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         rx_valid_i,
  output logic         rx_ready_o,
  input  ackgen_rx_t   rx_i,
  input  logic         cfg_valid_i,
  output logic         cfg_ready_o,
  input  ackgen_cfg_t  cfg_i,
  output logic         tx_valid_o,
  input  logic         tx_ready_i,
  output ackgen_tx_t   tx_o,
  output logic         ind_valid_o,
  input  logic         ind_ready_i,
  output ackgen_ind_t  ind_o,
  output logic         cfgr_valid_o,
  input  logic         cfgr_ready_i,
  output ackgen_cfgr_t cfgr_o
);
  localparam int PdcW  = $clog2(Pdcs);
  localparam int Lanes = (Pdcs < ackgen_pkg::LANES) ? Pdcs : ackgen_pkg::LANES;
  localparam int Rows  = Pdcs / Lanes;
  localparam int RowW  = (Rows > 1) ? $clog2(Rows) : 1;

  // ---------------------------------------------------------------- reset
  logic            up;
  logic [PdcW-1:0] sweep_pdc;

  gw_sweep #(.Rows(Pdcs), .RowW(PdcW)) u_sweep (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .done_o(up),
    .row_o (sweep_pdc)
  );

  // ---------------------------------------------------------------- time
  ackgen_regs_t regs;
  logic [15:0]  phase_q;              // cycles of the tick that have passed
  logic [31:0]  tick_q;
  logic         ticks;

  assign ticks = ({1'b0, phase_q} + 17'd1 >= {1'b0, regs.TICK});

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= '0;
      tick_q <= '0;
    end else begin
      phase_q <= ticks ? '0 : phase_q + 16'd1;
      tick_q <= tick_q + {31'b0, ticks};
    end
  end

  // ---------------------------------------------------------------- requests
  logic         start;               // the job of a packet starts
  logic         judged;
  logic [3:0]   cause;
  logic         waits;
  logic [706:0] req;                 // the oldest request

  ackgen_requests u_requests (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .up_i      (up),
    .rx_valid_i(rx_valid_i),
    .rx_ready_o(rx_ready_o),
    .rx_i      (rx_i),
    .udp_port_i(regs.UDP_PORT),
    .native_i  (regs.NATIVE),
    .refuse_i  (regs.CONTROL[0]),
    .tick_i    (tick_q),
    .phase_i   (phase_q),
    .judged_o  (judged),
    .cause_o   (cause),
    .valid_o   (waits),
    .req_o     (req),
    .start_i   (start)
  );

  // ---------------------------------------------------------------- jobs
  localparam int AnswerMax = ackgen_pkg::ANSWERS;
  localparam int AnswerW   = $clog2(AnswerMax + 1);
  localparam logic [AnswerW-1:0] Answers = AnswerMax[AnswerW-1:0];

  logic               ind_room;
  logic               ind_take;
  logic               tx_take;
  logic               silent;        // a packet's job ends without an answer
  logic [AnswerW-1:0] answers_q;     // packets whose job started, whose answer has not left
  logic               cfg_waits, cfg_room, cfg_start;
  logic               scan;
  logic [RowW-1:0]    scan_row;
  logic [5:1]         step;
  logic [2:1]         cfg_step;

  ackgen_jobs #(.Rows(Rows), .RowW(RowW)) u_jobs (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .req_i      (waits),
    .syn_i      (req[80+10]), // bit 2 of the PDS header's y,
    .room_i     (ind_room & (answers_q != Answers)),
    .cfg_i      (cfg_waits),
    .cfg_room_i (cfg_room),
    .start_o    (start),
    .cfg_start_o(cfg_start),
    .scan_o     (scan),
    .scan_row_o (scan_row),
    .step_o     (step),
    .cfg_step_o (cfg_step)
  );

  gw_credit #(.Credits(ackgen_pkg::INDS)) u_ind_credit (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .use_i   (start),
    .return_i(ind_take),
    .avail_o (ind_room)
  );

  // Not a gw_credit: two of these can come back in one cycle.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      answers_q <= '0;
    end else begin
      answers_q <= answers_q + {{(AnswerW-1){1'b0}}, start} - {{(AnswerW-1){1'b0}}, tx_take} -
                   {{(AnswerW-1){1'b0}}, silent};
    end
  end

  // ---------------------------------------------------------------- job of a packet
  logic [PdcW-1:0] cfg_pdc;
  logic [145:0]    key, cfg_key;
  logic [421:0]    state, cfg_state;
  logic            cfg_we;
  ackgen_ind_t     ind;
  logic [24:0]     inc;
  logic            built;
  logic [31:0]     built_tag;
  logic [6:0]      built_length;
  logic [815:0]    built_frame;

  ackgen_job #(.Pdcs(Pdcs), .PdcW(PdcW), .Lanes(Lanes), .Rows(Rows), .RowW(RowW)) u_job (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .sweep_i    (~up),
    .sweep_pdc_i(sweep_pdc),
    .regs_i     (regs),
    .tick_i     (tick_q),
    .phase_i    (phase_q),
    .start_i    (start),
    .req_i      (req),
    .scan_i     (scan),
    .scan_row_i (scan_row),
    .step_i     (step),
    .cfg_start_i(cfg_start),
    .cfg_step_i (cfg_step[1]),
    .cfg_pdc_i  (cfg_pdc),
    .key_o      (key),
    .state_o    (state),
    .cfg_we_i   (cfg_we),
    .cfg_key_i  (cfg_key),
    .cfg_state_i(cfg_state),
    .ind_o      (ind),
    .inc_o      (inc[24:15]),
    .built_o    (built),
    .tag_o      (built_tag),
    .length_o   (built_length),
    .frame_o    (built_frame)
  );

  assign silent = step[5] & ~ind.answered;

  // ---------------------------------------------------------------- out
  gw_rsp_fifo #(.Width(ackgen_pkg::IND_W), .Rows(ackgen_pkg::INDS)) u_ind_fifo (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (step[5]),
    .data_i (ind),
    .valid_o(ind_valid_o),
    .ready_i(ind_ready_i),
    .data_o (ind_o),
    .take_o (ind_take)
  );

  ackgen_tx u_tx (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .push_i    (built),
    .tag_i     (built_tag),
    .length_i  (built_length),
    .frame_i   (built_frame),
    .tx_valid_o(tx_valid_o),
    .tx_ready_i(tx_ready_i),
    .tx_o      (tx_o),
    .take_o    (tx_take)
  );

  // ---------------------------------------------------------------- registers, counters
  assign inc[0] = judged;
  for (genvar k = 1; k < 15; k++) begin : gen_cause
    localparam logic [3:0] Cause = k[3:0];
    assign inc[k] = judged & (cause == Cause);
  end

  ackgen_config #(.Pdcs(Pdcs), .PdcW(PdcW)) u_config (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .up_i        (up),
    .cfg_valid_i (cfg_valid_i),
    .cfg_ready_o (cfg_ready_o),
    .cfg_i       (cfg_i),
    .cfgr_valid_o(cfgr_valid_o),
    .cfgr_ready_i(cfgr_ready_i),
    .cfgr_o      (cfgr_o),
    .waits_o     (cfg_waits),
    .room_o      (cfg_room),
    .start_i     (cfg_start),
    .step_i      (cfg_step[2]),
    .pdc_o       (cfg_pdc),
    .key_i       (key),
    .state_i     (state),
    .pdc_we_o    (cfg_we),
    .key_o       (cfg_key),
    .state_o     (cfg_state),
    .inc_i       (inc),
    .regs_o      (regs)
  );

`ifdef GW_ASSERT
  // Packets whose job started, counted at the ports.
  int inds_q;
  int out_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inds_q <= 0;
      out_q  <= 0;
    end else begin
      inds_q <= inds_q + int'(start) - int'(ind_take);
      out_q  <= out_q + int'(start) - int'(tx_take) - int'(silent);
    end
  end

  a_room: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (inds_q <= ackgen_pkg::INDS) && (out_q <= ackgen_pkg::ANSWERS))
    else $error("ackgen: a job starts without room for its indication and its answer");
  a_answers: assert property (@(posedge clk_i) disable iff (!rst_ni) int'(answers_q) == out_q)
    else $error("ackgen: the credits in use are not the answers on their way");
  a_counted: assert property (@(posedge clk_i) disable iff (!rst_ni)
      ($countones(inc[14:1]) == int'(judged && (cause != 0))) &&
      ($countones(inc[21:15]) == int'(step[5])))
    else $error("ackgen: a packet is not counted by one reason or by one verdict");
  a_answered: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (step[5] && ind.answered) |-> ($countones({inc[24:23], inc[21]}) == 1))
    else $error("ackgen: an answer is not counted by one type");
`endif
endmodule
