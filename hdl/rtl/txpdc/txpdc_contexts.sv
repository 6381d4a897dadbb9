// Views of every context, which of its PDCs have work, and the list of those that may send.
//
// Latency:     a row one cycle after its address; a write holds from the next cycle on.
// Throughput:  one job at a time.
// Comb. paths: none.
// Reset:       the list is empty; the sweep writes 0 everywhere before a job can run.
// Contract:    txpdc/contract.md "State of a context", "View". A row is next, queued, waits,
//              can_send, then again and work of each slot.
//
// Only a job that writes here can make a context eligible: it is put into the list by that one.
module txpdc_contexts #(
  parameter int Contexts = 4,
  parameter int CtxW     = 2            // clog2(Contexts)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            sweep_i,
  input  logic [CtxW-1:0] sweep_ctx_i,
  input  logic [CtxW-1:0] ctx_i,        // to be read
  output logic [12:0]     row_o,
  // a view
  input  logic            view_start_i,
  input  txpdc_view_t     view_i,
  input  logic            view_step_i,  // its job ends
  // the end of a job
  input  logic [CtxW-1:0] wctx_i,
  input  logic            pdc_i,        // that writes a PDC
  input  logic [1:0]      slot_i,
  input  logic            again_i,
  input  logic            work_i,
  input  logic            turn_i,       // of a turn
  input  logic            sent_i,       // with a packet
  // the list
  output logic            any_o,
  output logic [CtxW-1:0] first_o       // one cycle after it became the first
);
  localparam logic [16:0] Limit = Contexts[16:0];

  // ---------------------------------------------------------------- a view
  txpdc_view_t     view_q;
  logic            known;               // a kind that has a view
  logic            viewed;

  always_ff @(posedge clk_i) begin
    if (view_start_i) view_q <= view_i;
  end

  always_comb begin
    unique case (view_q.kind)
      ccc_pkg::KIND_CFG_WRITE, ccc_pkg::KIND_CFG_READ: known = 1'b0;
      4'd14, 4'd15:                                    known = 1'b0;   // no kinds
      default:                                         known = 1'b1;
    endcase
  end

  assign viewed = view_step_i & known & ~view_q.refused & ({1'b0, view_q.ctx} < Limit);

  // ---------------------------------------------------------------- its row
  logic [1:0]      next;
  logic            queued, waits, can_send;
  logic [3:0]      again, work;
  logic            can_send_new, waits_new, queued_new;
  logic [3:0]      again_new, work_new;
  logic            we;
  logic            joins;
  logic [12:0]     row;
  logic [CtxW-1:0] waddr;
  logic [12:0]     wdata;

  assign {next, queued, waits, can_send, again, work} = row_o;

  for (genvar k = 0; k < 4; k++) begin : gen_slot
    localparam logic [1:0] Slot = k[1:0];
    logic written;
    assign written      = pdc_i & (slot_i == Slot);
    assign again_new[k] = written ? again_i : again[k];
    assign work_new[k]  = written ? work_i : work[k];
  end

  assign can_send_new = viewed ? view_q.can_send : can_send;
  assign waits_new    = sent_i | (waits & ~(viewed & (view_q.kind == ccc_pkg::KIND_SEND)));
  assign queued_new   = queued & ~turn_i;
  assign we           = viewed | pdc_i | turn_i;
  assign joins        = we & can_send_new & ~waits_new & (|work_new) & ~queued_new;
  assign row          = {sent_i ? slot_i + 2'd1 : next, queued_new | joins, waits_new,
                         can_send_new, again_new, work_new};
  assign waddr        = sweep_i ? sweep_ctx_i : wctx_i;
  assign wdata        = sweep_i ? 13'b0 : row;

  gw_sdp_ram #(.Width(13), .Rows(Contexts), .AddrW(CtxW)) u_rows (
    .clk_i  (clk_i),
    .we_i   (sweep_i | we),
    .waddr_i(waddr),
    .wdata_i(wdata),
    .raddr_i(ctx_i),
    .rdata_o(row_o)
  );

  logic [CtxW:0] unused_count;

  gw_list #(.Rows(Contexts), .RowW(CtxW), .CountW(CtxW+1)) u_list (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (joins),
    .row_i  (wctx_i),
    .pop_i  (turn_i),
    .first_o(first_o),
    .any_o  (any_o),
    .count_o(unused_count)
  );

`ifdef GW_ASSERT
  a_listed: assert property (@(posedge clk_i) disable iff (!rst_ni) turn_i |-> queued)
    else $error("txpdc_contexts: a turn of a context that is not in the list");
  a_eligible: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (we && can_send && !waits && (work != 0)) |-> queued)
    else $error("txpdc_contexts: a context may send and is not in the list");
`endif
endmodule
