// PDCs and contexts: what the job that runs reads, and what it leaves.
//
// Latency:     a PDC is out one cycle after a job starts, in a turn one cycle after its slot is
//              chosen; a packet one cycle after packet_i; a write holds from the next cycle on.
// Throughput:  one job at a time.
// Comb. paths: the starts, views, PDCs and slots to nothing but RAM addresses.
// Reset:       the list is empty, scan is 0; the sweep writes 0 everywhere.
// Contract:    txpdc/contract.md "State of a PDC", "State of a context".
module txpdc_table #(
  parameter int Contexts = 4,
  parameter int CtxW     = 2,           // clog2(Contexts)
  parameter int Pdcs     = 16,          // 4 * Contexts
  parameter int PdcW     = 4,
  parameter int RowW     = 11           // PdcW + clog2(WINDOW)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            sweep_i,
  input  logic [RowW-1:0] sweep_row_i,
  // the job that starts
  input  logic            view_start_i,
  input  txpdc_view_t     view_i,
  input  logic            cmd_start_i,
  input  logic [PdcW-1:0] cmd_pdc_i,
  input  logic            rec_start_i,
  input  logic [PdcW-1:0] dpdcid_i,
  input  logic            timer_start_i,
  input  logic            first_i,      // step 1 of a turn
  input  logic            chosen_i,     // step 2 of a turn
  input  logic [1:0]      slot_i,
  // what it reads
  output logic [PdcW-1:0] pdc_o,
  output logic [12:0]     row_o,        // of its context
  output logic            list_o,       // a context waits for its turn
  output logic [222:0]    state_o,
  output logic [383:0]    bits_o,
  input  logic            read_i,       // step 3 of a turn: limit_o and place_o are of that state
  output logic [7:0]      limit_o,
  output logic [6:0]      place_o,
  input  logic [6:0]      packet_i,
  output logic [15:0]     size_o,
  output logic [31:0]     stamp_o,
  // what it leaves: from two cycles before its end on
  input  logic [222:0]    state_i,
  input  logic [383:0]    bits_i,
  // its end
  input  logic            pdc_we_i,
  input  logic            closes_i,     // closed_at is now
  input  logic [31:0]     now_i,
  input  logic            size_we_i,
  input  logic [15:0]     size_i,
  input  logic            stamp_we_i,
  input  logic [31:0]     stamp_i,
  input  logic            view_step_i,
  input  logic            turn_i,
  input  logic            sent_i
);
  logic [PdcW-1:0] pdc;
  logic [CtxW-1:0] first;
  logic            again, work;
  logic            again_q, work_q;

  txpdc_select #(.CtxW(CtxW), .PdcW(PdcW)) u_select (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .view_i    (view_start_i),
    .view_ctx_i(view_i.ctx[CtxW-1:0]),
    .cmd_i     (cmd_start_i),
    .cmd_pdc_i (cmd_pdc_i),
    .rec_i     (rec_start_i),
    .dpdcid_i  (dpdcid_i),
    .timer_i   (timer_start_i),
    .first_i   (first_i),
    .ctx_i     (first),
    .chosen_i  (chosen_i),
    .slot_i    (slot_i),
    .pdc_o     (pdc),
    .pdc_q_o   (pdc_o)
  );

  txpdc_store #(.Pdcs(Pdcs), .PdcW(PdcW), .RowW(RowW)) u_store (
    .clk_i      (clk_i),
    .sweep_i    (sweep_i),
    .sweep_row_i(sweep_row_i),
    .pdc_i      (pdc),
    .state_o    (state_o),
    .bits_o     (bits_o),
    .we_i       (pdc_we_i),
    .wpdc_i     (pdc_o),
    .state_i    ({closes_i ? now_i : state_i[222:191], state_i[190:0]}),
    .bits_i     (bits_i),
    .packet_i   (packet_i),
    .size_o     (size_o),
    .stamp_o    (stamp_o),
    .size_we_i  (size_we_i),
    .size_i     (size_i),
    .stamp_we_i (stamp_we_i),
    .stamp_i    (stamp_i)
  );

  // ---------------------------------------------------------------- work
  // Of what a turn reads limit and place; of what a job leaves all.
  txpdc_work u_work (
    .valid_i  (state_i[0]),
    .closing_i(state_i[2]),
    .stopped_i(state_i[3]),
    .mpr_i    (read_i ? state_o[15:8] : state_i[15:8]),
    .n_i      (read_i ? state_o[103:96] : state_i[103:96]),
    .left_i   (state_i[134:104] != '0),
    .acked_i  (read_i ? bits_o[127:0] : bits_i[127:0]),
    .marked_i (read_i ? bits_o[255:128] : bits_i[255:128]),
    .limit_o  (limit_o),
    .place_o  (place_o),
    .again_o  (again),
    .work_o   (work)
  );

  always_ff @(posedge clk_i) begin
    again_q <= again;
    work_q  <= work;
  end

  txpdc_contexts #(.Contexts(Contexts), .CtxW(CtxW)) u_contexts (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .sweep_i     (sweep_i),
    .sweep_ctx_i (sweep_row_i[RowW-1 -: CtxW]),
    .ctx_i       (pdc[PdcW-1:2]),
    .row_o       (row_o),
    .wctx_i      (pdc_o[PdcW-1:2]),
    .view_start_i(view_start_i),
    .view_i      (view_i),
    .view_step_i (view_step_i),
    .pdc_i       (pdc_we_i),
    .slot_i      (pdc_o[1:0]),
    .again_i     (again_q),
    .work_i      (work_q),
    .turn_i      (turn_i),
    .sent_i      (sent_i),
    .any_o       (list_o),
    .first_o     (first)
  );
endmodule
