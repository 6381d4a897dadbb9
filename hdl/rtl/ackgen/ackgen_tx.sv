// Answers that leave, a beat at a time.
//
// Latency:     an answer pushed in cycle t is visible from t+1 on.
// Throughput:  one beat a cycle.
// Comb. paths: rst_ni to tx_valid_o; rst_ni and tx_ready_i to take_o.
// Reset:       empty.
// Contract:    ackgen/contract.md "Beats", "Timing". Never overfilled: a job starts only where its
//              answer has a place.
module ackgen_tx (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         push_i,
  input  logic [31:0]  tag_i,
  input  logic [6:0]   length_i,     // 60 .. 102 bytes
  input  logic [815:0] frame_i,      // those behind are 0
  output logic         tx_valid_o,
  input  logic         tx_ready_i,
  output ackgen_tx_t   tx_o,
  output logic         take_o        // the last beat of an answer left
);
  logic         second_q;            // beat of the oldest answer
  logic         last;
  logic [31:0]  tag;
  logic [6:0]   length;
  logic [815:0] frame;
  logic [6:0]   bytes;               // from this beat on
  logic [63:0]  keep;

  gw_rsp_fifo #(.Width(855), .Rows(ackgen_pkg::ANSWERS)) u_fifo (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (push_i),
    .data_i ({tag_i, length_i, frame_i}),
    .valid_o(tx_valid_o),
    .ready_i(tx_ready_i & last),
    .data_o ({tag, length, frame}),
    .take_o (take_o)
  );

  assign last  = second_q | (length <= 7'd64);
  assign bytes = second_q ? length - 7'd64 : length;

  for (genvar k = 0; k < 64; k++) begin : gen_keep
    localparam logic [6:0] Byte = k[6:0];
    assign keep[k] = (Byte < bytes);
  end

  assign tx_o = {second_q ? {208'b0, frame[815:512]} : frame[511:0], keep, last, tag};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                       second_q <= 1'b0;
    else if (tx_valid_o && tx_ready_i) second_q <= ~last;
  end
endmodule
