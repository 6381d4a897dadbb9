// The words of a PDC: one read, and one put in.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    ackgen/contract.md "Words". A key is valid, ipv6, spdcid, src; a state is
//              want_close, refuse, rod, started, asking, ce, start, cack, rcvd, pending, asked,
//              seen.
module ackgen_words (
  input  logic [4:0]   addr_i,
  input  logic [31:0]  data_i,
  input  logic [145:0] key_i,
  input  logic [421:0] state_i,
  output logic [31:0]  word_o,      // no meaning above HOST, the last
  output logic [145:0] key_o,       // with data_i in its word
  output logic [421:0] state_o
);
  // The lowest bit of each word among all.
  localparam int Valid   = 32 * {26'b0, ackgen_pkg::WORD_VALID};
  localparam int Cack    = 32 * {26'b0, ackgen_pkg::WORD_CACK};
  localparam int Seen    = 32 * {26'b0, ackgen_pkg::WORD_SEEN0};
  localparam int Rcvd    = 32 * {26'b0, ackgen_pkg::WORD_RCVD};
  localparam int Pending = 32 * {26'b0, ackgen_pkg::WORD_PENDING};
  localparam int Asked   = 32 * {26'b0, ackgen_pkg::WORD_ASKED};
  localparam int Start   = 32 * {26'b0, ackgen_pkg::WORD_START};
  localparam int Src     = 32 * {26'b0, ackgen_pkg::WORD_SRC0};
  localparam int Host    = 32 * {26'b0, ackgen_pkg::WORD_WANT_CLOSE};

  logic         want_close, refuse, rod, started, asking, ce;
  logic [31:0]  start, cack, rcvd, pending, asked;
  logic [255:0] seen;
  logic [607:0] words;              // 19 of them, word 0 lowest

  assign {want_close, refuse, rod, started, asking, ce, start, cack, rcvd, pending, asked, seen} =
      state_i;

  assign words[Valid +: 32]      = {key_i[143:128], 10'b0, ce, asking, started, rod, key_i[144],
                                    key_i[145]};
  assign words[Cack +: 32]       = cack;
  assign words[Seen +: 256]      = seen;
  assign words[Rcvd +: 32]       = rcvd;
  assign words[Pending +: 32]    = pending;
  assign words[Asked +: 32]      = asked;
  assign words[Start +: 32]      = start;
  assign words[Src +: 128]       = key_i[127:0];
  assign words[Host +: 32]       = {30'b0, refuse, want_close};

  // ---------------------------------------------------------------- one word
  logic [607:0] changed;

  always_comb begin
    word_o  = '0;
    changed = words;
    for (int k = 0; k < 19; k++) begin
      if (addr_i == k[4:0]) begin
        word_o              = words[32*k +: 32];
        changed[32*k +: 32] = data_i;
      end
    end
  end

  assign key_o   = {changed[Valid], changed[Valid+1], changed[Valid+16 +: 16],
                    changed[Src +: 128]};
  assign state_o = {changed[Host], changed[Host+1], changed[Valid+2],
                    changed[Valid+3], changed[Valid+4], changed[Valid+5],
                    changed[Start +: 32], changed[Cack +: 32], changed[Rcvd +: 32],
                    changed[Pending +: 32], changed[Asked +: 32], changed[Seen +: 256]};

  // Bits without a field.
  logic unused;
  assign unused = (^changed[Valid+6 +: 10]) ^ (^changed[Host+2 +: 30]);
endmodule
