// A clock of PERIOD steps, of which clk_i gives one each; its first rising edge comes after PHASE
// steps, or after as many as are drawn from the episode's seed and NUMBER (PHASE -1). It rises with
// clk_i in the step in which rise_o is high, so that what the harness samples and drives in a step
// is what the design has at that edge.
module goldwire_clock #(
  parameter int PERIOD = 2,
  parameter int PHASE = -1,
  parameter int NUMBER = 0
) (
  input  logic clk_i,
  output logic rise_o,
  output logic clk_o
);
  int to_rise_q;  // steps until it rises
  logic high_q, open_q;
  logic [31:0] seed;

  initial begin
    seed = $c32("Verilated::threadContextp()->randSeed()") + 32'(NUMBER) * 32'd2654435769;
    seed = (seed ^ seed >> 16) * 32'd2246822507;
    seed = (seed ^ seed >> 13) * 32'd3266489909;
    to_rise_q = PHASE >= 0 ? PHASE : int'((seed >> 3) % 32'(PERIOD));
    high_q = 1'b0;
    open_q = to_rise_q == 0;
  end

  assign rise_o = to_rise_q == 0;
  assign clk_o = clk_i & open_q | high_q;

  // While clk_i is low, so that clk_o rises with it and at no other time.
  always_ff @(negedge clk_i) open_q <= rise_o;
  always_ff @(posedge clk_i) begin
    to_rise_q <= rise_o ? PERIOD - 1 : to_rise_q - 1;
    high_q <= rise_o || high_q && to_rise_q > PERIOD - PERIOD / 2;
  end
endmodule
