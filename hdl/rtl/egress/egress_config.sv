// Configuration registers of the egress block.
//
// Latency:     a write holds from the next cycle on.
// Throughput:  one access a cycle.
// Comb. paths: addr_i to rdata_o and known_o.
// Reset:       every register takes its reset value.
// Contract:    egress/contract.md "enq events" 2. A write is exclusive, so that no event in the
//              pipeline sees a register change under it.
// Not shared with ccc_config: all it repeats is the shape of a list of registers, each its own.
module egress_config (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        we_i,
  input  logic [4:0]  addr_i,
  input  logic [31:0] data_i,
  output logic [31:0] rdata_o,      // 0 for an unknown address
  output logic        known_o,      // the address is a register's
  output logic        trim_en_o,
  output logic [31:0] trim_o,
  output logic [31:0] trim_lasthop_o,
  output logic [31:0] drop_low_o,
  output logic [31:0] drop_med_o,
  output logic [31:0] drop_high_o,
  output logic [31:0] shared_o,
  output logic [1:0]  ecn_mode_o,
  output logic [31:0] k_det_o,
  output logic [31:0] k_min_o,
  output logic [31:0] k_max_o,
  output logic [16:0] p_max_o,
  output logic [1:0]  sched_o,
  output logic [15:0] quantum_low_o,
  output logic [15:0] quantum_med_o,
  output logic [15:0] quantum_high_o,
  output logic [31:0] xoff_o,
  output logic [31:0] xon_o
);
  localparam int NumRegs = egress_pkg::NUM_REGS;
  localparam logic [4:0] RegLimit = NumRegs[4:0];

  logic [31:0] seed_q;

  assign known_o = (addr_i < RegLimit);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      trim_en_o      <= egress_pkg::RST_TRIM_EN;
      trim_o         <= egress_pkg::RST_TRIM;
      trim_lasthop_o <= egress_pkg::RST_TRIM_LASTHOP;
      drop_low_o     <= egress_pkg::RST_DROP_LOW;
      drop_med_o     <= egress_pkg::RST_DROP_MED;
      drop_high_o    <= egress_pkg::RST_DROP_HIGH;
      shared_o       <= egress_pkg::RST_SHARED;
      ecn_mode_o     <= egress_pkg::RST_ECN_MODE;
      k_det_o        <= egress_pkg::RST_K_DET;
      k_min_o        <= egress_pkg::RST_K_MIN;
      k_max_o        <= egress_pkg::RST_K_MAX;
      p_max_o        <= egress_pkg::RST_P_MAX;
      seed_q         <= egress_pkg::RST_SEED;
      sched_o        <= egress_pkg::RST_SCHED;
      quantum_low_o  <= egress_pkg::RST_QUANTUM_LOW;
      quantum_med_o  <= egress_pkg::RST_QUANTUM_MED;
      quantum_high_o <= egress_pkg::RST_QUANTUM_HIGH;
      xoff_o         <= egress_pkg::RST_XOFF;
      xon_o          <= egress_pkg::RST_XON;
    end else if (we_i) begin
      unique case (addr_i)
        egress_pkg::REG_TRIM_EN:      trim_en_o      <= data_i[0];
        egress_pkg::REG_TRIM:         trim_o         <= data_i;
        egress_pkg::REG_TRIM_LASTHOP: trim_lasthop_o <= data_i;
        egress_pkg::REG_DROP_LOW:     drop_low_o     <= data_i;
        egress_pkg::REG_DROP_MED:     drop_med_o     <= data_i;
        egress_pkg::REG_DROP_HIGH:    drop_high_o    <= data_i;
        egress_pkg::REG_SHARED:       shared_o       <= data_i;
        egress_pkg::REG_ECN_MODE:     ecn_mode_o     <= data_i[1:0];
        egress_pkg::REG_K_DET:        k_det_o        <= data_i;
        egress_pkg::REG_K_MIN:        k_min_o        <= data_i;
        egress_pkg::REG_K_MAX:        k_max_o        <= data_i;
        egress_pkg::REG_P_MAX:        p_max_o        <= data_i[16:0];
        egress_pkg::REG_SEED:         seed_q         <= (data_i == '0) ? 32'd1 : data_i;
        egress_pkg::REG_SCHED:        sched_o        <= data_i[1:0];
        egress_pkg::REG_QUANTUM_LOW:  quantum_low_o  <= data_i[15:0];
        egress_pkg::REG_QUANTUM_MED:  quantum_med_o  <= data_i[15:0];
        egress_pkg::REG_QUANTUM_HIGH: quantum_high_o <= data_i[15:0];
        egress_pkg::REG_XOFF:         xoff_o         <= data_i;
        default:                      xon_o          <= data_i;   // XON, the only one left
      endcase
    end
  end

  always_comb begin
    unique case (addr_i)
      egress_pkg::REG_TRIM_EN:      rdata_o = {31'b0, trim_en_o};
      egress_pkg::REG_TRIM:         rdata_o = trim_o;
      egress_pkg::REG_TRIM_LASTHOP: rdata_o = trim_lasthop_o;
      egress_pkg::REG_DROP_LOW:     rdata_o = drop_low_o;
      egress_pkg::REG_DROP_MED:     rdata_o = drop_med_o;
      egress_pkg::REG_DROP_HIGH:    rdata_o = drop_high_o;
      egress_pkg::REG_SHARED:       rdata_o = shared_o;
      egress_pkg::REG_ECN_MODE:     rdata_o = {30'b0, ecn_mode_o};
      egress_pkg::REG_K_DET:        rdata_o = k_det_o;
      egress_pkg::REG_K_MIN:        rdata_o = k_min_o;
      egress_pkg::REG_K_MAX:        rdata_o = k_max_o;
      egress_pkg::REG_P_MAX:        rdata_o = {15'b0, p_max_o};
      egress_pkg::REG_SEED:         rdata_o = seed_q;
      egress_pkg::REG_SCHED:        rdata_o = {30'b0, sched_o};
      egress_pkg::REG_QUANTUM_LOW:  rdata_o = {16'b0, quantum_low_o};
      egress_pkg::REG_QUANTUM_MED:  rdata_o = {16'b0, quantum_med_o};
      egress_pkg::REG_QUANTUM_HIGH: rdata_o = {16'b0, quantum_high_o};
      egress_pkg::REG_XOFF:         rdata_o = xoff_o;
      default:                      rdata_o = xon_o;
    endcase
  end
endmodule
