// Reports an error when a beat or a response that waits for ready is withdrawn (unless DROPS) or
// changes (unless CHANGES), where the rest of the harness does not see it as the design gives it.
module goldwire_steady #(
  parameter int K = 1,
  parameter bit DROPS = 0,
  parameter bit CHANGES = 0,
  parameter NAME = "tx"
) (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         edge_i,  // the design's clock rises at the end of the cycle
  input logic         valid_i,
  input logic         ready_i,
  input logic [K-1:0] beat_i
);
  logic waits_q;
  logic [K-1:0] beat_q;

  always_ff @(posedge clk_i) begin
    if (edge_i) begin
      if (rst_ni && waits_q && !valid_i && !DROPS)
        $error("%s: what waited for ready was withdrawn", NAME);
      if (rst_ni && waits_q && valid_i && beat_i != beat_q && !CHANGES)
        $error("%s: what waited for ready was changed", NAME);
      waits_q <= valid_i & ~ready_i;
      beat_q <= beat_i;
    end
    if (!rst_ni) waits_q <= 1'b0;
  end
endmodule
