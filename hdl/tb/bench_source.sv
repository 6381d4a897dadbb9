// Drives valid of a stream into the design; the bench sets the payload before the call.
//
// Checked in every cycle: ready is known, and 0 from the instant of a reset until its release.
module bench_source (
  input  logic clk_i,
  input  logic rst_ni,
  output logic valid_o,
  input  logic ready_i
);
  int taken;                // events accepted since the last reset
  int taken_cycle;          // of the last of them
  int sweep;                // cycles from the reset to the first cycle in which ready was 1
  logic up;

  initial begin
    valid_o     = 1'b0;
    taken       = 0;
    taken_cycle = 0;
    sweep       = 0;
    up          = 1'b0;
  end

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      taken <= 0;
      sweep <= 0;
      up    <= 1'b0;
    end else if (ready_i) begin
      up <= 1'b1;
    end else if (!up) begin
      sweep <= sweep + 1;
    end
    if (rst_ni && valid_o && ready_i) begin
      taken       <= taken + 1;
      taken_cycle <= bench.cycle;
    end
    if ((^ready_i) === 1'bx) begin
      $write("%m: ");
      bench.wrong("ready is unknown");
    end
    falls;
  end

  always @(negedge rst_ni) begin
    #1;
    falls;
  end

  task falls;
    if (!rst_ni && (ready_i !== 1'b0)) begin
      $write("%m: ");
      bench.wrong("ready in reset");
    end
  endtask

  // Offers one event until it is accepted.
  task offer;
    int seen;
    seen    = taken;
    valid_o = 1'b1;
    while (taken == seen) @(negedge clk_i);
    valid_o = 1'b0;
  endtask

  // Offers an event for one cycle. A bench that calls this repeatedly and changes the payload when
  // taken changes offers one event after another without a pause.
  task offer_once;
    valid_o = 1'b1;
    @(negedge clk_i);
    valid_o = 1'b0;
  endtask

  task await_ready;
    while (!ready_i) @(negedge clk_i);
  endtask
endmodule
