// ccc_rtt: beside the sample of an ACK the base RTT and the delay are less than 2^31, for the sample is, and neither is
// more. Holds from the second cycle on.
`include "prove.svh"
module prove_sample (
  input logic        clk_i,
  input ccc_regs_t   cfg_i,
  input logic        row_i,
  input logic [63:0] data_i,
  input logic [47:0] now_i,
  input logic        tx_valid_i,
  input logic [47:0] tx_time_i,
  input logic [1:0]  rtx_count_i,
  input logic [15:0] service_time_i,
  input logic        open_i,
  input logic        load_wnd_i,
  input logic        load_base_i,
  input logic        ack_i,
  input logic        nack_i,
  input logic        probe_i,
  input logic        write_i
);
  logic        started_q = 1'b0;
  logic        ack_q;
  logic [31:0] base_s2, wnd_s2, base, delay, old_wnd, wnd;
  logic        sample, judged, fell;

  ccc_rtt #(.NumContexts(2), .RowW(1)) dut (
    .clk_i             (clk_i),
    .cfg_time_shift_i  (3'd0),
    .cfg_s2_i          (cfg_i),
    .cfg_s3_i          (cfg_i),
    .cfg_s4_i          (cfg_i),
    .row_s1_i          (row_i),
    .is_ack_s1_i       (ack_i),
    .is_probe_s1_i     (probe_i),
    .data_s1_i         (data_i),
    .now_s1_i          (now_i),
    .tx_valid_s1_i     (tx_valid_i),
    .tx_time_s1_i      (tx_time_i),
    .rtx_count_s1_i    (rtx_count_i),
    .service_time_s1_i (service_time_i),
    .retx_s1_i         (1'b0),
    .base_rtt_s2_o     (base_s2),
    .max_wnd_s2_o      (wnd_s2),
    .avg_s2_i          (data_i[63:32]),
    .open_s2_i         (open_i),
    .load_max_wnd_s2_i (load_wnd_i),
    .load_base_rtt_s2_i(load_base_i),
    .data_s2_i         (data_i),
    .ack_s2_i          (ack_i),
    .nack_s2_i         (nack_i),
    .probe_s2_i        (probe_i),
    .sample_s3_o       (sample),
    .judged_s3_o       (judged),
    .base_fell_s3_o    (fell),
    .base_rtt_s3_o     (base),
    .delay_s3_o        (delay),
    .write_s3_i        (write_i),
    .row_s3_i          (row_i),
    .old_max_wnd_s5_o  (old_wnd),
    .max_wnd_s5_o      (wnd),
    .write_s5_i        (write_i),
    .row_s5_i          (row_i)
  );

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    ack_q     <= ack_i;
  end

  always_comb begin
    // row one-of-dispatch
    `ASSUME(!ack_i || !(open_i || load_wnd_i || load_base_i));
    if (started_q) begin
      `PROVE(!(ack_q && sample) || !base[31]);
      `PROVE(!(ack_q && sample) || !delay[31]);
      `REACH(ack_q && sample && base[30]);
      `REACH(ack_q && sample && delay[30]);
      `REACH(base[31]);
    end
  end
endmodule
