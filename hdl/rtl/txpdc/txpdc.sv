// Source half of the packet delivery contexts (PDCs) of a NIC: messages become packets, lost ones
// are sent again, and one PDC after the other has its turn.
//
// Latency:     the action and the response of a job are visible one cycle after its end.
// Throughput:  one job at a time: VIEW_BUSY (2) cycles a view, CMD_BUSY (6) a command, SEND_BUSY
//              (8) a turn, TIMER_BUSY (8) the timer, REC_BUSY (8) a record, and one more for each
//              packet that the last two unmark.
// Comb. paths: rst_ni to the ready and valid outputs; no other.
// Reset:       empty, registers at their reset values, counters 0; ready after
//              4 * Contexts * WINDOW cycles, in which every word of every PDC becomes 0.
// Contract:    vectors/event/timing.md (ports, reset), vectors/event/txpdc/contract.md.
//
// txpdc_jobs names the steps of a job. A state is closed_at, rcvd, sum, left, outstanding, una,
// start, peer, mpr, tries, stopped, closing, syn, valid; bits are resent, marked, acked; a row is
// next, queued, waits, can_send of a context, then again and work of its PDCs.
module txpdc #(
  parameter int Contexts = 4
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        cmd_valid_i,
  output logic        cmd_ready_o,
  input  txpdc_cmd_t  cmd_i,
  input  logic        rec_valid_i,
  output logic        rec_ready_o,
  input  txpdc_rec_t  rec_i,
  input  logic        view_valid_i,
  output logic        view_ready_o,
  input  txpdc_view_t view_i,
  output logic        act_valid_o,
  input  logic        act_ready_i,
  output txpdc_act_t  act_o,
  output logic        rsp_valid_o,
  input  logic        rsp_ready_i,
  output txpdc_rsp_t  rsp_o
);
  localparam int Pdcs = txpdc_pkg::SLOTS * Contexts;
  localparam int Rows = Pdcs * txpdc_pkg::WINDOW;
  localparam int CtxW = $clog2(Contexts);
  localparam int PdcW = $clog2(Pdcs);
  localparam int RowW = $clog2(Rows);

  // ---------------------------------------------------------------- reset, time, jobs
  logic            up;
  logic [RowW-1:0] sweep_row;
  txpdc_regs_t     regs;
  logic [47:0]     tick;
  logic [31:0]     ahead;
  txpdc_cmd_t      cmd;
  txpdc_rec_t      rec;
  txpdc_view_t     view;
  logic            listed, walk, act_take, rsp_take, silent;
  logic            view_start, timer_start, rec_start, cmd_start;
  logic            view_step;
  logic [7:1]      timer_step, rec_step, turn_step;
  logic [5:1]      cmd_step;

  gw_sweep #(.Rows(Rows), .RowW(RowW)) u_sweep (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .done_o(up),
    .row_o (sweep_row)
  );

  txpdc_time u_time (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .cycles_i(regs.TICK),
    .tick_o  (tick),
    .ahead_o (ahead)
  );

  txpdc_front u_front (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .up_i         (up),
    .cmd_valid_i  (cmd_valid_i),
    .cmd_ready_o  (cmd_ready_o),
    .cmd_i        (cmd_i),
    .rec_valid_i  (rec_valid_i),
    .rec_ready_o  (rec_ready_o),
    .rec_i        (rec_i),
    .view_valid_i (view_valid_i),
    .view_ready_o (view_ready_o),
    .view_i       (view_i),
    .list_i       (listed),
    .walk_i       (walk),
    .act_take_i   (act_take),
    .rsp_take_i   (rsp_take),
    .silent_i     (silent),
    .cmd_o        (cmd),
    .rec_o        (rec),
    .view_o       (view),
    .view_start_o (view_start),
    .timer_start_o(timer_start),
    .rec_start_o  (rec_start),
    .cmd_start_o  (cmd_start),
    .view_step_o  (view_step),
    .timer_step_o (timer_step),
    .rec_step_o   (rec_step),
    .cmd_step_o   (cmd_step),
    .turn_step_o  (turn_step)
  );

  // ---------------------------------------------------------------- what a job reads
  logic [PdcW-1:0] pdc;
  logic [12:0]     row;
  logic [222:0]    state;
  logic [383:0]    bits;
  logic [7:0]      limit;
  logic [6:0]      waiting;           // place of the packet to be sent again first
  logic [6:0]      packet;            // whose size and stamp are read
  logic [15:0]     size;
  logic [31:0]     stamp;
  logic [6:0]      walk_place;
  logic [7:0]      acked_pkts, unmark_pkts;
  logic [23:0]     unmark_bytes;
  logic [6:0]      cmd_row, rec_row, turn_row, timer_row;

  assign packet = (cmd_step != '0)  ? cmd_row :
                  (rec_step != '0)  ? rec_row :
                  (turn_step != '0) ? turn_row : timer_row;

  // ---------------------------------------------------------------- a command
  logic [4:0]   addr;
  logic [31:0]  data, register, count;
  logic [222:0] cmd_state;
  logic [383:0] cmd_bits;
  logic         cmd_we, cmd_closes, cmd_size_we, cmd_stamp_we, cmd_done;
  logic         write, load;
  txpdc_act_t   cmd_act;
  txpdc_rsp_t   rsp;

  txpdc_cmd #(.Pdcs(Pdcs)) u_cmd (
    .clk_i     (clk_i),
    .start_i   (cmd_start),
    .step_i    (cmd_step),
    .cmd_i     (cmd),
    .state_i   (state),
    .bits_i    (bits),
    .context_i (row[12:8]),
    .addr_o    (addr),
    .data_o    (data),
    .row_o     (cmd_row),
    .size_i    (size),
    .stamp_i   (stamp),
    .register_i(register),
    .count_i   (count),
    .payload_i (regs.PAYLOAD),
    .header_i  (regs.HEADER),
    .state_o   (cmd_state),
    .bits_o    (cmd_bits),
    .pdc_we_o  (cmd_we),
    .closes_o  (cmd_closes),
    .size_we_o (cmd_size_we),
    .stamp_we_o(cmd_stamp_we),
    .write_o   (write),
    .load_o    (load),
    .done_o    (cmd_done),
    .act_o     (cmd_act),
    .rsp_o     (rsp)
  );

  // ---------------------------------------------------------------- a record
  logic [222:0] rec_state;
  logic         rec_ack, rec_mark, rec_done;
  logic [127:0] rec_new;
  logic [7:0]   rec_shift;
  logic [6:0]   rec_place;
  logic [3:0]   rec_count;
  txpdc_act_t   rec_act;

  txpdc_rec #(.Pdcs(Pdcs)) u_rec (
    .clk_i   (clk_i),
    .start_i (rec_start),
    .step_i  (rec_step),
    .rec_i   (rec),
    .state_i (state),
    .bits_i  (bits),
    .walk_i  (walk_place),
    .acked_i (acked_pkts),
    .unmark_i(unmark_pkts),
    .bytes_i (unmark_bytes),
    .row_o   (rec_row),
    .size_i  (size),
    .ack_o   (rec_ack),
    .new_o   (rec_new),
    .shift_o (rec_shift),
    .mark_o  (rec_mark),
    .place_o (rec_place),
    .state_o (rec_state),
    .done_o  (rec_done),
    .count_o (rec_count),
    .act_o   (rec_act)
  );

  // ---------------------------------------------------------------- a turn
  logic [1:0]   slot;
  logic [222:0] turn_state;
  logic         turn_again, sent, fresh;
  logic [6:0]   turn_place;
  logic [15:0]  turn_size;
  txpdc_act_t   turn_act;

  txpdc_turn u_turn (
    .clk_i    (clk_i),
    .step_i   (turn_step[7:2]),
    .payload_i(regs.PAYLOAD),
    .header_i (regs.HEADER),
    .row_i    (row),
    .slot_o   (slot),
    .state_i  (state),
    .limit_i  (limit),
    .place_i  (waiting),
    .row_o    (turn_row),
    .size_i   (size),
    .state_o  (turn_state),
    .again_o  (turn_again),
    .place_o  (turn_place),
    .sent_o   (sent),
    .fresh_o  (fresh),
    .size_o   (turn_size),
    .act_o    (turn_act)
  );

  // ---------------------------------------------------------------- the timer
  logic [222:0] timer_state;
  logic         timer_retires, timer_mark, timer_done, timer_closes, lost;
  logic [127:0] timer_new;
  logic [6:0]   timer_place;
  txpdc_act_t   timer_act;

  txpdc_timer u_timer (
    .clk_i    (clk_i),
    .step_i   (timer_step),
    .ahead_i  (ahead),
    .rto_i    (regs.RTO),
    .tries_i  (regs.TRIES),
    .state_i  (state),
    .bits_i   (bits),
    .retires_o(timer_retires),
    .new_o    (timer_new),
    .walk_i   (walk_place),
    .acked_i  (acked_pkts),
    .unmark_i (unmark_pkts),
    .bytes_i  (unmark_bytes),
    .row_o    (timer_row),
    .size_i   (size),
    .stamp_i  (stamp),
    .state_o  (timer_state),
    .mark_o   (timer_mark),
    .place_o  (timer_place),
    .done_o   (timer_done),
    .closes_o (timer_closes),
    .lost_o   (lost),
    .act_o    (timer_act)
  );

  // ---------------------------------------------------------------- what both take off
  txpdc_unmark u_unmark (
    .clk_i   (clk_i),
    .step3_i (rec_step[3] | timer_step[3]),
    .step4_i (rec_step[4] | timer_step[4]),
    .off_i   (rec_step[3] ? rec_ack : timer_retires),
    .new_i   (rec_step[3] ? rec_new : timer_new),
    .marked_i(bits[255:128]),
    .walk_o  (walk),
    .place_o (walk_place),
    .size_i  (size),
    .acked_o (acked_pkts),
    .pkts_o  (unmark_pkts),
    .bytes_o (unmark_bytes)
  );

  // ---------------------------------------------------------------- what a job leaves
  logic [222:0] state_new;
  logic [383:0] bits_new;

  txpdc_update u_update (
    .clk_i        (clk_i),
    .cmd_i        (cmd_step[3]),
    .rec_i        (rec_step[5]),
    .turn_i       (turn_step[5]),
    .timer_i      (timer_step[5]),
    .bits_i       (bits),
    .cmd_state_i  (cmd_state),
    .cmd_bits_i   (cmd_bits),
    .rec_state_i  (rec_state),
    .rec_ack_i    (rec_ack),
    .rec_new_i    (rec_new),
    .rec_shift_i  (rec_shift),
    .rec_mark_i   (rec_mark),
    .rec_place_i  (rec_place),
    .turn_state_i (turn_state),
    .turn_again_i (turn_again),
    .turn_place_i (turn_place),
    .timer_state_i(timer_state),
    .timer_clear_i(timer_retires),
    .timer_mark_i (timer_mark),
    .timer_place_i(timer_place),
    .state_o      (state_new),
    .bits_o       (bits_new)
  );

  txpdc_table #(.Contexts(Contexts), .CtxW(CtxW), .Pdcs(Pdcs), .PdcW(PdcW), .RowW(RowW)) u_table (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .sweep_i      (~up),
    .sweep_row_i  (sweep_row),
    .view_start_i (view_start),
    .view_i       (view),
    .cmd_start_i  (cmd_start),
    .cmd_pdc_i    (cmd.pdc[PdcW-1:0]),
    .rec_start_i  (rec_start),
    .dpdcid_i     (rec.dpdcid[PdcW-1:0]),
    .timer_start_i(timer_start),
    .first_i      (turn_step[1]),
    .chosen_i     (turn_step[2]),
    .slot_i       (slot),
    .pdc_o        (pdc),
    .row_o        (row),
    .list_o       (listed),
    .state_o      (state),
    .bits_o       (bits),
    .read_i       (turn_step[3]),
    .limit_o      (limit),
    .place_o      (waiting),
    .packet_i     (packet),
    .size_o       (size),
    .stamp_o      (stamp),
    .state_i      (state_new),
    .bits_i       (bits_new),
    .pdc_we_i     (cmd_we | rec_done | sent | timer_done),
    .closes_i     (cmd_closes | timer_closes),
    .now_i        (tick[31:0]),
    .size_we_i    (cmd_size_we | fresh),
    .size_i       (fresh ? turn_size : data[15:0]),
    .stamp_we_i   (cmd_stamp_we | sent),
    .stamp_i      (sent ? tick[31:0] : data),
    .view_step_i  (view_step),
    .turn_i       (turn_step[7]),
    .sent_i       (sent)
  );

  // ---------------------------------------------------------------- registers, counters, out
  txpdc_config u_config (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .addr_i    (addr),
    .data_i    (data),
    .write_i   (write),
    .load_i    (load),
    .inc_i     ({turn_step[7], rec_count[3:2], lost, rec_count[1:0], sent & ~fresh, sent}),
    .register_o(register),
    .count_o   (count),
    .regs_o    (regs)
  );

  txpdc_out u_out (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .pdc_i       ({{(16-PdcW){1'b0}}, pdc}),
    .now_i       (tick),
    .end_i       (cmd_step[5] | rec_step[7] | turn_step[7] | timer_step[7]),
    .cmd_i       (cmd_step[5]),
    .rsp_i       (rsp),
    .cmd_done_i  (cmd_done),
    .cmd_act_i   (cmd_act),
    .rec_done_i  (rec_done),
    .rec_act_i   (rec_act),
    .turn_done_i (sent),
    .turn_act_i  (turn_act),
    .timer_done_i(timer_done),
    .timer_act_i (timer_act),
    .silent_o    (silent),
    .act_valid_o (act_valid_o),
    .act_ready_i (act_ready_i),
    .act_o       (act_o),
    .act_take_o  (act_take),
    .rsp_valid_o (rsp_valid_o),
    .rsp_ready_i (rsp_ready_i),
    .rsp_o       (rsp_o),
    .rsp_take_o  (rsp_take)
  );
endmodule
