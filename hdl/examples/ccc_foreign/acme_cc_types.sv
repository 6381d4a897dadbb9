// Bundles of the congestion-control engine, at file scope: list this file first.
//
// The request and the response travel as one vector each; these structs are their layouts, first
// member in the highest bits.
`ifndef ACME_CC_TYPES_SV
`define ACME_CC_TYPES_SV

// 408 bits.
typedef struct packed {
  logic        unpaid;    // SEND that takes no credit
  logic [15:0] share;     // of what is wanted, UQ0.16; 0: all
  logic [23:0] pull;      // number of a pull, or the first of a new context, 256 bytes
  logic [63:0] wdata;     // load / configuration value, or a round-trip time
  logic [4:0]  waddr;     // state word or configuration register
  logic [3:0]  op;        // event
  logic [15:0] flow;      // context
  logic [3:0]  prof;      // profile of a new context, or of the register
  logic [3:0]  conn;      // connection within the context
  logic [15:0] path;      // entropy
  logic [47:0] t_now;     // ticks
  logic [47:0] t_tx;      // ticks
  logic        t_tx_ok;
  logic [1:0]  tries;     // retransmissions: 0, 1, more
  logic        resent;    // retx flag as echoed
  logic [15:0] svc;       // service time as on the wire, 128 ns
  logic        ecn;
  logic [31:0] bytes;     // packet size, new backlog, or what a new connection puts back in flight
  logic        again;     // SEND of a retransmission
  logic [23:0] rx_total;  // received-bytes counter of the peer, 256 bytes
  logic [15:0] acked;     // packets
  logic [15:0] un_pkts;   // packets to remove from the retransmission list
  logic [31:0] un_bytes;  // and their bytes
  logic [6:0]  pend;      // receiver's penalty
  logic        restore;
  logic [7:0]  why;       // NACK reason
} acme_req_t;

// 329 bits. Bits of late and marks: acme_cc_pkg::MK_*.
typedef struct packed {
  logic [1:0]  late;      // marks from bit 16 on
  logic [23:0] target;    // 256 bytes
  logic [63:0] rdata;
  logic [3:0]  op;
  logic [15:0] flow;
  logic [15:0] path;
  logic [15:0] marks;
  logic [3:0]  act;
  logic [2:0]  lb;
  logic [1:0]  sched;
  logic        may_send;
  logic        want_ack;
  logic [31:0] wnd;       // bytes
  logic [31:0] fly;       // bytes, two's complement
  logic [31:0] base;      // ticks
  logic [31:0] qd;        // ticks
  logic [47:0] avg;       // ticks, UQ32.16
} acme_resp_t;

// One context, as stored in the memory: 771 bits, or fewer where avg has fewer fraction bits; avg is
// last, so that the bits it lacks are the lowest. The received-bytes counters of its connections are
// in a separate memory.
typedef struct packed {
  logic        live;
  logic [3:0]  prof;        // profile
  logic        trig;        // trigger_qa
  logic        qa_on;       // qa_valid
  logic        ramp;        // increase
  logic [1:0]  sched;       // ccc_state
  logic [31:0] wnd;         // cwnd
  logic [31:0] wnd_max;
  logic [31:0] fly;         // inflight
  logic [31:0] wnd_saved;
  logic [31:0] base;        // base_rtt
  logic [31:0] got_qa;      // achieved_bytes
  logic [31:0] got_inc;     // received_bytes
  logic [31:0] got_fast;    // fi_count
  logic [31:0] skipped;     // bytes_ignored
  logic [31:0] to_skip;     // bytes_to_ignore
  logic [47:0] t_qa;        // qa_endtime
  logic [47:0] t_adj;       // last_adjust_time
  logic [47:0] t_dec;       // last_dec_time
  logic [47:0] acc;         // inc_bytes
  logic [47:0] owed;        // backlog
  logic [31:0] rtx_bytes;   // rtx_backlog
  logic [31:0] rtx_pkts;    // waiting_rtx
  logic [31:0] fly_pkts;    // inflight_pkts
  logic        spec;        // speculating
  logic [23:0] pulled;      // last_pull
  logic [31:0] cred;        // credit
  logic [47:0] avg;         // avg_delay
} acme_ctx_t;

// The configuration registers of one profile, each at its width: 492 bits.
typedef struct packed {
  logic [15:0] mtu;
  logic [31:0] wnd_init;
  logic [31:0] base_init;
  logic [31:0] target;
  logic [31:0] alpha;
  logic [31:0] fair;
  logic [31:0] eta;
  logic [23:0] fast_scale;
  logic [15:0] gamma;
  logic [15:0] jump;
  logic [7:0]  qa_gate;
  logic [31:0] qa_delay;
  logic [31:0] adj_bytes;
  logic [31:0] adj_period;
  logic [23:0] gain;
  logic [31:0] fast_delay;
  logic [31:0] wnd_rate;
  logic [31:0] ack_trigger;
  logic [3:0]  ctrl;
} acme_csr_t;

// Values that the sequencer may write next; see acme_cc_terms.
typedef struct packed {
  logic        trim;
  logic        adjust;
  logic        stale;
  logic [30:0] delta;
  logic        fly_over;
  logic [31:0] fly_next;
  logic [31:0] skip_up;
  logic        skip_over;
  logic [31:0] qa_up;
  logic [31:0] inc_up;
  logic        got_over;
  logic [31:0] fast_up;
  logic        fast_over;
  logic [47:0] owed_up;
  logic        owed_over;
  logic [31:0] rtx_bytes_up;
  logic [31:0] rtx_pkts_up;
  logic        rtx_over;
  logic [31:0] fly_pkts_up;
  logic        fly_pkts_over;
  logic [31:0] rtx_pkts_down;
  logic [31:0] rtx_bytes_down;
  logic        rtx_under;
  logic        owed_under;
  logic [47:0] owed_down;
  logic        fly_pkts_under;
  logic [31:0] fly_pkts_down;
  logic [47:0] raw_next;
  logic        raw_ok;
  logic        probe_ok;
  logic [31:0] base_wnd;
  logic [47:0] distance;
  logic [47:0] avg_next;
  logic        qa_ignore;
  logic        qa_ended;
  logic        qa_fires;
  logic [47:0] t_qa;
  logic [31:0] wnd_qa;
  logic        period_over;
  logic        cut_due;
  logic [47:0] excess;
  logic [31:0] fly_pos;
  logic [31:0] wnd_pen;
  logic [31:0] wnd_less;
  logic [31:0] wnd_fast;
  logic [31:0] wnd_cut;
  logic        quot_over;
  logic [31:0] wnd_grown;
  logic        may_send;
  logic        want_ack;
  logic        acc_over;
  logic [47:0] acc_up;
  logic [32:0] factor;
} acme_terms_t;

`endif
