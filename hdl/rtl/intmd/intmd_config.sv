// Registers and counters of intmd, and the cfg stream that reaches them and the table.
//
// Latency:     CFG_LATENCY (2) cycles from issue to the response; a write holds one later.
// Throughput:  one access a cycle.
// Comb. paths: rst_ni to the ready and valid outputs; up_i to cfg_ready_o; no other.
// Reset:       registers at their reset values, counters 0, no event held.
// Contract:    intmd/contract.md "cfg", "Counters" and "Timing".
// Shares gw_cfg_port and gw_counters with trimmer_config; which kinds exist and when one is refused
// differ.
module intmd_config #(
  parameter int NumPorts = 4,
  parameter int PortW    = 2
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             up_i,
  input  logic             cfg_valid_i,
  output logic             cfg_ready_o,
  input  intmd_cfg_t       cfg_i,
  output logic             cfgr_valid_o,
  input  logic             cfgr_ready_i,
  output intmd_cfgr_t      cfgr_o,
  input  logic [18:0]      inc_i,         // counters that count in this cycle
  output intmd_regs_t      regs_o,        // its TIME has no meaning: the clock holds it
  output logic             set_time_o,
  output logic [31:0]      data_o,        // value of the event that issues
  input  logic [23:0]      time_i,
  output logic             rate_we_o,
  output logic [PortW-1:0] port_o,        // port of the event that issues
  input  logic [75:0]      entry_i        // its entry: B, TS, txBytes, ql
);
  localparam int NumWords = intmd_pkg::NUM_WORDS;
  localparam int NumRegs  = intmd_pkg::NUM_REGS;
  localparam logic [4:0] WordLimit = NumWords[4:0];
  localparam logic [4:0] RegLimit  = NumRegs[4:0];
  localparam logic [7:0] PortLimit = NumPorts[7:0];

  logic        issue;
  intmd_cfg_t  ev;
  logic        is_load;
  logic        is_read;
  logic        is_write;
  logic        is_cfg_read;
  logic        is_rate;
  logic        is_entry;
  logic        refused;
  logic        write;
  logic [31:0] count;
  logic [31:0] register;
  logic [4:0]  addr;
  logic        entry_q;       // the answer is the entry
  logic        refused_q;
  logic [3:0]  kind_q;
  logic [7:0]  port_q;
  logic [31:0] value_q;
  logic [75:0] raw_q;
  logic [15:0] qlen;
  logic [63:0] value;

  gw_cfg_port #(
    .EventW   (intmd_pkg::CFG_W),
    .ResponseW(intmd_pkg::CFGR_W),
    .Credits  (intmd_pkg::CFG_CREDITS)
  ) u_port (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .enable_i(up_i),
    .valid_i (cfg_valid_i),
    .ready_o (cfg_ready_o),
    .data_i  (cfg_i),
    .issue_o (issue),
    .head_o  (ev),
    .answer_i({kind_q, port_q, refused_q, value}),
    .valid_o (cfgr_valid_o),
    .ready_i (cfgr_ready_i),
    .data_o  (cfgr_o)
  );

  assign addr        = ev.addr;
  assign is_load     = (ev.kind == intmd_pkg::KIND_LOAD);
  assign is_read     = (ev.kind == intmd_pkg::KIND_READ);
  assign is_write    = (ev.kind == intmd_pkg::KIND_CFG_WRITE);
  assign is_cfg_read = (ev.kind == intmd_pkg::KIND_CFG_READ);
  assign is_rate     = (ev.kind == intmd_pkg::KIND_RATE_WRITE);
  assign is_entry    = (ev.kind == intmd_pkg::KIND_ENTRY_READ);
  assign refused     = (is_load | is_read)       ? (addr >= WordLimit) :
                       (is_write | is_cfg_read)  ? (addr >= RegLimit) :
                       (is_rate | is_entry)      ? (ev.port >= PortLimit) : 1'b1;
  assign write       = issue & is_write & ~refused;
  assign set_time_o  = write & (addr == intmd_pkg::REG_TIME);
  assign rate_we_o   = issue & is_rate & ~refused;
  assign data_o      = ev.data;
  assign port_o      = ev.port[PortW-1:0];

  gw_counters #(.Num(NumWords)) u_counters (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .inc_i  (inc_i),
    .load_i (issue & is_load & ~refused),
    .addr_i (addr),
    .data_i (ev.data),
    .rdata_o(count)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      regs_o <= intmd_pkg::RST_REGS;
    end else if (write) begin
      unique case (addr)
        intmd_pkg::REG_MODE:      regs_o.MODE      <= ev.data[1:0];
        intmd_pkg::REG_UDP_PORT:  regs_o.UDP_PORT  <= ev.data[15:0];
        intmd_pkg::REG_MAGIC:     regs_o.MAGIC     <= ev.data[15:0];
        intmd_pkg::REG_MAX_FRAME: regs_o.MAX_FRAME <= ev.data[15:0];
        intmd_pkg::REG_PERIOD:    regs_o.PERIOD    <= ev.data[23:0];
        intmd_pkg::REG_STEP:      regs_o.STEP      <= ev.data[23:0];
        default:                  regs_o.MODE      <= regs_o.MODE;  // TIME is in the clock
      endcase
    end
  end

  always_comb begin
    unique case (addr)
      intmd_pkg::REG_MODE:      register = {30'b0, regs_o.MODE};
      intmd_pkg::REG_UDP_PORT:  register = {16'b0, regs_o.UDP_PORT};
      intmd_pkg::REG_MAGIC:     register = {16'b0, regs_o.MAGIC};
      intmd_pkg::REG_MAX_FRAME: register = {16'b0, regs_o.MAX_FRAME};
      intmd_pkg::REG_PERIOD:    register = {8'b0, regs_o.PERIOD};
      intmd_pkg::REG_STEP:      register = {8'b0, regs_o.STEP};
      default:                  register = {8'b0, time_i};
    endcase
  end

  // ---------------------------------------------------------------- response
  always_ff @(posedge clk_i) begin
    if (issue) begin
      entry_q   <= is_entry & ~refused;
      refused_q <= refused;
      kind_q    <= ev.kind;
      port_q    <= ev.port;
      value_q   <= refused     ? 32'b0 :
                   is_read     ? count :
                   is_cfg_read ? register : 32'b0;
      raw_q     <= entry_i;
    end
  end

  intmd_qlen u_qlen (.sixteens_i(raw_q[27:0]), .units_o(qlen));

  assign value = entry_q ? {raw_q[75:28], qlen} : {32'b0, value_q};
endmodule
