// Configuration registers of the ccc block.
//
// Latency:     a write in stage 1 holds from the next cycle on.
// Throughput:  one access a cycle.
// Comb. paths: addr_i to rdata_o and read_refused_o; addr_i and data_i to write_refused_o.
// Reset:       every register takes its reset value.
// Contract:    ccc/contract.md "Dispatch" 2. A write is exclusive (timing.md), so that no event in
//              the pipeline sees a register change under it.
module ccc_config (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        we_i,            // a CFG_WRITE is in stage 1
  input  logic [4:0]  addr_i,
  input  logic [63:0] data_i,
  output logic [63:0] rdata_o,         // 0 for an unknown address
  output logic        write_refused_o,
  output logic        read_refused_o,
  output logic [15:0] mtu_o,
  output logic [31:0] max_wnd_o,
  output logic [31:0] config_base_rtt_o,
  output logic [31:0] target_o,
  output logic [31:0] alpha_o,
  output logic [31:0] fi_o,
  output logic [31:0] eta_o,
  output logic [23:0] fi_scale_o,
  output logic [15:0] gamma_o,
  output logic [15:0] md_jump_o,
  output logic [7:0]  qa_gate_o,
  output logic [31:0] qa_threshold_o,
  output logic [31:0] adjust_bytes_o,
  output logic [31:0] adjust_period_o,
  output logic [23:0] ewma_gain_o,
  output logic [31:0] fast_delay_o,
  output logic [31:0] mwnd_rate_o,
  output logic [31:0] ack_trigger_o,
  output logic [2:0]  time_shift_o,
  output logic [1:0]  ctrl_o
);
  localparam int NumRegs = ccc_pkg::NUM_REGS;
  localparam logic [4:0] RegLimit = NumRegs[4:0];

  logic known;

  assign known           = (addr_i < RegLimit);
  assign read_refused_o  = ~known;
  assign write_refused_o = ~known | ((addr_i == ccc_pkg::REG_MTU) & (data_i[15:0] == 16'b0));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mtu_o             <= ccc_pkg::RST_MTU;
      max_wnd_o         <= ccc_pkg::RST_MAX_WND;
      config_base_rtt_o <= ccc_pkg::RST_CONFIG_BASE_RTT;
      target_o          <= ccc_pkg::RST_TARGET_QDELAY;
      alpha_o           <= ccc_pkg::RST_ALPHA;
      fi_o              <= ccc_pkg::RST_FI;
      eta_o             <= ccc_pkg::RST_ETA;
      fi_scale_o        <= ccc_pkg::RST_FI_SCALE;
      gamma_o           <= ccc_pkg::RST_GAMMA;
      md_jump_o         <= ccc_pkg::RST_MAX_MD_JUMP;
      qa_gate_o         <= ccc_pkg::RST_QA_GATE;
      qa_threshold_o    <= ccc_pkg::RST_QA_THRESHOLD;
      adjust_bytes_o    <= ccc_pkg::RST_ADJUST_BYTES;
      adjust_period_o   <= ccc_pkg::RST_ADJUST_PERIOD;
      ewma_gain_o       <= ccc_pkg::RST_EWMA_GAIN;
      fast_delay_o      <= ccc_pkg::RST_FAST_DELAY;
      mwnd_rate_o       <= ccc_pkg::RST_MWND_RATE;
      ack_trigger_o     <= ccc_pkg::RST_ACK_GEN_TRIGGER;
      time_shift_o      <= ccc_pkg::RST_TIME_SHIFT;
      ctrl_o            <= ccc_pkg::RST_CTRL;
    end else if (we_i && !write_refused_o) begin
      unique case (addr_i)
        ccc_pkg::REG_MTU:             mtu_o             <= data_i[15:0];
        ccc_pkg::REG_MAX_WND:         max_wnd_o         <= data_i[31:0];
        ccc_pkg::REG_CONFIG_BASE_RTT: config_base_rtt_o <= data_i[31:0];
        ccc_pkg::REG_TARGET_QDELAY:   target_o          <= data_i[31:0];
        ccc_pkg::REG_ALPHA:           alpha_o           <= data_i[31:0];
        ccc_pkg::REG_FI:              fi_o              <= data_i[31:0];
        ccc_pkg::REG_ETA:             eta_o             <= data_i[31:0];
        ccc_pkg::REG_FI_SCALE:        fi_scale_o        <= data_i[23:0];
        ccc_pkg::REG_GAMMA:           gamma_o           <= data_i[15:0];
        ccc_pkg::REG_MAX_MD_JUMP:     md_jump_o         <= data_i[15:0];
        ccc_pkg::REG_QA_GATE:         qa_gate_o         <= data_i[7:0];
        ccc_pkg::REG_QA_THRESHOLD:    qa_threshold_o    <= data_i[31:0];
        ccc_pkg::REG_ADJUST_BYTES:    adjust_bytes_o    <= data_i[31:0];
        ccc_pkg::REG_ADJUST_PERIOD:   adjust_period_o   <= data_i[31:0];
        ccc_pkg::REG_EWMA_GAIN:       ewma_gain_o       <= data_i[23:0];
        ccc_pkg::REG_FAST_DELAY:      fast_delay_o      <= data_i[31:0];
        ccc_pkg::REG_MWND_RATE:       mwnd_rate_o       <= data_i[31:0];
        ccc_pkg::REG_ACK_GEN_TRIGGER: ack_trigger_o     <= data_i[31:0];
        ccc_pkg::REG_TIME_SHIFT:      time_shift_o      <= data_i[2:0];
        ccc_pkg::REG_CTRL:            ctrl_o            <= data_i[1:0];
        default:                      mtu_o             <= mtu_o;
      endcase
    end
  end

  always_comb begin
    rdata_o = '0;
    unique case (addr_i)
      ccc_pkg::REG_MTU:             rdata_o = {48'b0, mtu_o};
      ccc_pkg::REG_MAX_WND:         rdata_o = {32'b0, max_wnd_o};
      ccc_pkg::REG_CONFIG_BASE_RTT: rdata_o = {32'b0, config_base_rtt_o};
      ccc_pkg::REG_TARGET_QDELAY:   rdata_o = {32'b0, target_o};
      ccc_pkg::REG_ALPHA:           rdata_o = {32'b0, alpha_o};
      ccc_pkg::REG_FI:              rdata_o = {32'b0, fi_o};
      ccc_pkg::REG_ETA:             rdata_o = {32'b0, eta_o};
      ccc_pkg::REG_FI_SCALE:        rdata_o = {40'b0, fi_scale_o};
      ccc_pkg::REG_GAMMA:           rdata_o = {48'b0, gamma_o};
      ccc_pkg::REG_MAX_MD_JUMP:     rdata_o = {48'b0, md_jump_o};
      ccc_pkg::REG_QA_GATE:         rdata_o = {56'b0, qa_gate_o};
      ccc_pkg::REG_QA_THRESHOLD:    rdata_o = {32'b0, qa_threshold_o};
      ccc_pkg::REG_ADJUST_BYTES:    rdata_o = {32'b0, adjust_bytes_o};
      ccc_pkg::REG_ADJUST_PERIOD:   rdata_o = {32'b0, adjust_period_o};
      ccc_pkg::REG_EWMA_GAIN:       rdata_o = {40'b0, ewma_gain_o};
      ccc_pkg::REG_FAST_DELAY:      rdata_o = {32'b0, fast_delay_o};
      ccc_pkg::REG_MWND_RATE:       rdata_o = {32'b0, mwnd_rate_o};
      ccc_pkg::REG_ACK_GEN_TRIGGER: rdata_o = {32'b0, ack_trigger_o};
      ccc_pkg::REG_TIME_SHIFT:      rdata_o = {61'b0, time_shift_o};
      ccc_pkg::REG_CTRL:            rdata_o = {62'b0, ctrl_o};
      default:                      rdata_o = '0;
    endcase
  end
endmodule
