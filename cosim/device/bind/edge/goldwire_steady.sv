// Reports an error when a beat that waits for ready is withdrawn (unless DROPS) or changes (unless CHANGES). The rest of
// the harness sees the beats only after they were cut anew.
module goldwire_steady #(
  parameter int K = 1,
  parameter bit DROPS = 0,
  parameter bit CHANGES = 0,
  parameter NAME = "tx"
) (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         valid_i,
  input logic         ready_i,
  input logic [K-1:0] beat_i
);
  logic waits_q;
  logic [K-1:0] beat_q;

  always_ff @(posedge clk_i) begin
    if (rst_ni && waits_q && !valid_i && !DROPS)
      $error("%s: a beat that waited for ready was withdrawn", NAME);
    if (rst_ni && waits_q && valid_i && beat_i != beat_q && !CHANGES)
      $error("%s: a beat that waited for ready was changed", NAME);
    waits_q <= rst_ni & valid_i & ~ready_i;
    beat_q <= beat_i;
  end
endmodule
