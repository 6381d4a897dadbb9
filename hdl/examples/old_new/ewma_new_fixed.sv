// Exponentially weighted averages of four channels: sample register, multiplier stage, result stage.
// ewma_new with its rounding fixed.
//
// Latency:     3 cycles, one more after a sample of the same channel.
// Throughput:  one sample per cycle across channels, one every two cycles on one channel.
// Comb. paths: rsp_ready_i to ev_ready_o.
// Reset:       asynchronous; averages 0, no response.
module ewma_new_fixed (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        ev_valid_i,
  output logic        ev_ready_o,
  input  logic [1:0]  ev_chan_i,
  input  logic        ev_init_i,
  input  logic [7:0]  ev_gain_i,
  input  logic [15:0] ev_x_i,
  output logic        rsp_valid_o,
  input  logic        rsp_ready_i,
  output logic [1:0]  rsp_chan_o,
  output logic [19:0] rsp_y_o
);
  // Stage 1: the sample as received.
  logic        valid_s1;
  logic [1:0]  chan_s1;
  logic        init_s1;
  logic [7:0]  gain_s1;
  logic [15:0] x_s1;
  // Stage 2: the product, 16 fraction bits, and the average to update.
  logic        valid_s2;
  logic [1:0]  chan_s2;
  logic        init_s2;
  logic [19:0] avg_s2;    // the sample itself for init
  logic [28:0] prod_s2;   // signed
  // Stage 3: the response.
  logic        valid_s3;
  logic [1:0]  chan_s3;
  logic [19:0] y_s3;

  logic [79:0] avg_q;     // four averages, UQ12.8
  logic [19:0] avg;
  logic [20:0] diff;      // signed
  logic [28:0] prod;
  /* verilator lint_off UNUSEDSIGNAL */  // the sign and the fraction are dropped on purpose
  logic [28:0] rounded;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [19:0] y;
  logic        move;      // stages 2 and 3 take the contents of the stage before
  logic        issue;     // the sample register is free or becomes free

  assign avg  = avg_q[20 * chan_s1 +: 20];
  assign diff = {1'b0, x_s1, 4'd0} - {1'b0, avg};
  assign prod = $signed({{8{diff[20]}}, diff}) * $signed({21'd0, gain_s1});

  // A tie rounds up, also for a falling average.
  assign rounded = prod_s2 + 29'd128;
  assign y       = init_s2 ? avg_s2 : avg_s2 + rounded[27:8];

  assign move        = !valid_s3 || rsp_ready_i;
  assign issue       = !valid_s1 || (move && !(valid_s2 && chan_s2 == chan_s1));
  assign ev_ready_o  = rst_ni && issue;
  assign rsp_valid_o = rst_ni && valid_s3;
  assign rsp_chan_o  = chan_s3;
  assign rsp_y_o     = y_s3;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_s1 <= 1'b0;
      chan_s1  <= 2'd0;
      init_s1  <= 1'b0;
      gain_s1  <= 8'd0;
      x_s1     <= 16'd0;
      valid_s2 <= 1'b0;
      chan_s2  <= 2'd0;
      init_s2  <= 1'b0;
      avg_s2   <= 20'd0;
      prod_s2  <= 29'd0;
      valid_s3 <= 1'b0;
      chan_s3  <= 2'd0;
      y_s3     <= 20'd0;
      avg_q    <= 80'd0;
    end else begin
      if (issue) begin
        valid_s1 <= ev_valid_i;
        chan_s1  <= ev_chan_i;
        init_s1  <= ev_init_i;
        gain_s1  <= ev_gain_i;
        x_s1     <= ev_x_i;
      end
      if (move) begin
        valid_s2 <= valid_s1 && issue;
        chan_s2  <= chan_s1;
        init_s2  <= init_s1;
        avg_s2   <= init_s1 ? {x_s1, 4'd0} : avg;
        prod_s2  <= prod;
        valid_s3 <= valid_s2;
        chan_s3  <= chan_s2;
        y_s3     <= y;
        if (valid_s2) begin
          avg_q[20 * chan_s2 +: 20] <= y;
        end
      end
    end
  end
endmodule
