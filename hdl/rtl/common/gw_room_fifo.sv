// FIFO with a room output.
//
// Latency:     a word pushed in cycle t is visible from t+1 on.
// Throughput:  one word a cycle in and out.
// Comb. paths: rst_ni to valid_o; none from push_i or pop_i.
// Reset:       empty; payload keeps its value.
module gw_room_fifo #(
  parameter int Width = 32,
  parameter int Rows  = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  output logic             room_o,
  input  logic             push_i,   // only with room
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  output logic [Width-1:0] data_o,
  input  logic             pop_i
);
  logic take;

  gw_credit #(.Credits(Rows)) u_room (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .use_i   (push_i),
    .return_i(take),
    .avail_o (room_o)
  );

  gw_rsp_fifo #(.Width(Width), .Rows(Rows)) u_words (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (push_i),
    .data_i (data_i),
    .valid_o(valid_o),
    .ready_i(pop_i),
    .data_o (data_o),
    .take_o (take)
  );
endmodule
