// The engine's multiplier and divider, and their operands in each state of the sequencer.
//
// Entering a state that needs one of them starts it; done (one clock) ends the operation, and the
// sequencer leaves the state in that clock. Products and quotients stay until the next operation
// starts.
module acme_cc_arith #(
  parameter int RATIO_FRAC = 16  // fraction bits of the share that an MD cuts by
) (
  input  logic        clk,
  input  logic        arst,
  input  logic [5:0]  st,
  /* verilator lint_off UNUSEDSIGNAL */  // the whole bundle; the factors are part of it
  input  acme_csr_t   csr,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [31:0] wnd,
  input  logic [47:0] avg,
  input  logic [47:0] acc,
  input  logic [47:0] excess,
  input  logic [47:0] distance,
  input  logic [30:0] delta,
  input  logic [6:0]  pend,
  input  logic [31:0] rtt,
  input  logic [31:0] qd,
  input  logic [62:0] partial,
  input  logic [32:0] factor,
  input  logic [32:0] want,     // two's complement
  input  logic [15:0] share,
  output logic        done,
  output logic [95:0] mul_p,
  output logic [47:0] div_q
);
  localparam int SHORT = 16 - RATIO_FRAC;

  logic        wants_mul;
  logic        wants_div;
  logic        asked;
  logic        mul_go;
  logic        mul_done;
  logic [63:0] mul_a;
  logic [31:0] mul_b;
  logic        div_go;
  logic        div_done;
  logic [63:0] div_n;
  logic [47:0] div_d;

  always_comb begin
    wants_mul = 1'b1;
    mul_a     = 64'd0;
    mul_b     = {1'b0, delta};
    unique case (st)
      acme_cc_pkg::S_PENALTY: mul_a = {57'd0, pend};
      acme_cc_pkg::S_FAIR:    mul_a = {32'd0, csr.fair};
      acme_cc_pkg::S_PROP:    mul_a = {32'd0, csr.alpha};
      acme_cc_pkg::S_FAST:    mul_a = {40'd0, csr.fast_scale};
      acme_cc_pkg::S_BASE: begin
        mul_a = {32'd0, csr.wnd_rate};
        mul_b = rtt;
      end
      acme_cc_pkg::S_AVERAGE: begin
        mul_a = {16'd0, distance};
        mul_b = {8'd0, csr.gain};
      end
      acme_cc_pkg::S_PROP2: begin
        mul_a = {1'b0, partial};
        mul_b = csr.target - qd;
      end
      acme_cc_pkg::S_FACTOR: begin
        mul_a = {47'd0, div_q[16:0]} << SHORT;
        mul_b = {16'd0, csr.gamma};
      end
      acme_cc_pkg::S_CUT: begin
        mul_a = {31'd0, factor};
        mul_b = wnd;
      end
      // Two's complement: the low 64 bits of the product are right.
      acme_cc_pkg::S_SHARE: begin
        mul_a = {{31{want[32]}}, want};
        mul_b = {15'd0, share == 16'd0, share};
      end
      default: wants_mul = 1'b0;
    endcase
  end

  assign wants_div = st == acme_cc_pkg::S_RATIO || st == acme_cc_pkg::S_GROW;
  assign div_n     = st == acme_cc_pkg::S_RATIO ? {excess, 16'd0} >> SHORT : {16'd0, acc};
  assign div_d     = st == acme_cc_pkg::S_RATIO ? avg : {16'd0, wnd};
  assign mul_go    = wants_mul && !asked;
  assign div_go    = wants_div && !asked;
  assign done      = mul_done || div_done;

  always_ff @(posedge clk or posedge arst) begin
    if (arst) begin
      asked <= 1'b0;
    end else begin
      asked <= (wants_mul || wants_div) && !done;
    end
  end

  acme_cc_mul u_mul (
    .clk(clk), .arst(arst), .go(mul_go), .a(mul_a), .b(mul_b), .done(mul_done), .p(mul_p)
  );
  acme_cc_div u_div (
    .clk(clk), .arst(arst), .go(div_go), .n(div_n), .d(div_d), .done(div_done), .q(div_q)
  );
endmodule
