// Registers and counters of credit.
//
// Latency:     a write or a count holds from the next cycle on.
// Throughput:  one access or the counts of one job a cycle.
// Comb. paths: addr_i to register_o; addr_i and pull_i to count_o.
// Reset:       registers at their reset values, counters 0.
// Contract:    credit/contract.md "Events" (LOAD, CFG_WRITE, counters), "Pull" (what counts).
module credit_config (
  input  logic         clk_i,
  input  logic         rst_ni,
  // an event: its register or counter, and what happens as its job ends
  input  logic [3:0]   addr_i,
  input  logic [31:0]  data_i,
  input  logic         write_i,     // a register is written
  input  logic         load_i,      // a counter is loaded
  input  logic         event_i,     // an event counts
  output logic [31:0]  register_o,
  output logic [31:0]  count_o,     // not while pull_i
  output credit_regs_t regs_o,
  // a pull's job ends
  input  logic         pull_i,      // with a pull
  input  logic         stale_i,     // without
  input  logic         slow_i,      // of the pull
  input  logic [7:0]   quanta_i
);
  localparam logic [3:0] Counter0 = credit_pkg::WORD_EVENTS;
  localparam logic [3:0] Quanta   = credit_pkg::WORD_QUANTA - Counter0;

  logic [3:0] counter;

  // Jobs run one at a time, so what a pull grants is added by a load of the sum.
  assign counter = pull_i ? Quanta : addr_i - Counter0;

  gw_counters #(.Num(6)) u_counters (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .inc_i  ({stale_i, 1'b0, pull_i & (quanta_i == '0), pull_i & slow_i, pull_i, event_i}),
    .load_i (pull_i | load_i),
    .addr_i (counter[2:0]),
    .data_i (pull_i ? count_o + {24'b0, quanta_i} : data_i),
    .rdata_o(count_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      regs_o <= credit_pkg::RST_REGS;
    end else if (write_i) begin
      unique case (addr_i)
        credit_pkg::REG_QUANTA: regs_o.QUANTA <= data_i[7:0];
        credit_pkg::REG_GAP:    regs_o.GAP    <= data_i[23:0];
        default:                regs_o.WINDOW <= data_i[15:0];   // WINDOW, the only one left
      endcase
    end
  end

  always_comb begin
    unique case (addr_i)
      credit_pkg::REG_QUANTA: register_o = {24'b0, regs_o.QUANTA};
      credit_pkg::REG_GAP:    register_o = {8'b0, regs_o.GAP};
      default:                register_o = {16'b0, regs_o.WINDOW};
    endcase
  end

  logic unused;
  assign unused = counter[3];

`ifdef GW_ASSERT
  a_one_job: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (int'(pull_i) + int'(stale_i) + int'(event_i) <= 1) && (event_i || !(write_i || load_i)))
    else $error("credit_config: two jobs end in one cycle");
  a_quanta: assert property (@(posedge clk_i) disable iff (!rst_ni) regs_o.QUANTA != 0)
    else $error("credit_config: QUANTA holds 0");
  a_gap: assert property (@(posedge clk_i) disable iff (!rst_ni) regs_o.GAP != 0)
    else $error("credit_config: GAP holds 0");
`endif
endmodule
