// Exponentially weighted averages of four channels, all arithmetic in one cycle.
//
// Latency:     1 cycle.
// Throughput:  one sample per cycle.
// Comb. paths: rsp_ready_i to ev_ready_o.
// Reset:       asynchronous; averages 0, no response.
module ewma_old (
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
  logic [79:0] avg_q;     // four averages, UQ12.8
  logic [19:0] avg;
  logic [20:0] diff;      // signed
  logic [28:0] prod;      // signed, 16 fraction bits
  /* verilator lint_off UNUSEDSIGNAL */  // the sign and the fraction are dropped on purpose
  logic [28:0] rounded;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [19:0] y;
  logic        valid_q;
  logic [1:0]  chan_q;
  logic [19:0] y_q;

  assign avg     = avg_q[20 * ev_chan_i +: 20];
  assign diff    = {1'b0, ev_x_i, 4'd0} - {1'b0, avg};
  assign prod    = $signed({{8{diff[20]}}, diff}) * $signed({21'd0, ev_gain_i});
  assign rounded = prod + 29'd128;
  assign y       = ev_init_i ? {ev_x_i, 4'd0} : avg + rounded[27:8];

  assign ev_ready_o  = rst_ni && (!valid_q || rsp_ready_i);
  assign rsp_valid_o = rst_ni && valid_q;
  assign rsp_chan_o  = chan_q;
  assign rsp_y_o     = y_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      avg_q   <= 80'd0;
      chan_q  <= 2'd0;
      y_q     <= 20'd0;
    end else if (ev_ready_o) begin
      valid_q <= ev_valid_i;
      if (ev_valid_i) begin
        chan_q                      <= ev_chan_i;
        y_q                         <= y;
        avg_q[20 * ev_chan_i +: 20] <= y;
      end
    end
  end
endmodule
