// Opens a frame at one place for 8 bytes, beat by beat.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    intmd/contract.md "Insertion". The beat is taken together with the last 8 bytes of
//              the one before it: bytes before the place stay, bytes behind it come from 8 lower.
module intmd_insert (
  input  logic [511:0] data_i,
  input  logic [63:0]  tail_i,     // last 8 bytes of the beat before
  input  logic [63:0]  entry_i,    // first byte lowest
  input  logic         before_i,   // the whole beat is before the place
  input  logic         behind_i,   // the whole beat is behind the entry
  input  logic [4:0]   place_i,    // otherwise: byte 4 * place_i + 2 of the beat is 8 behind it
  output logic [511:0] data_o
);
  logic [9:0]   place;          // in bits
  logic [575:0] below;
  logic [511:0] move;
  logic [639:0] at;
  logic [511:0] shifted;
  logic [511:0] data;

  // Below place - 8 bytes stays, from there on the entry, then what was 8 bytes lower. All three
  // are cut from 8 bytes more, so that a place before the beat needs no other case.
  assign place   = {place_i, 5'b10000};
  assign below   = ~({576{1'b1}} << place);
  assign move    = {512{1'b1}} << place;
  assign at      = {576'b0, entry_i} << place;
  assign shifted = {data_i[447:0], tail_i};

  always_comb begin
    data = data_i;
    if (behind_i)       data = shifted;
    else if (!before_i) data = (data_i & below[575:64]) | (shifted & move) | at[575:64];
  end

  assign data_o = data;
endmodule
