// Job of a record: what an ACK or a NACK changes in its PDC.
//
// Latency:     REC_BUSY (8) cycles, and one for each packet it unmarks, in which step 4 lasts: the
//              PDC is out in step 1, what becomes of the record is settled in 3; results in 7.
// Throughput:  one job at a time.
// Comb. paths: walk_i to row_o; step_i to the enables.
// Reset:       none; payload only.
// Contract:    txpdc/contract.md "Record". A state is closed_at, rcvd, sum, left, outstanding, una,
//              start, peer, mpr, tries, stopped, closing, syn, valid; bits are resent, marked,
//              acked.
module txpdc_rec #(
  parameter int Pdcs = 16
) (
  input  logic         clk_i,
  input  logic         start_i,
  input  logic [7:1]   step_i,
  input  txpdc_rec_t   rec_i,
  input  logic [222:0] state_i,        // step 1 on
  input  logic [383:0] bits_i,
  // what it acknowledges, counted
  input  logic [6:0]   walk_i,         // step 4: place of a packet whose size is read
  input  logic [7:0]   acked_i,        // step 6
  input  logic [7:0]   unmark_i,
  input  logic [23:0]  bytes_i,
  output logic [6:0]   row_o,          // of the packet whose size is read
  input  logic [15:0]  size_i,         // one cycle later
  // step 3 on
  output logic         ack_o,
  output logic [127:0] new_o,
  output logic [7:0]   shift_o,
  output logic         mark_o,
  output logic [6:0]   place_o,
  // step 5
  output logic [222:0] state_o,
  // step 7
  output logic         done_o,         // with an action
  output logic [3:0]   count_o,        // stale, stray, nacks, acks
  output txpdc_act_t   act_o
);
  localparam logic [15:0] MaxPdcid = Pdcs[15:0];

  txpdc_rec_t   rec_q;
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

  always_ff @(posedge clk_i) begin
    if (start_i) rec_q <= rec_i;
  end

  // ---------------------------------------------------------------- step 1
  logic        plain, ext, is_nack;    // ACK, ACK_CC or ACK_CCX, NACK or NACK_CCX
  logic        is_ack;
  logic        none;                   // there is no such PDC
  logic        is_ack_q, ext_q, stray_q;
  logic [31:0] ahead_q;                // d
  logic [31:0] off_q;                  // of the packet that the record refers to
  logic [31:0] shift_q;

  always_comb begin
    plain   = 1'b0;
    ext     = 1'b0;
    is_nack = 1'b0;
    unique case (rec_q.pds_type)
      txpdc_pkg::PDS_TYPE_ACK:                                  plain   = 1'b1;
      txpdc_pkg::PDS_TYPE_ACK_CC, txpdc_pkg::PDS_TYPE_ACK_CCX:  ext     = 1'b1;
      txpdc_pkg::PDS_TYPE_NACK, txpdc_pkg::PDS_TYPE_NACK_CCX:   is_nack = 1'b1;
      default: ;
    endcase
  end

  assign is_ack = plain | ext;
  assign none   = (rec_q.dpdcid == '0) | (rec_q.dpdcid > MaxPdcid);

  always_ff @(posedge clk_i) begin
    if (step_i[1]) begin
      is_ack_q <= is_ack;
      ext_q    <= ext;
      stray_q  <= none | ~valid | stopped | (is_ack ? (~syn & (rec_q.spdcid != peer)) : ~is_nack);
      ahead_q  <= rec_q.psn + 32'd1 - una;
      off_q    <= (is_ack ? rec_q.ack_psn : rec_q.psn) - una;
      shift_q  <= rec_q.sack_base + 32'd63 - una;
    end
  end

  // ---------------------------------------------------------------- step 2
  logic         held;                  // it refers to an outstanding packet
  logic         fresh;                 // that is not acknowledged
  logic         whole;                 // all below it is acknowledged
  logic         answers;               // a NACK to the last transmission of a packet in flight
  logic         freed, ack, stops, nacked, stale;
  logic [127:0] news;
  logic         freed_q, stops_q, stale_q, tx_q;

  assign place_o = off_q[6:0];
  assign held    = (off_q < {24'b0, n});
  assign fresh   = held & ~acked[place_o];
  assign whole   = ((~acked & ~({128{1'b1}} << place_o)) == '0);
  assign answers = fresh & ~marked[place_o] & (resent[place_o] == rec_q.retx);

  txpdc_verdict u_verdict (
    .ack_i    (is_ack_q),
    .stray_i  (stray_q),
    .closing_i(closing),
    .syn_i    (syn),
    .n_i      (n),
    .ahead_i  (ahead_q),
    .code_i   (rec_q.nack_code),
    .first_i  (off_q == '0),
    .inside_i (held),
    .whole_i  (whole),
    .answers_i(answers),
    .freed_o  (freed),
    .acked_o  (ack),
    .stopped_o(stops),
    .nacked_o (nacked),
    .stale_o  (stale)
  );

  // Where ack, d is n or less.
  txpdc_cover u_cover (
    .n_i     (n),
    .acked_i (acked),
    .below_i (ahead_q[31] ? 8'd0 : ahead_q[7:0]),
    .sack_i  (ext_q),
    .bitmap_i(rec_q.sack_bitmap),
    .shift_i (shift_q),
    .new_o   (news)
  );

  always_ff @(posedge clk_i) begin
    if (step_i[2]) begin
      new_o   <= news;
      ack_o   <= ack;
      freed_q <= freed;
      stops_q <= stops;
      mark_o  <= nacked;
      stale_q <= stale;
      tx_q    <= ~rec_q.probe & held & news[place_o];
    end
  end

  // ---------------------------------------------------------------- step 3, 4
  logic [127:0] ones;                  // of acked, of outstanding packets
  logic [6:0]   low, high;             // so many below the lowest zero of each half
  logic         any_q;                 // something new is acknowledged

  assign ones = (acked | new_o) & ~({128{1'b1}} << n);

  gw_ones_below u_low  (.keep_i(ones[63:0]), .count_o(low));
  gw_ones_below u_high (.keep_i(ones[127:64]), .count_o(high));

  always_ff @(posedge clk_i) begin
    if (step_i[3]) begin
      shift_o <= low[6] ? 8'd64 + {1'b0, high} : {1'b0, low};
      any_q   <= |new_o;
    end
  end

  assign row_o = is_ack_q ? una[6:0] + walk_i : rec_q.psn[6:0];

  // ---------------------------------------------------------------- step 5
  logic        is_nscc;                // it has a CC state that can be read
  logic [23:0] gain;                   // of rcvd_bytes
  logic        syn_new;
  logic [15:0] peer_new;
  logic [7:0]  mpr_new, n_new;
  logic [3:0]  tries_new;
  logic [23:0] rcvd_new;
  logic [31:0] una_new;

  assign is_nscc   = (rec_q.pds_type == txpdc_pkg::PDS_TYPE_ACK_CC) & (rec_q.cc_type == '0);
  assign gain      = rec_q.rcvd_bytes - rcvd;
  assign syn_new   = syn & ~ack_o;
  assign peer_new  = (ack_o & syn) ? rec_q.spdcid : peer;
  assign mpr_new   = (ack_o & ext_q) ? rec_q.mpr : mpr;
  assign tries_new = (ack_o & any_q) ? 4'd0 : tries;
  assign rcvd_new  = (ack_o & is_nscc & ~gain[23]) ? rec_q.rcvd_bytes : rcvd;
  assign una_new   = ack_o ? una + {24'b0, shift_o} : una;
  assign n_new     = ack_o ? n - shift_o : n;
  assign state_o   = {closed_at, rcvd_new, sum, left, n_new, una_new, start, peer_new, mpr_new,
                      tries_new, stopped | stops_q, closing, syn_new, valid & ~freed_q};

  // ---------------------------------------------------------------- step 6 to 7
  always_ff @(posedge clk_i) begin
    if (step_i[6]) begin
      act_o <= '0;
      if (freed_q) act_o.kind <= txpdc_pkg::ACTION_FREED;
      if (stops_q) begin
        act_o.kind <= txpdc_pkg::ACTION_STOPPED;
        act_o.code <= rec_q.nack_code;
      end
      if (mark_o) begin
        act_o.kind    <= txpdc_pkg::ACTION_NACKED;
        act_o.psn     <= rec_q.psn;
        act_o.size    <= {16'b0, size_i};
        act_o.tx      <= 1'b1;
        act_o.m       <= rec_q.m;
        act_o.retx    <= rec_q.retx;
        act_o.entropy <= rec_q.entropy;
        act_o.code    <= rec_q.nack_code;
      end
      if (ack_o) begin
        act_o.kind         <= txpdc_pkg::ACTION_ACKED;
        act_o.psn          <= tx_q ? rec_q.ack_psn : 32'b0;
        act_o.tx           <= tx_q;
        act_o.done         <= (n_new == '0) & (left == '0);
        act_o.rcvd_bytes   <= is_nscc ? rec_q.rcvd_bytes : rcvd;
        act_o.acked_pkts   <= acked_i;
        act_o.unmark_pkts  <= unmark_i;
        act_o.unmark_bytes <= bytes_i;
        act_o.m            <= rec_q.m;
        act_o.retx         <= rec_q.retx;
        act_o.entropy      <= rec_q.entropy;
        act_o.service_time <= is_nscc ? rec_q.service_time : 16'b0;
        act_o.pend         <= is_nscc ? rec_q.pend : 7'b0;
        act_o.rc           <= is_nscc & rec_q.rc;
      end
    end
  end

  assign done_o  = step_i[7] & (freed_q | ack_o | stops_q | mark_o);
  assign count_o = {stale_q, stray_q, (freed_q & ~is_ack_q) | stops_q | mark_o,
                    (freed_q & is_ack_q) | ack_o} & {4{step_i[7]}};

  logic unused;
  assign unused = (^gain[22:0]) ^ (^step_i[5:4]);

`ifdef GW_ASSERT
  a_one: assert property (@(posedge clk_i)
      step_i[7] |-> ($countones(count_o) == 1))
    else $error("txpdc_rec: a record is not counted once");
  a_shift: assert property (@(posedge clk_i) (step_i[5] && ack_o) |-> (shift_o <= n))
    else $error("txpdc_rec: more is acknowledged than is outstanding");
`endif
endmodule
