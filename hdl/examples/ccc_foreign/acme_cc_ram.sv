// Memory of the contexts, or of their connections' counters: one port, registered read, no reset
// (the engine clears contexts row by row, and the counters when it opens one).
module acme_cc_ram #(
  parameter int ROWS  = 256,
  parameter int WIDTH = 714
) (
  input  logic                    clk,
  input  logic                    we,
  input  logic [$clog2(ROWS)-1:0] row,
  input  logic [WIDTH-1:0]        wdata,
  output logic [WIDTH-1:0]        rdata
);
  logic [WIDTH-1:0] store [0:ROWS-1];

  always_ff @(posedge clk) begin
    if (we) begin
      store[row] <= wdata;
    end
    rdata <= store[row];
  end
endmodule
