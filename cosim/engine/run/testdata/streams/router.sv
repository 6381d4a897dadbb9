// A word goes to y when it is even and to z when it is odd; where both inputs want the same output, a goes first.
// Latency: 1 cycle when the output is free.
module router (
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
  int bug;
  initial if (!$value$plusargs("bug=%d", bug)) bug = 0;

  wire y_free = !y_valid_o || y_ready_i;
  wire z_free = !z_valid_o || z_ready_i;
  wire a_y = a_valid_i && !a_x_i[0];
  wire a_z = a_valid_i && a_x_i[0];
  wire b_y = b_valid_i && !b_x_i[0] && !a_y;
  wire b_z = b_valid_i && b_x_i[0] && !a_z;

  assign a_ready_o = rst_ni && (a_y && y_free || a_z && z_free);
  assign b_ready_o = rst_ni && !(bug == 1 && b_x_i == 8'd3) && (b_y && y_free || b_z && z_free);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      y_valid_o <= 1'b0;
      z_valid_o <= 1'b0;
      {y_src_o, z_src_o, y_v_o, z_v_o} <= 20'd0;
    end else begin
      if (y_free) begin
        y_valid_o <= a_y || b_y;
        y_src_o   <= b_y;
        y_v_o     <= {1'b0, b_y ? b_x_i : a_x_i};
      end
      if (z_free) begin
        z_valid_o <= a_z || b_z;
        z_src_o   <= b_z;
        z_v_o     <= {1'b0, b_z ? b_x_i : a_x_i};
      end
    end
  end
endmodule
