// Increase accumulator, fast-increase counter and the fulfil thresholds.
//
// Latency:     state read in stage 1, products in stages 3 and 4, sums ready in stage 7, state
//              written in stage 8.
// Throughput:  one event a cycle.
// Comb. paths: the decisions of stage 7 reach registers only; none to an output.
// Reset:       none; a context is set up by OPEN.
// Contract:    ccc/contract.md ACK 4 (received_bytes), 13 (FAIR, PROP, fast_increase), 14;
//              words 0 (increase), 4, 7, 9.
//
// With delta = 256 d: (FI * delta) >> 8 = FI * d, (delta * FI_SCALE) >> 16 = (d * FI_SCALE) >> 8,
// (ALPHA * delta * gap) >> 16 = (ALPHA * d * gap) >> 8, the last in two products of 64 bits.
module ccc_increase #(
  parameter int NumContexts = 256,
  parameter int RowW        = 8
) (
  input  logic            clk_i,
  input  ccc_regs_t       cfg_s3_i,
  input  ccc_regs_t       cfg_s4_i,
  input  logic [RowW-1:0] row_s1_i,
  output logic            increase_s2_o,      // as stored, for READ
  output logic [31:0]     received_s2_o,
  output logic [31:0]     fi_count_s2_o,
  output logic [47:0]     last_adjust_s2_o,
  output logic [47:0]     inc_bytes_s2_o,
  input  logic            open_s2_i,
  input  logic            load_increase_s2_i,
  input  logic            load_received_bytes_s2_i,
  input  logic            load_last_adjust_time_s2_i,
  input  logic            load_inc_bytes_s2_i,
  input  logic [63:0]     data_s2_i,
  input  logic [47:0]     now_s2_i,
  input  logic            ack_s3_i,
  input  logic [47:0]     now_s3_i,
  input  logic [22:0]     units_s3_i,         // delta / 256
  input  logic [31:0]     delay_s3_i,
  output logic            saturated_s4_o,     // received_bytes
  // stage 7: facts for the decision
  output logic            low_s7_o,           // delay < target
  output logic            flat_s7_o,          // delay < FAST_DELAY
  output logic            increase_s7_o,
  output logic [31:0]     fi_sum_s7_o,        // fi_count + delta
  output logic [38:0]     fast_step_s7_o,     // (delta * FI_SCALE) >> 16
  output logic            time_due_s7_o,
  output logic            bytes_due_s7_o,
  // stage 7: the decision
  input  logic            acted_s7_i,         // quick adapt acted
  input  logic            calm_s7_i,
  input  logic            fast_s7_i,
  input  logic            add_s7_i,
  input  logic            md_s7_i,
  input  logic            fulfil_s7_i,
  input  logic            eta_s7_i,
  input  logic [47:0]     now_s7_i,
  output logic [47:0]     dividend_s8_o,      // inc_bytes before a fulfil clears it
  output logic            saturated_s8_o,     // inc_bytes or fi_count
  input  logic            write_s8_i,
  input  logic [RowW-1:0] row_s8_i
);
  logic        increase_s8_q;
  logic [31:0] received_s8_q;
  logic [31:0] fi_count_s8_q;
  logic [47:0] last_adjust_s8_q;
  logic [47:0] inc_bytes_s8_q;

  gw_sdp_ram #(.Width(49), .Rows(NumContexts), .AddrW(RowW)) u_adjust (
    .clk_i  (clk_i),
    .we_i   (write_s8_i),
    .waddr_i(row_s8_i),
    .wdata_i({increase_s8_q, last_adjust_s8_q}),
    .raddr_i(row_s1_i),
    .rdata_o({increase_s2_o, last_adjust_s2_o})
  );

  gw_sdp_ram #(.Width(64), .Rows(NumContexts), .AddrW(RowW)) u_counts (
    .clk_i  (clk_i),
    .we_i   (write_s8_i),
    .waddr_i(row_s8_i),
    .wdata_i({fi_count_s8_q, received_s8_q}),
    .raddr_i(row_s1_i),
    .rdata_o({fi_count_s2_o, received_s2_o})
  );

  gw_sdp_ram #(.Width(48), .Rows(NumContexts), .AddrW(RowW)) u_inc_bytes (
    .clk_i  (clk_i),
    .we_i   (write_s8_i),
    .waddr_i(row_s8_i),
    .wdata_i(inc_bytes_s8_q),
    .raddr_i(row_s1_i),
    .rdata_o(inc_bytes_s2_o)
  );

  // ---------------------------------------------------------------- stage 2: OPEN, LOAD
  logic        increase_s3_q;
  logic [31:0] received_s3_q;
  logic [31:0] fi_count_s3_q;
  logic [47:0] last_adjust_s3_q;
  logic [47:0] inc_bytes_s3_q;

  always_ff @(posedge clk_i) begin
    increase_s3_q    <= increase_s2_o;
    received_s3_q    <= received_s2_o;
    fi_count_s3_q    <= fi_count_s2_o;
    last_adjust_s3_q <= last_adjust_s2_o;
    inc_bytes_s3_q   <= inc_bytes_s2_o;
    if (open_s2_i) begin
      increase_s3_q    <= 1'b0;
      received_s3_q    <= '0;
      fi_count_s3_q    <= '0;
      last_adjust_s3_q <= now_s2_i;
      inc_bytes_s3_q   <= '0;
    end
    if (load_increase_s2_i) begin
      increase_s3_q <= data_s2_i[ccc_pkg::WORD_INCREASE_LSB];
    end
    if (load_received_bytes_s2_i) begin
      received_s3_q <= data_s2_i[ccc_pkg::WORD_RECEIVED_BYTES_LSB +: 32];
      fi_count_s3_q <= data_s2_i[ccc_pkg::WORD_FI_COUNT_LSB +: 32];
    end
    if (load_last_adjust_time_s2_i) begin
      last_adjust_s3_q <= data_s2_i[ccc_pkg::WORD_LAST_ADJUST_TIME_LSB +: 48];
    end
    if (load_inc_bytes_s2_i) begin
      inc_bytes_s3_q <= data_s2_i[ccc_pkg::WORD_INC_BYTES_LSB +: 48];
    end
  end

  // ---------------------------------------------------------------- stage 3: first products, sums
  logic [31:0] delta_s3;
  logic [31:0] received_d;
  logic        received_sat;
  logic        unused_underflow;   // the counter only rises here
  logic [32:0] fi_sum_d;
  logic        increase_s4_q;
  logic [31:0] received_s4_q;
  logic [31:0] fi_count_s4_q;
  logic [31:0] fi_sum_s4_q;
  logic        fi_sat_s4_q;
  logic [47:0] last_adjust_s4_q;
  logic [47:0] inc_bytes_s4_q;
  logic [54:0] fair_s4_q;      // byte*byte
  logic [54:0] prop_s4_q;      // ALPHA * d
  logic [46:0] fast_s4_q;      // FI_SCALE * d
  logic [31:0] gap_s4_q;       // target - delay, if low
  logic        low_s4_q;
  logic        flat_s4_q;
  logic [47:0] age_s4_q;       // since the last adjustment

  assign delta_s3 = {1'b0, units_s3_i, 8'b0};
  assign fi_sum_d = {1'b0, fi_count_s3_q} + {1'b0, delta_s3};

  gw_updown #(.Width(32)) u_step_received (
    .x_i        (received_s3_q),
    .step_i     (delta_s3),
    .add_i      (ack_s3_i),
    .sub_i      (1'b0),
    .y_o        (received_d),
    .saturated_o(received_sat),
    .underflow_o(unused_underflow)
  );

  always_ff @(posedge clk_i) begin
    saturated_s4_o   <= received_sat;
    increase_s4_q    <= increase_s3_q;
    received_s4_q    <= received_d;
    fi_count_s4_q    <= fi_count_s3_q;
    fi_sum_s4_q      <= fi_sum_d[32] ? '1 : fi_sum_d[31:0];
    fi_sat_s4_q      <= fi_sum_d[32];
    last_adjust_s4_q <= last_adjust_s3_q;
    inc_bytes_s4_q   <= inc_bytes_s3_q;
    fair_s4_q        <= {23'b0, cfg_s3_i.FI} * {32'b0, units_s3_i};
    prop_s4_q        <= {23'b0, cfg_s3_i.ALPHA} * {32'b0, units_s3_i};
    fast_s4_q        <= {23'b0, cfg_s3_i.FI_SCALE} * {24'b0, units_s3_i};
    gap_s4_q         <= cfg_s3_i.TARGET_QDELAY - delay_s3_i;
    low_s4_q         <= (delay_s3_i < cfg_s3_i.TARGET_QDELAY);
    flat_s4_q        <= (delay_s3_i < cfg_s3_i.FAST_DELAY);
    age_s4_q         <= now_s3_i - last_adjust_s3_q;
  end

  // ---------------------------------------------------------------- stage 4: second products
  logic        increase_s5_q;
  logic [31:0] received_s5_q;
  logic [31:0] fi_count_s5_q;
  logic [31:0] fi_sum_s5_q;
  logic        fi_sat_s5_q;
  logic [47:0] last_adjust_s5_q;
  logic [47:0] inc_bytes_s5_q;
  logic [54:0] fair_s5_q;
  logic [63:0] prop_lo_s5_q;
  logic [54:0] prop_hi_s5_q;
  logic [38:0] fast_s5_q;
  logic        low_s5_q;
  logic        flat_s5_q;
  logic        time_due_s5_q;
  logic        bytes_due_s5_q;

  always_ff @(posedge clk_i) begin
    increase_s5_q    <= increase_s4_q;
    received_s5_q    <= received_s4_q;
    fi_count_s5_q    <= fi_count_s4_q;
    fi_sum_s5_q      <= fi_sum_s4_q;
    fi_sat_s5_q      <= fi_sat_s4_q;
    last_adjust_s5_q <= last_adjust_s4_q;
    inc_bytes_s5_q   <= inc_bytes_s4_q;
    fair_s5_q        <= fair_s4_q;
    prop_lo_s5_q     <= {32'b0, prop_s4_q[31:0]} * {32'b0, gap_s4_q};
    prop_hi_s5_q     <= {32'b0, prop_s4_q[54:32]} * {23'b0, gap_s4_q};
    fast_s5_q        <= fast_s4_q[46:8];
    low_s5_q         <= low_s4_q;
    flat_s5_q        <= flat_s4_q;
    time_due_s5_q    <= (age_s4_q >= {16'b0, cfg_s4_i.ADJUST_PERIOD});
    bytes_due_s5_q   <= (received_s4_q > cfg_s4_i.ADJUST_BYTES);
  end

  // ---------------------------------------------------------------- stage 5: one step of 48 bits
  logic [56:0] prop_s5;        // without the part that cannot fit anyway
  logic        over_s5;
  logic        increase_s6_q;
  logic [31:0] received_s6_q;
  logic [31:0] fi_count_s6_q;
  logic [31:0] fi_sum_s6_q;
  logic        fi_sat_s6_q;
  logic [47:0] last_adjust_s6_q;
  logic [47:0] inc_bytes_s6_q;
  logic [47:0] step_s6_q;
  logic        over_s6_q;      // the step alone passes 48 bits
  logic [38:0] fast_s6_q;
  logic        low_s6_q;
  logic        flat_s6_q;
  logic        time_due_s6_q;
  logic        bytes_due_s6_q;

  assign prop_s5 = {9'b0, prop_hi_s5_q[23:0], 24'b0} + {1'b0, prop_lo_s5_q[63:8]};
  assign over_s5 = low_s5_q ? ((prop_hi_s5_q[54:24] != '0) | (prop_s5[56:48] != '0))
                            : (fair_s5_q[54:48] != '0);

  always_ff @(posedge clk_i) begin
    increase_s6_q    <= increase_s5_q;
    received_s6_q    <= received_s5_q;
    fi_count_s6_q    <= fi_count_s5_q;
    fi_sum_s6_q      <= fi_sum_s5_q;
    fi_sat_s6_q      <= fi_sat_s5_q;
    last_adjust_s6_q <= last_adjust_s5_q;
    inc_bytes_s6_q   <= inc_bytes_s5_q;
    step_s6_q        <= low_s5_q ? prop_s5[47:0] : fair_s5_q[47:0];
    over_s6_q        <= over_s5;
    fast_s6_q        <= fast_s5_q;
    low_s6_q         <= low_s5_q;
    flat_s6_q        <= flat_s5_q;
    time_due_s6_q    <= time_due_s5_q;
    bytes_due_s6_q   <= bytes_due_s5_q;
  end

  // ---------------------------------------------------------------- stage 6: saturating sum
  logic [48:0] sum_s6;
  logic        sum_sat_s6;
  logic [47:0] sum_s7_q;
  logic        sum_sat_s7_q;
  logic        fi_sat_s7_q;
  logic [31:0] received_s7_q;
  logic [31:0] fi_count_s7_q;
  logic [47:0] last_adjust_s7_q;
  logic [47:0] inc_bytes_s7_q;

  assign sum_s6     = {1'b0, inc_bytes_s6_q} + {1'b0, step_s6_q};
  assign sum_sat_s6 = over_s6_q | sum_s6[48];

  always_ff @(posedge clk_i) begin
    increase_s7_o    <= increase_s6_q;
    received_s7_q    <= received_s6_q;
    fi_count_s7_q    <= fi_count_s6_q;
    fi_sum_s7_o      <= fi_sum_s6_q;
    fi_sat_s7_q      <= fi_sat_s6_q;
    last_adjust_s7_q <= last_adjust_s6_q;
    inc_bytes_s7_q   <= inc_bytes_s6_q;
    sum_s7_q         <= sum_sat_s6 ? '1 : sum_s6[47:0];
    sum_sat_s7_q     <= sum_sat_s6;
    fast_step_s7_o   <= fast_s6_q;
    low_s7_o         <= low_s6_q;
    flat_s7_o        <= flat_s6_q;
    time_due_s7_o    <= time_due_s6_q;
    bytes_due_s7_o   <= bytes_due_s6_q;
  end

  // ---------------------------------------------------------------- stage 7: state after the event
  logic [47:0] inc_bytes_s7;

  assign inc_bytes_s7 = add_s7_i ? sum_s7_q : inc_bytes_s7_q;

  always_ff @(posedge clk_i) begin
    dividend_s8_o    <= inc_bytes_s7;
    saturated_s8_o   <= (add_s7_i & sum_sat_s7_q) | (calm_s7_i & flat_s7_o & fi_sat_s7_q);
    inc_bytes_s8_q   <= (acted_s7_i | fulfil_s7_i) ? '0 : inc_bytes_s7;
    received_s8_q    <= (acted_s7_i | fulfil_s7_i) ? '0 : received_s7_q;
    last_adjust_s8_q <= eta_s7_i ? now_s7_i : last_adjust_s7_q;
    increase_s8_q    <= increase_s7_o;
    fi_count_s8_q    <= fi_count_s7_q;
    if (calm_s7_i) begin
      increase_s8_q <= fast_s7_i;
      fi_count_s8_q <= flat_s7_o ? fi_sum_s7_o : '0;
    end
    if (md_s7_i) begin
      increase_s8_q <= 1'b0;
      fi_count_s8_q <= '0;
    end
  end

  // The product is floored.
  logic unused_fraction;
  assign unused_fraction = ^{fast_s4_q[7:0], prop_lo_s5_q[7:0]};
endmodule
