// Fulfilment: the accumulated increase over the window, by true division, and the fair addition.
//
// Latency:     dividend in stage 8, divisor in stage 17, window in stage 34.
// Throughput:  one event a cycle.
// Comb. paths: none.
// Reset:       none; payload only.
// Contract:    ccc/contract.md ACK 14.
module ccc_fulfil (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  ccc_regs_t   cfg_s8_i,
  input  logic        fulfil_s8_i,
  input  logic        eta_s8_i,
  input  logic [47:0] dividend_s8_i,   // inc_bytes
  input  logic [31:0] max_wnd_s8_i,
  input  logic [31:0] cwnd_s17_i,      // never 0
  output logic [31:0] cwnd_s34_o,
  output logic        saturated_s34_o
);
  logic [47:0] dividend_s17;
  logic        over_s17;
  logic [15:0] over_q;        // bit k: stage 18 + k
  logic [31:0] quot_s33;
  logic [31:0] cwnd_s33;
  logic        fulfil_s33;
  logic        eta_s33;
  logic [23:0] eta_bytes_s33; // ETA floored to bytes
  logic [31:0] max_wnd_s33;
  logic [31:0] part_s33;
  logic [33:0] sum_s33;

  gw_delay #(.Width(48), .Depth(9)) u_wait_dividend (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .d_i   (dividend_s8_i),
    .q_o   (dividend_s17)
  );

  gw_delay #(.Width(58), .Depth(25)) u_wait_limit (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .d_i   ({fulfil_s8_i, eta_s8_i, cfg_s8_i.ETA[31:8], max_wnd_s8_i}),
    .q_o   ({fulfil_s33, eta_s33, eta_bytes_s33, max_wnd_s33})
  );

  // The quotient passes 32 bits exactly if the upper part of the dividend reaches the divisor.
  assign over_s17 = ({16'b0, dividend_s17[47:32]} >= cwnd_s17_i);

  gw_divider_pipe #(.DivW(32), .Bits(32)) u_divider (
    .clk_i (clk_i),
    .hi_i  ({16'b0, dividend_s17[47:32]}),
    .lo_i  (dividend_s17[31:0]),
    .div_i (cwnd_s17_i),
    .quot_o(quot_s33),
    .div_o (cwnd_s33)
  );

  assign part_s33 = over_q[15] ? '1 : quot_s33;
  assign sum_s33  = {2'b0, cwnd_s33} + {2'b0, part_s33}
                  + (eta_s33 ? {10'b0, eta_bytes_s33} : 34'b0);

  always_ff @(posedge clk_i) begin
    over_q          <= {over_q[14:0], over_s17};
    saturated_s34_o <= fulfil_s33 & over_q[15];
    cwnd_s34_o      <= cwnd_s33;
    if (fulfil_s33) begin
      cwnd_s34_o <= (sum_s33 < {2'b0, max_wnd_s33}) ? sum_s33[31:0] : max_wnd_s33;
    end
  end
endmodule
