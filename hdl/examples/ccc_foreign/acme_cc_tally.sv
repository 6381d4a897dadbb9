// The counters of a context: bytes and packets in flight, waiting, received and skipped. Each state
// of the walk that counts has its entry here; in any other state the context passes unchanged.
//
// Combinational. over and under report that a counter was clamped in this state.
module acme_cc_tally (
  input  logic [5:0]  st,
  input  acme_ctx_t   c,
  input  logic        again,   // SEND of a retransmission
  input  logic        is_ack,
  /* verilator lint_off UNUSEDSIGNAL */  // the whole bundle; only a part is used here
  input  acme_terms_t t,
  /* verilator lint_on UNUSEDSIGNAL */
  output acme_ctx_t   counted,
  output logic        over,
  output logic        under
);
  always_comb begin
    counted = c;
    over    = 1'b0;
    under   = 1'b0;
    unique case (st)
      acme_cc_pkg::S_NEW_DATA: begin
        counted.owed = t.owed_up;
        over         = t.owed_over;
      end

      acme_cc_pkg::S_SEND: begin
        if (again) begin
          counted.rtx_pkts  = t.rtx_pkts_down;
          counted.rtx_bytes = t.rtx_bytes_down;
          under             = t.rtx_under;
        end else begin
          counted.owed = t.owed_down;
          under        = t.owed_under;
        end
        counted.fly      = t.fly_next;
        counted.fly_pkts = t.fly_pkts_up;
        over             = t.fly_over || t.fly_pkts_over;
      end

      acme_cc_pkg::S_BIND, acme_cc_pkg::S_NACK: begin
        counted.fly = t.fly_next;
        over        = t.fly_over;
      end

      // An ACK removes packets from the retransmission list, then counts its bytes.
      acme_cc_pkg::S_ACK: begin
        counted.rtx_pkts  = t.rtx_pkts_down;
        counted.rtx_bytes = t.rtx_bytes_down;
        under             = t.rtx_under;
      end

      acme_cc_pkg::S_COUNT: begin
        counted.fly     = t.fly_next;
        counted.skipped = t.skip_up;
        counted.got_inc = t.inc_up;
        counted.got_qa  = t.qa_up;
        over            = t.fly_over || t.skip_over || t.got_over;
      end

      acme_cc_pkg::S_TRIMMED: if (t.trim) begin
        counted.skipped = t.skip_up;
        over            = t.skip_over;
      end

      acme_cc_pkg::S_LOSS: begin
        counted.skipped = t.skip_up;
        counted.fly     = t.fly_next;
        over            = t.skip_over || t.fly_over;
      end

      // The packet has left the network; a lost one waits for its retransmission.
      acme_cc_pkg::S_TAIL: begin
        counted.fly_pkts = t.fly_pkts_down;
        under            = t.fly_pkts_under;
        if (!is_ack) begin
          counted.rtx_pkts  = t.rtx_pkts_up;
          counted.rtx_bytes = t.rtx_bytes_up;
          over              = t.rtx_over;
        end
      end

      default: over = 1'b0;
    endcase
  end
endmodule
