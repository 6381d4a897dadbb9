// Input FIFO of two words, first word falls through.
//
// Latency:     a word accepted in cycle t is at the head from t+1 on.
// Throughput:  one word a cycle.
// Comb. paths: rst_ni and enable_i to ready_o; none from valid_i or pop_i.
// Reset:       empty; payload keeps its value.
// Contract:    timing.md "Acceptance": ready = enabled and fewer than two words held.
module gw_in_fifo #(
  parameter int Width = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             enable_i,  // a register: low until the sweep is done
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,
  output logic             head_valid_o,
  output logic [Width-1:0] head_o,
  input  logic             pop_i
);
  logic [Width-1:0] head_q;
  logic [Width-1:0] next_q;
  logic             one_q;   // at least one word held
  logic             two_q;   // two words held
  logic             push;

  // Reset is seen in the cycle it is asserted, whatever the clock does.
  assign ready_o      = rst_ni & enable_i & ~two_q;
  assign push         = valid_i & ready_o;
  assign head_valid_o = one_q;
  assign head_o       = head_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      one_q <= 1'b0;
      two_q <= 1'b0;
    end else begin
      one_q <= push | two_q | (one_q & ~pop_i);
      two_q <= (one_q & push & ~pop_i) | (two_q & ~pop_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (pop_i & two_q)              head_q <= next_q;
    else if (push & (~one_q | pop_i)) head_q <= data_i;
    if (push & one_q & ~pop_i)        next_q <= data_i;
  end

`ifdef GW_ASSERT
  // Words held, counted at the ports.
  int held_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held_q <= 0;
    else         held_q <= held_q + int'(valid_i & ready_o) - int'(pop_i);
  end

  a_no_overflow: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (valid_i && ready_o) |-> (held_q < 2))
    else $error("gw_in_fifo: a third word is accepted");
  a_no_underflow: assert property (@(posedge clk_i) disable iff (!rst_ni) pop_i |-> (held_q > 0))
    else $error("gw_in_fifo: pop from an empty FIFO");
  a_head_valid: assert property (@(posedge clk_i) disable iff (!rst_ni)
      head_valid_o == (held_q > 0))
    else $error("gw_in_fifo: the head does not tell whether a word is held");
  a_head_stable: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (head_valid_o && !pop_i) |=> $stable(head_o))
    else $error("gw_in_fifo: the head changed while it waited");
`endif
endmodule
