// A word of a goes to both outputs, once both are free; a word of b goes to the one that is free, y before z, while
// a offers none. Latency: 1 cycle.
module fork_two (
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
  wire y_free = !y_valid_o || y_ready_i;
  wire z_free = !z_valid_o || z_ready_i;

  assign a_ready_o = rst_ni && y_free && z_free;
  assign b_ready_o = rst_ni && !a_valid_i && (y_free || z_free);
  wire a = a_valid_i && a_ready_o;
  wire b = b_valid_i && b_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      y_valid_o <= 1'b0;
      z_valid_o <= 1'b0;
      {y_src_o, z_src_o, y_v_o, z_v_o} <= 20'd0;
    end else begin
      if (y_free) begin
        y_valid_o <= a || b;
        y_src_o   <= !a;
        y_v_o     <= {1'b0, a ? a_x_i : b_x_i};
      end
      if (z_free) begin
        z_valid_o <= a || b && !y_free;
        z_src_o   <= !a;
        z_v_o     <= {1'b0, a ? a_x_i : b_x_i};
      end
    end
  end
endmodule
