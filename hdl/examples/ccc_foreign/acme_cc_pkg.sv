// Codes of the congestion-control engine.

// A module needs few of them: unused constants are normal in a shared package.
/* verilator lint_off UNUSEDPARAM */
package acme_cc_pkg;
  localparam int REQ_W  = 408;
  localparam int RESP_W = 329;
  localparam int CTX_W  = 771;
  localparam int CSR_W  = 492;
  localparam int SEEN_W = 24;

  localparam logic [3:0] OP_OPEN      = 4'd0;
  localparam logic [3:0] OP_CLOSE     = 4'd1;
  localparam logic [3:0] OP_LOAD      = 4'd2;
  localparam logic [3:0] OP_READ      = 4'd3;
  localparam logic [3:0] OP_NEW_DATA  = 4'd4;
  localparam logic [3:0] OP_SEND      = 4'd5;
  localparam logic [3:0] OP_ACK       = 4'd6;
  localparam logic [3:0] OP_NACK      = 4'd7;
  localparam logic [3:0] OP_LOSS      = 4'd8;
  localparam logic [3:0] OP_CSR_WRITE = 4'd9;
  localparam logic [3:0] OP_CSR_READ  = 4'd10;
  localparam logic [3:0] OP_BIND      = 4'd11;
  localparam logic [3:0] OP_PROBE     = 4'd12;  // SAMPLE
  localparam logic [3:0] OP_PULL      = 4'd13;  // CREDIT

  localparam logic [3:0] ACT_NONE      = 4'd0;
  localparam logic [3:0] ACT_FAIR      = 4'd1;
  localparam logic [3:0] ACT_PROP      = 4'd2;
  localparam logic [3:0] ACT_FAST      = 4'd3;
  localparam logic [3:0] ACT_MD        = 4'd4;
  localparam logic [3:0] ACT_NOOP      = 4'd5;
  localparam logic [3:0] ACT_RCV_LIMIT = 4'd6;
  localparam logic [3:0] ACT_NO_RTT    = 4'd7;
  localparam logic [3:0] ACT_IGNORE    = 4'd8;
  localparam logic [3:0] ACT_QA        = 4'd9;
  localparam logic [3:0] ACT_NACK_DEC  = 4'd10;
  localparam logic [3:0] ACT_LOSS_DEC  = 4'd11;

  localparam logic [1:0] SCHED_IDLE    = 2'd0;
  localparam logic [1:0] SCHED_PENDING = 2'd1;
  localparam logic [1:0] SCHED_ACTIVE  = 2'd2;
  localparam logic [1:0] SCHED_READY   = 2'd3;

  localparam logic [2:0] LB_NONE    = 3'd0;
  localparam logic [2:0] LB_NO_ECN  = 3'd1;
  localparam logic [2:0] LB_ECN     = 3'd2;
  localparam logic [2:0] LB_NACK    = 3'd3;
  localparam logic [2:0] LB_TIMEOUT = 3'd4;

  localparam logic [7:0] WHY_TRIM      = 8'd1;
  localparam logic [7:0] WHY_TRIM_LAST = 8'd2;

  // Bits of acme_resp_t.marks, and of its late after them.
  localparam int MK_NO_CONTEXT = 0;
  localparam int MK_REFUSED    = 1;
  localparam int MK_SATURATED  = 2;
  localparam int MK_UNDERFLOW  = 3;
  localparam int MK_STALE      = 4;
  localparam int MK_RTT        = 5;
  localparam int MK_BASE_FELL  = 6;
  localparam int MK_RCV_LIMIT  = 7;
  localparam int MK_SAVED      = 8;
  localparam int MK_RESTORED   = 9;
  localparam int MK_QA_WINDOW  = 10;
  localparam int MK_QA_FIRED   = 11;
  localparam int MK_IGNORED    = 12;
  localparam int MK_MD         = 13;
  localparam int MK_FULFILLED  = 14;
  localparam int MK_ETA        = 15;
  localparam int MK_GRANTED    = 16;
  localparam int MK_SPEC_ENDED = 17;
  localparam int MARKS         = 18;

  // States of the sequencer; the arithmetic unit uses them.
  localparam logic [5:0] S_REST     = 6'd0;
  localparam logic [5:0] S_DECODE   = 6'd1;
  localparam logic [5:0] S_NEW_DATA = 6'd2;
  localparam logic [5:0] S_SEND     = 6'd3;
  localparam logic [5:0] S_ACK      = 6'd4;
  localparam logic [5:0] S_COUNT    = 6'd5;
  localparam logic [5:0] S_RECEIVER = 6'd6;
  localparam logic [5:0] S_PENALTY  = 6'd7;
  localparam logic [5:0] S_NACK     = 6'd8;
  localparam logic [5:0] S_TRIMMED  = 6'd9;
  localparam logic [5:0] S_ADJUST   = 6'd10;
  localparam logic [5:0] S_LOSS     = 6'd11;
  localparam logic [5:0] S_BASE     = 6'd12;
  localparam logic [5:0] S_DELAY    = 6'd13;
  localparam logic [5:0] S_SAMPLE   = 6'd14;
  localparam logic [5:0] S_AVERAGE  = 6'd15;
  localparam logic [5:0] S_QUICK    = 6'd16;
  localparam logic [5:0] S_QUADRANT = 6'd17;
  localparam logic [5:0] S_FAIR     = 6'd18;
  localparam logic [5:0] S_PROP     = 6'd19;
  localparam logic [5:0] S_PROP2    = 6'd20;
  localparam logic [5:0] S_FAST     = 6'd21;
  localparam logic [5:0] S_RATIO    = 6'd22;
  localparam logic [5:0] S_FACTOR   = 6'd23;
  localparam logic [5:0] S_CUT      = 6'd24;
  localparam logic [5:0] S_FULFIL   = 6'd25;
  localparam logic [5:0] S_GROW     = 6'd26;
  localparam logic [5:0] S_TAIL     = 6'd27;
  localparam logic [5:0] S_SCHED    = 6'd28;
  localparam logic [5:0] S_BIND     = 6'd29;
  localparam logic [5:0] S_PROBE    = 6'd30;
  localparam logic [5:0] S_WIPE     = 6'd31;
  localparam logic [5:0] S_PULL     = 6'd32;
  localparam logic [5:0] S_SHARE    = 6'd33;
endpackage
/* verilator lint_on UNUSEDPARAM */
