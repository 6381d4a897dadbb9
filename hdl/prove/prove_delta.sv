// ccc_delta: units are 0 one cycle after anything but an ACK, whatever its RAM holds.
`include "prove.svh"
module prove_delta (
  input logic        clk_i,
  input logic        row_s1_i,
  input logic        open_s2_i,
  input logic        load_s2_i,
  input logic [23:0] data_s2_i,
  input logic        ack_s2_i,
  input logic        bind_s2_i,
  input logic [3:0]  pdc_s2_i,
  input logic [23:0] rcvd_bytes_s2_i,
  input logic        write_s3_i,
  input logic        row_s3_i
);
  logic [23:0] last_rcvd;
  logic [22:0] units;
  logic        stale;
  logic        started_q = 1'b0;
  logic        ack_q;

  ccc_delta #(.NumContexts(2), .RowW(1), .NumPdcs(1)) dut (
    .clk_i(clk_i), .row_s1_i(row_s1_i), .last_rcvd_s2_o(last_rcvd), .open_s2_i(open_s2_i),
    .load_s2_i(load_s2_i), .data_s2_i(data_s2_i), .ack_s2_i(ack_s2_i), .bind_s2_i(bind_s2_i),
    .pdc_s2_i(pdc_s2_i), .rcvd_bytes_s2_i(rcvd_bytes_s2_i), .write_s3_i(write_s3_i),
    .row_s3_i(row_s3_i), .units_s3_o(units), .stale_s3_o(stale)
  );

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    ack_q     <= ack_s2_i;
  end

  always_comb begin
    if (started_q) begin
      `PROVE(ack_q || units == '0);
      `PROVE(ack_q || !stale);
      `REACH(units == 23'd1);
      `REACH(stale);
    end
  end
endmodule
