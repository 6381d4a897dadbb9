// Registers and counters of ackgen, and the cfg stream that reaches them and the words of PDCs.
//
// Latency:     CFG_BUSY (3) cycles from the start of an event's job; a write holds one later, the
//              response is visible one later.
// Throughput:  one event at a time.
// Comb. paths: rst_ni to the ready and valid outputs; up_i to cfg_ready_o; no other to a port of
//              the block.
// Reset:       registers at their reset values, counters 0, no event held.
// Contract:    ackgen/contract.md "cfg", "Words" and "Timing".
module ackgen_config #(
  parameter int Pdcs = 16,
  parameter int PdcW = 4              // clog2(Pdcs)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            up_i,
  input  logic            cfg_valid_i,
  output logic            cfg_ready_o,
  input  ackgen_cfg_t     cfg_i,
  output logic            cfgr_valid_o,
  input  logic            cfgr_ready_i,
  output ackgen_cfgr_t    cfgr_o,
  // the job of an event
  output logic            waits_o,    // an event waits
  output logic            room_o,     // for its response
  input  logic            start_i,    // k0
  input  logic            step_i,     // k2
  output logic [PdcW-1:0] pdc_o,      // k0
  input  logic [145:0]    key_i,      // k2
  input  logic [421:0]    state_i,
  output logic            pdc_we_o,
  output logic [145:0]    key_o,
  output logic [421:0]    state_o,
  input  logic [24:0]     inc_i,      // counters that count in this cycle
  output ackgen_regs_t    regs_o
);
  localparam int NumWords = ackgen_pkg::NUM_WORDS;
  localparam int NumRegs  = ackgen_pkg::NUM_REGS;
  localparam logic [5:0] WordLimit = NumWords[5:0];
  localparam logic [5:0] RegLimit  = NumRegs[5:0];
  localparam logic [5:0] Counter0  = ackgen_pkg::WORD_FRAMES;
  localparam int LastPdc = Pdcs - 1;
  localparam logic [15:0] MaxPdc = LastPdc[15:0];

  ackgen_cfg_t  head;
  ackgen_cfg_t  ev_q;
  logic         take;
  logic [5:0]   addr;
  logic         is_load;
  logic         is_read;
  logic         is_write;
  logic         is_cfg_read;
  logic         of_pdc;               // a word of a PDC
  logic         no_word;
  logic         forbidden;            // a value that the register cannot take
  logic         refused;
  logic [5:0]   counter;
  logic [31:0]  count;
  logic [31:0]  word;
  logic [31:0]  register;
  ackgen_cfgr_t answer;

  gw_in_fifo #(.Width(ackgen_pkg::CFG_W)) u_in_fifo (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enable_i    (up_i),
    .valid_i     (cfg_valid_i),
    .ready_o     (cfg_ready_o),
    .data_i      (cfg_i),
    .head_valid_o(waits_o),
    .head_o      (head),
    .pop_i       (start_i)
  );

  gw_credit #(.Credits(ackgen_pkg::CFG_CREDITS)) u_credit (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .use_i   (start_i),
    .return_i(take),
    .avail_o (room_o)
  );

  always_ff @(posedge clk_i) begin
    if (start_i) ev_q <= head;
  end

  assign pdc_o = head.pdc[PdcW-1:0];

  // ---------------------------------------------------------------- k2
  assign addr        = ev_q.addr;
  assign is_load     = (ev_q.kind == ackgen_pkg::KIND_LOAD);
  assign is_read     = (ev_q.kind == ackgen_pkg::KIND_READ);
  assign is_write    = (ev_q.kind == ackgen_pkg::KIND_CFG_WRITE);
  assign is_cfg_read = (ev_q.kind == ackgen_pkg::KIND_CFG_READ);
  assign of_pdc      = (addr < Counter0);
  assign no_word     = of_pdc ? (ev_q.pdc > MaxPdc) : (addr >= WordLimit);
  assign forbidden   = ((addr == ackgen_pkg::REG_MPR) & (ev_q.data[7:0] == '0)) |
                       ((addr == ackgen_pkg::REG_TICK) & (ev_q.data[15:0] == '0));
  assign refused     = (is_load | is_read) ? no_word :
                       is_cfg_read         ? (addr >= RegLimit) :
                       is_write            ? ((addr >= RegLimit) | forbidden) : 1'b1;
  assign pdc_we_o    = step_i & is_load & of_pdc & ~refused;
  assign counter     = addr - Counter0;

  ackgen_words u_words (
    .addr_i (addr[4:0]),
    .data_i (ev_q.data),
    .key_i  (key_i),
    .state_i(state_i),
    .word_o (word),
    .key_o  (key_o),
    .state_o(state_o)
  );

  gw_counters #(.Num(25)) u_counters (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .inc_i  (inc_i),
    .load_i (step_i & is_load & ~of_pdc & ~refused),
    .addr_i (counter[4:0]),
    .data_i (ev_q.data),
    .rdata_o(count)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      regs_o <= ackgen_pkg::RST_REGS;
    end else if (step_i && is_write && !refused) begin
      unique case (addr)
        ackgen_pkg::REG_UDP_PORT:        regs_o.UDP_PORT        <= ev_q.data[15:0];
        ackgen_pkg::REG_NATIVE:          regs_o.NATIVE          <= ev_q.data[7:0];
        ackgen_pkg::REG_CONTROL:         regs_o.CONTROL         <= ev_q.data[3:0];
        ackgen_pkg::REG_MPR:             regs_o.MPR             <= ev_q.data[7:0];
        ackgen_pkg::REG_TRIGGER:         regs_o.TRIGGER         <= ev_q.data;
        ackgen_pkg::REG_MIN_ADD:         regs_o.MIN_ADD         <= ev_q.data[15:0];
        ackgen_pkg::REG_NOMINAL:         regs_o.NOMINAL         <= ev_q.data[7:0];
        ackgen_pkg::REG_ACK_DSCP:        regs_o.ACK_DSCP        <= ev_q.data[5:0];
        ackgen_pkg::REG_TRIMMED:         regs_o.TRIMMED         <= ev_q.data[5:0];
        ackgen_pkg::REG_TRIMMED_LASTHOP: regs_o.TRIMMED_LASTHOP <= ev_q.data[5:0];
        ackgen_pkg::REG_TICK:            regs_o.TICK            <= ev_q.data[15:0];
        default:                         regs_o.PRESSURE        <= ev_q.data[7:0];
      endcase
    end
  end

  always_comb begin
    unique case (addr)
      ackgen_pkg::REG_UDP_PORT:        register = {16'b0, regs_o.UDP_PORT};
      ackgen_pkg::REG_NATIVE:          register = {24'b0, regs_o.NATIVE};
      ackgen_pkg::REG_CONTROL:         register = {28'b0, regs_o.CONTROL};
      ackgen_pkg::REG_MPR:             register = {24'b0, regs_o.MPR};
      ackgen_pkg::REG_TRIGGER:         register = regs_o.TRIGGER;
      ackgen_pkg::REG_MIN_ADD:         register = {16'b0, regs_o.MIN_ADD};
      ackgen_pkg::REG_NOMINAL:         register = {24'b0, regs_o.NOMINAL};
      ackgen_pkg::REG_ACK_DSCP:        register = {26'b0, regs_o.ACK_DSCP};
      ackgen_pkg::REG_TRIMMED:         register = {26'b0, regs_o.TRIMMED};
      ackgen_pkg::REG_TRIMMED_LASTHOP: register = {26'b0, regs_o.TRIMMED_LASTHOP};
      ackgen_pkg::REG_TICK:            register = {16'b0, regs_o.TICK};
      default:                         register = {24'b0, regs_o.PRESSURE};
    endcase
  end

  assign answer = {ev_q.kind, refused,
                   refused ? 32'b0 : is_read ? (of_pdc ? word : count) :
                   is_cfg_read ? register : 32'b0};

  gw_rsp_fifo #(.Width(ackgen_pkg::CFGR_W), .Rows(ackgen_pkg::CFG_CREDITS)) u_rsp_fifo (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (step_i),
    .data_i (answer),
    .valid_o(cfgr_valid_o),
    .ready_i(cfgr_ready_i),
    .data_o (cfgr_o),
    .take_o (take)
  );

  logic unused;
  assign unused = counter[5];

`ifdef GW_ASSERT
  a_mpr: assert property (@(posedge clk_i) disable iff (!rst_ni) regs_o.MPR != 0)
    else $error("ackgen_config: MPR holds 0");
  a_tick: assert property (@(posedge clk_i) disable iff (!rst_ni) regs_o.TICK != 0)
    else $error("ackgen_config: TICK holds 0");
`endif
endmodule
