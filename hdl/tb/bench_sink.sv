// Drives ready of a stream out of the design and records the transfers.
//
// Checked in every cycle: valid is known, and 0 from the instant of a reset until its release; the
// offered payload has no unknown bit (state that was never written would become visible) and stays
// unchanged until it is taken.
module bench_sink #(
  parameter int Width = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] last_o,      // last payload taken
  output logic [Width-1:0] prior_o      // the one before it
);
  int taken;                // since the last reset
  int taken_cycle;          // of the last of them
  int gap;                  // cycles between the last two
  int streak;               // taken in as many cycles, up to the last: no bubble among them
  logic             stalled;
  logic [Width-1:0] offered;

  initial begin
    ready_o     = 1'b1;
    taken       = 0;
    taken_cycle = 0;
    gap         = 0;
    streak      = 0;
    stalled     = 1'b0;
  end

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      taken <= 0;
    end else if (valid_i && ready_o) begin
      taken       <= taken + 1;
      taken_cycle <= bench.cycle;
      gap         <= bench.cycle - taken_cycle;
      streak      <= (bench.cycle == taken_cycle + 1) ? streak + 1 : 1;
      last_o      <= data_i;
      prior_o     <= last_o;
    end
    stalled <= rst_ni & valid_i & ~ready_o;
    offered <= data_i;
    if (rst_ni && stalled && !(valid_i && (data_i === offered))) begin
      $write("%m: ");
      bench.wrong("changed before it was taken");
    end
    if (((^valid_i) === 1'bx) || (valid_i && ((^data_i) === 1'bx))) begin
      $write("%m: %h: ", data_i);
      bench.wrong("unknown bits");
    end
    falls;
  end

  always @(negedge rst_ni) begin
    #1;
    falls;
  end

  task falls;
    if (!rst_ni && (valid_i !== 1'b0)) begin
      $write("%m: ");
      bench.wrong("valid in reset");
    end
  endtask

  task await(input int n);
    while (taken < n) @(negedge clk_i);
  endtask
endmodule
