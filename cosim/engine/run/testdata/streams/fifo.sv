// A queue of eight words. Latency: 1 cycle when it is empty. The plusarg +bug=N plants a fault.
module fifo (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       a_valid_i,
  output logic       a_ready_o,
  input  logic [7:0] a_x_i,
  output logic       y_valid_o,
  input  logic       y_ready_i,
  output logic [7:0] y_v_o
);
  int bug;
  initial if (!$value$plusargs("bug=%d", bug)) bug = 0;

  logic [7:0] mem_q[8];
  logic [3:0] wr_q, rd_q;
  logic       wait_q;  // a word was shown and not taken in the last cycle
  wire  [3:0] used = wr_q - rd_q;

  assign a_ready_o = rst_ni && used < (bug == 1 ? 4'd12 : 4'd8);
  assign y_valid_o = used != 4'd0 && !(bug == 2 && wait_q);
  assign y_v_o     = mem_q[rd_q[2:0]] ^ {7'd0, bug == 3 && wait_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wr_q   <= 4'd0;
      rd_q   <= 4'd0;
      wait_q <= 1'b0;
    end else begin
      wait_q <= y_valid_o && !y_ready_i;
      if (a_valid_i && a_ready_o) begin
        mem_q[wr_q[2:0]] <= a_x_i;
        wr_q <= wr_q + 4'd1;
      end
      if (y_valid_o && y_ready_i) rd_q <= rd_q + 4'd1;
    end
  end
endmodule
