// Gives each packet of one beat three times. With the plusarg +bug=1 the later copies wait for the
// next packet, so that those of an episode's last one never come.
module thrice (
  input  logic        clk,
  input  logic        rst_n,
  input  logic        in_valid,
  output logic        in_ready,
  input  logic [63:0] in_data,
  input  logic [7:0]  in_keep,
  input  logic        in_last,
  output logic        out_valid,
  input  logic        out_ready,
  output logic [63:0] out_data,
  output logic [7:0]  out_keep,
  output logic        out_last
);
  int bug;
  initial if (!$value$plusargs("bug=%d", bug)) bug = 0;

  logic [1:0]  left;
  logic [63:0] data;

  assign out_valid = (left != 0) && !((bug == 1) && (left != 3) && !in_valid);
  assign in_ready  = (left == 0) || ((left == 1) && out_valid && out_ready);
  assign out_data  = data;
  assign out_keep  = '1;
  assign out_last  = 1'b1;

  always_ff @(posedge clk) begin
    if (out_valid && out_ready) left <= left - 1;
    if (in_valid && in_ready) begin
      data <= in_data;
      left <= 3;
    end
    if (!rst_n) left <= 0;
  end
endmodule
