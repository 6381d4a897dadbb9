// Clock, reset, checks and verdict of a smoke bench. A bench names its instance `bench`: the streams
// (bench_source, bench_sink) report to it by that name.
//
// A bench drives inputs at falling edges and checks the results of the rising edges. It ends with
// PASS, with one line for every wrong value and $fatal, or with $fatal after Limit cycles.
module bench_clock #(
  parameter int Limit = 10000
) (
  output logic clk_o,
  output logic rst_no
);
  int cycle;                // number of the current cycle
  int checks;
  int errors;

  initial begin
    clk_o  = 1'b0;
    rst_no = 1'b0;
    cycle  = 0;
    checks = 0;
    errors = 0;
  end

  always #5 clk_o = ~clk_o;
  always @(posedge clk_o) cycle <= cycle + 1;

  initial begin : watchdog
    repeat (Limit) @(negedge clk_o);
    $display("timeout in cycle %0d", cycle);
    $fatal;
  end

  // Resets for three cycles and releases the reset at a falling edge. rst_n falls between two
  // edges, as an asynchronous reset may: outputs that depend on it must fall with it.
  task restart;
    #1;
    rst_no = 1'b0;
    repeat (3) @(negedge clk_o);
    rst_no = 1'b1;
  endtask

  task wait_cycles(input int n);
    repeat (n) @(negedge clk_o);
  endtask

  task wrong(input [8*40-1:0] what);
    errors = errors + 1;
    $display("%0s (cycle %0d)", what, cycle);
  endtask

  // Prints numbers of up to 64 bits in decimal, wider numbers in hexadecimal.
  task check(input [8*24-1:0] what, input [511:0] got, input [511:0] want);
    checks = checks + 1;
    if (got !== want) begin
      errors = errors + 1;
      if (want[511:64] == '0) $display("%0s: got %0d, want %0d (cycle %0d)", what, got, want, cycle);
      else                    $display("%0s: got %h, want %h (cycle %0d)", what, got, want, cycle);
    end
  endtask

  task verdict;
    if (errors != 0) begin
      $display("FAIL, %0d errors", errors);
      $fatal;
    end
    $display("PASS, %0d checks in %0d cycles", checks, cycle);
    $finish;
  endtask
endmodule
