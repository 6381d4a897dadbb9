// Backlog, retransmission and packet counters of the contexts.
//
// Latency:     state read in stage 1, after the event in stage 4, written in stage 4.
// Throughput:  one event a cycle.
// Comb. paths: none.
// Reset:       none; a context is set up by OPEN.
// Contract:    ccc/contract.md NEW_DATA; SEND; ACK 2 and 15; NACK 6; LOSS; words 11, 12, 13.
module ccc_counts #(
  parameter int NumContexts = 256,
  parameter int RowW        = 8
) (
  input  logic            clk_i,
  input  logic [RowW-1:0] row_s1_i,
  output logic [47:0]     backlog_s2_o,       // as stored, for READ
  output logic [31:0]     rtx_backlog_s2_o,
  output logic [31:0]     waiting_rtx_s2_o,
  output logic [31:0]     inflight_pkts_s2_o,
  input  logic            open_s2_i,
  input  logic            load_backlog_s2_i,
  input  logic            load_rtx_backlog_s2_i,
  input  logic            load_inflight_pkts_s2_i,
  input  logic [63:0]     data_s2_i,
  input  logic            new_data_s3_i,
  input  logic            send_s3_i,
  input  logic            is_rtx_s3_i,
  input  logic            ack_s3_i,
  input  logic            lost_s3_i,          // NACK or LOSS
  input  logic [31:0]     size_s3_i,
  input  logic [15:0]     acked_pkts_s3_i,
  input  logic [15:0]     unmark_pkts_s3_i,
  input  logic [31:0]     unmark_bytes_s3_i,
  output logic            resends_s3_o,       // rtx_backlog before the event is not 0
  input  logic            write_s4_i,
  input  logic [RowW-1:0] row_s4_i,
  output logic [47:0]     backlog_s4_o,       // after the event
  output logic [31:0]     rtx_backlog_s4_o,   // likewise
  output logic            saturated_s4_o,
  output logic            underflow_s4_o,
  output logic            no_work_s4_o,       // backlog and waiting_rtx are 0
  output logic            no_pkts_s4_o        // inflight_pkts is 0
);
  logic [47:0] backlog_s3_q;
  logic [31:0] rtx_backlog_s3_q;
  logic [31:0] waiting_rtx_s3_q;
  logic [31:0] inflight_pkts_s3_q;
  logic [31:0] waiting_rtx_s4_q;
  logic [31:0] inflight_pkts_s4_q;

  gw_sdp_ram #(.Width(48), .Rows(NumContexts), .AddrW(RowW)) u_backlog (
    .clk_i  (clk_i),
    .we_i   (write_s4_i),
    .waddr_i(row_s4_i),
    .wdata_i(backlog_s4_o),
    .raddr_i(row_s1_i),
    .rdata_o(backlog_s2_o)
  );

  gw_sdp_ram #(.Width(64), .Rows(NumContexts), .AddrW(RowW)) u_rtx (
    .clk_i  (clk_i),
    .we_i   (write_s4_i),
    .waddr_i(row_s4_i),
    .wdata_i({waiting_rtx_s4_q, rtx_backlog_s4_o}),
    .raddr_i(row_s1_i),
    .rdata_o({waiting_rtx_s2_o, rtx_backlog_s2_o})
  );

  gw_sdp_ram #(.Width(32), .Rows(NumContexts), .AddrW(RowW)) u_pkts (
    .clk_i  (clk_i),
    .we_i   (write_s4_i),
    .waddr_i(row_s4_i),
    .wdata_i(inflight_pkts_s4_q),
    .raddr_i(row_s1_i),
    .rdata_o(inflight_pkts_s2_o)
  );

  // ---------------------------------------------------------------- stage 2: OPEN, LOAD
  always_ff @(posedge clk_i) begin
    backlog_s3_q       <= backlog_s2_o;
    rtx_backlog_s3_q   <= rtx_backlog_s2_o;
    waiting_rtx_s3_q   <= waiting_rtx_s2_o;
    inflight_pkts_s3_q <= inflight_pkts_s2_o;
    if (open_s2_i) begin
      backlog_s3_q       <= '0;
      rtx_backlog_s3_q   <= '0;
      waiting_rtx_s3_q   <= '0;
      inflight_pkts_s3_q <= '0;
    end
    if (load_backlog_s2_i) begin
      backlog_s3_q <= data_s2_i[ccc_pkg::WORD_BACKLOG_LSB +: 48];
    end
    if (load_rtx_backlog_s2_i) begin
      rtx_backlog_s3_q <= data_s2_i[ccc_pkg::WORD_RTX_BACKLOG_LSB +: 32];
      waiting_rtx_s3_q <= data_s2_i[ccc_pkg::WORD_WAITING_RTX_LSB +: 32];
    end
    if (load_inflight_pkts_s2_i) begin
      inflight_pkts_s3_q <= data_s2_i[ccc_pkg::WORD_INFLIGHT_PKTS_LSB +: 32];
    end
  end

  assign resends_s3_o = (rtx_backlog_s3_q != '0);

  // ---------------------------------------------------------------- stage 3: the event
  logic        resend;
  logic [31:0] rtx_bytes;
  logic [15:0] rtx_pkts;
  logic [31:0] pkts;
  logic [47:0] backlog_d;
  logic [31:0] rtx_backlog_d;
  logic [31:0] waiting_rtx_d;
  logic [31:0] inflight_pkts_d;
  logic [3:0]  saturated;
  logic [3:0]  underflow;

  assign resend    = send_s3_i & is_rtx_s3_i;
  assign rtx_bytes = ack_s3_i ? unmark_bytes_s3_i : size_s3_i;
  assign rtx_pkts  = ack_s3_i ? unmark_pkts_s3_i : 16'd1;
  assign pkts      = ack_s3_i ? {16'b0, acked_pkts_s3_i} : 32'd1;

  gw_updown #(.Width(48)) u_step_backlog (
    .x_i        (backlog_s3_q),
    .step_i     ({16'b0, size_s3_i}),
    .add_i      (new_data_s3_i),
    .sub_i      (send_s3_i & ~is_rtx_s3_i),
    .y_o        (backlog_d),
    .saturated_o(saturated[0]),
    .underflow_o(underflow[0])
  );

  gw_updown #(.Width(32)) u_step_rtx_backlog (
    .x_i        (rtx_backlog_s3_q),
    .step_i     (rtx_bytes),
    .add_i      (lost_s3_i),
    .sub_i      (resend | ack_s3_i),
    .y_o        (rtx_backlog_d),
    .saturated_o(saturated[1]),
    .underflow_o(underflow[1])
  );

  gw_updown #(.Width(32)) u_step_waiting_rtx (
    .x_i        (waiting_rtx_s3_q),
    .step_i     ({16'b0, rtx_pkts}),
    .add_i      (lost_s3_i),
    .sub_i      (resend | ack_s3_i),
    .y_o        (waiting_rtx_d),
    .saturated_o(saturated[2]),
    .underflow_o(underflow[2])
  );

  gw_updown #(.Width(32)) u_step_pkts (
    .x_i        (inflight_pkts_s3_q),
    .step_i     (pkts),
    .add_i      (send_s3_i),
    .sub_i      (ack_s3_i | lost_s3_i),
    .y_o        (inflight_pkts_d),
    .saturated_o(saturated[3]),
    .underflow_o(underflow[3])
  );

  always_ff @(posedge clk_i) begin
    backlog_s4_o       <= backlog_d;
    rtx_backlog_s4_o   <= rtx_backlog_d;
    waiting_rtx_s4_q   <= waiting_rtx_d;
    inflight_pkts_s4_q <= inflight_pkts_d;
    saturated_s4_o     <= |saturated;
    underflow_s4_o     <= |underflow;
  end

  assign no_work_s4_o = (backlog_s4_o == '0) & (waiting_rtx_s4_q == '0);
  assign no_pkts_s4_o = (inflight_pkts_s4_q == '0);
endmodule
