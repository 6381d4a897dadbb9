// State words of a context and configuration registers, for READ and CFG_READ.
//
// Latency:     none, combinational (stage 2).
// Throughput:  not applicable.
// Comb. paths: all inputs to data_o.
// Reset:       no state.
// Contract:    ccc/contract.md "LOAD, READ", "Dispatch" 2; schema.yaml words. Bits outside the
//              fields of a word are 0.
module ccc_read (
  input  logic        read_i,
  input  logic        cfg_read_i,
  input  logic [63:0] cfg_rdata_i,
  input  logic [3:0]  addr_i,
  input  logic        trigger_i,
  input  logic        qa_valid_i,
  input  logic        increase_i,
  input  logic [1:0]  state_i,
  input  logic [31:0] cwnd_i,
  input  logic [31:0] max_wnd_i,
  input  logic [31:0] inflight_i,
  input  logic [31:0] saved_cwnd_i,
  input  logic [31:0] base_rtt_i,
  input  logic [31:0] achieved_i,
  input  logic [31:0] received_i,
  input  logic [31:0] fi_count_i,
  input  logic [31:0] ignored_bytes_i,
  input  logic [31:0] to_ignore_i,
  input  logic [47:0] qa_endtime_i,
  input  logic [47:0] last_adjust_i,
  input  logic [47:0] last_dec_i,
  input  logic [47:0] inc_bytes_i,
  input  logic [47:0] avg_i,
  input  logic [47:0] backlog_i,
  input  logic [31:0] rtx_backlog_i,
  input  logic [31:0] waiting_rtx_i,
  input  logic [31:0] inflight_pkts_i,
  input  logic [23:0] last0_i,
  input  logic [23:0] last1_i,
  input  logic [23:0] last2_i,
  input  logic [23:0] last3_i,
  output logic [63:0] data_o
);
  logic [63:0] word;

  always_comb begin
    word = '0;
    unique case (addr_i)
      4'd0:    word = {58'b0, state_i, 1'b0, increase_i, qa_valid_i, trigger_i};
      4'd1:    word = {max_wnd_i, cwnd_i};
      4'd2:    word = {saved_cwnd_i, inflight_i};
      4'd3:    word = {achieved_i, base_rtt_i};
      4'd4:    word = {fi_count_i, received_i};
      4'd5:    word = {to_ignore_i, ignored_bytes_i};
      4'd6:    word = {16'b0, qa_endtime_i};
      4'd7:    word = {16'b0, last_adjust_i};
      4'd8:    word = {16'b0, last_dec_i};
      4'd9:    word = {16'b0, inc_bytes_i};
      4'd10:   word = {16'b0, avg_i};
      4'd11:   word = {16'b0, backlog_i};
      4'd12:   word = {waiting_rtx_i, rtx_backlog_i};
      4'd13:   word = {32'b0, inflight_pkts_i};
      4'd14:   word = {8'b0, last1_i, 8'b0, last0_i};
      4'd15:   word = {8'b0, last3_i, 8'b0, last2_i};
      default: word = '0;
    endcase
  end

  always_comb begin
    data_o = '0;
    if (read_i)          data_o = word;
    else if (cfg_read_i) data_o = cfg_rdata_i;
  end
endmodule
