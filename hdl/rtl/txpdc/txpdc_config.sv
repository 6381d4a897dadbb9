// Registers and counters of txpdc.
//
// Latency:     a write or a count holds from the next cycle on.
// Throughput:  one access or the counts of one job a cycle.
// Comb. paths: addr_i to register_o and count_o.
// Reset:       registers at their reset values, counters 0.
// Contract:    txpdc/contract.md "Command" (LOAD, CFG_WRITE), "Timing" (counter).
module txpdc_config (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [4:0]   addr_i,
  input  logic [31:0]  data_i,
  input  logic         write_i,     // a register is written
  input  logic         load_i,      // a counter is loaded
  input  logic [7:0]   inc_i,       // from WORD_SENT on
  output logic [31:0]  register_o,
  output logic [31:0]  count_o,
  output txpdc_regs_t  regs_o
);
  logic [4:0] counter;

  assign counter = addr_i - txpdc_pkg::WORD_SENT;

  gw_counters #(.Num(8)) u_counters (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .inc_i  (inc_i),
    .load_i (load_i),
    .addr_i (counter[2:0]),
    .data_i (data_i),
    .rdata_o(count_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      regs_o <= txpdc_pkg::RST_REGS;
    end else if (write_i) begin
      unique case (addr_i)
        txpdc_pkg::REG_PAYLOAD: regs_o.PAYLOAD <= data_i[3:0];
        txpdc_pkg::REG_HEADER:  regs_o.HEADER  <= data_i[6:0];
        txpdc_pkg::REG_RTO:     regs_o.RTO     <= data_i[23:0];
        txpdc_pkg::REG_TICK:    regs_o.TICK    <= data_i[15:0];
        default:                regs_o.TRIES   <= data_i[3:0];   // TRIES, the only one left
      endcase
    end
  end

  always_comb begin
    unique case (addr_i)
      txpdc_pkg::REG_PAYLOAD: register_o = {28'b0, regs_o.PAYLOAD};
      txpdc_pkg::REG_HEADER:  register_o = {25'b0, regs_o.HEADER};
      txpdc_pkg::REG_RTO:     register_o = {8'b0, regs_o.RTO};
      txpdc_pkg::REG_TICK:    register_o = {16'b0, regs_o.TICK};
      default:                register_o = {28'b0, regs_o.TRIES};
    endcase
  end

  logic unused;
  assign unused = ^counter[4:3];

`ifdef GW_ASSERT
  a_one: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (inc_i != 0) |-> !(write_i || load_i))
    else $error("txpdc_config: two jobs end in one cycle");
  a_regs: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (regs_o.PAYLOAD >= 7) && (regs_o.PAYLOAD <= 13) && (regs_o.RTO != 0) && (regs_o.TICK != 0) &&
      (regs_o.TRIES != 0))
    else $error("txpdc_config: a register holds a forbidden value");
`endif
endmodule
