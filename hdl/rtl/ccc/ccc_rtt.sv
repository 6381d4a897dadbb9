// RTT sample, base RTT and the largest window that follows from it.
//
// Latency:     raw RTT in stage 2, base RTT and delay in stage 3, max_wnd in stage 5; state read in
//              stage 1, written in stages 3 and 5.
// Throughput:  one event a cycle.
// Comb. paths: cfg_s2_i to max_wnd_s2_o.
// Reset:       none; a context is set up by OPEN.
// Contract:    ccc/contract.md "RTT sample", "base_rtt", ACK 6, 8 (delay), 9, 10; NACK 2; SAMPLE;
//              "Dispatch" 9 (max_wnd); words 1 and 3 (halves).
module ccc_rtt #(
  parameter int NumContexts = 256,
  parameter int RowW        = 8
) (
  input  logic            clk_i,
  input  logic [2:0]      cfg_time_shift_i,
  input  ccc_regs_t       cfg_s2_i,
  input  ccc_regs_t       cfg_s3_i,
  input  ccc_regs_t       cfg_s4_i,
  input  logic [RowW-1:0] row_s1_i,
  input  logic            is_ack_s1_i,
  input  logic            is_probe_s1_i,      // SAMPLE
  input  logic [63:0]     data_s1_i,
  input  logic [47:0]     now_s1_i,
  input  logic            tx_valid_s1_i,
  input  logic [47:0]     tx_time_s1_i,
  input  logic [1:0]      rtx_count_s1_i,
  input  logic [15:0]     service_time_s1_i,
  input  logic            retx_s1_i,
  output logic [31:0]     base_rtt_s2_o,      // as stored, for READ
  output logic [31:0]     max_wnd_s2_o,       // not below one MTU, for READ
  input  logic [31:0]     avg_s2_i,           // average delay before the event, whole ticks
  input  logic            open_s2_i,
  input  logic            load_max_wnd_s2_i,
  input  logic            load_base_rtt_s2_i,
  input  logic [63:0]     data_s2_i,
  input  logic            ack_s2_i,
  input  logic            nack_s2_i,
  input  logic            probe_s2_i,
  output logic            sample_s3_o,        // valid RTT sample
  output logic            judged_s3_o,        // ACK with a delay to judge it by
  output logic            base_fell_s3_o,
  output logic [31:0]     base_rtt_s3_o,      // after the event
  output logic [31:0]     delay_s3_o,         // 0 unless judged
  input  logic            write_s3_i,
  input  logic [RowW-1:0] row_s3_i,
  output logic [31:0]     old_max_wnd_s5_o,   // before base_rtt fell, not below one MTU
  output logic [31:0]     max_wnd_s5_o,       // after the event
  input  logic            write_s5_i,
  input  logic [RowW-1:0] row_s5_i
);
  logic [31:0] stored_wnd_s2;

  gw_sdp_ram #(.Width(32), .Rows(NumContexts), .AddrW(RowW)) u_base_rtt (
    .clk_i  (clk_i),
    .we_i   (write_s3_i),
    .waddr_i(row_s3_i),
    .wdata_i(base_rtt_s3_o),
    .raddr_i(row_s1_i),
    .rdata_o(base_rtt_s2_o)
  );

  gw_sdp_ram #(.Width(32), .Rows(NumContexts), .AddrW(RowW)) u_max_wnd (
    .clk_i  (clk_i),
    .we_i   (write_s5_i),
    .waddr_i(row_s5_i),
    .wdata_i(max_wnd_s5_o),
    .raddr_i(row_s1_i),
    .rdata_o(stored_wnd_s2)
  );

  // ---------------------------------------------------------------- stage 1: raw RTT
  logic [22:0] service_s1;
  logic        service_ok_s1;
  logic        rtx_ok_s1;
  logic [47:0] raw_s2_q;
  logic        usable_s2_q;

  assign service_s1    = is_ack_s1_i ? ({7'b0, service_time_s1_i} << cfg_time_shift_i) : '0;
  assign service_ok_s1 = ~is_ack_s1_i | ((service_time_s1_i != 16'h0000) &
                                         (service_time_s1_i != 16'hffff));
  assign rtx_ok_s1     = ((rtx_count_s1_i == 2'd0) & ~retx_s1_i)
                       | ((rtx_count_s1_i == 2'd1) & retx_s1_i);

  always_ff @(posedge clk_i) begin
    raw_s2_q    <= now_s1_i - tx_time_s1_i - {25'b0, service_s1};
    usable_s2_q <= tx_valid_s1_i & rtx_ok_s1 & service_ok_s1;
    if (is_probe_s1_i) begin
      raw_s2_q    <= data_s1_i[47:0];
      usable_s2_q <= (data_s1_i[63:48] == '0);
    end
  end

  // ---------------------------------------------------------------- stage 2: base RTT and delay
  logic        sample_s2;
  logic        below_s2;
  logic [31:0] queued_s2;
  logic        averaged_s2;    // judged by the average, for want of a sample
  logic [31:0] mtu_s2;
  logic [31:0] put_wnd_s2;     // max_wnd before the floor

  assign sample_s2   = usable_s2_q & (raw_s2_q[47:31] == 17'b0) & (raw_s2_q[30:0] != 31'b0)
                     & (ack_s2_i | nack_s2_i | probe_s2_i);
  assign below_s2    = (raw_s2_q[31:0] < base_rtt_s2_o);
  assign queued_s2   = raw_s2_q[31:0] - base_rtt_s2_o;
  assign averaged_s2 = ack_s2_i & ~sample_s2 & cfg_s2_i.CTRL[2];

  assign mtu_s2       = {16'b0, cfg_s2_i.MTU};
  assign put_wnd_s2   = open_s2_i ? cfg_s2_i.MAX_WND
                      : load_max_wnd_s2_i
                      ? data_s2_i[ccc_pkg::WORD_MAX_WND_LSB +: 32] : stored_wnd_s2;
  assign max_wnd_s2_o = (put_wnd_s2 > mtu_s2) ? put_wnd_s2 : mtu_s2;

  logic [31:0] max_wnd_s3_q;

  always_ff @(posedge clk_i) begin
    sample_s3_o    <= sample_s2;
    judged_s3_o    <= (ack_s2_i & sample_s2) | averaged_s2;
    base_fell_s3_o <= sample_s2 & below_s2;
    delay_s3_o     <= '0;
    if (ack_s2_i && sample_s2 && !below_s2) delay_s3_o <= queued_s2;
    if (averaged_s2)                        delay_s3_o <= avg_s2_i;
    base_rtt_s3_o  <= (sample_s2 & below_s2) ? raw_s2_q[31:0] : base_rtt_s2_o;
    max_wnd_s3_q   <= max_wnd_s2_o;
    if (open_s2_i) base_rtt_s3_o <= cfg_s2_i.CONFIG_BASE_RTT;
    if (load_base_rtt_s2_i) begin
      base_rtt_s3_o <= data_s2_i[ccc_pkg::WORD_BASE_RTT_LSB +: 32];
    end
  end

  // ---------------------------------------------------------------- stages 3, 4: max_wnd
  logic [63:0] wnd_s4_q;        // UQ48.16 bytes
  logic        fell_s4_q;
  logic [31:0] max_wnd_s4_q;
  logic [31:0] mtu_s4;
  logic [31:0] capped_s4;

  always_ff @(posedge clk_i) begin
    wnd_s4_q     <= {32'b0, cfg_s3_i.MWND_RATE} * {32'b0, base_rtt_s3_o};
    fell_s4_q    <= base_fell_s3_o;
    max_wnd_s4_q <= max_wnd_s3_q;
  end

  assign mtu_s4    = {16'b0, cfg_s4_i.MTU};
  assign capped_s4 = (wnd_s4_q[63:16] < {16'b0, cfg_s4_i.MAX_WND}) ? wnd_s4_q[47:16]
                                                                   : cfg_s4_i.MAX_WND;

  always_ff @(posedge clk_i) begin
    old_max_wnd_s5_o <= max_wnd_s4_q;
    max_wnd_s5_o     <= max_wnd_s4_q;
    if (fell_s4_q) max_wnd_s5_o <= (capped_s4 > mtu_s4) ? capped_s4 : mtu_s4;
  end

  // The fraction is floored away.
  logic unused_fraction;
  assign unused_fraction = ^wnd_s4_q[15:0];
endmodule
