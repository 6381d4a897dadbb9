// Admission of a request: whether it is refused, has no context or is executed, and the first state
// of its walk.
//
// Combinational. At most one of refused, absent, opens, closes and works is high. S_REST as the
// first state means that the request is finished at once.
module acme_cc_admit #(
  parameter int FLOWS    = 256,
  parameter int CONNS    = 4,
  parameter int PROFILES = 8
) (
  input  logic [3:0]  op,
  input  logic [15:0] flow,
  input  logic [3:0]  conn,
  input  logic [4:0]  waddr,
  input  logic [3:0]  prof,     // profile by which the request is judged
  input  logic        live,     // the context is open
  input  logic        csr_bad,
  input  logic        paying,   // credit is on
  output logic        refused,
  output logic        absent,   // no context
  output logic        csr_we,   // writes a register
  output logic        csr_re,   // reads one, or zero if refused
  output logic        opens,    // creates a context
  output logic        closes,
  output logic        works,    // on an open context
  output logic [5:0]  first
);
  localparam logic [4:0] CONN_END = CONNS[4:0];
  localparam logic [4:0] PROF_END = PROFILES[4:0];

  logic is_load;
  logic is_read;
  logic in_range;
  logic conn_bad;
  logic prof_bad;
  logic word_bad;
  logic bad;        // refused on an open context
  assign is_load  = op == acme_cc_pkg::OP_LOAD;
  assign is_read  = op == acme_cc_pkg::OP_READ;
  assign in_range = {16'd0, flow} < FLOWS;

  assign conn_bad = {1'b0, conn} >= CONN_END;
  assign prof_bad = {1'b0, prof} >= PROF_END;
  assign word_bad = waddr > 5'd15 || (waddr == 5'd14 && conn_bad);
  assign bad      = ((is_load || is_read) && word_bad)
                 || (is_load && waddr == 5'd0 && prof_bad)
                 || ((op == acme_cc_pkg::OP_ACK || op == acme_cc_pkg::OP_BIND) && conn_bad)
                 || (op == acme_cc_pkg::OP_PULL && !paying);

  // The first rule that applies decides.
  always_comb begin
    refused = 1'b0;
    absent  = 1'b0;
    csr_we  = 1'b0;
    csr_re  = 1'b0;
    opens   = 1'b0;
    closes  = 1'b0;
    works   = 1'b0;
    if (op > acme_cc_pkg::OP_PULL) begin
      refused = 1'b1;
    end else if (op == acme_cc_pkg::OP_CSR_WRITE) begin
      refused = csr_bad;
      csr_we  = !csr_bad;
    end else if (op == acme_cc_pkg::OP_CSR_READ) begin
      refused = csr_bad;
      csr_re  = 1'b1;
    end else if (!in_range) begin
      absent = 1'b1;
    end else if (op == acme_cc_pkg::OP_OPEN) begin
      refused = prof_bad;
      opens   = !prof_bad;
    end else if (!live) begin
      absent = 1'b1;
    end else if (op == acme_cc_pkg::OP_CLOSE) begin
      closes = 1'b1;
    end else begin
      refused = bad;
      works   = !bad;
    end
  end

  always_comb begin
    first = acme_cc_pkg::S_REST;
    if (opens) begin
      first = acme_cc_pkg::S_WIPE;
    end else if (works) begin
      unique case (op)
        acme_cc_pkg::OP_LOAD:     first = acme_cc_pkg::S_REST;
        acme_cc_pkg::OP_READ:     first = acme_cc_pkg::S_REST;
        acme_cc_pkg::OP_NEW_DATA: first = acme_cc_pkg::S_NEW_DATA;
        acme_cc_pkg::OP_SEND:     first = acme_cc_pkg::S_SEND;
        acme_cc_pkg::OP_ACK:      first = acme_cc_pkg::S_ACK;
        acme_cc_pkg::OP_NACK:     first = acme_cc_pkg::S_NACK;
        acme_cc_pkg::OP_BIND:     first = acme_cc_pkg::S_BIND;
        acme_cc_pkg::OP_PROBE:    first = acme_cc_pkg::S_PROBE;
        acme_cc_pkg::OP_PULL:     first = acme_cc_pkg::S_PULL;
        default:                  first = acme_cc_pkg::S_LOSS;
      endcase
    end
  end
endmodule
