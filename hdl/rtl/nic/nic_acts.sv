// Actions of txpdc on their way to ccc, past txstate; commands for txstate go between them.
//
// Latency:     an action taken in cycle t can join in t+1, with tx = 1 LATENCY (4) + 2 of txstate
//              later at the earliest.
// Throughput:  one action a cycle.
// Comb. paths: rst_ni to the valid and ready outputs; act_*, *_ready_i, order_room_i and the offers
//              to act_ready_o, join_o, reply_o and the streams of txstate and ccc.
// Reset:       empty, latest_o 0.
// Contract:    nic/contract.md "Acts", "Join".
module nic_acts #(
  parameter int EntryW = 372
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              act_valid_i,
  output logic              act_ready_o,
  input  txpdc_act_t        act_i,
  // commands: for txstate, and that one is offered to ccc
  output logic              pend_room_o,
  input  logic              offer_time_i,
  input  txstate_ev_t       time_ev_i,
  output logic              time_leave_o,
  input  logic              offer_window_i,
  // txstate
  output logic              times_ev_valid_o,
  input  logic              times_ev_ready_i,
  output txstate_ev_t       times_ev_o,
  input  logic              times_valid_i,
  output logic              times_ready_o,
  input  txstate_rsp_t      times_i,
  // ccc, and what waits for its response
  output logic              window_ev_valid_o,
  input  logic              window_ev_ready_i,
  output ccc_ev_t           window_ev_o,
  input  logic              order_room_i,
  output logic              join_o,
  output logic [EntryW-1:0] entry_o,       // command, event, found, rtt_valid, rtt, action
  output logic              reply_o,       // times_i becomes a reply
  output logic [47:0]       latest_o       // time of the newest action that has joined
);
  logic       take;
  logic       held;
  logic       is_command;
  txpdc_act_t act;           // the oldest
  logic       may;
  logic       has_event;

  // ---------------------------------------------------------------- acts
  assign act_ready_o      = pend_room_o & ~offer_time_i & (~act_i.tx | times_ev_ready_i);
  assign take             = act_valid_i & act_ready_o;
  assign time_leave_o     = offer_time_i & times_ev_ready_i;
  assign times_ev_valid_o = offer_time_i | (take & act_i.tx);

  always_comb begin
    times_ev_o = '0;
    if (offer_time_i) begin
      times_ev_o = time_ev_i;
    end else begin
      unique case (act_i.kind)
        nic_pkg::ACT_SENT:  times_ev_o.kind = txstate_pkg::KIND_SEND;
        nic_pkg::ACT_ACKED: times_ev_o.kind = txstate_pkg::KIND_ACK;
        default:            times_ev_o.kind = txstate_pkg::KIND_NACK;   // NACKED; the others: tx 0
      endcase
      times_ev_o.pdc          = act_i.pdc;
      times_ev_o.psn          = act_i.psn;
      times_ev_o.now          = act_i.now;
      times_ev_o.is_rtx       = act_i.is_rtx;
      times_ev_o.retx         = act_i.retx;
      times_ev_o.service_time = act_i.service_time;
    end
  end

  gw_room_fifo #(.Width(1 + txpdc_pkg::ACT_W), .Rows(nic_pkg::PEND)) u_pend (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .room_o (pend_room_o),
    .push_i (take | time_leave_o),
    .data_i ({offer_time_i, act_i}),
    .valid_o(held),
    .data_o ({is_command, act}),
    .pop_i  (join_o | reply_o)
  );

  // ---------------------------------------------------------------- join
  nic_event u_event (
    .act_i  (act),
    .times_i(times_i),
    .any_o  (has_event),
    .ev_o   (window_ev_o)
  );

  assign may               = held & ~is_command & order_room_i & ~offer_window_i &
                             (~act.tx | times_valid_i);
  assign join_o            = may & (~has_event | window_ev_ready_i);
  assign window_ev_valid_o = join_o & has_event;
  assign reply_o           = held & is_command & times_valid_i;
  assign times_ready_o     = reply_o | (join_o & act.tx);
  assign entry_o           = {1'b0, has_event, act.tx & times_i.found, act.tx & times_i.rtt_valid,
                              act.tx ? times_i.rtt : 32'b0, act};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)     latest_o <= '0;
    else if (join_o) latest_o <= act.now;
  end

`ifdef GW_ASSERT
  a_pair: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (join_o && act.tx) |-> ((times_i.pdc == act.pdc) && (times_i.psn == act.psn)))
    else $error("nic_acts: an action gets the times of another packet");
  a_owner: assert property (@(posedge clk_i) disable iff (!rst_ni)
      times_valid_i |-> held)
    else $error("nic_acts: a response of txstate that nobody waits for");
`endif
endmodule
