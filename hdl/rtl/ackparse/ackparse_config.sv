// Registers and counters of ackparse, and the cfg stream that reaches them.
//
// Latency:     CFG_LATENCY (2) cycles from issue to the response; a write holds one later.
// Throughput:  one access a cycle.
// Comb. paths: rst_ni to the ready and valid outputs; up_i to cfg_ready_o; no other.
// Reset:       registers at their reset values, counters 0, no event held.
// Contract:    ackparse/contract.md "cfg" and "Timing".
module ackparse_config (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           up_i,
  input  logic           cfg_valid_i,
  output logic           cfg_ready_o,
  input  ackparse_cfg_t  cfg_i,
  output logic           cfgr_valid_o,
  input  logic           cfgr_ready_i,
  output ackparse_cfgr_t cfgr_o,
  input  logic [21:0]    inc_i,          // counters that count in this cycle
  output ackparse_regs_t regs_o
);
  localparam int NumWords = ackparse_pkg::NUM_WORDS;
  localparam int NumRegs  = ackparse_pkg::NUM_REGS;
  localparam logic [4:0] WordLimit = NumWords[4:0];
  localparam logic [4:0] RegLimit  = NumRegs[4:0];
  localparam logic [31:0] MaxAckState  = ackparse_pkg::MAX_ACK_STATE;
  localparam logic [31:0] MaxNackState = ackparse_pkg::MAX_NACK_STATE;

  logic           issue;
  ackparse_cfg_t  ev;
  logic           is_load;
  logic           is_read;
  logic           is_write;
  logic           is_cfg_read;
  logic           forbidden;     // a length that the register cannot take
  logic           refused;
  logic [31:0]    count;
  logic [31:0]    register;
  logic [4:0]     addr;
  ackparse_cfgr_t answer_q;

  gw_cfg_port #(
    .EventW   (ackparse_pkg::CFG_W),
    .ResponseW(ackparse_pkg::CFGR_W),
    .Credits  (ackparse_pkg::CFG_CREDITS)
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
  assign is_load     = (ev.kind == ackparse_pkg::KIND_LOAD);
  assign is_read     = (ev.kind == ackparse_pkg::KIND_READ);
  assign is_write    = (ev.kind == ackparse_pkg::KIND_CFG_WRITE);
  assign is_cfg_read = (ev.kind == ackparse_pkg::KIND_CFG_READ);
  assign forbidden   = ((addr == ackparse_pkg::REG_ACK_STATE) & (ev.data > MaxAckState)) |
                       ((addr == ackparse_pkg::REG_NACK_STATE) &
                        ((ev.data == '0) | (ev.data > MaxNackState)));
  assign refused     = (is_load | is_read) ? (addr >= WordLimit) :
                       is_cfg_read         ? (addr >= RegLimit) :
                       is_write            ? ((addr >= RegLimit) | forbidden) : 1'b1;

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
      regs_o <= ackparse_pkg::RST_REGS;
    end else if (issue && is_write && !refused) begin
      unique case (addr)
        ackparse_pkg::REG_UDP_PORT:  regs_o.UDP_PORT   <= ev.data[15:0];
        ackparse_pkg::REG_NATIVE:    regs_o.NATIVE     <= ev.data[7:0];
        ackparse_pkg::REG_CONTROL:   regs_o.CONTROL    <= ev.data[0];
        ackparse_pkg::REG_ACK_STATE: regs_o.ACK_STATE  <= ev.data[4:0];
        default:                     regs_o.NACK_STATE <= ev.data[4:0];
      endcase
    end
  end

  always_comb begin
    unique case (addr)
      ackparse_pkg::REG_UDP_PORT:  register = {16'b0, regs_o.UDP_PORT};
      ackparse_pkg::REG_NATIVE:    register = {24'b0, regs_o.NATIVE};
      ackparse_pkg::REG_CONTROL:   register = {31'b0, regs_o.CONTROL};
      ackparse_pkg::REG_ACK_STATE: register = {27'b0, regs_o.ACK_STATE};
      default:                     register = {27'b0, regs_o.NACK_STATE};
    endcase
  end

  always_ff @(posedge clk_i) begin
    answer_q <= {ev.kind, refused,
                 refused ? 32'b0 : is_read ? count : is_cfg_read ? register : 32'b0};
  end

`ifdef GW_ASSERT
  a_ack_state: assert property (@(posedge clk_i) disable iff (!rst_ni)
      {27'b0, regs_o.ACK_STATE} <= MaxAckState)
    else $error("ackparse_config: ACK_STATE holds a length that is refused");
  a_nack_state: assert property (@(posedge clk_i) disable iff (!rst_ni)
      ({27'b0, regs_o.NACK_STATE} <= MaxNackState) && (regs_o.NACK_STATE != 0))
    else $error("ackparse_config: NACK_STATE holds a length that is refused");
`endif
endmodule
