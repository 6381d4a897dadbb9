// Sample block for tests of exported benches. +fault=N picks one of its faults.
module lane_top #(
  parameter int Lanes = 8
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic pkt_valid_i,
  output logic pkt_ready_o,
  input  logic [64*Lanes-1:0] pkt_data_i,
  input  logic pkt_last_i,
  input  logic cfg_valid_i,
  output logic cfg_ready_o,
  input  logic [2:0] cfg_why_i,
  input  logic [69:0] cfg_v_i,
  output logic cut_valid_o,
  input  logic cut_ready_i,
  output logic [64*Lanes-1:0] cut_data_o,
  output logic cut_last_o,
  output logic drop_valid_o,
  input  logic drop_ready_i,
  output logic [2:0] drop_why_o,
  output logic [5:0] drop_top_o
);
  int fault;
  initial if (!$value$plusargs("fault=%d", fault)) fault = 0;

  logic        slow_q;
  logic        cut_q;
  logic        drop_q;
  logic [63:0] key_q;

  assign cut_valid_o  = rst_ni & cut_q & (fault != 10 | slow_q);
  assign drop_valid_o = rst_ni & drop_q;
  assign pkt_ready_o  = rst_ni & (~cut_q | cut_ready_i & cut_valid_o) & (fault != 1 | slow_q);
  assign cfg_ready_o  = rst_ni & (~drop_q | drop_ready_i) & (fault != 1 | slow_q) & (fault != 8);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      if (fault != 12) cut_q <= 1'b0;
      drop_q <= 1'b0;
      key_q  <= 64'b0;
      slow_q <= 1'b0;
    end else begin
      slow_q <= ~slow_q;
      if (cut_ready_i && cut_valid_o) cut_q <= 1'b0;
      if (drop_ready_i) drop_q <= 1'b0;
      if (pkt_valid_i && pkt_ready_o) cut_q <= (fault == 2) ? ~pkt_data_i[5] | pkt_last_i : 1'b1;
      if (cfg_valid_i && cfg_ready_o) begin
        drop_q <= 1'b1;
        key_q  <= (fault == 3) ? {cfg_v_i[63:1], 1'b0} : cfg_v_i[63:0];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (pkt_valid_i && pkt_ready_o) begin
      cut_data_o <= pkt_data_i ^ {Lanes{key_q}} ^ ((fault == 4) ? {pkt_last_i, {64*Lanes-1{1'b0}}} : '0);
      cut_last_o <= (fault == 5) ? 1'b0 : pkt_last_i;
      if (fault == 9 && pkt_last_i) $finish;
    end
    if (fault == 11 && drop_valid_o && !drop_ready_i) drop_top_o <= ~drop_top_o;
    if (cfg_valid_i && cfg_ready_o) begin
      drop_why_o <= (fault == 6 && cfg_why_i == 3'd5) ? 3'd0 : cfg_why_i;
      drop_top_o <= (fault == 7) ? {1'b0, cfg_v_i[68:64]} : cfg_v_i[69:64];
    end
  end
endmodule
