// Congestion-control engine for a NIC: FLOWS contexts in memory, each with CONNS connections and
// one of PROFILES profiles; one request at a time.
//
// Behaviour: ../../../vectors/event/ccc/contract.md, without its cycle timing. Layouts of req_bits
// and resp_bits: acme_req_t and acme_resp_t.
//
// Latency 6 to about 300 clocks from the acceptance of a request to its response; a request is
// accepted when the previous response has been taken. No combinational path from an input to an
// output: every output is a register. After reset the context memory is cleared, which takes FLOWS
// clocks without req_ready.
//
// Word lengths: the fraction bits of the average, of four registers and of the share that an MD cuts
// by. At most, and by default, they are the contract's. Fewer bits keep the place of the binary
// point: the bits below do not exist and read as 0.
//
// arst: asynchronous, active high; drops the current request and closes every context.
module acme_cc_engine #(
  parameter int FLOWS      = 256,
  parameter int CONNS      = 4,
  parameter int PROFILES   = 8,
  parameter int AVG_FRAC   = 16,
  parameter int GAIN_FRAC  = 24,
  parameter int ALPHA_FRAC = 16,
  parameter int GAMMA_FRAC = 16,
  parameter int JUMP_FRAC  = 16,
  parameter int RATIO_FRAC = 16
) (
  input  logic                           clk,
  input  logic                           arst,
  input  logic                           req_valid,
  output logic                           req_ready,
  input  logic [acme_cc_pkg::REQ_W-1:0]  req_bits,
  output logic                           resp_valid,
  input  logic                           resp_ready,
  output logic [acme_cc_pkg::RESP_W-1:0] resp_bits
);
  localparam int ROW_W  = $clog2(FLOWS);
  localparam int CONN_W = CONNS > 1 ? $clog2(CONNS) : 1;
  localparam int LOST   = 16 - AVG_FRAC;  // bits of the average that are not stored

  localparam logic [2:0] E_CLEAR = 3'd0;
  localparam logic [2:0] E_READY = 3'd1;
  localparam logic [2:0] E_FETCH = 3'd2;
  localparam logic [2:0] E_START = 3'd3;
  localparam logic [2:0] E_WORK  = 3'd4;
  localparam logic [2:0] E_REPLY = 3'd5;

  logic [2:0]       st;
  logic [ROW_W-1:0] sweep;
  acme_req_t        rq;
  acme_ctx_t        ctx_in;
  acme_ctx_t        ctx_out;
  acme_csr_t        csr;
  acme_resp_t       resp;
  logic             csr_bad;
  logic             csr_we;
  logic [31:0]      csr_rdata;
  logic [3:0]       prof;       // profile whose registers apply
  logic [2:0]       svc_shift;
  logic             done;
  logic             store;
  logic             clear;
  logic             ram_we;
  logic [ROW_W-1:0] ram_row;

  /* verilator lint_off UNUSEDSIGNAL */  // of the average the stored bits
  logic [acme_cc_pkg::CTX_W-1:0]    ram_wdata;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [acme_cc_pkg::CTX_W-1:LOST] ram_rdata;
  logic [acme_cc_pkg::CTX_W-1:0]    ctx_bits;

  assign clear     = st == E_CLEAR;
  assign ram_we    = clear || (st == E_WORK && done && store);
  assign ram_row   = clear ? sweep : rq.flow[ROW_W-1:0];
  assign ram_wdata = clear ? {acme_cc_pkg::CTX_W{1'b0}} : ctx_out;
  assign ctx_in    = ctx_bits;

  assign ctx_bits[acme_cc_pkg::CTX_W-1:LOST] = ram_rdata;
  if (LOST > 0) begin : g_lost
    assign ctx_bits[LOST-1:0] = {LOST{1'b0}};
  end

  // A request with a profile is judged by that profile, any other by the profile of its context.
  logic by_request;
  logic by_word;

  assign by_request = rq.op == acme_cc_pkg::OP_OPEN || rq.op == acme_cc_pkg::OP_CSR_WRITE
                   || rq.op == acme_cc_pkg::OP_CSR_READ;
  assign by_word    = rq.op == acme_cc_pkg::OP_LOAD && rq.waddr == 5'd0;
  assign prof       = by_request ? rq.prof : (by_word ? rq.wdata[11:8] : ctx_in.prof);

  // Counters of the connections: one row each. A counter is written after its last use.
  logic                           seen_we;
  /* verilator lint_off UNUSEDSIGNAL */  // with few connections the low bits suffice
  logic [3:0]                     seen_conn;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [acme_cc_pkg::SEEN_W-1:0] seen_wdata;
  logic [acme_cc_pkg::SEEN_W-1:0] seen_rdata;
  logic [CONN_W-1:0]              conn;

  assign conn = seen_we ? seen_conn[CONN_W-1:0] : rq.conn[CONN_W-1:0];

  acme_cc_ram #(.ROWS(FLOWS << CONN_W), .WIDTH(acme_cc_pkg::SEEN_W)) u_seen (
    .clk  (clk),
    .we   (seen_we),
    .row  ({rq.flow[ROW_W-1:0], conn}),
    .wdata(seen_wdata),
    .rdata(seen_rdata)
  );

  acme_cc_ram #(.ROWS(FLOWS), .WIDTH(acme_cc_pkg::CTX_W - LOST)) u_ram (
    .clk(clk), .we(ram_we), .row(ram_row), .wdata(ram_wdata[acme_cc_pkg::CTX_W-1:LOST]),
    .rdata(ram_rdata)
  );

  acme_cc_csr #(
    .PROFILES(PROFILES), .GAIN_FRAC(GAIN_FRAC), .ALPHA_FRAC(ALPHA_FRAC), .GAMMA_FRAC(GAMMA_FRAC),
    .JUMP_FRAC(JUMP_FRAC)
  ) u_csr (
    .clk      (clk),
    .arst     (arst),
    .we       (csr_we),
    .is_write (rq.op == acme_cc_pkg::OP_CSR_WRITE),
    .prof     (prof),
    .addr     (rq.waddr),
    .wdata    (rq.wdata[31:0]),
    .bad      (csr_bad),
    .rdata    (csr_rdata),
    .csr      (csr),
    .svc_shift(svc_shift)
  );

  acme_cc_seq #(
    .FLOWS(FLOWS), .CONNS(CONNS), .PROFILES(PROFILES), .AVG_FRAC(AVG_FRAC), .RATIO_FRAC(RATIO_FRAC)
  ) u_seq (
    .clk       (clk),
    .arst      (arst),
    .start     (st == E_START),
    .rq        (rq),
    .ctx_in    (ctx_in),
    .seen      (seen_rdata),
    .prof      (prof),
    .csr       (csr),
    .svc_shift (svc_shift),
    .csr_bad   (csr_bad),
    .csr_rdata (csr_rdata),
    .csr_we    (csr_we),
    .seen_we   (seen_we),
    .seen_conn (seen_conn),
    .seen_wdata(seen_wdata),
    .done      (done),
    .store     (store),
    .ctx_out   (ctx_out),
    .resp      (resp)
  );

  always_ff @(posedge clk or posedge arst) begin
    if (arst) begin
      st         <= E_CLEAR;
      sweep      <= {ROW_W{1'b0}};
      rq         <= '0;
      req_ready  <= 1'b0;
      resp_valid <= 1'b0;
      resp_bits  <= {acme_cc_pkg::RESP_W{1'b0}};
    end else begin
      unique case (st)
        E_CLEAR: begin
          sweep <= sweep + 1'b1;
          if ({{32-ROW_W{1'b0}}, sweep} == FLOWS - 1) begin
            st        <= E_READY;
            req_ready <= 1'b1;
          end
        end
        E_READY: begin
          if (req_valid) begin
            rq        <= req_bits;
            req_ready <= 1'b0;
            st        <= E_FETCH;
          end
        end
        E_FETCH: st <= E_START;
        E_START: st <= E_WORK;
        E_WORK: begin
          if (done) begin
            resp_bits  <= resp;
            resp_valid <= 1'b1;
            st         <= E_REPLY;
          end
        end
        default: begin
          if (resp_ready) begin
            resp_valid <= 1'b0;
            req_ready  <= 1'b1;
            st         <= E_READY;
          end
        end
      endcase
    end
  end
endmodule
