// Job of a turn: which packet the context sends.
//
// Latency:     SEND_BUSY (8) cycles: the context's row is out in step 2, its PDC in 3, the packet's
//              size in 5; results in 7.
// Throughput:  one job at a time.
// Comb. paths: row_i to slot_o; size_i to state_o; step_i to the enables.
// Reset:       none; payload only.
// Contract:    txpdc/contract.md "Turn". A row is next, queued, waits, can_send, again, work; a
//              state is closed_at, rcvd, sum, left, outstanding, una, start, peer, mpr, tries,
//              stopped, closing, syn, valid.
module txpdc_turn (
  input  logic         clk_i,
  input  logic [7:2]   step_i,
  input  logic [3:0]   payload_i,      // registers
  input  logic [6:0]   header_i,
  input  logic [12:0]  row_i,          // step 2 on
  output logic [1:0]   slot_o,         // step 2
  input  logic [222:0] state_i,        // step 3 on
  input  logic [7:0]   limit_i,        // step 3: of that state
  input  logic [6:0]   place_i,
  output logic [6:0]   row_o,          // step 4 on: of the packet
  input  logic [15:0]  size_i,         // step 5 on: of a packet that is sent again
  // step 5
  output logic [222:0] state_o,
  output logic         again_o,
  output logic [6:0]   place_o,
  // step 7
  output logic         sent_o,         // a packet
  output logic         fresh_o,        // for the first time
  output logic [15:0]  size_o,
  output txpdc_act_t   act_o
);
  // ---------------------------------------------------------------- step 2: which PDC
  logic [1:0] next;
  logic       unused_queued, waits, can_send;
  logic [3:0] again, work;
  logic       resend;
  logic       eligible_q;

  assign {next, unused_queued, waits, can_send, again, work} = row_i;

  txpdc_pick u_pick (
    .next_i (next),
    .again_i(again),
    .work_i (work),
    .again_o(resend),
    .slot_o (slot_o)
  );

  always_ff @(posedge clk_i) begin
    if (step_i[2]) begin
      eligible_q <= can_send & ~waits & (|work);
      again_o    <= resend;
    end
  end

  // ---------------------------------------------------------------- step 3: which packet
  logic [31:0] closed_at, sum, una, start;
  logic [23:0] rcvd;
  logic [30:0] left;
  logic [7:0]  n, mpr;
  logic [15:0] peer;
  logic [3:0]  tries;
  logic        stopped, closing, syn, valid;
  logic [30:0] full;
  logic [13:0] bytes_q;
  logic [7:0]  limit_q;

  assign {closed_at, rcvd, sum, left, n, una, start, peer, mpr, tries, stopped, closing, syn,
          valid} = state_i;
  assign full = 31'd1 << payload_i;

  always_ff @(posedge clk_i) begin
    if (step_i[3]) begin
      place_o <= again_o ? place_i : n[6:0];
      bytes_q <= (left < full) ? left[13:0] : full[13:0];
      limit_q <= limit_i;
    end
  end

  // ---------------------------------------------------------------- step 4
  logic [31:0] psn;
  logic [31:0] psn_q;
  logic [15:0] new_size_q;             // of a packet that is sent for the first time
  logic [30:0] left_q;
  logic [7:0]  n_q;

  assign psn   = una + {25'b0, place_o};
  assign row_o = psn[6:0];

  always_ff @(posedge clk_i) begin
    if (step_i[4]) begin
      psn_q      <= psn;
      new_size_q <= {2'b0, bytes_q} + {9'b0, header_i};
      left_q     <= again_o ? left : left - {17'b0, bytes_q};
      n_q        <= again_o ? n : n + 8'd1;
    end
  end

  // ---------------------------------------------------------------- step 5
  logic [31:0] sum_new;

  assign sum_new = again_o ? sum : sum + {16'b0, new_size_q};
  assign state_o = {closed_at, rcvd, sum_new, left_q, n_q, una, start, peer, mpr, tries, stopped,
                    closing, syn, valid};

  // ---------------------------------------------------------------- step 6 to 7
  logic        last;
  logic [31:0] offset;

  assign last   = ~again_o & (left_q == '0);
  assign offset = psn_q - start;

  always_ff @(posedge clk_i) begin
    if (step_i[6]) begin
      act_o            <= '0;
      act_o.kind       <= txpdc_pkg::ACTION_SENT;
      act_o.psn        <= psn_q;
      act_o.size       <= {16'b0, again_o ? size_i : new_size_q};
      act_o.is_rtx     <= again_o;
      act_o.syn        <= syn;
      act_o.psn_offset <= syn ? offset[11:0] : 12'b0;
      act_o.ar         <= again_o | last | (n_q >= limit_q);
      act_o.eom        <= last;
      act_o.peer       <= syn ? 16'b0 : peer;
      act_o.tx         <= 1'b1;
    end
  end

  assign sent_o  = step_i[7] & eligible_q;
  assign fresh_o = sent_o & ~again_o;
  assign size_o  = new_size_q;

  logic unused;
  assign unused = (^offset[31:12]) ^ (^step_i[5]);

`ifdef GW_ASSERT
  a_work: assert property (@(posedge clk_i)
      (step_i[3] && eligible_q) |-> (valid && !closing && !stopped &&
                                     (again_o || ((left != 0) && (n < limit_i)))))
    else $error("txpdc_turn: the PDC that has the turn has nothing to send");
`endif
endmodule
