// Joins the beats of packets: up to B/A beats of A bits into one of B bits, and a shorter last one.
// Bytes that keep does not name are 0. Latency: 1 cycle; throughput: 1 beat in per cycle. Of the S
// sideband bits it passes on those of the last beat that it joined (LAST) or of the first. Those of
// SAME must be equal in all of them: otherwise it reports an error, since no value would stand for
// all.
module goldwire_join #(
  parameter int A = 64,
  parameter int B = 512,
  parameter int S = 1,
  parameter bit LAST = 0,
  parameter bit [S-1:0] SAME = '0,
  parameter NAME = "tx"
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           valid_i,
  output logic           ready_o,
  input  logic [A-1:0]   data_i,
  input  logic [A/8-1:0] keep_i,
  input  logic           last_i,
  input  logic [S-1:0]   side_i,
  output logic           valid_o,
  input  logic           ready_i,
  output logic [B-1:0]   data_o,
  output logic [B/8-1:0] keep_o,
  output logic           last_o,
  output logic [S-1:0]   side_o
);
  localparam int N = B / A;
  logic [31:0] count_q, at;
  logic [A-1:0] bytes;

  assign ready_o = rst_ni & (~valid_o | ready_i);
  assign at = valid_o ? 32'd0 : count_q;
  always_comb for (int k = 0; k < A / 8; k++) bytes[8*k+:8] = keep_i[k] ? data_i[8*k+:8] : 8'd0;

  always_ff @(posedge clk_i) begin
    if (valid_o && ready_i) begin
      valid_o <= 1'b0;
      count_q <= 32'd0;
    end
    if (valid_i && ready_o) begin
      if (at == 32'd0) begin
        data_o <= B'(bytes);
        keep_o <= (B / 8)'(keep_i);
      end else begin
        data_o[at*A+:A] <= bytes;
        keep_o[at*(A/8)+:A/8] <= keep_i;
        if (((side_i ^ side_o) & SAME) != '0)
          $error("%s: the beats of a packet disagree: %h after %h", NAME, side_i & SAME, side_o & SAME);
      end
      if (at == 32'd0 || LAST) side_o <= side_i;
      last_o <= last_i;
      valid_o <= last_i || at == N - 1;
      count_q <= at + 32'd1;
    end
    if (!rst_ni) begin
      valid_o <= 1'b0;
      count_q <= 32'd0;
    end
  end
endmodule
