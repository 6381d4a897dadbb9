// Front of the egress block: input FIFOs, issue rules of both streams, credits, reset sweep.
//
// Latency:     an event accepted in cycle t can issue in t+1.
// Throughput:  one enq event and one grant a cycle; DEQ_GAP cycles between grants of one port.
// Comb. paths: rst_ni to the ready outputs; no other from input to output.
// Reset:       empty, no credit in use, sweep from port 0.
// Contract:    egress/contract.md "Timing".
// Not gw_issue: its two streams see each other, and the interlock is a gap of one cycle.
module egress_issue #(
  parameter int NumPorts = 4,
  parameter int PortW    = 2
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             enq_valid_i,
  output logic             enq_ready_o,
  input  egress_enq_t      enq_i,
  input  logic             deq_valid_i,
  output logic             deq_ready_o,
  input  egress_deq_t      deq_i,
  input  logic             enq_take_i,     // a response left at enqr
  input  logic             deq_take_i,     // a response left at deqr
  output logic             enq_issue_o,
  output egress_enq_t      enq_head_o,     // the event that issues
  output logic             deq_issue_o,
  output egress_deq_t      deq_head_o,     // the grant that issues
  output logic             sweep_done_o,
  output logic [PortW-1:0] sweep_row_o
);
  localparam int Window = egress_pkg::STALL - 1;

  logic              enq_held;
  logic              deq_held;
  logic              enq_credit;
  logic              deq_credit;
  logic              exclusive;
  logic              hold;
  logic              gap;
  logic [Window-1:0] recent_q;     // an event of either stream issued 1 .. Window cycles ago
  logic              granted_q;    // a grant issued in the last cycle
  logic [7:0]        grant_port_q; // and its port

  gw_sweep #(.Rows(NumPorts), .RowW(PortW)) u_sweep (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .done_o(sweep_done_o),
    .row_o (sweep_row_o)
  );

  gw_in_fifo #(.Width(egress_pkg::ENQ_W)) u_enq_fifo (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enable_i    (sweep_done_o),
    .valid_i     (enq_valid_i),
    .ready_o     (enq_ready_o),
    .data_i      (enq_i),
    .head_valid_o(enq_held),
    .head_o      (enq_head_o),
    .pop_i       (enq_issue_o)
  );

  gw_in_fifo #(.Width(egress_pkg::DEQ_W)) u_deq_fifo (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enable_i    (sweep_done_o),
    .valid_i     (deq_valid_i),
    .ready_o     (deq_ready_o),
    .data_i      (deq_i),
    .head_valid_o(deq_held),
    .head_o      (deq_head_o),
    .pop_i       (deq_issue_o)
  );

  gw_credit #(.Credits(egress_pkg::CREDITS)) u_enq_credit (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .use_i   (enq_issue_o),
    .return_i(enq_take_i),
    .avail_o (enq_credit)
  );

  gw_credit #(.Credits(egress_pkg::CREDITS)) u_deq_credit (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .use_i   (deq_issue_o),
    .return_i(deq_take_i),
    .avail_o (deq_credit)
  );

  assign exclusive = enq_held & ((enq_head_o.kind == egress_pkg::KIND_CFG_WRITE) |
                                 (enq_head_o.kind == egress_pkg::KIND_LOAD));
  assign hold        = exclusive & enq_credit;
  assign gap         = granted_q & (grant_port_q == deq_head_o.port);
  assign enq_issue_o = enq_held & enq_credit & ~(exclusive & (|recent_q));
  assign deq_issue_o = deq_held & deq_credit & ~hold & ~gap;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      recent_q <= '0;
    end else begin
      recent_q <= {recent_q[Window-2:0], enq_issue_o | deq_issue_o};
    end
  end

  always_ff @(posedge clk_i) begin
    granted_q    <= deq_issue_o;    // none issues in a reset
    grant_port_q <= deq_head_o.port;
  end

`ifdef GW_ASSERT
  a_exclusive: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (enq_issue_o && exclusive) |-> ((recent_q == '0) && !deq_issue_o))
    else $error("egress_issue: exclusive event among others");
`endif
endmodule
