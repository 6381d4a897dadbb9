// Draws idle cycles between transfers, for a run of packets at a time: none in two of four, of up
// to one cycle, or of up to seven. valid_o and ready_o follow valid_i and ready_i in the same
// cycle. The random numbers begin with the episode's seed for the simulator.
module goldwire_gaps (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic valid_i,
  output logic ready_o,
  input  logic last_i,
  output logic valid_o,
  input  logic ready_i
);
  logic [31:0] random_q;
  logic [2:0] wait_q;
  logic [1:0] mode_q;
  logic [31:0] a, b, random;

  initial random_q = $c32("Verilated::threadContextp()->randSeed()");

  assign valid_o = valid_i & wait_q == 3'd0;
  assign ready_o = ready_i & wait_q == 3'd0;
  assign a = random_q ^ random_q << 13;
  assign b = a ^ a >> 17;
  assign random = b ^ b << 5;

  always_ff @(posedge clk_i) begin
    random_q <= random_q == 32'd0 ? 32'd1 : random;
    if (wait_q != 3'd0) wait_q <= wait_q - 3'd1;
    if (valid_o && ready_i) begin
      wait_q <= mode_q == 2'd0 ? random[2:0] : mode_q == 2'd1 ? {2'd0, random[0]} : 3'd0;
      if (last_i && random[7:4] == 4'd0) mode_q <= random[9:8];
    end
    if (!rst_ni) wait_q <= 3'd0;
  end
endmodule
