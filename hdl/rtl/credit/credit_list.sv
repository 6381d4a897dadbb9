// A list of senders, first in, first out: a ring in a RAM. Each sender is in it at most once, which
// is the user's duty, so that it needs no more than Senders entries.
//
// Latency:     what is put in or taken out in cycle t holds from t+1 on; the first is at first_o
//              one cycle after it became the first.
// Throughput:  one in and one out a cycle.
// Comb. paths: none.
// Reset:       empty; entries keep their values.
// Contract:    credit/contract.md "Pull": active list, idle list.
module credit_list #(
  parameter int Senders = 32,
  parameter int SenderW = 5             // clog2(Senders)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               push_i,    // sender_i becomes the last
  input  logic [SenderW-1:0] sender_i,
  input  logic               pop_i,     // the first leaves
  output logic [SenderW-1:0] first_o,   // no meaning of an empty list
  output logic               any_o,
  output logic [12:0]        count_o
);
  logic [SenderW-1:0] wptr_q;
  logic [SenderW-1:0] rptr_q;
  logic [SenderW:0]   count_q;

  assign any_o              = (count_q != '0);
  assign count_o[SenderW:0] = count_q;
  if (SenderW < 12) begin : gen_high
    assign count_o[12:SenderW+1] = '0;
  end

  // A full list may lose its first and gain a last in one cycle: both are the same entry.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wptr_q  <= '0;
      rptr_q  <= '0;
      count_q <= '0;
    end else begin
      if (push_i) wptr_q <= wptr_q + 1'b1;
      if (pop_i)  rptr_q <= rptr_q + 1'b1;
      count_q <= count_q + {{SenderW{1'b0}}, push_i} - {{SenderW{1'b0}}, pop_i};
    end
  end

  gw_sdp_ram #(.Width(SenderW), .Rows(Senders), .AddrW(SenderW)) u_ring (
    .clk_i  (clk_i),
    .we_i   (push_i),
    .waddr_i(wptr_q),
    .wdata_i(sender_i),
    .raddr_i(rptr_q),
    .rdata_o(first_o)
  );

`ifdef GW_ASSERT
  // Senders in the list, noted at the ports.
  logic [Senders-1:0] in_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q <= '0;
    end else begin
      if (pop_i)  in_q[first_o]  <= 1'b0;
      if (push_i) in_q[sender_i] <= 1'b1;
    end
  end

  a_once: assert property (@(posedge clk_i) disable iff (!rst_ni)
      push_i |-> (!in_q[sender_i] || (pop_i && (first_o == sender_i))))
    else $error("credit_list: a sender is put in that is in the list");
  a_held: assert property (@(posedge clk_i) disable iff (!rst_ni) pop_i |-> in_q[first_o])
    else $error("credit_list: a sender leaves that is not in the list");
  a_count: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (int'(count_q) <= Senders) && (int'(count_q) == $countones(in_q)))
    else $error("credit_list: the length is not the number of senders in the list");
`endif
endmodule
