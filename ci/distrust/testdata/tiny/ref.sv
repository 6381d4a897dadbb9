// The reference: the same answers from two slots, written another way.
//
// Latency:     1 cycle.
// Throughput:  one event a cycle.
// Comb. paths: none.
// Reset:       asynchronous; no response.
module ref_adder (
  input  logic        clk,
  input  logic        rst,
  input  logic        in_valid,
  output logic        in_ready,
  input  logic [15:0] in_ab,
  output logic        out_valid,
  input  logic        out_ready,
  output logic [16:0] out_word
);
  logic [16:0] slot [2];
  logic [1:0]  used;
  logic [16:0] word;

  assign word      = {in_ab[15:8], 9'd511 - (9'd511 - {1'b0, in_ab[15:8]} - {1'b0, in_ab[7:0]})};
  assign in_ready  = !rst && used != 2'd2;
  assign out_valid = !rst && used != 2'd0;
  assign out_word  = slot[0];

  always_ff @(posedge clk or posedge rst) begin
    if (rst) begin
      used    <= 2'd0;
      slot[0] <= 17'd0;
      slot[1] <= 17'd0;
    end else begin
      if (out_valid && out_ready) slot[0] <= slot[1];
      if (in_valid && in_ready) slot[used[0] && !(out_valid && out_ready)] <= word;
      used <= used + {1'b0, in_valid && in_ready} - {1'b0, out_valid && out_ready};
    end
  end
endmodule
