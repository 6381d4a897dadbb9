// Puts a new word with the hop count into one of the first two beats of a frame.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    intmd/contract.md "Insertion".
module intmd_hop (
  input  logic [511:0] data_i,
  input  logic         first_i,     // the beat is the first of its frame
  input  logic         second_i,    // or the second
  input  logic         patch_i,
  input  logic [4:0]   place_i,     // the word is at byte 4 * place_i of the frame
  input  logic [15:0]  word_i,      // hop count, and above it the greatest
  output logic [511:0] data_o
);
  logic here;                       // a beat in which the word can be

  assign here = patch_i & (first_i | second_i);

  for (genvar k = 0; k < 16; k++) begin : gen_word
    localparam logic [3:0] Word = k[3:0];
    assign data_o[32*k +: 16]    = (here && (place_i == {second_i, Word})) ? word_i :
                                                                             data_i[32*k +: 16];
    assign data_o[32*k+16 +: 16] = data_i[32*k+16 +: 16];
  end
endmodule
