// Registers and counters of the trimmer, and the cfg stream that reaches them.
//
// Latency:     CFG_LATENCY (2) cycles from issue to the response; a write holds one later.
// Throughput:  one access a cycle.
// Comb. paths: rst_ni to the ready and valid outputs; up_i to cfg_ready_o; no other.
// Reset:       registers at their reset values, counters 0, no event held.
// Contract:    trimmer/contract.md "cfg", "Counters" and "Timing".
module trimmer_config (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          up_i,
  input  logic          cfg_valid_i,
  output logic          cfg_ready_o,
  input  trimmer_cfg_t  cfg_i,
  output logic          cfgr_valid_o,
  input  logic          cfgr_ready_i,
  output trimmer_cfgr_t cfgr_o,
  input  logic [13:0]   inc_i,          // counters that count in this cycle
  output trimmer_regs_t regs_o
);
  localparam int NumWords = trimmer_pkg::NUM_WORDS;
  localparam int NumRegs  = trimmer_pkg::NUM_REGS;
  localparam logic [4:0] WordLimit = NumWords[4:0];
  localparam logic [4:0] RegLimit  = NumRegs[4:0];
  localparam logic [31:0] MaxTrim  = trimmer_pkg::MAX_TRIM;

  logic          issue;
  trimmer_cfg_t  ev;
  logic          is_load;
  logic          is_read;
  logic          is_write;
  logic          is_cfg_read;
  logic          is_size;       // a register that holds a size
  logic          refused;
  logic [31:0]   count;
  logic [31:0]   register;
  logic [4:0]    addr;
  trimmer_cfgr_t answer_q;

  gw_cfg_port #(
    .EventW   (trimmer_pkg::CFG_W),
    .ResponseW(trimmer_pkg::CFGR_W),
    .Credits  (trimmer_pkg::CFG_CREDITS)
  ) u_port (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .enable_i(up_i),
    .valid_i (cfg_valid_i),
    .ready_o (cfg_ready_o),
    .data_i  (cfg_i),
    .issue_o (issue),
    .head_o  (ev),
    .answer_i(answer_q),
    .valid_o (cfgr_valid_o),
    .ready_i (cfgr_ready_i),
    .data_o  (cfgr_o)
  );

  assign addr        = ev.addr;
  assign is_load     = (ev.kind == trimmer_pkg::KIND_LOAD);
  assign is_read     = (ev.kind == trimmer_pkg::KIND_READ);
  assign is_write    = (ev.kind == trimmer_pkg::KIND_CFG_WRITE);
  assign is_cfg_read = (ev.kind == trimmer_pkg::KIND_CFG_READ);
  assign is_size     = (addr == trimmer_pkg::REG_TRIM_SIZE) | (addr == trimmer_pkg::REG_MIN_SIZE);
  assign refused     = (is_load | is_read) ? (addr >= WordLimit) :
                       is_cfg_read         ? (addr >= RegLimit) :
                       is_write ? ((addr >= RegLimit) | (is_size & (ev.data > MaxTrim))) : 1'b1;

  gw_counters #(.Num(NumWords)) u_counters (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .inc_i  (inc_i),
    .load_i (issue & is_load & ~refused),
    .addr_i (addr[3:0]),
    .data_i (ev.data),
    .rdata_o(count)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      regs_o <= trimmer_pkg::RST_REGS;
    end else if (issue && is_write && !refused) begin
      unique case (addr)
        trimmer_pkg::REG_TRIM_SIZE:    regs_o.TRIM_SIZE    <= ev.data[8:0];
        trimmer_pkg::REG_MIN_SIZE:     regs_o.MIN_SIZE     <= ev.data[8:0];
        trimmer_pkg::REG_UDP_PORT:     regs_o.UDP_PORT     <= ev.data[15:0];
        trimmer_pkg::REG_DSCP_TRIMMED: regs_o.DSCP_TRIMMED <= ev.data[5:0];
        default:                       regs_o.DSCP_LASTHOP <= ev.data[5:0];
      endcase
    end
  end

  always_comb begin
    unique case (addr)
      trimmer_pkg::REG_TRIM_SIZE:    register = {23'b0, regs_o.TRIM_SIZE};
      trimmer_pkg::REG_MIN_SIZE:     register = {23'b0, regs_o.MIN_SIZE};
      trimmer_pkg::REG_UDP_PORT:     register = {16'b0, regs_o.UDP_PORT};
      trimmer_pkg::REG_DSCP_TRIMMED: register = {26'b0, regs_o.DSCP_TRIMMED};
      default:                       register = {26'b0, regs_o.DSCP_LASTHOP};
    endcase
  end

  always_ff @(posedge clk_i) begin
    answer_q <= {ev.kind, refused,
                 refused ? 32'b0 : is_read ? count : is_cfg_read ? register : 32'b0};
  end
endmodule
