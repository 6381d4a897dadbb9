// Puts new words into one beat of a frame: the first 12 bytes of the IP header and two words of the
// UDP header.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    trimmer/contract.md "Rewriting a trimmed packet", intmd/contract.md "Insertion".
module gw_ip_patch (
  input  logic [511:0] data_i,
  input  logic         first_i,     // the beat is the first of its frame
  input  logic         second_i,    // or the second
  input  logic         l3_patch_i,
  input  logic [1:0]   tags_i,      // VLAN tags before the IP header
  input  logic [95:0]  l3_i,
  input  logic         udp_patch_i,
  input  logic [4:0]   udp_place_i, // the UDP length is at byte 4 * udp_place_i + 2 of the frame
  input  logic [31:0]  udp_i,       // length, and above it checksum
  output logic [511:0] data_o
);
  logic [511:0] data;               // with the new IP header
  logic         udp_here;           // a beat in which the UDP header can be
  logic [4:0]   check_place;        // the UDP checksum is at byte 4 * check_place

  assign udp_here    = udp_patch_i & (first_i | second_i);
  assign check_place = udp_place_i + 5'd1;

  always_comb begin
    data = data_i;
    if (l3_patch_i && first_i) begin
      if (tags_i[1])      data[8*22 +: 96] = l3_i;
      else if (tags_i[0]) data[8*18 +: 96] = l3_i;
      else                data[8*14 +: 96] = l3_i;
    end
  end

  // Not a loop in the process above: Icarus 11 runs two such processes in a row for ever.
  for (genvar k = 0; k < 16; k++) begin : gen_word
    localparam logic [3:0] Word = k[3:0];
    assign data_o[32*k +: 16]    = (udp_here && (check_place == {second_i, Word})) ?
                                   udp_i[31:16] : data[32*k +: 16];
    assign data_o[32*k+16 +: 16] = (udp_here && (udp_place_i == {second_i, Word})) ?
                                   udp_i[15:0] : data[32*k+16 +: 16];
  end
endmodule
