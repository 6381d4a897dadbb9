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
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         we_i,
  input  logic [4:0]   addr_i,
  input  logic [31:0]  data_i,
  output logic [31:0]  rdata_o,   // 0 for an unknown address
  output logic         known_o,   // the address is a register's
  output egress_regs_t regs_o
);
  localparam int NumRegs = egress_pkg::NUM_REGS;
  localparam logic [4:0] RegLimit = NumRegs[4:0];

  assign known_o = (addr_i < RegLimit);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      regs_o <= egress_pkg::RST_REGS;
    end else if (we_i) begin
      unique case (addr_i)
        egress_pkg::REG_TRIM_EN:      regs_o.TRIM_EN      <= data_i[0];
        egress_pkg::REG_TRIM:         regs_o.TRIM         <= data_i;
        egress_pkg::REG_TRIM_LASTHOP: regs_o.TRIM_LASTHOP <= data_i;
        egress_pkg::REG_DROP_LOW:     regs_o.DROP_LOW     <= data_i;
        egress_pkg::REG_DROP_MED:     regs_o.DROP_MED     <= data_i;
        egress_pkg::REG_DROP_HIGH:    regs_o.DROP_HIGH    <= data_i;
        egress_pkg::REG_SHARED:       regs_o.SHARED       <= data_i;
        egress_pkg::REG_ECN_MODE:     regs_o.ECN_MODE     <= data_i[1:0];
        egress_pkg::REG_K_DET:        regs_o.K_DET        <= data_i;
        egress_pkg::REG_K_MIN:        regs_o.K_MIN        <= data_i;
        egress_pkg::REG_K_MAX:        regs_o.K_MAX        <= data_i;
        egress_pkg::REG_P_MAX:        regs_o.P_MAX        <= data_i[16:0];
        egress_pkg::REG_SEED:         regs_o.SEED         <= (data_i == '0) ? 32'd1 : data_i;
        egress_pkg::REG_SCHED:        regs_o.SCHED        <= data_i[1:0];
        egress_pkg::REG_QUANTUM_LOW:  regs_o.QUANTUM_LOW  <= data_i[15:0];
        egress_pkg::REG_QUANTUM_MED:  regs_o.QUANTUM_MED  <= data_i[15:0];
        egress_pkg::REG_QUANTUM_HIGH: regs_o.QUANTUM_HIGH <= data_i[15:0];
        egress_pkg::REG_XOFF:         regs_o.XOFF         <= data_i;
        default:                      regs_o.XON          <= data_i;   // XON, the only one left
      endcase
    end
  end

  always_comb begin
    unique case (addr_i)
      egress_pkg::REG_TRIM_EN:      rdata_o = {31'b0, regs_o.TRIM_EN};
      egress_pkg::REG_TRIM:         rdata_o = regs_o.TRIM;
      egress_pkg::REG_TRIM_LASTHOP: rdata_o = regs_o.TRIM_LASTHOP;
      egress_pkg::REG_DROP_LOW:     rdata_o = regs_o.DROP_LOW;
      egress_pkg::REG_DROP_MED:     rdata_o = regs_o.DROP_MED;
      egress_pkg::REG_DROP_HIGH:    rdata_o = regs_o.DROP_HIGH;
      egress_pkg::REG_SHARED:       rdata_o = regs_o.SHARED;
      egress_pkg::REG_ECN_MODE:     rdata_o = {30'b0, regs_o.ECN_MODE};
      egress_pkg::REG_K_DET:        rdata_o = regs_o.K_DET;
      egress_pkg::REG_K_MIN:        rdata_o = regs_o.K_MIN;
      egress_pkg::REG_K_MAX:        rdata_o = regs_o.K_MAX;
      egress_pkg::REG_P_MAX:        rdata_o = {15'b0, regs_o.P_MAX};
      egress_pkg::REG_SEED:         rdata_o = regs_o.SEED;
      egress_pkg::REG_SCHED:        rdata_o = {30'b0, regs_o.SCHED};
      egress_pkg::REG_QUANTUM_LOW:  rdata_o = {16'b0, regs_o.QUANTUM_LOW};
      egress_pkg::REG_QUANTUM_MED:  rdata_o = {16'b0, regs_o.QUANTUM_MED};
      egress_pkg::REG_QUANTUM_HIGH: rdata_o = {16'b0, regs_o.QUANTUM_HIGH};
      egress_pkg::REG_XOFF:         rdata_o = regs_o.XOFF;
      default:                      rdata_o = regs_o.XON;
    endcase
  end
endmodule
