// The words of a PDC: one read, and one put in.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    schema.yaml, words 0 to 19. A state is closed_at, rcvd, sum, left, outstanding, una,
//              start, and word 0; bits are resent, marked, acked, words 8 to 19.
module txpdc_words (
  input  logic [4:0]   addr_i,
  input  logic [31:0]  data_i,
  input  logic [222:0] state_i,
  input  logic [383:0] bits_i,
  output logic [31:0]  word_o,      // no meaning above 19
  output logic [222:0] state_o,     // with data_i in its word
  output logic [383:0] bits_o
);
  localparam int Count = {27'b0, txpdc_pkg::WORD_RESENT3} + 1;

  logic [31:0]  closed_at, sum, una, start, word0;
  logic [23:0]  rcvd;
  logic [30:0]  left;
  logic [7:0]   n;
  logic [639:0] words;              // word 0 lowest
  logic [639:0] changed;
  logic [23:0]  unused_n;
  logic         unused_left;
  logic [7:0]   unused_rcvd;

  assign {closed_at, rcvd, sum, left, n, una, start, word0} = state_i;
  assign words = {bits_i, closed_at, 8'b0, rcvd, sum, 1'b0, left, 24'b0, n, una, start, word0};

  always_comb begin
    word_o  = '0;
    changed = words;
    for (int k = 0; k < Count; k++) begin
      if (addr_i == k[4:0]) begin
        word_o              = words[32*k +: 32];
        changed[32*k +: 32] = data_i;
      end
    end
  end

  logic [31:0] closed_at_new, sum_new, una_new, start_new, word0_new;
  logic [23:0] rcvd_new;
  logic [30:0] left_new;
  logic [7:0]  n_new;

  assign {bits_o, closed_at_new, unused_rcvd, rcvd_new, sum_new, unused_left, left_new, unused_n,
          n_new, una_new, start_new, word0_new} = changed;
  assign state_o = {closed_at_new, rcvd_new, sum_new, left_new, n_new, una_new, start_new,
                    word0_new};
endmodule
