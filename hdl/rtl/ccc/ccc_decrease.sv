// Multiplicative decrease: how far the average delay is above the target, once per base RTT.
//
// Latency:     guard ready in stage 7; ratio divided in stages 6 to 13, factor in 14, product in
//              15, window in 17; state read in stage 1, written in stage 8.
// Throughput:  one event a cycle.
// Comb. paths: md_s7_i to apply_s7_o.
// Reset:       none; a context is set up by OPEN.
// Contract:    ccc/contract.md ACK 13 (MD); word 8.
//
// With g = min(GAMMA * ratio, 2^32 - MAX_MD_JUMP * 2^16) the factor f is 2^32 - g, and
// (cwnd * f) >> 32 = cwnd - ceil(cwnd * g / 2^32): a product of 64 bits.
module ccc_decrease #(
  parameter int NumContexts = 256,
  parameter int RowW        = 8
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  ccc_regs_t       cfg_s8_i,
  input  logic [RowW-1:0] row_s1_i,
  output logic [47:0]     last_dec_s2_o,    // as stored, for READ
  input  logic            open_s2_i,
  input  logic            load_last_dec_time_s2_i,
  input  logic [63:0]     data_s2_i,
  input  logic [47:0]     now_s2_i,
  input  logic [47:0]     now_s3_i,
  input  logic [31:0]     base_rtt_s3_i,    // after the event
  input  logic [47:0]     avg_s6_i,         // UQ32.16 ticks, after the event
  input  logic [47:0]     excess_s6_i,      // avg - target
  input  logic            above_s6_i,       // avg > target
  input  logic            md_s7_i,          // the decrease quadrant
  input  logic [47:0]     now_s7_i,
  output logic            apply_s7_o,       // the window is cut
  input  logic            write_s8_i,
  input  logic [RowW-1:0] row_s8_i,
  input  logic [31:0]     cwnd_s8_i,
  output logic [31:0]     cwnd_s17_o
);
  logic [47:0] last_dec_s8_q;

  gw_sdp_ram #(.Width(48), .Rows(NumContexts), .AddrW(RowW)) u_last_dec (
    .clk_i  (clk_i),
    .we_i   (write_s8_i),
    .waddr_i(row_s8_i),
    .wdata_i(last_dec_s8_q),
    .raddr_i(row_s1_i),
    .rdata_o(last_dec_s2_o)
  );

  // ---------------------------------------------------------------- guard
  logic [47:0] last_dec_s3_q;
  logic [47:0] last_dec_s4_q;
  logic [47:0] last_dec_s5_q;
  logic [47:0] last_dec_s6_q;
  logic [47:0] last_dec_s7_q;
  logic [47:0] age_s4_q;
  logic [31:0] base_rtt_s4_q;
  logic        late_s5_q;
  logic        late_s6_q;
  logic        free_s7_q;     // late enough and above the target

  always_ff @(posedge clk_i) begin
    last_dec_s3_q <= last_dec_s2_o;
    if (open_s2_i) last_dec_s3_q <= now_s2_i;
    if (load_last_dec_time_s2_i) begin
      last_dec_s3_q <= data_s2_i[ccc_pkg::WORD_LAST_DEC_TIME_LSB +: 48];
    end
    age_s4_q      <= now_s3_i - last_dec_s3_q;
    base_rtt_s4_q <= base_rtt_s3_i;
    last_dec_s4_q <= last_dec_s3_q;
    late_s5_q     <= (age_s4_q > {16'b0, base_rtt_s4_q});
    last_dec_s5_q <= last_dec_s4_q;
    late_s6_q     <= late_s5_q;
    last_dec_s6_q <= last_dec_s5_q;
    free_s7_q     <= late_s6_q & above_s6_i;
    last_dec_s7_q <= last_dec_s6_q;
    last_dec_s8_q <= apply_s7_o ? now_s7_i : last_dec_s7_q;
  end

  assign apply_s7_o = md_s7_i & free_s7_q;

  // ---------------------------------------------------------------- stages 6 to 13: ratio
  logic [15:0] ratio_s14;
  logic [47:0] unused_divisor;

  gw_divider_pipe #(.DivW(48), .Bits(16)) u_ratio (
    .clk_i (clk_i),
    .hi_i  (excess_s6_i),
    .lo_i  (16'b0),
    .div_i (avg_s6_i),
    .quot_o(ratio_s14),
    .div_o (unused_divisor)
  );

  // ---------------------------------------------------------------- registers, carried to stage 14
  logic        no_target_s14;
  logic [15:0] gamma_s14;
  logic [15:0] md_jump_s14;
  logic [15:0] mtu_s14;

  gw_delay #(.Width(49), .Depth(6)) u_wait_cfg (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .d_i   ({(cfg_s8_i.TARGET_QDELAY == '0), cfg_s8_i.GAMMA, cfg_s8_i.MAX_MD_JUMP, cfg_s8_i.MTU}),
    .q_o   ({no_target_s14, gamma_s14, md_jump_s14, mtu_s14})
  );

  // ---------------------------------------------------------------- stage 14: cut of the factor
  logic [31:0] cut_s14;       // GAMMA * ratio, 32 fraction bits
  logic [32:0] limit_s14;     // 1 - MAX_MD_JUMP, 32 fraction bits
  logic [31:0] cut_s15_q;

  // Without a target the ratio is one, which 16 fraction bits do not hold.
  assign cut_s14   = no_target_s14 ? {gamma_s14, 16'b0} : ({16'b0, gamma_s14} * {16'b0, ratio_s14});
  assign limit_s14 = {1'b1, 32'b0} - {1'b0, md_jump_s14, 16'b0};

  always_ff @(posedge clk_i) begin
    cut_s15_q <= ({1'b0, cut_s14} < limit_s14) ? cut_s14 : limit_s14[31:0];
  end

  // ---------------------------------------------------------------- stages 15, 16: window
  logic [31:0] cwnd_s15;
  logic        apply_s15;
  logic        apply_s8_q;
  logic [31:0] cwnd_s16_q;
  logic        apply_s16_q;
  logic [63:0] loss_s16_q;    // 32 fraction bits
  logic [31:0] less_s16;
  logic [15:0] mtu_s15_q;
  logic [15:0] mtu_s16_q;

  gw_delay #(.Width(33), .Depth(7)) u_wait (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .d_i   ({apply_s8_q, cwnd_s8_i}),
    .q_o   ({apply_s15, cwnd_s15})
  );

  // At most cwnd is lost: the rounding up never passes it, since the cut is below one.
  assign less_s16 = cwnd_s16_q - loss_s16_q[63:32] - {31'b0, (loss_s16_q[31:0] != '0)};

  always_ff @(posedge clk_i) begin
    apply_s8_q  <= apply_s7_o;
    mtu_s15_q   <= mtu_s14;
    mtu_s16_q   <= mtu_s15_q;
    cwnd_s16_q  <= cwnd_s15;
    apply_s16_q <= apply_s15;
    loss_s16_q  <= {32'b0, cwnd_s15} * {32'b0, cut_s15_q};
    cwnd_s17_o  <= cwnd_s16_q;
    if (apply_s16_q) begin
      cwnd_s17_o <= (less_s16 > {16'b0, mtu_s16_q}) ? less_s16 : {16'b0, mtu_s16_q};
    end
  end
endmodule
