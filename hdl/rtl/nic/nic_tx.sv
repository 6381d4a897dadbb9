// Answers and packets onto tx, each whole.
//
// Latency:     none: a beat is offered in the cycle in which it comes.
// Throughput:  one beat a cycle, no bubble between packets.
// Comb. paths: the valid inputs and payload to tx; tx_ready_i to the ready outputs.
// Reset:       turn NONE.
// Contract:    nic/contract.md "tx".
module nic_tx (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         answer_valid_i,
  output logic         answer_ready_o,
  input  ackgen_tx_t   answer_i,
  input  logic         packet_valid_i,
  output logic         packet_ready_o,
  input  logic [592:0] packet_i,        // data, keep, last, PDC
  output logic         tx_valid_o,
  input  logic         tx_ready_i,
  output nic_tx_t      tx_o
);
  localparam logic [1:0] TurnNone   = 2'd0;
  localparam logic [1:0] TurnAnswer = 2'd1;
  localparam logic [1:0] TurnPacket = 2'd2;

  logic [1:0] turn_q;
  logic [1:0] chosen;
  logic       of_answer;
  logic       of_packet;

  always_comb begin
    chosen = turn_q;
    if (turn_q == TurnNone) begin
      if (answer_valid_i)      chosen = TurnAnswer;
      else if (packet_valid_i) chosen = TurnPacket;
    end
  end

  assign of_answer      = (chosen == TurnAnswer);
  assign of_packet      = (chosen == TurnPacket);
  assign answer_ready_o = of_answer & tx_ready_i;
  assign packet_ready_o = of_packet & tx_ready_i;
  assign tx_valid_o     = (of_answer & answer_valid_i) | (of_packet & packet_valid_i);

  always_comb begin
    tx_o.answer = of_answer;
    if (of_answer) begin
      tx_o.data = answer_i.data;
      tx_o.keep = answer_i.keep;
      tx_o.last = answer_i.last;
      tx_o.tag  = answer_i.tag;
    end else begin
      {tx_o.data, tx_o.keep, tx_o.last} = packet_i[592:16];
      tx_o.tag = {16'b0, packet_i[15:0]};
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                                    turn_q <= TurnNone;
    else if (tx_valid_o && tx_ready_i && tx_o.last) turn_q <= TurnNone;
    else                                            turn_q <= chosen;
  end
endmodule
