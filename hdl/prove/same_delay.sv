// gw_delay with a fault, from as many cycles after a reset on as it delays: what is in it before belongs to what the
// reset ended. A delay of 4 stands for longer ones.
`include "prove.svh"
module same_delay (
  input logic       clk_i,
  input logic       rst_ni,
  input logic [1:0] d_i
);
  logic       started_q = 1'b0;
  logic [2:0] age_q;
  logic [1:0] a;
  logic [1:0] b;

  gw_delay #(.Width(2), .Depth(4)) u_a (.clk_i(clk_i), .rst_ni(rst_ni), .d_i(d_i), .q_o(a));
  gw_delay_planted #(.Width(2), .Depth(4)) u_b (.clk_i(clk_i), .rst_ni(rst_ni), .d_i(d_i), .q_o(b));

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni)            age_q <= '0;
    else if (age_q != 3'd5) age_q <= age_q + 1'b1;
  end

  always_comb begin
    `ASSUME(started_q || !rst_ni);
    if (started_q && rst_ni && age_q == 3'd5) begin
      `PROVE(a == b);
      `REACH(a == 2'd1);
      `REACH(a == 2'd2);
    end
  end
endmodule
