// A txstate that waits for a start which never comes.
module never_ready (
  input  logic clk,
  input  logic rst_n,
  input  logic start,
  input  logic in_valid,
  output logic in_ready,
  input  logic [122:0] in_data,
  output logic out_valid,
  input  logic out_ready,
  output logic [138:0] out_data
);
  logic running;
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) running <= 1'b0;
    else if (start) running <= 1'b1;
  assign in_ready = running;
  assign out_valid = running && in_valid && out_ready;
  assign out_data = {16'd0, in_data};
endmodule
