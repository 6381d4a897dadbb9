// ccc_credit: word 15 in stage 5, from word 15 and the largest credit in stage 3. No credit is lost or doubled: a pull
// brings what it grants up to the largest credit, a packet takes its size, the end of speculation voids what is left and
// keeps a debt, and every other event leaves the word as it is. Stage 2 (OPEN, LOAD, the largest credit) and the memory
// are not part of the claim.
`include "prove.svh"
module prove_ccc_credit (
  input logic        clk_i,
  input ccc_regs_t   cfg_s2_i,
  input ccc_regs_t   cfg_s3_i,
  input logic        row_s1_i,
  input logic        row_s5_i,
  input logic        write_s5_i,
  input logic        open_s2_i,
  input logic        load_s2_i,
  input logic [56:0] data_s2_i,
  input logic [23:0] pull_s2_i,
  input logic        send_s3_i,
  input logic        no_credit_s3_i,
  input logic        ack_s3_i,
  input logic        nack_s3_i,
  input logic        loss_s3_i,
  input logic        pull_s3_i,
  input logic        resends_s3_i,
  input logic [31:0] size_s3_i
);
  logic [31:0] credit_s2, credit_s3, credit_s5;      // the last two: probes, as those below
  logic [23:0] last_pull_s2, last_pull_s3, last_pull_s5, number_s3, target;
  logic        speculating_s2, speculating_s3, speculating_s5;
  logic [30:0] most_s3;
  logic        saturated, ended, granted, spent, last;

  ccc_credit #(.NumContexts(2), .RowW(1)) dut (
    .clk_i(clk_i), .rst_ni(1'b1), .cfg_s2_i(cfg_s2_i), .cfg_s3_i(cfg_s3_i), .cfg_s4_i('0), .cfg_s5_i('0),
    .cfg_s7_i('0), .row_s1_i(row_s1_i), .credit_s2_o(credit_s2), .last_pull_s2_o(last_pull_s2),
    .speculating_s2_o(speculating_s2), .open_s2_i(open_s2_i), .load_s2_i(load_s2_i), .data_s2_i(data_s2_i),
    .pull_s2_i(pull_s2_i), .share_s2_i('0), .send_s3_i(send_s3_i), .no_credit_s3_i(no_credit_s3_i),
    .ack_s3_i(ack_s3_i), .nack_s3_i(nack_s3_i), .loss_s3_i(loss_s3_i), .pull_s3_i(pull_s3_i),
    .resends_s3_i(resends_s3_i), .size_s3_i(size_s3_i), .cwnd_s3_i('0), .backlog_s4_i('0),
    .rtx_backlog_s4_i('0), .saturated_s5_o(saturated), .write_s5_i(write_s5_i), .row_s5_i(row_s5_i),
    .spec_ended_s6_o(ended), .granted_s6_o(granted), .spent_s6_o(spent), .last_s6_o(last),
    .target_s11_o(target)
  );

  // The contract's words, in one step and in numbers wide enough for every sum. No wire here is a probe by another
  // name, because Yosys would keep that name alone.
  logic [4:0]         kinds;
  logic               on, stops;
  logic [40:0]        held, less, more, spare;       // two's complement; spare: above the least
  logic [23:0]        ahead;
  logic [31:0]        credit_q, credit_qq;
  logic [23:0]        number_q, number_qq;
  logic               stays_q, stays_qq, clamped_q, clamped_qq, brings_q, brings_qq, brings_qqq;
  logic               stops_q, stops_qq, stops_qqq;
  logic [1:0]         age_q = '0;
  logic               brings;

  assign kinds  = {send_s3_i, ack_s3_i, nack_s3_i, loss_s3_i, pull_s3_i};
  assign on     = cfg_s3_i.CTRL[1];
  assign stops  = on & speculating_s3 & (ack_s3_i | nack_s3_i | pull_s3_i | loss_s3_i & resends_s3_i);
  assign held   = (stops && !credit_s3[31]) ? 41'd0 : {{9{credit_s3[31]}}, credit_s3};
  assign ahead  = number_s3 - last_pull_s3;
  assign brings = pull_s3_i && ahead > 24'd0 && ahead < 24'd8388608;
  assign more   = held + {9'b0, ahead, 8'b0};
  assign less   = held - {9'b0, size_s3_i};
  assign spare  = less + 41'h080000000;

  always_ff @(posedge clk_i) begin
    if (age_q != 2'd3) age_q <= age_q + 1'b1;
    credit_q  <= held[31:0];
    clamped_q <= 1'b0;
    if (brings && !send_s3_i) begin
      credit_q <= (!more[40] && more > {10'b0, most_s3}) ? {1'b0, most_s3} : more[31:0];
    end else if (send_s3_i && on && !no_credit_s3_i) begin
      credit_q  <= spare[40] ? 32'h8000_0000 : less[31:0];
      clamped_q <= spare[40];
    end
    number_q   <= brings ? number_s3 : last_pull_s3;
    stays_q    <= speculating_s3 & ~stops;
    brings_q   <= brings;
    stops_q    <= stops;
    {credit_qq, number_qq, stays_qq, clamped_qq} <= {credit_q, number_q, stays_q, clamped_q};
    {brings_qq, brings_qqq, stops_qq, stops_qqq} <= {brings_q, brings_qq, stops_q, stops_qq};
  end

  always_comb begin
    // row one-of-dispatch
    `ASSUME((kinds & (kinds - 5'd1)) == '0);
    // row refused-leaves-state: a pull is an event of a context with credit alone
    `ASSUME(!pull_s3_i || on);
    if (age_q >= 2'd2) begin
      `PROVE(credit_s5 == credit_qq);
      `PROVE(last_pull_s5 == number_qq);
      `PROVE(speculating_s5 == stays_qq);
      `PROVE(saturated == clamped_qq);
      `REACH(saturated);
      `REACH(credit_s5 == 32'h7fff_ffff);
    end
    if (age_q == 2'd3) begin
      `PROVE(granted == brings_qqq);
      `PROVE(ended == stops_qqq);
      `REACH(granted && ended);
    end
  end
endmodule
