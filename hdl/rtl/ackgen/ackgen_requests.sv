// Beats in, and the requests that wait for their jobs.
//
// Latency:     LATENCY (8) cycles from the issue of a packet's last beat to its request being seen.
// Throughput:  one beat a cycle, also where each beat is a packet.
// Comb. paths: rst_ni to rx_ready_o and valid_o; up_i to rx_ready_o; no other.
// Reset:       empty, no credit in use.
// Contract:    ackgen/contract.md "Timing": q and o, issue(t), drop(t), the list of requests.
module ackgen_requests (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         up_i,
  input  logic         rx_valid_i,
  output logic         rx_ready_o,
  input  ackgen_rx_t   rx_i,
  // registers and time in force
  input  logic [15:0]  udp_port_i,
  input  logic [7:0]   native_i,
  input  logic         refuse_i,     // a UDP checksum of 0 is refused
  input  logic [31:0]  tick_i,
  input  logic [15:0]  phase_i,
  // a packet that ended DECIDE cycles ago
  output logic         judged_o,
  output logic [3:0]   cause_o,      // 0: it becomes a request
  // the oldest request
  output logic         valid_o,
  output logic [706:0] req_o,
  input  logic         start_i       // its job starts
);
  localparam int CreditMax = ackgen_pkg::CREDITS;
  localparam int CreditW   = $clog2(CreditMax + 1);
  localparam logic [CreditW-1:0] Credits = CreditMax[CreditW-1:0];

  logic               held;
  ackgen_rx_t         head;
  logic               issue;
  logic               ends;          // the beat that issues is the last of its packet
  logic               drop;          // a packet becomes no request
  logic               push;
  logic               take;
  logic [706:0]       req;
  logic [CreditW-1:0] used_q;        // packets that ended, neither dropped nor started

  gw_in_fifo #(.Width(ackgen_pkg::RX_W)) u_rx_fifo (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enable_i    (up_i),
    .valid_i     (rx_valid_i),
    .ready_o     (rx_ready_o),
    .data_i      (rx_i),
    .head_valid_o(held),
    .head_o      (head),
    .pop_i       (issue)
  );

  assign issue = held & (used_q != Credits);
  assign ends  = issue & head.last;
  assign drop  = judged_o & (cause_o != '0);
  assign push  = judged_o & (cause_o == '0);

  // Not a gw_credit: two of these can come back in one cycle.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q <= '0;
    end else begin
      used_q <= used_q + {{(CreditW-1){1'b0}}, ends} - {{(CreditW-1){1'b0}}, take} -
                {{(CreditW-1){1'b0}}, drop};
    end
  end

  ackgen_front u_front (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .udp_port_i(udp_port_i),
    .native_i  (native_i),
    .refuse_i  (refuse_i),
    .tick_i    (tick_i),
    .phase_i   (phase_i),
    .issue_i   (issue),
    .data_i    (head.data),
    .keep_i    (head.keep),
    .last_i    (head.last),
    .tag_i     (head.tag),
    .vld_o     (judged_o),
    .cause_o   (cause_o),
    .req_o     (req)
  );

  gw_rsp_fifo #(.Width(707), .Rows(ackgen_pkg::CREDITS)) u_fifo (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (push),
    .data_i (req),
    .valid_o(valid_o),
    .ready_i(start_i),
    .data_o (req_o),
    .take_o (take)
  );

`ifdef GW_ASSERT
  // Packets that ended so many cycles ago, and requests that wait, counted at the ports.
  localparam int Decide = ackgen_pkg::DECIDE;
  logic [Decide-1:0] ended_q;
  int                waiting_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ended_q   <= '0;
      waiting_q <= 0;
    end else begin
      ended_q   <= {ended_q[Decide-2:0], ends};
      waiting_q <= waiting_q + int'(push) - int'(take);
    end
  end

  a_credits: assert property (@(posedge clk_i) disable iff (!rst_ni)
      int'(used_q) == $countones(ended_q) + waiting_q)
    else $error("ackgen_requests: the credits in use are not the packets on their way and waiting");
  a_room: assert property (@(posedge clk_i) disable iff (!rst_ni) used_q <= Credits)
    else $error("ackgen_requests: more credits in use than the FIFO of requests has rows");
  a_judged: assert property (@(posedge clk_i) disable iff (!rst_ni) judged_o == ended_q[Decide-1])
    else $error("ackgen_requests: a packet is not judged DECIDE cycles after its last beat");
  a_start: assert property (@(posedge clk_i) disable iff (!rst_ni) start_i |-> valid_o)
    else $error("ackgen_requests: a job starts without a request");
`endif
endmodule
