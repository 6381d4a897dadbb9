// Per-packet transmit state by PSN: when a packet was last sent, how often it was resent, and the
// RTT sample an ACK or NACK for it gives.
//
// Latency:     LATENCY (4) cycles from issue to the response.
// Throughput:  one event a cycle; STALL (4) cycles between two events of one table row.
// Comb. paths: rst_ni to ev_ready_o and rsp_valid_o; no other.
// Reset:       empty, time_shift 7, sweep of NumPdcs * Depth rows.
// Contract:    vectors/event/timing.md, vectors/event/txstate/contract.md.
//
// Stages (registers named by cycles after issue): s1 event, table read; s2 entry, hit, raw RTT;
// s3 response and new entry: table write, response FIFO push.
module txstate #(
  parameter int NumPdcs = 16,
  parameter int Depth   = 64
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         ev_valid_i,
  output logic         ev_ready_o,
  input  txstate_ev_t  ev_i,
  output logic         rsp_valid_o,
  input  logic         rsp_ready_i,
  output txstate_rsp_t rsp_o
);
  localparam int Rows   = NumPdcs * Depth;
  localparam int RowW   = $clog2(Rows);
  localparam int SlotW  = $clog2(Depth);
  localparam int EntryW = 1 + 32 + 48 + 2;
  localparam logic [16:0] PdcLimit = NumPdcs[16:0];

  // ---------------------------------------------------------------- acceptance and issue
  logic            sweep_done;
  logic [RowW-1:0] sweep_row;
  txstate_ev_t     head;
  logic            head_config;
  logic            issue;
  logic            take;

  assign head_config = (head.kind == txstate_pkg::KIND_CFG_WRITE);

  gw_issue #(
    .Rows   (Rows),
    .RowW   (RowW),
    .EventW (txstate_pkg::EV_W),
    .KeyW   (16 + SlotW),
    .Stall  (txstate_pkg::STALL),
    .Credits(txstate_pkg::CREDITS)
  ) u_issue (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .valid_i     (ev_valid_i),
    .ready_o     (ev_ready_o),
    .data_i      (ev_i),
    .head_o      (head),
    .key_i       ({head.pdc, head.psn[SlotW-1:0]}),
    .keyed_i     (~head_config),
    .exclusive_i (head_config),
    .issue_o     (issue),
    .take_i      (take),
    .sweep_done_o(sweep_done),
    .sweep_row_o (sweep_row)
  );

  // ---------------------------------------------------------------- pipeline
  logic         vld_s1_q;
  logic         vld_s2_q;
  logic         vld_s3_q;
  txstate_ev_t  ev_s1_q;
  txstate_ev_t  ev_s2_q;
  logic [2:0]   shift_q;
  logic [RowW-1:0] row_s1;
  logic [RowW-1:0] row_s2_q;
  logic [RowW-1:0] row_s3_q;
  logic         in_range_s2_q;

  // A PDC out of range reads some row; what is read then is not used.
  if (RowW >= 16 + SlotW) begin : gen_row_full
    assign row_s1 = {ev_s1_q.pdc, ev_s1_q.psn[SlotW-1:0]};
  end else if (RowW > SlotW) begin : gen_row
    assign row_s1 = {ev_s1_q.pdc[RowW-SlotW-1:0], ev_s1_q.psn[SlotW-1:0]};
  end else begin : gen_row_one
    assign row_s1 = ev_s1_q.psn[SlotW-1:0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      vld_s1_q <= 1'b0;
      vld_s2_q <= 1'b0;
      vld_s3_q <= 1'b0;
      shift_q  <= 3'd7;
    end else begin
      vld_s1_q <= issue;
      vld_s2_q <= vld_s1_q;
      vld_s3_q <= vld_s2_q;
      if (vld_s1_q && (ev_s1_q.kind == txstate_pkg::KIND_CFG_WRITE)) begin
        shift_q <= ev_s1_q.time_shift;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    ev_s1_q       <= head;
    ev_s2_q       <= ev_s1_q;
    row_s2_q      <= row_s1;
    row_s3_q      <= row_s2_q;
    in_range_s2_q <= ({1'b0, ev_s1_q.pdc} < PdcLimit);
  end

  // ---------------------------------------------------------------- table
  logic              we_s3_q;
  logic [EntryW-1:0] entry_s3_q;
  logic [EntryW-1:0] entry_s2;
  logic              table_we;
  logic [RowW-1:0]   table_row;
  logic [EntryW-1:0] table_entry;

  assign table_we    = ~sweep_done | (vld_s3_q & we_s3_q);
  assign table_row   = sweep_done ? row_s3_q : sweep_row;
  assign table_entry = sweep_done ? entry_s3_q : '0;

  gw_sdp_ram #(.Width(EntryW), .Rows(Rows), .AddrW(RowW)) u_table (
    .clk_i  (clk_i),
    .we_i   (table_we),
    .waddr_i(table_row),
    .wdata_i(table_entry),
    .raddr_i(row_s1),
    .rdata_o(entry_s2)
  );

  // ---------------------------------------------------------------- stage 2: hit and raw RTT
  logic        old_valid;
  logic [31:0] old_psn;
  logic [47:0] old_time;
  logic [1:0]  old_rtx;
  logic        hit;
  logic [22:0] service;
  logic        usable;
  logic        rtx_ok;
  logic [47:0] raw;
  logic        raw_ok;
  logic        is_ack;

  assign {old_valid, old_psn, old_time, old_rtx} = entry_s2;
  assign hit     = old_valid & (old_psn == ev_s2_q.psn);
  assign is_ack  = (ev_s2_q.kind == txstate_pkg::KIND_ACK);
  assign service = is_ack ? ({7'b0, ev_s2_q.service_time} << shift_q) : 23'b0;
  assign usable  = ~is_ack | ((ev_s2_q.service_time != 16'h0000) &
                              (ev_s2_q.service_time != 16'hffff));
  assign rtx_ok  = ((old_rtx == 2'd0) & ~ev_s2_q.retx) | ((old_rtx == 2'd1) & ev_s2_q.retx);
  assign raw     = ev_s2_q.now - old_time - {25'b0, service};
  assign raw_ok  = (raw[47:31] == 17'b0) & (raw[30:0] != 31'b0);

  txstate_rsp_t      rsp_d;
  txstate_rsp_t      rsp_s3_q;
  logic              we_d;
  logic [EntryW-1:0] entry_d;
  logic [1:0]        rtx_next;
  logic [1:0]        load_rtx;

  assign rtx_next = (old_rtx == 2'd0) ? 2'd1 : 2'd2;
  assign load_rtx = (ev_s2_q.load_rtx_count == 2'd3) ? 2'd2 : ev_s2_q.load_rtx_count;

  always_comb begin
    rsp_d      = '0;
    rsp_d.kind = ev_s2_q.kind;
    rsp_d.pdc  = ev_s2_q.pdc;
    rsp_d.psn  = ev_s2_q.psn;
    we_d       = 1'b0;
    entry_d    = {1'b0, old_psn, old_time, old_rtx};
    if (ev_s2_q.kind >= txstate_pkg::KIND_CFG_WRITE) begin
      rsp_d.refused = (ev_s2_q.kind > txstate_pkg::KIND_CFG_WRITE);
    end else if (!in_range_s2_q) begin
      rsp_d.no_pdc = 1'b1;
    end else begin
      unique case (ev_s2_q.kind)
        txstate_pkg::KIND_SEND: begin
          we_d              = 1'b1;
          rsp_d.found       = hit;
          rsp_d.tx_time     = ev_s2_q.now;
          rsp_d.rtx_count   = hit ? rtx_next : {ev_s2_q.is_rtx, 1'b0};
          rsp_d.unknown_rtx = ~hit & ev_s2_q.is_rtx;
          rsp_d.evicted     = ~hit & old_valid;
          entry_d           = {1'b1, ev_s2_q.psn, ev_s2_q.now, rsp_d.rtx_count};
        end
        txstate_pkg::KIND_ACK, txstate_pkg::KIND_NACK: begin
          we_d = is_ack & hit;
          if (hit) begin
            rsp_d.found     = 1'b1;
            rsp_d.tx_time   = old_time;
            rsp_d.rtx_count = old_rtx;
            rsp_d.rtt_valid = usable & rtx_ok & raw_ok;
            rsp_d.rtt       = (usable & rtx_ok & raw_ok) ? {1'b0, raw[30:0]} : 32'b0;
          end
        end
        txstate_pkg::KIND_LOAD: begin
          we_d            = 1'b1;
          rsp_d.found     = hit;
          rsp_d.tx_time   = ev_s2_q.now;
          rsp_d.rtx_count = load_rtx;
          entry_d         = {ev_s2_q.load_valid, ev_s2_q.psn, ev_s2_q.now, load_rtx};
        end
        default: begin         // READ, the only kind left
          if (old_valid) begin
            rsp_d.found     = 1'b1;
            rsp_d.psn       = old_psn;
            rsp_d.tx_time   = old_time;
            rsp_d.rtx_count = old_rtx;
          end
        end
      endcase
    end
  end

  // The shift of a configuration event is taken in stage 1.
  logic unused_shift;
  assign unused_shift = ^ev_s2_q.time_shift;

  always_ff @(posedge clk_i) begin
    rsp_s3_q   <= rsp_d;
    we_s3_q    <= we_d;
    entry_s3_q <= entry_d;
  end

  gw_rsp_fifo #(.Width(txstate_pkg::RSP_W), .Rows(txstate_pkg::CREDITS)) u_rsp_fifo (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (vld_s3_q),
    .data_i (rsp_s3_q),
    .valid_o(rsp_valid_o),
    .ready_i(rsp_ready_i),
    .data_o (rsp_o),
    .take_o (take)
  );
endmodule
