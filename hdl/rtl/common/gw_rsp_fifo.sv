// Response FIFO, first word falls through.
//
// Latency:     a word pushed in cycle t is visible from t+1 on.
// Throughput:  one word a cycle in and out.
// Comb. paths: rst_ni to valid_o; rst_ni and ready_i to take_o; none from push_i.
// Reset:       empty; payload keeps its value.
// Contract:    timing.md "Response". The pusher never overfills it: the credits are as many as
//              the rows.
module gw_rsp_fifo #(
  parameter int Width = 32,
  parameter int Rows  = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o,
  output logic             take_o   // a word left in this cycle
);
  localparam int PtrW = $clog2(Rows);
  localparam int LastRow = Rows - 1;
  localparam logic [PtrW-1:0] Last = LastRow[PtrW-1:0];

  logic [Width-1:0] mem_q [0:Rows-1];
  logic [PtrW-1:0]  wptr_q;
  logic [PtrW-1:0]  rptr_q;
  logic             wlap_q;  // flips when the pointer wraps: tells full from empty
  logic             rlap_q;
  logic             held;

  assign held    = (wptr_q != rptr_q) | (wlap_q != rlap_q);
  assign valid_o = rst_ni & held;
  assign take_o  = valid_o & ready_i;
  assign data_o  = mem_q[rptr_q];

  always_ff @(posedge clk_i) begin
    if (push_i) mem_q[wptr_q] <= data_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wptr_q <= '0;
      rptr_q <= '0;
      wlap_q <= 1'b0;
      rlap_q <= 1'b0;
    end else begin
      if (push_i) begin
        wptr_q <= (wptr_q == Last) ? '0 : wptr_q + 1'b1;
        if (wptr_q == Last) wlap_q <= ~wlap_q;
      end
      if (take_o) begin
        rptr_q <= (rptr_q == Last) ? '0 : rptr_q + 1'b1;
        if (rptr_q == Last) rlap_q <= ~rlap_q;
      end
    end
  end

`ifdef GW_ASSERT
  a_no_overflow: assert property (@(posedge clk_i) disable iff (!rst_ni)
      push_i |-> !((wptr_q == rptr_q) && (wlap_q != rlap_q)))
    else $error("gw_rsp_fifo: push into a full FIFO");
  a_valid_stable: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (valid_o && !ready_i) |=> valid_o)
    else $error("gw_rsp_fifo: valid fell before the transfer");
  a_data_stable: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (valid_o && !ready_i) |=> $stable(data_o))
    else $error("gw_rsp_fifo: payload changed before the transfer");
`endif
endmodule
