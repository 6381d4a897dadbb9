// What keep stands for: every byte of a beat that is not the last, and of the last one those below
// the lowest zero. Combinational.
module goldwire_whole #(
  parameter int D = 512
) (
  input  logic [D/8-1:0] keep_i,
  input  logic           last_i,
  output logic [D/8-1:0] keep_o
);
  assign keep_o = last_i ? keep_i & ~(keep_i + (D / 8)'(1)) : '1;
endmodule
