// What an ACK acknowledges that was not acknowledged before.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    txpdc/contract.md "ACK" 4: covered, N.
module txpdc_cover (
  input  logic [7:0]   n_i,         // outstanding
  input  logic [127:0] acked_i,
  input  logic [7:0]   below_i,     // a: so many of the lowest are covered
  input  logic         sack_i,      // there is a bitmap
  input  logic [63:0]  bitmap_i,
  input  logic [31:0]  shift_i,     // sack_base + 63 - una
  output logic [127:0] new_o
);
  logic [190:0] bits;               // of PSNs una - 63 to una + 127
  logic [127:0] covered;

  assign bits    = {127'b0, bitmap_i} << shift_i[7:0];
  assign covered = ~({128{1'b1}} << below_i) |
                   (bits[190:63] & {128{sack_i & (shift_i[31:8] == '0)}});
  assign new_o   = covered & ~acked_i & ~({128{1'b1}} << n_i);

  logic unused;
  assign unused = ^bits[62:0];
endmodule
