// A txstate whose ready depends on itself.
module loop (
  input  logic clk,
  input  logic rst_n,
  input  logic in_valid,
  output logic in_ready,
  input  logic [122:0] in_data,
  output logic out_valid,
  output logic [138:0] out_data
);
  logic grant, busy;
  assign grant = ~busy | (in_valid & ~rst_n);
  assign busy = grant;
  assign in_ready = busy;
  always_ff @(posedge clk) out_valid <= in_valid & in_ready;
  assign out_data = {16'd0, in_data};
endmodule
