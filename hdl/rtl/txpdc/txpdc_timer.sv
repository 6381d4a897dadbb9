// Job of the timer: whether the PDC waits too long for an answer.
//
// Latency:     TIMER_BUSY (8) cycles: the PDC is out in step 1, the stamp in 3; results in 7.
// Throughput:  one job at a time.
// Comb. paths: now_i to hit_o; step_i to the enables.
// Reset:       none; payload only.
// Contract:    txpdc/contract.md "Timer". A state is closed_at, rcvd, sum, left, outstanding, una,
//              start, peer, mpr, tries, stopped, closing, syn, valid; bits are resent, marked,
//              acked.
module txpdc_timer (
  input  logic         clk_i,
  input  logic [7:1]   step_i,
  input  logic [31:0]  now_i,
  input  logic [23:0]  rto_i,          // registers
  input  logic [3:0]   tries_i,
  input  logic [222:0] state_i,        // step 1 on
  input  logic [383:0] bits_i,
  output logic [6:0]   row_o,          // step 2 on: of the packet
  input  logic [15:0]  size_i,         // step 3 on
  input  logic [31:0]  stamp_i,
  // step 5
  output logic [222:0] state_o,
  output logic         mark_o,         // the packet
  output logic [6:0]   place_o,
  // step 7
  output logic         hit_o,          // it does
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

  // ---------------------------------------------------------------- step 1: which packet
  logic       any;                     // is in flight
  logic [6:0] place;
  logic       waits_q;                 // for an answer

  gw_first_one #(.Width(128), .IndexW(7)) u_first (
    .ones_i (~acked & ~marked & ~({128{1'b1}} << n)),
    .any_o  (any),
    .index_o(place)
  );

  always_ff @(posedge clk_i) begin
    if (step_i[1]) begin
      place_o <= place;
      waits_q <= valid & ~stopped & (closing | any);
    end
  end

  // ---------------------------------------------------------------- step 2
  logic [31:0] psn;
  logic        more;                   // it counts as one more try
  logic        counts_q;
  logic        stops_q;                // the last was tried
  logic [31:0] psn_q;

  assign psn   = una + {25'b0, place_o};
  assign row_o = psn[6:0];
  assign more  = closing | resent[place_o];

  always_ff @(posedge clk_i) begin
    if (step_i[2]) begin
      counts_q <= more;
      stops_q  <= more & (tries >= tries_i);
      psn_q    <= closing ? una : psn;
    end
  end

  // ---------------------------------------------------------------- step 3
  logic [31:0] since_q;
  logic [29:0] timeout_q;

  always_ff @(posedge clk_i) begin
    if (step_i[3]) begin
      since_q   <= closing ? closed_at : stamp_i;
      timeout_q <= {6'b0, rto_i} << ((tries > 4'd6) ? 3'd6 : tries[2:0]);
    end
  end

  // ---------------------------------------------------------------- step 5
  logic [3:0] tries_new;

  // Below tries_i where it counts and does not stop.
  assign tries_new = (counts_q & ~stops_q) ? tries + 4'd1 : tries;
  assign state_o   = {closed_at, rcvd, sum, left, n, una, start, peer, mpr, tries_new,
                      stopped | stops_q, closing, syn, valid};
  assign mark_o    = ~closing & ~stops_q;

  // ---------------------------------------------------------------- step 6 to 7
  always_ff @(posedge clk_i) begin
    if (step_i[6]) begin
      act_o <= '0;
      if (stops_q) begin
        act_o.kind <= txpdc_pkg::ACTION_STOPPED;
      end else begin
        act_o.kind   <= closing ? txpdc_pkg::ACTION_CLOSING : txpdc_pkg::ACTION_LOST;
        act_o.psn    <= psn_q;
        act_o.size   <= closing ? 32'b0 : {16'b0, size_i};
        act_o.is_rtx <= closing;
        act_o.peer   <= closing ? peer : 16'b0;
      end
    end
  end

  logic [31:0] age;

  assign age      = now_i - since_q;
  assign hit_o    = step_i[7] & waits_q & (age >= {2'b0, timeout_q});
  assign closes_o = hit_o & closing & ~stops_q;
  assign lost_o   = hit_o & mark_o;

  logic unused;
  assign unused = ^step_i[5:4];
endmodule
