// Congestion window up to the decision: receiver flow control, quick adapt, fast increase, loss.
//
// Latency:     state read in stage 1, window of the decision in stage 7, after it in stage 8;
//              saved_cwnd written in stage 6, cwnd and ccc_state (known last) in stage 35.
// Throughput:  one event a cycle.
// Comb. paths: cfg_s2_i to cwnd_s2_o, saved_cwnd_s2_o.
// Reset:       none; a context is set up by OPEN.
// Contract:    ccc/contract.md "Dispatch" 9; ACK 7, 12, 13 (fast_increase); NACK 4; LOSS; OPEN;
//              LOAD; words 0 (ccc_state), 1 (cwnd), 2 (saved_cwnd).
module ccc_window #(
  parameter int NumContexts = 256,
  parameter int RowW        = 8
) (
  input  logic            clk_i,
  input  ccc_regs_t       cfg_s2_i,
  input  ccc_regs_t       cfg_s6_i,
  input  ccc_regs_t       cfg_s7_i,
  input  logic [RowW-1:0] row_s1_i,
  output logic [1:0]      state_s2_o,         // as stored, for READ
  output logic [31:0]     cwnd_s2_o,          // not below one MTU, for READ
  output logic [31:0]     saved_cwnd_s2_o,    // likewise, or 0
  input  logic            open_s2_i,
  input  logic            load_cwnd_s2_i,
  input  logic            load_saved_cwnd_s2_i,
  input  logic            load_ccc_state_s2_i,
  input  logic [63:0]     data_s2_i,
  output logic [1:0]      state_s3_o,         // stored, opened or loaded
  output logic [31:0]     cwnd_s3_o,          // likewise, not below one MTU
  input  logic            ack_s3_i,
  input  logic [6:0]      pend_s3_i,
  input  logic            rc_s3_i,
  input  logic [31:0]     size_s3_i,
  input  logic [22:0]     units_s3_i,         // delta / 256
  input  logic [31:0]     inflight_s5_i,      // after the event
  input  logic [31:0]     old_max_wnd_s5_i,   // before base_rtt fell
  input  logic            write_s6_i,
  input  logic [RowW-1:0] row_s6_i,
  output logic            saved_s7_o,
  output logic            restored_s7_o,
  output logic            pend_s7_o,          // receiver flow control in force
  output logic [31:0]     cwnd_s7_o,
  input  logic [31:0]     max_wnd_s7_i,       // after the event
  input  logic            fired_s7_i,
  input  logic [31:0]     achieved_s7_i,
  input  logic            fast_s7_i,
  input  logic [38:0]     fast_step_s7_i,
  input  logic            shrink_s7_i,
  output logic [31:0]     cwnd_s8_o,
  input  logic            write_s35_i,
  input  logic [RowW-1:0] row_s35_i,
  input  logic [1:0]      state_s35_i,
  input  logic [31:0]     cwnd_s35_i
);
  logic [31:0] saved_cwnd_s6_q;
  logic [31:0] stored_cwnd_s2;
  logic [31:0] stored_saved_s2;

  gw_sdp_ram #(.Width(34), .Rows(NumContexts), .AddrW(RowW)) u_cwnd (
    .clk_i  (clk_i),
    .we_i   (write_s35_i),
    .waddr_i(row_s35_i),
    .wdata_i({state_s35_i, cwnd_s35_i}),
    .raddr_i(row_s1_i),
    .rdata_o({state_s2_o, stored_cwnd_s2})
  );

  gw_sdp_ram #(.Width(32), .Rows(NumContexts), .AddrW(RowW)) u_saved (
    .clk_i  (clk_i),
    .we_i   (write_s6_i),
    .waddr_i(row_s6_i),
    .wdata_i(saved_cwnd_s6_q),
    .raddr_i(row_s1_i),
    .rdata_o(stored_saved_s2)
  );

  // ---------------------------------------------------------------- stage 2: OPEN, LOAD, floor
  logic [31:0] mtu_s2;
  logic [31:0] put_cwnd_s2;     // before the floor
  logic [31:0] put_saved_s2;
  logic [31:0] saved_cwnd_s3_q;

  assign mtu_s2          = {16'b0, cfg_s2_i.MTU};
  assign put_cwnd_s2     = open_s2_i ? cfg_s2_i.MAX_WND
                         : load_cwnd_s2_i
                         ? data_s2_i[ccc_pkg::WORD_CWND_LSB +: 32] : stored_cwnd_s2;
  assign put_saved_s2    = open_s2_i ? '0
                         : load_saved_cwnd_s2_i
                         ? data_s2_i[ccc_pkg::WORD_SAVED_CWND_LSB +: 32] : stored_saved_s2;
  assign cwnd_s2_o       = (put_cwnd_s2 > mtu_s2) ? put_cwnd_s2 : mtu_s2;
  assign saved_cwnd_s2_o = ((put_saved_s2 == '0) || (put_saved_s2 > mtu_s2)) ? put_saved_s2
                                                                             : mtu_s2;

  always_ff @(posedge clk_i) begin
    cwnd_s3_o       <= cwnd_s2_o;
    saved_cwnd_s3_q <= saved_cwnd_s2_o;
    state_s3_o      <= open_s2_i ? ccc_pkg::STATE_IDLE : state_s2_o;
    if (load_ccc_state_s2_i) begin
      state_s3_o <= data_s2_i[ccc_pkg::WORD_CCC_STATE_LSB +: 2];
    end
  end

  // ---------------------------------------------------------------- stages 3, 4: what to take off
  logic [31:0] cwnd_s4_q;
  logic [31:0] cwnd_s5_q;
  logic [31:0] saved_cwnd_s4_q;
  logic [31:0] saved_cwnd_s5_q;
  logic [29:0] penalty_s4_q;   // 128 bytes * 2: pend * delta / 256
  logic [31:0] size_s4_q;
  logic        pend_s4_q;
  logic        pend_s5_q;
  logic        restore_s4_q;
  logic        restore_s5_q;
  logic [31:0] cut_s5_q;

  always_ff @(posedge clk_i) begin
    cwnd_s4_q       <= cwnd_s3_o;
    saved_cwnd_s4_q <= saved_cwnd_s3_q;
    penalty_s4_q    <= {23'b0, pend_s3_i} * {7'b0, units_s3_i};
    size_s4_q       <= size_s3_i;
    pend_s4_q       <= ack_s3_i & (pend_s3_i != '0);
    restore_s4_q    <= ack_s3_i & (pend_s3_i == '0) & rc_s3_i & (saved_cwnd_s3_q != '0);

    cwnd_s5_q       <= cwnd_s4_q;
    saved_cwnd_s5_q <= saved_cwnd_s4_q;
    cut_s5_q        <= pend_s4_q ? {1'b0, penalty_s4_q, 1'b0} : size_s4_q;
    pend_s5_q       <= pend_s4_q;
    restore_s5_q    <= restore_s4_q;
  end

  // ---------------------------------------------------------------- stage 5: limit or restore
  logic [31:0] flying_s5;      // in flight, not negative
  logic        save_s5;
  logic [31:0] cwnd_s6_q;
  logic [31:0] cut_s6_q;
  logic        pend_s6_q;
  logic        saved_s6_q;
  logic        restored_s6_q;

  assign flying_s5 = inflight_s5_i[31] ? '0 : inflight_s5_i;
  assign save_s5   = pend_s5_q & (saved_cwnd_s5_q == '0);

  always_ff @(posedge clk_i) begin
    cwnd_s6_q       <= cwnd_s5_q;
    saved_cwnd_s6_q <= saved_cwnd_s5_q;
    if (pend_s5_q && (flying_s5 < cwnd_s5_q)) cwnd_s6_q <= flying_s5;
    if (save_s5) saved_cwnd_s6_q <= cwnd_s5_q;
    if (restore_s5_q) begin
      cwnd_s6_q       <= (saved_cwnd_s5_q < old_max_wnd_s5_i) ? saved_cwnd_s5_q : old_max_wnd_s5_i;
      saved_cwnd_s6_q <= '0;
    end
    cut_s6_q      <= cut_s5_q;
    pend_s6_q     <= pend_s5_q;
    saved_s6_q    <= save_s5;
    restored_s6_q <= restore_s5_q;
  end

  // ---------------------------------------------------------------- stage 6: subtraction
  logic [32:0] rest_s6;        // two's complement
  logic [31:0] mtu_s6;
  logic [31:0] less_s6;        // not below one MTU
  logic [31:0] less_s7_q;

  assign rest_s6 = {1'b0, cwnd_s6_q} - {1'b0, cut_s6_q};
  assign mtu_s6  = {16'b0, cfg_s6_i.MTU};
  assign less_s6 = (rest_s6[32] || (rest_s6[31:0] < mtu_s6)) ? mtu_s6 : rest_s6[31:0];

  always_ff @(posedge clk_i) begin
    cwnd_s7_o     <= pend_s6_q ? less_s6 : cwnd_s6_q;
    less_s7_q     <= less_s6;
    pend_s7_o     <= pend_s6_q;
    saved_s7_o    <= saved_s6_q;
    restored_s7_o <= restored_s6_q;
  end

  // ---------------------------------------------------------------- stage 7: the decision
  logic [31:0] mtu_s7;
  logic [39:0] grown_s7;

  assign mtu_s7   = {16'b0, cfg_s7_i.MTU};
  assign grown_s7 = {8'b0, cwnd_s7_o} + {1'b0, fast_step_s7_i};

  always_ff @(posedge clk_i) begin
    cwnd_s8_o <= cwnd_s7_o;
    if (shrink_s7_i) cwnd_s8_o <= less_s7_q;
    if (fast_s7_i) begin
      cwnd_s8_o <= (grown_s7 < {8'b0, max_wnd_s7_i}) ? grown_s7[31:0] : max_wnd_s7_i;
    end
    if (fired_s7_i) cwnd_s8_o <= (achieved_s7_i > mtu_s7) ? achieved_s7_i : mtu_s7;
  end
endmodule
