// Puts the new words of a packet with one more entry into one beat: IP header, UDP header, hop count.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    intmd/contract.md "Insertion".
module intmd_patch (
  input  logic [511:0] data_i,
  input  logic [5:0]   number_i,    // of the beat in its frame
  input  logic         patch_i,
  input  logic [1:0]   tags_i,      // VLAN tags before the IP header
  input  logic [95:0]  l3_i,        // first 12 bytes of the IP header
  input  logic [4:0]   udp_place_i, // the UDP length is at byte 4 * udp_place_i + 2 of the frame
  input  logic [31:0]  udp_i,       // length, and above it checksum
  input  logic [4:0]   hop_place_i, // the hop count is at byte 4 * hop_place_i of the frame
  input  logic [15:0]  hop_word_i,  // hop count, and above it the greatest
  output logic [511:0] data_o
);
  logic         first;
  logic         second;
  logic         hop_here;           // a beat in which the hop count can be
  logic [511:0] data;               // with the new headers

  assign first    = (number_i == 6'd0);
  assign second   = (number_i == 6'd1);
  assign hop_here = patch_i & (first | second);

  gw_ip_patch u_headers (
    .data_i     (data_i),
    .first_i    (first),
    .second_i   (second),
    .l3_patch_i (patch_i),
    .tags_i     (tags_i),
    .l3_i       (l3_i),
    .udp_patch_i(patch_i),
    .udp_place_i(udp_place_i),
    .udp_i      (udp_i),
    .data_o     (data)
  );

  for (genvar k = 0; k < 16; k++) begin : gen_word
    localparam logic [3:0] Word = k[3:0];
    assign data_o[32*k +: 16]    = (hop_here && (hop_place_i == {second, Word})) ?
                                   hop_word_i : data[32*k +: 16];
    assign data_o[32*k+16 +: 16] = data[32*k+16 +: 16];
  end
endmodule
