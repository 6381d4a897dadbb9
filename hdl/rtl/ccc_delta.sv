// Bytes received since the last ACK of the same packet delivery context (PDC).
//
// Latency:     state read in stage 1, delta in stage 3, state written in stage 3.
// Throughput:  one event a cycle.
// Comb. paths: none.
// Reset:       none; a context is set up by OPEN.
// Contract:    ccc/contract.md ACK 1; words 14, 15. delta is 256 times units_s3_o, in bytes.
module ccc_delta #(
  parameter int NumContexts = 256,
  parameter int RowW        = 8
) (
  input  logic            clk_i,
  input  logic [RowW-1:0] row_s1_i,
  output logic [23:0]     last0_s2_o,     // as stored, for READ
  output logic [23:0]     last1_s2_o,
  output logic [23:0]     last2_s2_o,
  output logic [23:0]     last3_s2_o,
  input  logic            open_s2_i,
  input  logic [15:0]     load_s2_i,
  input  logic [63:0]     data_s2_i,
  input  logic            ack_s2_i,
  input  logic [1:0]      pdc_s2_i,
  input  logic [23:0]     rcvd_bytes_s2_i,
  input  logic            write_s3_i,
  input  logic [RowW-1:0] row_s3_i,
  output logic [22:0]     units_s3_o,     // 256 bytes; 0 if not an ACK or stale
  output logic            stale_s3_o
);
  logic [23:0] last_s2;
  logic [23:0] diff_s2;
  logic        fresh_s2;
  logic [23:0] last0_s3_q;
  logic [23:0] last1_s3_q;
  logic [23:0] last2_s3_q;
  logic [23:0] last3_s3_q;

  gw_sdp_ram #(.Width(48), .Rows(NumContexts), .AddrW(RowW)) u_last01 (
    .clk_i  (clk_i),
    .we_i   (write_s3_i),
    .waddr_i(row_s3_i),
    .wdata_i({last1_s3_q, last0_s3_q}),
    .raddr_i(row_s1_i),
    .rdata_o({last1_s2_o, last0_s2_o})
  );

  gw_sdp_ram #(.Width(48), .Rows(NumContexts), .AddrW(RowW)) u_last23 (
    .clk_i  (clk_i),
    .we_i   (write_s3_i),
    .waddr_i(row_s3_i),
    .wdata_i({last3_s3_q, last2_s3_q}),
    .raddr_i(row_s1_i),
    .rdata_o({last3_s2_o, last2_s2_o})
  );

  always_comb begin
    last_s2 = last0_s2_o;
    unique case (pdc_s2_i)
      2'd1:    last_s2 = last1_s2_o;
      2'd2:    last_s2 = last2_s2_o;
      2'd3:    last_s2 = last3_s2_o;
      default: last_s2 = last0_s2_o;
    endcase
  end

  // Modulo 2^24; the upper half of the circle is the past.
  assign diff_s2  = rcvd_bytes_s2_i - last_s2;
  assign fresh_s2 = ack_s2_i & ~diff_s2[23];

  always_ff @(posedge clk_i) begin
    units_s3_o <= fresh_s2 ? diff_s2[22:0] : '0;
    stale_s3_o <= ack_s2_i & diff_s2[23];
    last0_s3_q <= last0_s2_o;
    last1_s3_q <= last1_s2_o;
    last2_s3_q <= last2_s2_o;
    last3_s3_q <= last3_s2_o;
    if (fresh_s2 && (pdc_s2_i == 2'd0)) last0_s3_q <= rcvd_bytes_s2_i;
    if (fresh_s2 && (pdc_s2_i == 2'd1)) last1_s3_q <= rcvd_bytes_s2_i;
    if (fresh_s2 && (pdc_s2_i == 2'd2)) last2_s3_q <= rcvd_bytes_s2_i;
    if (fresh_s2 && (pdc_s2_i == 2'd3)) last3_s3_q <= rcvd_bytes_s2_i;
    if (open_s2_i) begin
      last0_s3_q <= '0;
      last1_s3_q <= '0;
      last2_s3_q <= '0;
      last3_s3_q <= '0;
    end
    if (load_s2_i[ccc_pkg::WORD_LAST_RCVD0[3:0]]) begin
      last0_s3_q <= data_s2_i[ccc_pkg::WORD_LAST_RCVD0_LSB +: 24];
      last1_s3_q <= data_s2_i[ccc_pkg::WORD_LAST_RCVD1_LSB +: 24];
    end
    if (load_s2_i[ccc_pkg::WORD_LAST_RCVD2[3:0]]) begin
      last2_s3_q <= data_s2_i[ccc_pkg::WORD_LAST_RCVD2_LSB +: 24];
      last3_s3_q <= data_s2_i[ccc_pkg::WORD_LAST_RCVD3_LSB +: 24];
    end
  end
endmodule
