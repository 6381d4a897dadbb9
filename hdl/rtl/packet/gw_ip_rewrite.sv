// New first 12 bytes of an IP header, with another traffic class and another length.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    trimmer/contract.md "Marking", "Rewriting a trimmed packet"; intmd/contract.md
//              "Insertion". The IPv4 checksum is updated (RFC 1624), not computed anew. Sums are of
//              words with swapped bytes, which changes nothing but the order of the bytes of the
//              result (RFC 1071).
module gw_ip_rewrite (
  input  logic        ipv6_i,
  input  logic [95:0] l3_i,
  input  logic [7:0]  class_i,      // new DSCP and ECN
  input  logic [15:0] len_i,        // new total (IPv4) or payload length (IPv6), as it stands
  output logic [95:0] l3_o
);
  logic [15:0] class_word;          // first word of the IPv4 header, new
  logic [18:0] total;
  logic [15:0] folded;
  logic [95:0] l3_new4;
  logic [95:0] l3_new6;

  gw_fold u_fold (.sum_i({5'b0, total}), .sum_o(folded));

  assign class_word = {class_i, l3_i[7:0]};
  assign total      = {3'b0, ~l3_i[95:80]} +
                      {3'b0, ~l3_i[15:0]} + {3'b0, class_word} +
                      {3'b0, ~l3_i[31:16]} + {3'b0, len_i};
  assign l3_new4    = {~folded, l3_i[79:32], len_i, class_word};
  assign l3_new6    = {l3_i[95:48], len_i, l3_i[31:16], class_i[3:0], l3_i[11:4], class_i[7:4]};
  assign l3_o       = ipv6_i ? l3_new6 : l3_new4;
endmodule
