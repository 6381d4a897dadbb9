// The designs with two input and two output streams, in one build. The plusarg +toy=N selects the one
// that sees events and answers, +bug=N plants a fault in it.
module two_two (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       a_valid_i,
  output logic       a_ready_o,
  input  logic [7:0] a_x_i,
  input  logic       b_valid_i,
  output logic       b_ready_o,
  input  logic [7:0] b_x_i,
  output logic       y_valid_o,
  input  logic       y_ready_i,
  output logic       y_src_o,
  output logic [8:0] y_v_o,
  output logic       z_valid_o,
  input  logic       z_ready_i,
  output logic       z_src_o,
  output logic [8:0] z_v_o
);
  int unsigned toy;
  initial if (!$value$plusargs("toy=%d", toy) || toy >= 2) $fatal(1, "give +toy=0 to +toy=1");

  logic [1:0] a_ready, b_ready, y_valid, y_src, z_valid, z_src;
  logic [8:0] y_v[2], z_v[2];
  assign {a_ready_o, b_ready_o} = {a_ready[toy], b_ready[toy]};
  assign {y_valid_o, y_src_o, y_v_o} = {y_valid[toy], y_src[toy], y_v[toy]};
  assign {z_valid_o, z_src_o, z_v_o} = {z_valid[toy], z_src[toy], z_v[toy]};

  fork_two u_fork_two (
    .clk_i, .rst_ni, .a_x_i, .b_x_i,
    .a_valid_i(a_valid_i && toy == 0), .a_ready_o(a_ready[0]),
    .b_valid_i(b_valid_i && toy == 0), .b_ready_o(b_ready[0]),
    .y_valid_o(y_valid[0]), .y_ready_i, .y_src_o(y_src[0]), .y_v_o(y_v[0]),
    .z_valid_o(z_valid[0]), .z_ready_i, .z_src_o(z_src[0]), .z_v_o(z_v[0])
  );

  router u_router (
    .clk_i, .rst_ni, .a_x_i, .b_x_i,
    .a_valid_i(a_valid_i && toy == 1), .a_ready_o(a_ready[1]),
    .b_valid_i(b_valid_i && toy == 1), .b_ready_o(b_ready[1]),
    .y_valid_o(y_valid[1]), .y_ready_i, .y_src_o(y_src[1]), .y_v_o(y_v[1]),
    .z_valid_o(z_valid[1]), .z_ready_i, .z_src_o(z_src[1]), .z_v_o(z_v[1])
  );
endmodule
