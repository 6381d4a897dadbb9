// Both inputs go through a pipeline of two cycles into one queue of eight words, b before a where they meet.
// Latency: 3 cycles. An input is refused while the queue could overflow.
module merge (
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

  logic [9:0] mem_q[16];
  logic [3:0] wr_q, rd_q;
  logic       a1_q, b1_q, a2_q, b2_q;
  logic [7:0] ax1_q, bx1_q, ax2_q, bx2_q;
  wire  [3:0] used = wr_q - rd_q;

  assign a_ready_o = rst_ni && used < (bug == 2 ? 4'd3 : 4'd8);  // sooner
  assign b_ready_o = rst_ni && used < (bug == 2 ? 4'd2 : bug == 1 ? 4'd15 : 4'd8);
  assign y_valid_o = used != 4'd0;
  assign {y_src_o, y_v_o} = mem_q[rd_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {a1_q, b1_q, a2_q, b2_q} <= 4'd0;
      {ax1_q, bx1_q, ax2_q, bx2_q} <= 32'd0;
      wr_q <= 4'd0;
      rd_q <= 4'd0;
    end else begin
      a1_q  <= a_valid_i && a_ready_o;
      b1_q  <= b_valid_i && b_ready_o;
      ax1_q <= a_x_i;
      bx1_q <= b_x_i;
      {a2_q, b2_q, ax2_q, bx2_q} <= {a1_q, b1_q, ax1_q, bx1_q};
      if (b2_q) mem_q[wr_q] <= {2'b10, bx2_q};
      if (a2_q) mem_q[wr_q + {3'd0, b2_q}] <= {2'b00, ax2_q};
      wr_q <= wr_q + {3'd0, a2_q} + {3'd0, b2_q};
      if (y_valid_o && y_ready_i) rd_q <= rd_q + 4'd1;
    end
  end
endmodule
