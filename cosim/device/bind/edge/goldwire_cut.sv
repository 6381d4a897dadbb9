// Cuts the beats of packets: one beat of A bits into A/B beats of B bits, and a last one into as
// many as it takes for its highest byte that keep names, at least one. Latency: 1 cycle;
// throughput: 1 beat out per cycle. Each has the sideband of the beat that it comes from.
module goldwire_cut #(
  parameter int A = 512,
  parameter int B = 64,
  parameter int S = 1
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
  localparam int N = A / B;
  logic [A-1:0] data_q;
  logic [A/8-1:0] keep_q;
  logic last_q, ends;
  logic [31:0] at_q;

  // The beat is the last of its own: nothing that keep names comes after it, or it is the highest.
  assign ends = last_q ? (keep_q >> B / 8) == '0 : at_q == N - 1;
  assign ready_o = rst_ni & (~valid_o | ready_i & ends);
  assign data_o = data_q[B-1:0];
  assign keep_o = keep_q[B/8-1:0];
  assign last_o = last_q & ends;

  always_ff @(posedge clk_i) begin
    if (valid_o && ready_i) begin
      valid_o <= ~ends;
      data_q <= data_q >> B;
      keep_q <= keep_q >> B / 8;
      at_q <= at_q + 32'd1;
    end
    if (valid_i && ready_o) begin
      valid_o <= 1'b1;
      data_q <= data_i;
      keep_q <= keep_i;
      last_q <= last_i;
      side_o <= side_i;
      at_q <= 32'd0;
    end
    if (!rst_ni) valid_o <= 1'b0;
  end
endmodule
