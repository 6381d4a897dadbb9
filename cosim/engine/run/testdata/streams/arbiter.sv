// Round robin between two inputs, one word a cycle, nothing waits inside.
// Latency: 1 cycle when the output is free. Which input goes first depends on when words come.
module arbiter (
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
  int bug;
  initial if (!$value$plusargs("bug=%d", bug)) bug = 0;

  logic last_q;
  wire  free = !y_valid_o || y_ready_i;
  wire  to_b = b_valid_i && (!a_valid_i || !last_q && bug != 2);

  assign a_ready_o = rst_ni && free && !to_b;
  assign b_ready_o = rst_ni && free && to_b;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      y_valid_o <= 1'b0;
      last_q    <= 1'b0;
      y_src_o   <= 1'b0;
      y_v_o     <= 9'd0;
    end else if (free) begin
      y_valid_o <= a_valid_i || b_valid_i;
      if (a_valid_i || b_valid_i) begin
        last_q  <= to_b;
        y_src_o <= to_b;
        y_v_o   <= to_b ? {1'b0, b_x_i} : {bug == 1 && a_x_i == 8'd255, a_x_i};
      end
    end
  end
endmodule
