module syntax (
  input  logic clk,
  input  logic rst_n,
  input  logic in_valid
);
  logic a
endmodule
