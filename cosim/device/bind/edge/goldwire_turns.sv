// Lets N input streams take turns: a stream may begin an event when what was taken from the others
// is answered. The turn passes when another stream waits and the one whose turn it is has nothing
// to give, or has given as many events as were drawn, 1 to 32. Streams outside ANSWERED have no
// answer for each event: they, and answers that do not come, are waited for through QUIET cycles in
// which they could come. A packet that is cut may be answered before it ends. Combinational from
// valid_i to open_o.
module goldwire_turns #(
  parameter int N = 2,
  parameter int QUIET = 512,
  parameter bit [N-1:0] ANSWERED = '1
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [N-1:0] valid_i,
  input  logic [N-1:0] moves_i,    // a transfer
  input  logic [N-1:0] ends_i,     // it ends an event
  input  logic [N-1:0] answers_i,  // an answer to the stream ends
  input  logic         moved_i,    // something moves, or an answer waits
  input  logic         open_i,     // every output is open
  output logic [N-1:0] open_o
);
  logic signed [31:0] owed_q[N];
  logic [31:0] quiet_q, turn_q, next, given_q, most_q, random_q, a, b;
  logic [N-1:0] inside_q;
  logic waits, held_q, drained;

  initial random_q = $c32("Verilated::threadContextp()->randSeed()") * 32'd2654435761;

  assign a = random_q ^ random_q << 13;
  assign b = a ^ a >> 17;
  always_comb begin
    waits = 1'b0;
    next = turn_q;
    for (int k = N - 1; k >= 1; k--) begin
      if (valid_i[(turn_q + k) % N]) begin
        waits = 1'b1;
        next = (turn_q + k) % N;
      end
    end
    open_o = '0;
    open_o[turn_q] = inside_q[turn_q] | held_q | ~(waits & given_q >= most_q);
    drained = quiet_q >= QUIET | ~inside_q[turn_q] & owed_q[turn_q] <= 0 &
        (ANSWERED[turn_q] | given_q == 32'd0);
  end

  always_ff @(posedge clk_i) begin
    random_q <= random_q == 32'd0 ? 32'd1 : b ^ b << 5;
    if (moved_i) quiet_q <= 32'd0;
    else if (open_i && quiet_q < QUIET) quiet_q <= quiet_q + 32'd1;
    held_q <= valid_i[turn_q] & open_o[turn_q] & ~moves_i[turn_q];
    for (int k = 0; k < N; k++) begin
      if (moves_i[k]) inside_q[k] <= ~ends_i[k];
      if (moves_i[k] && ends_i[k] && ANSWERED[k]) owed_q[k] <= owed_q[k] + (answers_i[k] ? 0 : 1);
      else if (answers_i[k] && (owed_q[k] > 0 || inside_q[k] && owed_q[k] == 0)) owed_q[k] <= owed_q[k] - 1;
    end
    if (moves_i[turn_q] && ends_i[turn_q]) given_q <= given_q + 32'd1;
    if (waits && drained && !(valid_i[turn_q] && open_o[turn_q])) begin
      turn_q <= next;
      given_q <= 32'd0;
      most_q <= 32'd1 << (random_q[2:0] > 3'd5 ? 3'd5 : random_q[2:0]);
    end
    if (!rst_ni) begin
      quiet_q <= 32'd0;
      turn_q <= 32'd0;
      given_q <= 32'd0;
      most_q <= 32'd4;
      inside_q <= '0;
      held_q <= 1'b0;
      for (int k = 0; k < N; k++) owed_q[k] <= 0;
    end
  end
endmodule
