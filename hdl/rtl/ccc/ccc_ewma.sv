// Average queueing delay, and how far it is above the target.
//
// Latency:     state read in stage 1, after the event in stage 6, written in stage 6.
// Throughput:  one event a cycle.
// Comb. paths: none.
// Reset:       none; a context is set up by OPEN.
// Contract:    ccc/contract.md "ewma(sample)"; ACK 11; NACK 3; word 10.
//
// floor(gain * diff / 2^24) is taken in two products: with diff = hi * 2^24 + lo, lo >= 0, it is
// gain * hi + floor(gain * lo / 2^24). Exact, one floor.
module ccc_ewma #(
  parameter int NumContexts = 256,
  parameter int RowW        = 8
) (
  input  logic            clk_i,
  input  ccc_regs_t       cfg_s3_i,
  input  ccc_regs_t       cfg_s4_i,
  input  ccc_regs_t       cfg_s5_i,
  input  logic [RowW-1:0] row_s1_i,
  output logic [47:0]     avg_s2_o,         // as stored, for READ
  input  logic            open_s2_i,
  input  logic            load_avg_delay_s2_i,
  input  logic [63:0]     data_s2_i,
  input  logic            ack_sample_s3_i,  // ACK with an RTT sample
  input  logic            trim_s3_i,        // NACK of a trimmed packet
  input  logic            m_s3_i,
  input  logic [31:0]     delay_s3_i,
  input  logic [31:0]     base_rtt_s3_i,
  output logic [47:0]     avg_s6_o,         // UQ32.16 ticks
  output logic [47:0]     excess_s6_o,      // avg - target, has a meaning if above_s6_o
  output logic            above_s6_o,
  input  logic            write_s6_i,
  input  logic [RowW-1:0] row_s6_i
);
  gw_sdp_ram #(.Width(48), .Rows(NumContexts), .AddrW(RowW)) u_avg (
    .clk_i  (clk_i),
    .we_i   (write_s6_i),
    .waddr_i(row_s6_i),
    .wdata_i(avg_s6_o),
    .raddr_i(row_s1_i),
    .rdata_o(avg_s2_o)
  );

  logic [47:0] avg_s3_q;

  always_ff @(posedge clk_i) begin
    avg_s3_q <= avg_s2_o;
    if (open_s2_i) avg_s3_q <= '0;
    if (load_avg_delay_s2_i) begin
      avg_s3_q <= data_s2_i[ccc_pkg::WORD_AVG_DELAY_LSB +: 48];
    end
  end

  // ---------------------------------------------------------------- stage 3: difference
  logic [31:0] sample_s3;
  logic [48:0] diff_s4_q;     // two's complement
  logic        run_s4_q;
  logic [47:0] avg_s4_q;

  always_comb begin
    sample_s3 = delay_s3_i;
    if (trim_s3_i) begin
      sample_s3 = cfg_s3_i.CONFIG_BASE_RTT;
    end else if (!m_s3_i && (delay_s3_i > cfg_s3_i.TARGET_QDELAY)) begin
      sample_s3 = {2'b0, base_rtt_s3_i[31:2]};
    end
  end

  always_ff @(posedge clk_i) begin
    diff_s4_q <= {1'b0, sample_s3, 16'b0} - {1'b0, avg_s3_q};
    run_s4_q  <= ack_sample_s3_i | trim_s3_i;
    avg_s4_q  <= avg_s3_q;
  end

  // ---------------------------------------------------------------- stage 4: two products
  logic [49:0] high_s5_q;     // two's complement
  logic [47:0] low_s5_q;
  logic        run_s5_q;
  logic [47:0] avg_s5_q;

  always_ff @(posedge clk_i) begin
    high_s5_q <= {{25{diff_s4_q[48]}}, diff_s4_q[48:24]} * {26'b0, cfg_s4_i.EWMA_GAIN};
    low_s5_q  <= {24'b0, diff_s4_q[23:0]} * {24'b0, cfg_s4_i.EWMA_GAIN};
    run_s5_q  <= run_s4_q;
    avg_s5_q  <= avg_s4_q;
  end

  // ---------------------------------------------------------------- stage 5: sum
  logic [47:0] step_s5;       // modulo 2^48; the sum stays within 0 .. 2^48 - 1
  logic [47:0] avg_d;
  logic [48:0] excess_d;

  assign step_s5  = high_s5_q[47:0] + {24'b0, low_s5_q[47:24]};
  assign avg_d    = run_s5_q ? (avg_s5_q + step_s5) : avg_s5_q;
  assign excess_d = {1'b0, avg_d} - {1'b0, cfg_s5_i.TARGET_QDELAY, 16'b0};

  always_ff @(posedge clk_i) begin
    avg_s6_o    <= avg_d;
    excess_s6_o <= excess_d[47:0];
    above_s6_o  <= ~excess_d[48] & (excess_d[47:0] != '0);
  end

  // The sum fits 48 bits, the floor drops the rest.
  logic unused_bits;
  assign unused_bits = ^{high_s5_q[49:48], low_s5_q[23:0]};
endmodule
