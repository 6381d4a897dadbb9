// Brings a bus from another clock: two flip-flops a bit, as many libraries have it. Each bit settles by itself, so the
// bus must change by one bit at a time.
//
// In simulation all bits settle together, and no bus is ever torn. With CDC_JITTER each bit that the last edge of src_clk
// changed is late by as many cycles as a coin gives it, at most until the next edge: the skew that a bus may have in
// silicon.
module cdc_sync #(
  parameter int WIDTH = 4
) (
  input  logic             src_clk,
  input  logic             clk,
  input  logic             rst_n,
  input  logic [WIDTH-1:0] d,  // registers on src_clk
  output logic [WIDTH-1:0] q
);
  logic [WIDTH-1:0] first, sampled;

`ifdef CDC_JITTER
  logic [WIDTH-1:0] was, late, later, coins;
  logic [7:0] edges, seen;
  always_ff @(posedge src_clk or negedge rst_n) was <= !rst_n ? '0 : d;
  always_ff @(posedge src_clk or negedge rst_n) edges <= !rst_n ? '0 : edges + 1'b1;
  always_ff @(posedge clk) begin
    later <= late;
    coins <= WIDTH'($urandom);
    seen <= edges;
  end
  assign late = (edges != seen ? '1 : later) & coins;
  assign sampled = was & late | d & ~late;
`else
  assign sampled = d;
  wire unused = &{1'b0, src_clk};
`endif

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      first <= '0;
      q <= '0;
    end else begin
      first <= sampled;
      q <= first;
    end
  end
endmodule
