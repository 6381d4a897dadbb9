// Job of the timer: whether the PDC waits too long for an answer; what a stopped one retires.
//
// Latency:     TIMER_BUSY (8) cycles, and one for each packet that it unmarks, in which step 4
//              lasts: the PDC is out in step 1, stamps in 3 and 4; results in 7.
// Throughput:  one job at a time.
// Comb. paths: walk_i to row_o; step_i to the enables.
// Reset:       none; payload only.
// Contract:    txpdc/contract.md "Timer". A state is closed_at, rcvd, sum, left, outstanding, una,
//              start, peer, mpr, tries, stopped, closing, syn, valid; bits are resent, marked,
//              acked.
module txpdc_timer (
  input  logic         clk_i,
  input  logic [7:1]   step_i,
  input  logic [31:0]  ahead_i,        // in step 4: the time in step 7
  input  logic [23:0]  rto_i,          // registers
  input  logic [3:0]   tries_i,
  input  logic [222:0] state_i,        // step 1 on
  input  logic [383:0] bits_i,
  output logic         retires_o,      // step 1 on: all that is outstanding
  output logic [127:0] new_o,          // which is this
  // what it retires, counted
  input  logic [6:0]   walk_i,         // step 4: place of a packet whose size is read
  input  logic [7:0]   acked_i,        // step 6
  input  logic [7:0]   unmark_i,
  input  logic [23:0]  bytes_i,
  output logic [6:0]   row_o,          // of the packet whose size and stamp are read
  input  logic [15:0]  size_i,         // one cycle later
  input  logic [31:0]  stamp_i,
  // step 5
  output logic [222:0] state_o,
  output logic         mark_o,         // a packet is lost
  output logic [6:0]   place_o,
  // step 7
  output logic         done_o,         // with an action
  output logic         closes_o,       // and closed_at is now
  output logic         lost_o,         // and a packet is lost
  output txpdc_act_t   act_o
);
  logic [31:0]  closed_at, sum, una, start;
  logic [23:0]  rcvd;
  logic [30:0]  left;
  logic [7:0]   n, mpr;
  logic [15:0]  peer;
  logic [3:0]   tries;
  logic         stopped, closing, syn, valid;
  logic [127:0] acked, marked, resent;

  assign {closed_at, rcvd, sum, left, n, una, start, peer, mpr, tries, stopped, closing, syn,
          valid} = state_i;
  assign {resent, marked, acked} = bits_i;

  assign retires_o = valid & stopped;
  assign new_o     = ~acked & ~({128{1'b1}} << n);

  // ---------------------------------------------------------------- steps 1, 2: which packets
  logic [127:0] flight;
  logic         any;
  logic [6:0]   place;
  logic         once_q, again_q;       // a packet is in flight that was sent once, that was resent
  logic [6:0]   once_place_q, again_place_q;

  assign flight = new_o & ~marked;

  gw_first_one #(.Width(128), .IndexW(7)) u_first (
    .ones_i (flight & (step_i[1] ? ~resent : resent)),
    .any_o  (any),
    .index_o(place)
  );

  always_ff @(posedge clk_i) begin
    if (step_i[1]) begin
      once_q       <= any;
      once_place_q <= place;
    end
    if (step_i[2]) begin
      again_q       <= any;
      again_place_q <= place;
    end
  end

  assign row_o = una[6:0] + (step_i[2] ? once_place_q : step_i[3] ? again_place_q : walk_i);

  // ---------------------------------------------------------------- steps 3, 4: since when
  logic [29:0] timeout_q;
  logic [31:0] now_q, since_q, again_since_q;
  logic [15:0] size_q, again_size_q;

  always_ff @(posedge clk_i) begin
    if (step_i[3]) begin
      timeout_q <= {6'b0, rto_i} << ((tries > 4'd6) ? 3'd6 : tries[2:0]);
      since_q   <= closing ? closed_at : stamp_i;
      size_q    <= size_i;
    end
    if (step_i[4]) begin
      now_q         <= ahead_i;
      again_since_q <= stamp_i;
      again_size_q  <= size_i;
    end
  end

  // ---------------------------------------------------------------- step 5: is it late
  logic [31:0] age, again_age;
  logic        late, again_late;
  logic        due;
  logic        counts;                 // as one more try
  logic        stops;                  // the last was tried
  logic [3:0]  tries_new;
  logic [31:0] rounded;
  logic [23:0] rcvd_new;
  logic        done_q, stops_q, mark_q;
  logic [31:0] psn_q;
  logic [15:0] lost_size_q;

  assign age        = now_q - since_q;
  assign again_age  = now_q - again_since_q;
  assign late       = (closing | once_q) & (age >= {2'b0, timeout_q});
  assign again_late = ~closing & again_q & (again_age >= {2'b0, timeout_q});
  assign due        = valid & ~stopped & (late | again_late);
  assign counts     = closing | ~late;
  assign stops      = due & counts & (tries >= tries_i);
  assign mark_o     = due & ~closing & ~stops;
  assign place_o    = late ? once_place_q : again_place_q;

  // Below tries_i where it counts and does not stop.
  assign tries_new = (due & counts & ~stops) ? tries + 4'd1 : tries;
  assign rounded   = sum + 32'd255;
  assign rcvd_new  = retires_o ? rounded[31:8] : rcvd;
  assign state_o   = {closed_at, rcvd_new, sum, left, retires_o ? 8'd0 : n,
                      retires_o ? una + {24'b0, n} : una, start, peer, mpr, tries_new,
                      stopped | stops, closing, syn, valid};

  always_ff @(posedge clk_i) begin
    if (step_i[5]) begin
      done_q      <= due | (retires_o & (n != '0));
      stops_q     <= stops;
      mark_q      <= mark_o;
      psn_q       <= closing ? una : una + {25'b0, place_o};
      lost_size_q <= late ? size_q : again_size_q;
    end
  end

  // ---------------------------------------------------------------- step 6 to 7
  always_ff @(posedge clk_i) begin
    if (step_i[6]) begin
      act_o <= '0;
      if (retires_o) begin
        act_o.kind         <= txpdc_pkg::ACTION_ACKED;
        act_o.done         <= (left == '0);
        act_o.rcvd_bytes   <= rcvd_new;
        act_o.acked_pkts   <= acked_i;
        act_o.unmark_pkts  <= unmark_i;
        act_o.unmark_bytes <= bytes_i;
      end else if (stops_q) begin
        act_o.kind <= txpdc_pkg::ACTION_STOPPED;
      end else if (mark_q) begin
        act_o.kind <= txpdc_pkg::ACTION_LOST;
        act_o.psn  <= psn_q;
        act_o.size <= {16'b0, lost_size_q};
      end else begin
        act_o.kind   <= txpdc_pkg::ACTION_CLOSING;
        act_o.psn    <= psn_q;
        act_o.is_rtx <= 1'b1;
        act_o.peer   <= peer;
      end
    end
  end

  assign done_o   = step_i[7] & done_q;
  assign closes_o = done_o & ~retires_o & closing & ~stops_q;
  assign lost_o   = done_o & mark_q;

  logic unused;
  assign unused = ^rounded[7:0];
endmodule
