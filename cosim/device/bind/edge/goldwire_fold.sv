// Folds a last beat without bytes into the beat before it: a packet is the same whether its end
// comes with its last byte or after it. Holds a beat until the next shows which it is. Latency: 1
// cycle, of a beat that is not last until the next comes; valid_o and ready_o depend on valid_i in
// the same cycle. Sideband and SAME as in goldwire_join, with LAST.
module goldwire_fold #(
  parameter int D = 512,
  parameter int S = 1,
  parameter bit [S-1:0] SAME = '0,
  parameter NAME = "tx"
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           valid_i,
  output logic           ready_o,
  input  logic [D-1:0]   data_i,
  input  logic [D/8-1:0] keep_i,
  input  logic           last_i,
  input  logic [S-1:0]   side_i,
  output logic           valid_o,
  input  logic           ready_i,
  output logic [D-1:0]   data_o,
  output logic [D/8-1:0] keep_o,
  output logic           last_o,
  output logic [S-1:0]   side_o
);
  logic held_q, folds;

  assign folds = held_q & ~last_o & valid_i & last_i & keep_i == '0;
  assign valid_o = rst_ni & held_q & (last_o | valid_i & ~folds);
  assign ready_o = rst_ni & (~held_q | folds | valid_o & ready_i);

  always_ff @(posedge clk_i) begin
    if (folds) begin
      last_o <= 1'b1;
      side_o <= side_i;
      if (((side_i ^ side_o) & SAME) != '0)
        $error("%s: the beats of a packet disagree: %h after %h", NAME, side_i & SAME, side_o & SAME);
    end else if (valid_i && ready_o) begin
      held_q <= 1'b1;
      for (int k = 0; k < D / 8; k++) data_o[8*k+:8] <= keep_i[k] ? data_i[8*k+:8] : 8'd0;
      keep_o <= keep_i;
      last_o <= last_i;
      side_o <= side_i;
    end else if (valid_o && ready_i) begin
      held_q <= 1'b0;
    end
    if (!rst_ni) held_q <= 1'b0;
  end
endmodule
