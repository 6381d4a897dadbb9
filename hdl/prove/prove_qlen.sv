// intmd_qlen: the quotient by one product is the quotient, for every queue length.
`include "prove.svh"
module prove_qlen (
  input logic [31:0] bytes_i
);
  logic [15:0] units;
  logic [31:0] back;      // the bytes of so many units

  intmd_qlen dut (.sixteens_i(bytes_i[31:4]), .units_o(units));

  // times 80 by two adds
  assign back = {10'b0, units, 6'b0} + {12'b0, units, 4'b0};

  always_comb begin
    if (bytes_i >= 32'd5242880) `PROVE(units == 16'hffff);
    else begin
      `PROVE(back <= bytes_i);
      `PROVE(bytes_i - back < 32'd80);
    end
    `REACH(bytes_i == 32'd5242879);
    `REACH(units == 16'd1);
  end
endmodule
