// ECN of the egress block: threshold, marking probability, LFSR.
//
// Latency:     decision and draw in s2, the products and the mark in s3.
// Throughput:  one packet a cycle.
// Comb. paths: check_i, bytes_i, regs_i to lfsr_o; P_MAX of regs_i to ce_s3_o.
// Reset:       LFSR 1.
// Contract:    egress/contract.md "ECN". Only the probabilistic range draws; one LFSR serves all
//              ports.
module egress_ecn (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         check_i,   // s2: a packet of class 0 that is ECN capable is removed
  input  logic [31:0]  bytes_i,   // s2: content of its queue after removal
  input  egress_regs_t regs_i,
  input  logic         seed_i,    // s2: the LFSR takes data_i, or 1 if that is 0
  input  logic [31:0]  data_i,
  output logic [31:0]  lfsr_o,    // s2: after the grant
  output logic         ce_s3_o
);
  // DRAW_STEPS steps of x^32 + x^22 + x^2 + x + 1, Galois form, shifting right.
  function automatic logic [31:0] advance(input logic [31:0] from);
    logic [31:0] x;
    x = from;
    for (int i = 0; i < egress_pkg::DRAW_STEPS; i++) begin
      x = {1'b0, x[31:1]} ^ (x[0] ? 32'h80200003 : 32'b0);
    end
    advance = x;
  endfunction

  logic        ranged;      // between K_MIN and K_MAX
  logic        draw;
  logic        sure;
  logic [31:0] drawn;
  logic [31:0] lfsr_q;
  logic        draw_s3_q;
  logic        sure_s3_q;
  logic [15:0] r_s3_q;
  logic [31:0] span_s3_q;
  logic [31:0] excess_s3_q;
  logic [48:0] chance;
  logic [48:0] level;

  assign ranged = (bytes_i > regs_i.K_MIN) & (bytes_i < regs_i.K_MAX);
  assign draw   = check_i & (regs_i.ECN_MODE == egress_pkg::ECN_MODE_PROBABILISTIC) & ranged;
  assign sure   = check_i &
                  (((regs_i.ECN_MODE == egress_pkg::ECN_MODE_DETERMINISTIC) &
                    (bytes_i > regs_i.K_DET)) |
                   ((regs_i.ECN_MODE == egress_pkg::ECN_MODE_PROBABILISTIC) &
                    (bytes_i > regs_i.K_MIN) & (bytes_i >= regs_i.K_MAX)));
  assign drawn  = advance(lfsr_q);
  assign lfsr_o = draw ? drawn : lfsr_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lfsr_q <= 32'd1;
    end else begin
      lfsr_q <= !seed_i ? lfsr_o : ((data_i == '0) ? 32'd1 : data_i);
    end
  end

  always_ff @(posedge clk_i) begin
    draw_s3_q   <= draw;          // no packet is removed in a reset
    sure_s3_q   <= sure;
    r_s3_q      <= drawn[15:0];
    span_s3_q   <= regs_i.K_MAX - regs_i.K_MIN;
    excess_s3_q <= bytes_i - regs_i.K_MIN;
  end

  assign level   = {33'b0, r_s3_q} * {17'b0, span_s3_q};
  assign chance  = {17'b0, excess_s3_q} * {32'b0, regs_i.P_MAX};
  assign ce_s3_o = sure_s3_q | (draw_s3_q & (level < chance));
endmodule
