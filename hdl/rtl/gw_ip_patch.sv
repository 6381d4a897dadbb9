// Puts new words into one beat of a frame: the first 12 bytes of the IP header, two words of the
// UDP header, and one word more somewhere in the first two beats.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    trimmer/contract.md "Rewriting a trimmed packet", intmd/contract.md "Insertion".
module gw_ip_patch (
  input  logic [511:0] data_i,
  input  logic [1:0]   beat_i,      // number of the beat; 2 stands for all later ones
  input  logic         l3_patch_i,
  input  logic [1:0]   tags_i,      // VLAN tags before the IP header
  input  logic [95:0]  l3_i,
  input  logic         udp_patch_i,
  input  logic [5:0]   udp_half_i,  // place of the UDP length in the frame, in 16 bits
  input  logic [31:0]  udp_i,       // length, and above it checksum
  input  logic         aux_patch_i,
  input  logic [5:0]   aux_half_i,  // place of the word, in 16 bits
  input  logic [15:0]  aux_i,
  output logic [511:0] data_o
);
  logic [511:0] data;
  logic [5:0]   half0;
  logic [5:0]   half1;
  logic [15:0]  word0;
  logic [15:0]  word1;
  logic [1:0]   beat;
  logic         two_tags;
  logic         one_tag;
  logic         early;
  logic [5:0]   base;

  assign half0 = udp_half_i;
  assign half1 = udp_half_i + 6'd1;
  assign word0 = udp_i[15:0];
  assign word1 = udp_i[31:16];
  assign beat  = beat_i;
  assign two_tags = tags_i[1];
  assign one_tag  = tags_i[0];
  assign early    = ~beat[1];       // beat 0 or 1
  assign base     = {beat[0], 5'b0};

  always_comb begin
    data = data_i;
    if (l3_patch_i && (beat == 2'd0)) begin
      if (two_tags)     data[8*22 +: 96] = l3_i;
      else if (one_tag) data[8*18 +: 96] = l3_i;
      else              data[8*14 +: 96] = l3_i;
    end
    if ((udp_patch_i | aux_patch_i) && early) begin
      for (int k = 0; k < 32; k++) begin
        if (udp_patch_i && (half0 == (base | k[5:0]))) data[16*k +: 16] = word0;
        if (udp_patch_i && (half1 == (base | k[5:0]))) data[16*k +: 16] = word1;
        if (aux_patch_i && (aux_half_i == (base | k[5:0]))) data[16*k +: 16] = aux_i;
      end
    end
  end

  assign data_o = data;
endmodule
