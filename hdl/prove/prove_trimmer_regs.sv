// trimmer_config: whatever is written, the registers hold no size beyond the greatest.
`include "prove.svh"
module prove_trimmer_regs (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         cfg_valid_i,
  input trimmer_cfg_t cfg_i,
  input logic         cfgr_ready_i
);
  logic          cfg_ready;
  logic          cfgr_valid;
  trimmer_cfgr_t cfgr;
  trimmer_regs_t regs;
  logic          started_q = 1'b0;

  trimmer_config dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .up_i        (1'b1),
    .cfg_valid_i (cfg_valid_i),
    .cfg_ready_o (cfg_ready),
    .cfg_i       (cfg_i),
    .cfgr_valid_o(cfgr_valid),
    .cfgr_ready_i(cfgr_ready_i),
    .cfgr_o      (cfgr),
    .inc_i       (14'b0),
    .regs_o      (regs)
  );

  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    `ASSUME(started_q || !rst_ni);
    `PROVE(regs.TRIM_SIZE <= 9'd256);
    `PROVE(regs.MIN_SIZE <= 9'd256);
    `REACH(rst_ni && regs.TRIM_SIZE == 9'd256);
    `REACH(rst_ni && regs.MIN_SIZE == 9'd256);
  end
endmodule
