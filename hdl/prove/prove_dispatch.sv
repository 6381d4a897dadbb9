// ccc_dispatch: an event is one thing: at most one of the decoded kinds is high, LOAD for one word.
`include "prove.svh"
module prove_dispatch (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        sweep_done_i,
  input logic        sweep_row_i,
  input logic        vld_s1_i,
  input logic [3:0]  kind_s1_i,
  input logic [15:0] ctx_s1_i,
  input logic [3:0]  pdc_s1_i,
  input logic [4:0]  addr_s1_i,
  input logic [3:0]  profile_s1_i,
  input logic        write_refused_s1_i,
  input logic        read_refused_s1_i,
  input logic        credit_on_s1_i,
  input logic        row_s3_i
);
  logic        cfg_write, cfg_read, open, new_data, send, ack, nack, loss, bound, probe, pull, read, write, none, refused;
  logic [15:0] load;
  logic [25:0] all;

  ccc_dispatch #(.NumContexts(2), .RowW(1), .NumPdcs(1), .NumProfiles(1)) dut (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .sweep_done_i      (sweep_done_i),
    .sweep_row_i       (sweep_row_i),
    .vld_s1_i          (vld_s1_i),
    .kind_s1_i         (kind_s1_i),
    .ctx_s1_i          (ctx_s1_i),
    .row_s1_i          (ctx_s1_i[0]),
    .pdc_s1_i          (pdc_s1_i),
    .addr_s1_i         (addr_s1_i),
    .profile_s1_i      (profile_s1_i),
    .write_refused_s1_i(write_refused_s1_i),
    .read_refused_s1_i (read_refused_s1_i),
    .credit_on_s1_i    (credit_on_s1_i),
    .cfg_write_s1_o    (cfg_write),
    .cfg_read_s1_o     (cfg_read),
    .open_s2_o         (open),
    .new_data_s2_o     (new_data),
    .send_s2_o         (send),
    .ack_s2_o          (ack),
    .nack_s2_o         (nack),
    .loss_s2_o         (loss),
    .bind_s2_o         (bound),
    .probe_s2_o        (probe),
    .pull_s2_o         (pull),
    .read_s2_o         (read),
    .load_s2_o         (load),
    .write_s2_o        (write),
    .no_context_s2_o   (none),
    .refused_s2_o      (refused),
    .row_s3_i          (row_s3_i)
  );

  assign all = {load, open, new_data, send, ack, nack, loss, bound, probe, pull, read};

  always_comb begin
    `PROVE((all & (all - 26'd1)) == '0);
    `REACH(open);
    `REACH(ack);
    `REACH(load[15] || load[1]);
  end
endmodule
