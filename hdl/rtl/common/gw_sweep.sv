// Reset sweep: names every row of a table once after reset.
//
// Latency:     Rows cycles with rst_ni high; done_o is high from the next on.
// Throughput:  one row a cycle.
// Comb. paths: none.
// Reset:       the sweep starts again from row 0.
// Contract:    timing.md "Reset and sweep".
module gw_sweep #(
  parameter int Rows = 256,
  parameter int RowW = 8      // clog2(Rows), at least 1
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  output logic            done_o,
  output logic [RowW-1:0] row_o
);
  localparam int LastRow = Rows - 1;
  localparam logic [RowW-1:0] Last = LastRow[RowW-1:0];

  logic            done_q;
  logic [RowW-1:0] row_q;

  assign done_o = done_q;
  assign row_o  = row_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      done_q <= 1'b0;
      row_q  <= '0;
    end else if (!done_q) begin
      done_q <= (row_q == Last);
      row_q  <= row_q + 1'b1;
    end
  end
endmodule
