// The time of a NIC, in ticks of some cycles.
//
// Latency:     not applicable.
// Throughput:  not applicable.
// Comb. paths: cycles_i to ahead_o.
// Reset:       0.
// Contract:    txpdc/contract.md "Timing": p and tick.
module txpdc_time (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [15:0] cycles_i,     // in a tick: TICK
  output logic [47:0] tick_o,
  output logic [31:0] ahead_o       // three cycles later, where cycles_i stays
);
  logic [15:0] phase_q;             // cycles of the tick that have passed
  logic        ticks;

  assign ticks = ({1'b0, phase_q} + 17'd1 >= {1'b0, cycles_i});

  logic [15:0] phase;

  always_comb begin
    phase   = phase_q;
    ahead_o = tick_o[31:0];
    for (int k = 0; k < 3; k++) begin
      if ({1'b0, phase} + 17'd1 >= {1'b0, cycles_i}) begin
        phase   = '0;
        ahead_o = ahead_o + 32'd1;
      end else begin
        phase = phase + 16'd1;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= '0;
      tick_o  <= '0;
    end else begin
      phase_q <= ticks ? '0 : phase_q + 16'd1;
      if (ticks) tick_o <= tick_o + 48'd1;
    end
  end
endmodule
