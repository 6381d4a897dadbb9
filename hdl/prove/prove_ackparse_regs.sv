// ackparse_config: whatever is written, the registers hold no length that the contract refuses.
`include "prove.svh"
module prove_ackparse_regs (
  input logic          clk_i,
  input logic          rst_ni,
  input logic          cfg_valid_i,
  input ackparse_cfg_t cfg_i,
  input logic          cfgr_ready_i
);
  logic           cfg_ready;
  logic           cfgr_valid;
  ackparse_cfgr_t cfgr;
  ackparse_regs_t regs;
  logic           started_q = 1'b0;

  ackparse_config dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .up_i        (1'b1),
    .cfg_valid_i (cfg_valid_i),
    .cfg_ready_o (cfg_ready),
    .cfg_i       (cfg_i),
    .cfgr_valid_o(cfgr_valid),
    .cfgr_ready_i(cfgr_ready_i),
    .cfgr_o      (cfgr),
    .inc_i       (22'b0),
    .regs_o      (regs)
  );

  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    `ASSUME(started_q || !rst_ni);
    `PROVE(!started_q || regs.ACK_STATE <= 5'd20);
    `PROVE(!started_q || regs.NACK_STATE <= 5'd16);
    `PROVE(!started_q || regs.NACK_STATE != 5'd0);
    `REACH(rst_ni && regs.ACK_STATE == 5'd20);
    `REACH(rst_ni && regs.ACK_STATE == 5'd0);
    `REACH(rst_ni && regs.NACK_STATE == 5'd16);
  end
endmodule
