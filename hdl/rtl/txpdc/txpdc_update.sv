// The new state of the PDC of the job that runs.
//
// Latency:     one cycle.
// Throughput:  one job at a time.
// Comb. paths: none.
// Reset:       none; payload only.
// Contract:    txpdc/contract.md "State of a PDC". Bits are resent, marked, acked.
module txpdc_update (
  input  logic         clk_i,
  // the job, two cycles before its end
  input  logic         cmd_i,
  input  logic         rec_i,
  input  logic         turn_i,
  input  logic         timer_i,
  input  logic [383:0] bits_i,         // before
  input  logic [222:0] cmd_state_i,
  input  logic [383:0] cmd_bits_i,
  input  logic [222:0] rec_state_i,
  input  logic         rec_ack_i,      // it acknowledges
  input  logic [127:0] rec_new_i,      // these, not acknowledged before
  input  logic [7:0]   rec_shift_i,
  input  logic         rec_mark_i,     // a NACK marks a packet
  input  logic [6:0]   rec_place_i,
  input  logic [222:0] turn_state_i,
  input  logic         turn_again_i,   // a packet is sent again, or one for the first time
  input  logic [6:0]   turn_place_i,
  input  logic [222:0] timer_state_i,
  input  logic         timer_clear_i,  // nothing is outstanding any more
  input  logic         timer_mark_i,   // a packet is lost
  input  logic [6:0]   timer_place_i,
  output logic [222:0] state_o,
  output logic [383:0] bits_o
);
  logic [127:0] acked, marked, resent;
  logic [127:0] acked_new, marked_new, resent_new;
  logic [127:0] place;                 // of the one packet that the job is about
  logic         ack, mark, again, fresh;

  assign {resent, marked, acked} = bits_i;
  assign ack   = rec_i & rec_ack_i;
  assign mark  = (rec_i & rec_mark_i) | (timer_i & timer_mark_i);
  assign again = turn_i & turn_again_i;
  assign fresh = turn_i & ~turn_again_i;
  assign place = 128'd1 << (rec_i ? rec_place_i : turn_i ? turn_place_i : timer_place_i);

  assign acked_new  = ack   ? (acked | rec_new_i) >> rec_shift_i :
                      fresh ? acked & ~place : acked;
  assign marked_new = ack   ? (marked & ~rec_new_i) >> rec_shift_i :
                      mark  ? marked | place :
                      (again | fresh) ? marked & ~place : marked;
  assign resent_new = ack   ? resent >> rec_shift_i :
                      again ? resent | place :
                      fresh ? resent & ~place : resent;

  always_ff @(posedge clk_i) begin
    if (cmd_i || rec_i || turn_i || timer_i) begin
      state_o <= cmd_i ? cmd_state_i : rec_i ? rec_state_i : turn_i ? turn_state_i : timer_state_i;
      bits_o  <= cmd_i                     ? cmd_bits_i :
                 (timer_i & timer_clear_i) ? 384'b0 : {resent_new, marked_new, acked_new};
    end
  end
endmodule
