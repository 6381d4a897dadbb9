// ccc_ewma, the sum of the two products: whatever the products are, the average is the old one plus the floor of their
// whole, high * 2^24 + low, by 2^24, modulo 2^48. The products themselves are not looked at.
`include "prove.svh"
module prove_ewma (
  input logic        clk_i,
  input ccc_regs_t   cfg_s3_i,
  input ccc_regs_t   cfg_s4_i,
  input ccc_regs_t   cfg_s5_i,
  input logic        open_s2_i,
  input logic [63:0] data_s2_i,
  input logic        ack_sample_s3_i,
  input logic        trim_s3_i,
  input logic        m_s3_i,
  input logic [31:0] delay_s3_i,
  input logic [31:0] base_rtt_s3_i
);
  logic [47:0] avg_s2, avg_s6, excess_s6;
  logic        above_s6;
  logic [49:0] high;      // probe: stage 5, two's complement
  logic [47:0] low;       // probe
  logic        run;       // probe
  logic [47:0] avg;       // probe
  logic [73:0] whole;
  logic [47:0] want_q;
  logic [48:0] over_q;
  logic        seen_q = 1'b0;

  ccc_ewma #(.NumContexts(2), .RowW(1)) dut (
    .clk_i              (clk_i),
    .cfg_s3_i           (cfg_s3_i),
    .cfg_s4_i           (cfg_s4_i),
    .cfg_s5_i           (cfg_s5_i),
    .row_s1_i           (1'b0),
    .avg_s2_o           (avg_s2),
    .open_s2_i          (open_s2_i),
    .load_avg_delay_s2_i(1'b0),
    .data_s2_i          (data_s2_i),
    .ack_sample_s3_i    (ack_sample_s3_i),
    .trim_s3_i          (trim_s3_i),
    .m_s3_i             (m_s3_i),
    .delay_s3_i         (delay_s3_i),
    .base_rtt_s3_i      (base_rtt_s3_i),
    .avg_s6_o           (avg_s6),
    .excess_s6_o        (excess_s6),
    .above_s6_o         (above_s6),
    .write_s6_i         (1'b0),
    .row_s6_i           (1'b0)
  );

  assign whole = {high, 24'b0} + {26'b0, low};

  always_ff @(posedge clk_i) begin
    seen_q <= 1'b1;
    want_q <= run ? avg + whole[71:24] : avg;
    over_q <= {1'b0, run ? avg + whole[71:24] : avg} - {1'b0, cfg_s5_i.TARGET_QDELAY, 16'b0};
  end

  always_comb begin
    if (seen_q) begin
      `PROVE(avg_s6 == want_q);
      `PROVE(above_s6 == (!over_q[48] && over_q != '0));
      `PROVE(!above_s6 || excess_s6 == over_q[47:0]);
      `REACH(run && high[49] && low[47]);
      `REACH(above_s6);
    end
  end
endmodule
