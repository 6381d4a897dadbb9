// A list of rows of a table, first in, first out: a ring in a RAM. Each row is in it at most once,
// which is the user's duty, so that it needs no more than Rows entries.
//
// Latency:     what is put in or taken out in cycle t holds from t+1 on; the first is at first_o
//              one cycle after it became the first.
// Throughput:  one in and one out a cycle.
// Comb. paths: none.
// Reset:       empty; entries keep their values.
// Contract:    Rows is a power of two, 2 or more: the pointers wrap by themselves.
module gw_list #(
  parameter int Rows   = 32,
  parameter int RowW   = 5,          // clog2(Rows)
  parameter int CountW = 6           // RowW + 1 or more
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              push_i,  // row_i becomes the last
  input  logic [RowW-1:0]   row_i,
  input  logic              pop_i,   // the first leaves
  output logic [RowW-1:0]   first_o, // no meaning of an empty list
  output logic              any_o,
  output logic [CountW-1:0] count_o
);
  logic [RowW-1:0] wptr_q;
  logic [RowW-1:0] rptr_q;
  logic [RowW:0]   count_q;

  assign any_o           = (count_q != '0);
  assign count_o[RowW:0] = count_q;
  if (CountW > RowW + 1) begin : gen_high
    assign count_o[CountW-1:RowW+1] = '0;
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
      count_q <= count_q + {{RowW{1'b0}}, push_i} - {{RowW{1'b0}}, pop_i};
    end
  end

  gw_sdp_ram #(.Width(RowW), .Rows(Rows), .AddrW(RowW)) u_ring (
    .clk_i  (clk_i),
    .we_i   (push_i),
    .waddr_i(wptr_q),
    .wdata_i(row_i),
    .raddr_i(rptr_q),
    .rdata_o(first_o)
  );

`ifdef GW_ASSERT
  // Rows in the list, noted at the ports.
  logic [Rows-1:0] in_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q <= '0;
    end else begin
      if (pop_i)  in_q[first_o] <= 1'b0;
      if (push_i) in_q[row_i]   <= 1'b1;
    end
  end

  a_once: assert property (@(posedge clk_i) disable iff (!rst_ni)
      push_i |-> (!in_q[row_i] || (pop_i && (first_o == row_i))))
    else $error("gw_list: a row is put in that is in the list");
  a_held: assert property (@(posedge clk_i) disable iff (!rst_ni) pop_i |-> in_q[first_o])
    else $error("gw_list: a row leaves that is not in the list");
  a_count: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (int'(count_q) <= Rows) && (int'(count_q) == $countones(in_q)))
    else $error("gw_list: the length is not the number of rows in the list");
`endif
endmodule
