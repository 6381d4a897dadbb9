// The sum of one word of each input: neither is taken without the other. Latency: 1 cycle when the output is free.
module join_two (
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

  wire free = !y_valid_o || y_ready_i;
  wire both = a_valid_i && b_valid_i;

  assign a_ready_o = rst_ni && free && both;
  assign b_ready_o = a_ready_o;
  assign y_src_o   = 1'b0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      y_valid_o <= 1'b0;
      y_v_o     <= 9'd0;
    end else if (free) begin
      y_valid_o <= both;
      y_v_o     <= bug == 1 ? {1'b0, a_x_i + b_x_i}  // no carry
                            : {9{bug == 2}} ^ ({1'b0, a_x_i} + {1'b0, b_x_i});
    end
  end
endmodule
