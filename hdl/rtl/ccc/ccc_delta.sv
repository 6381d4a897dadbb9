// Bytes received since the last ACK of the same packet delivery context (PDC).
//
// Latency:     state read in stage 1, delta in stage 3, state written in stage 3.
// Throughput:  one event a cycle.
// Comb. paths: pdc_s2_i to last_rcvd_s2_o.
// Reset:       none; a context is set up by OPEN.
// Contract:    ccc/contract.md ACK 1; BIND; OPEN; word 14. delta is 256 times units_s3_o, in bytes.
//
// The slots of a context lie in one row, so that OPEN clears them all in one write.
module ccc_delta #(
  parameter int NumContexts = 256,
  parameter int RowW        = 8,
  parameter int NumPdcs     = 4
) (
  input  logic            clk_i,
  input  logic [RowW-1:0] row_s1_i,
  output logic [23:0]     last_rcvd_s2_o, // of slot pdc, as stored, for READ
  input  logic            open_s2_i,
  input  logic            load_s2_i,      // LOAD of last_rcvd
  input  logic [23:0]     data_s2_i,      // and its value
  input  logic            ack_s2_i,
  input  logic            bind_s2_i,
  input  logic [3:0]      pdc_s2_i,
  input  logic [23:0]     rcvd_bytes_s2_i,
  input  logic            write_s3_i,
  input  logic [RowW-1:0] row_s3_i,
  output logic [22:0]     units_s3_o,     // 256 bytes; 0 if not an ACK or stale
  output logic            stale_s3_o
);
  localparam int SlotsW = 24 * NumPdcs;

  logic [SlotsW-1:0] slots_s2;
  logic [SlotsW-1:0] slots_d;
  logic [SlotsW-1:0] slots_s3_q;
  logic [23:0]       diff_s2;
  logic              fresh_s2;
  logic              put_s2;         // the slot takes a new value
  logic [23:0]       put_value_s2;

  gw_sdp_ram #(.Width(SlotsW), .Rows(NumContexts), .AddrW(RowW)) u_slots (
    .clk_i  (clk_i),
    .we_i   (write_s3_i),
    .waddr_i(row_s3_i),
    .wdata_i(slots_s3_q),
    .raddr_i(row_s1_i),
    .rdata_o(slots_s2)
  );

  function automatic logic [23:0] slot_of(input logic [SlotsW-1:0] slots, input logic [3:0] pdc);
    slot_of = slots[23:0];
    for (int k = 1; k < NumPdcs; k++) begin
      if (pdc == k[3:0]) slot_of = slots[24*k +: 24];
    end
  endfunction

  // Modulo 2^24; the upper half of the circle is the past.
  assign last_rcvd_s2_o = slot_of(slots_s2, pdc_s2_i);
  assign diff_s2        = rcvd_bytes_s2_i - last_rcvd_s2_o;
  assign fresh_s2       = ack_s2_i & ~diff_s2[23];
  assign put_s2         = fresh_s2 | bind_s2_i | load_s2_i;
  assign put_value_s2   = load_s2_i ? data_s2_i : rcvd_bytes_s2_i;

  for (genvar k = 0; k < NumPdcs; k++) begin : gen_slot
    localparam logic [3:0] Slot = k[3:0];
    logic mine;
    assign mine = put_s2 & (pdc_s2_i == Slot);
    assign slots_d[24*k +: 24] = open_s2_i ? 24'b0 : mine ? put_value_s2 : slots_s2[24*k +: 24];
  end

  always_ff @(posedge clk_i) begin
    units_s3_o <= fresh_s2 ? diff_s2[22:0] : '0;
    stale_s3_o <= ack_s2_i & diff_s2[23];
    slots_s3_q <= slots_d;
  end
endmodule
