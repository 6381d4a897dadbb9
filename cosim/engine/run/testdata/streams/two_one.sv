// The designs with two input streams and one output, in one build. The plusarg +toy=N selects the one
// that sees events and answers, +bug=N plants a fault in it.
module two_one (
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
  output logic [8:0] y_v_o
);
  int unsigned toy;
  initial if (!$value$plusargs("toy=%d", toy) || toy >= 4) $fatal(1, "give +toy=0 to +toy=3");

  logic [3:0] a_ready, b_ready, y_valid, y_src;
  logic [8:0] y_v[4];
  assign {a_ready_o, b_ready_o} = {a_ready[toy], b_ready[toy]};
  assign {y_valid_o, y_src_o, y_v_o} = {y_valid[toy], y_src[toy], y_v[toy]};

  arbiter u_arbiter (
    .clk_i, .rst_ni, .a_x_i, .b_x_i,
    .a_valid_i(a_valid_i && toy == 0), .a_ready_o(a_ready[0]),
    .b_valid_i(b_valid_i && toy == 0), .b_ready_o(b_ready[0]),
    .y_valid_o(y_valid[0]), .y_ready_i, .y_src_o(y_src[0]), .y_v_o(y_v[0])
  );

  hungry u_hungry (
    .clk_i, .rst_ni, .a_x_i, .b_x_i,
    .a_valid_i(a_valid_i && toy == 1), .a_ready_o(a_ready[1]),
    .b_valid_i(b_valid_i && toy == 1), .b_ready_o(b_ready[1]),
    .y_valid_o(y_valid[1]), .y_ready_i, .y_src_o(y_src[1]), .y_v_o(y_v[1])
  );

  join_two u_join_two (
    .clk_i, .rst_ni, .a_x_i, .b_x_i,
    .a_valid_i(a_valid_i && toy == 2), .a_ready_o(a_ready[2]),
    .b_valid_i(b_valid_i && toy == 2), .b_ready_o(b_ready[2]),
    .y_valid_o(y_valid[2]), .y_ready_i, .y_src_o(y_src[2]), .y_v_o(y_v[2])
  );

  merge u_merge (
    .clk_i, .rst_ni, .a_x_i, .b_x_i,
    .a_valid_i(a_valid_i && toy == 3), .a_ready_o(a_ready[3]),
    .b_valid_i(b_valid_i && toy == 3), .b_ready_o(b_ready[3]),
    .y_valid_o(y_valid[3]), .y_ready_i, .y_src_o(y_src[3]), .y_v_o(y_v[3])
  );
endmodule
