// What becomes of a record.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    txpdc/contract.md "Record", "ACK" 1 and 2, "NACK". At most one output is high.
module txpdc_verdict (
  input  logic        ack_i,        // an ACK; else a NACK, or neither
  input  logic        stray_i,
  input  logic        closing_i,    // the PDC
  input  logic        syn_i,
  input  logic [7:0]  n_i,
  input  logic [31:0] ahead_i,      // of an ACK: d
  input  logic [7:0]  code_i,       // of a NACK
  input  logic        first_i,      // psn is una
  input  logic        inside_i,     // psn is outstanding
  input  logic        whole_i,      // all below psn is acknowledged
  input  logic        answers_i,    // it refers to a packet in flight, and to its last transmission
  output logic        freed_o,
  output logic        acked_o,
  output logic        stopped_o,
  output logic        nacked_o,
  output logic        stale_o
);
  logic foreign;                    // it acknowledges what was not sent, or is of a former PDC
  logic gone;                       // the destination has no such PDC
  logic refused;                    // the destination refuses the PDC

  // Below -4096, above n, or before any packet.
  assign foreign = (ahead_i[31] ? (ahead_i[30:12] != '1) : (ahead_i > {24'b0, n_i})) |
                   (syn_i & (n_i == '0));

  always_comb begin
    unique case (code_i)
      ackgen_pkg::NACK_CODE_INV_DPDCID, ackgen_pkg::NACK_CODE_PDC_HDR_MISMATCH: gone = 1'b1;
      default:                                                                  gone = 1'b0;
    endcase
    unique case (code_i)
      ackgen_pkg::NACK_CODE_CLOSING: refused = whole_i;
      ackgen_pkg::NACK_CODE_PDC_MODE_MISMATCH, ackgen_pkg::NACK_CODE_NEW_START_PSN: refused = 1'b1;
      8'h11, 8'h15: refused = 1'b1;   // CLOSING_IN_ERR, INVALID_SYN: ackgen sends neither
      default:      refused = gone;
    endcase
  end

  assign freed_o   = ~stray_i & closing_i & (ack_i ? (ahead_i == 32'd1) : (first_i & gone));
  assign acked_o   = ~stray_i & ~closing_i & ack_i & ~foreign;
  assign stopped_o = ~stray_i & ~closing_i & ~ack_i & inside_i & refused;
  assign nacked_o  = ~stray_i & ~closing_i & ~ack_i & ~refused & answers_i;
  assign stale_o   = ~stray_i & ~freed_o & ~acked_o & ~stopped_o & ~nacked_o;
endmodule
