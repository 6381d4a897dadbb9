// gw_sweep: done exactly after Rows cycles, in which every row was named.
`include "prove.svh"
module prove_sweep #(
  parameter int Rows = 5,
  parameter int RowW = 3
) (
  input logic            clk_i,
  input logic            rst_ni,
  input logic [RowW-1:0] choice_i
);
  logic            done;
  logic [RowW-1:0] row;

  gw_sweep #(.Rows(Rows), .RowW(RowW)) dut (.clk_i(clk_i), .rst_ni(rst_ni), .done_o(done), .row_o(row));

  localparam logic [RowW:0] All = Rows[RowW:0];
  logic            started_q = 1'b0;
  logic [RowW-1:0] choice_q;
  logic            named_q;
  logic [RowW:0]   cycles_q;     // with the reset high, at most Rows

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!started_q) choice_q <= choice_i;
    if (!rst_ni) begin
      named_q  <= 1'b0;
      cycles_q <= '0;
    end else begin
      if (!done && row == choice_q) named_q <= 1'b1;
      if (cycles_q != All) cycles_q <= cycles_q + 1'b1;
    end
  end

  always_comb begin
    `ASSUME(started_q || !rst_ni);
    `PROVE(rst_ni || !done);
    if (started_q && rst_ni) begin
      `PROVE(done == (cycles_q == All));
      `PROVE(done || row == cycles_q[RowW-1:0]);
      `PROVE(!done || {1'b0, choice_q} >= All || named_q);
      `REACH(done && named_q);
    end
  end
endmodule
