// Configuration registers of the ccc block: a bank for each profile, and the one TIME_SHIFT.
//
// Latency:     a write in stage 1 holds from the next cycle on.
// Throughput:  one access a cycle; a profile's registers are read in stage 1, all at once.
// Comb. paths: profile_i to regs_o; profile_i and addr_i to rdata_o and read_refused_o; these and
//              data_i to write_refused_o.
// Reset:       every register of every profile takes its reset value.
// Contract:    ccc/contract.md "Registers and profiles", "Dispatch" 2. A write is exclusive
//              (timing.md), so that no event in the pipeline sees a register change under it: what
//              an event reads in stage 1 is good for all its stages.
module ccc_config #(
  parameter int NumProfiles = 8
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        we_i,            // a CFG_WRITE is in stage 1
  input  logic [3:0]  profile_i,       // of the access, or of the event's context
  input  logic [4:0]  addr_i,
  input  logic [63:0] data_i,
  output logic [63:0] rdata_o,         // 0 if refused
  output logic        write_refused_o,
  output logic        read_refused_o,
  output ccc_regs_t   regs_o,          // of the profile; its TIME_SHIFT has no meaning
  output logic [2:0]  time_shift_o
);
  localparam int RowW = (NumProfiles > 1) ? $clog2(NumProfiles) : 1;
  localparam int NumRegs = ccc_pkg::NUM_REGS;
  localparam logic [4:0] RegLimit = NumRegs[4:0];
  localparam logic [4:0] ProfileLimit = NumProfiles[4:0];

  (* mem2reg *)                          // all are reset at once: registers, no RAM
  logic [ccc_pkg::REGS_W-1:0] bank_q [0:NumProfiles-1];
  ccc_regs_t       word;
  ccc_regs_t       next;
  logic [RowW-1:0] row;
  logic            in_range;
  logic            shared;               // the register exists once
  logic            known;

  assign in_range = ({1'b0, profile_i} < ProfileLimit);
  assign row      = in_range ? profile_i[RowW-1:0] : '0;
  assign word     = bank_q[row];
  assign regs_o   = word;

  assign shared          = (addr_i == ccc_pkg::REG_TIME_SHIFT);
  assign known           = (addr_i < RegLimit) & (in_range | shared);
  assign read_refused_o  = ~known;
  assign write_refused_o = ~known | ((addr_i == ccc_pkg::REG_MTU) & (data_i[15:0] == 16'b0));

  always_comb begin
    next = word;
    unique case (addr_i)
      ccc_pkg::REG_MTU:             next.MTU             = data_i[15:0];
      ccc_pkg::REG_MAX_WND:         next.MAX_WND         = data_i[31:0];
      ccc_pkg::REG_CONFIG_BASE_RTT: next.CONFIG_BASE_RTT = data_i[31:0];
      ccc_pkg::REG_TARGET_QDELAY:   next.TARGET_QDELAY   = data_i[31:0];
      ccc_pkg::REG_ALPHA:           next.ALPHA           = data_i[31:0];
      ccc_pkg::REG_FI:              next.FI              = data_i[31:0];
      ccc_pkg::REG_ETA:             next.ETA             = data_i[31:0];
      ccc_pkg::REG_FI_SCALE:        next.FI_SCALE        = data_i[23:0];
      ccc_pkg::REG_GAMMA:           next.GAMMA           = data_i[15:0];
      ccc_pkg::REG_MAX_MD_JUMP:     next.MAX_MD_JUMP     = data_i[15:0];
      ccc_pkg::REG_QA_GATE:         next.QA_GATE         = data_i[7:0];
      ccc_pkg::REG_QA_THRESHOLD:    next.QA_THRESHOLD    = data_i[31:0];
      ccc_pkg::REG_ADJUST_BYTES:    next.ADJUST_BYTES    = data_i[31:0];
      ccc_pkg::REG_ADJUST_PERIOD:   next.ADJUST_PERIOD   = data_i[31:0];
      ccc_pkg::REG_EWMA_GAIN:       next.EWMA_GAIN       = data_i[23:0];
      ccc_pkg::REG_FAST_DELAY:      next.FAST_DELAY      = data_i[31:0];
      ccc_pkg::REG_MWND_RATE:       next.MWND_RATE       = data_i[31:0];
      ccc_pkg::REG_ACK_GEN_TRIGGER: next.ACK_GEN_TRIGGER = data_i[31:0];
      default:                      next.CTRL            = data_i[3:0];  // TIME_SHIFT is not here
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int k = 0; k < NumProfiles; k++) bank_q[k] <= ccc_pkg::RST_REGS;
      time_shift_o <= ccc_pkg::RST_TIME_SHIFT;
    end else if (we_i && !write_refused_o) begin
      if (shared) time_shift_o <= data_i[2:0];
      else        bank_q[row]  <= next;
    end
  end

  always_comb begin
    rdata_o = '0;
    if (known) begin
      unique case (addr_i)
        ccc_pkg::REG_MTU:             rdata_o = {48'b0, word.MTU};
        ccc_pkg::REG_MAX_WND:         rdata_o = {32'b0, word.MAX_WND};
        ccc_pkg::REG_CONFIG_BASE_RTT: rdata_o = {32'b0, word.CONFIG_BASE_RTT};
        ccc_pkg::REG_TARGET_QDELAY:   rdata_o = {32'b0, word.TARGET_QDELAY};
        ccc_pkg::REG_ALPHA:           rdata_o = {32'b0, word.ALPHA};
        ccc_pkg::REG_FI:              rdata_o = {32'b0, word.FI};
        ccc_pkg::REG_ETA:             rdata_o = {32'b0, word.ETA};
        ccc_pkg::REG_FI_SCALE:        rdata_o = {40'b0, word.FI_SCALE};
        ccc_pkg::REG_GAMMA:           rdata_o = {48'b0, word.GAMMA};
        ccc_pkg::REG_MAX_MD_JUMP:     rdata_o = {48'b0, word.MAX_MD_JUMP};
        ccc_pkg::REG_QA_GATE:         rdata_o = {56'b0, word.QA_GATE};
        ccc_pkg::REG_QA_THRESHOLD:    rdata_o = {32'b0, word.QA_THRESHOLD};
        ccc_pkg::REG_ADJUST_BYTES:    rdata_o = {32'b0, word.ADJUST_BYTES};
        ccc_pkg::REG_ADJUST_PERIOD:   rdata_o = {32'b0, word.ADJUST_PERIOD};
        ccc_pkg::REG_EWMA_GAIN:       rdata_o = {40'b0, word.EWMA_GAIN};
        ccc_pkg::REG_FAST_DELAY:      rdata_o = {32'b0, word.FAST_DELAY};
        ccc_pkg::REG_MWND_RATE:       rdata_o = {32'b0, word.MWND_RATE};
        ccc_pkg::REG_ACK_GEN_TRIGGER: rdata_o = {32'b0, word.ACK_GEN_TRIGGER};
        ccc_pkg::REG_TIME_SHIFT:      rdata_o = {61'b0, time_shift_o};
        default:                      rdata_o = {60'b0, word.CTRL};    // CTRL, the only one left
      endcase
    end
  end
endmodule
