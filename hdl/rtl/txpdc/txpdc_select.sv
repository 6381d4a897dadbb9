// The PDC of the job that runs, as soon as it is known.
//
// Latency:     none to pdc_o; pdc_q_o one cycle later.
// Throughput:  one job at a time.
// Comb. paths: all inputs but clock and reset to pdc_o.
// Reset:       scan is 0.
// Contract:    txpdc/contract.md "State of a PDC": slot and context of a PDC; "Timer": scan.
module txpdc_select #(
  parameter int CtxW = 2,
  parameter int PdcW = 4                // CtxW + 2
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  // the job that starts
  input  logic            view_i,
  input  logic [CtxW-1:0] view_ctx_i,
  input  logic            cmd_i,
  input  logic [PdcW-1:0] cmd_pdc_i,
  input  logic            rec_i,
  input  logic [PdcW-1:0] dpdcid_i,     // low bits
  input  logic            timer_i,
  // a turn
  input  logic            first_i,      // the first of the list is out
  input  logic [CtxW-1:0] ctx_i,
  input  logic            chosen_i,     // and its slot is chosen
  input  logic [1:0]      slot_i,
  output logic [PdcW-1:0] pdc_o,        // to be read
  output logic [PdcW-1:0] pdc_q_o       // that was read
);
  logic [PdcW-1:0] scan_q;

  assign pdc_o = view_i   ? {view_ctx_i, 2'b0} :
                 cmd_i    ? cmd_pdc_i :
                 rec_i    ? dpdcid_i - 1'b1 :
                 timer_i  ? scan_q :
                 first_i  ? {ctx_i, 2'b0} :
                 chosen_i ? {pdc_q_o[PdcW-1:2], slot_i} : pdc_q_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      scan_q <= '0;
    else if (timer_i) scan_q <= scan_q + 1'b1;
  end

  always_ff @(posedge clk_i) pdc_q_o <= pdc_o;
endmodule
