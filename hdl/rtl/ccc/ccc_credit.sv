// Receiver credit at the sender: the credit of the contexts, and the target of a SEND.
//
// Latency:     state read in stage 1, after the event in stage 5, written in stage 5; flags and
//              what the view needs in stage 6, target in stage 11.
// Throughput:  one event a cycle.
// Comb. paths: none.
// Reset:       none but the pointers of the delay lines; a context is set up by OPEN.
// Contract:    ccc/contract.md "Receiver credit"; OPEN; "Dispatch" (can_send, ack_request: terms of
//              credit); word 15.
module ccc_credit #(
  parameter int NumContexts = 256,
  parameter int RowW        = 8
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  ccc_regs_t       cfg_s2_i,
  input  ccc_regs_t       cfg_s3_i,
  input  ccc_regs_t       cfg_s4_i,
  input  ccc_regs_t       cfg_s5_i,
  input  ccc_regs_t       cfg_s7_i,
  input  logic [RowW-1:0] row_s1_i,
  output logic [31:0]     credit_s2_o,        // as stored, for READ; two's complement
  output logic [23:0]     last_pull_s2_o,
  output logic            speculating_s2_o,
  input  logic            open_s2_i,
  input  logic            load_s2_i,
  input  logic [56:0]     data_s2_i,
  input  logic [23:0]     pull_s2_i,          // number of the pull, or for OPEN the first
  input  logic [15:0]     share_s2_i,         // UQ0.16; 0: all
  input  logic            send_s3_i,
  input  logic            no_credit_s3_i,     // a SEND that takes none
  input  logic            ack_s3_i,
  input  logic            nack_s3_i,
  input  logic            loss_s3_i,
  input  logic            pull_s3_i,          // CREDIT
  input  logic            resends_s3_i,       // rtx_backlog before the event is not 0
  input  logic [31:0]     size_s3_i,
  input  logic [31:0]     cwnd_s3_i,          // of a SEND, which leaves it as it was
  input  logic [47:0]     backlog_s4_i,       // after the event
  input  logic [31:0]     rtx_backlog_s4_i,   // likewise
  output logic            saturated_s5_o,
  input  logic            write_s5_i,
  input  logic [RowW-1:0] row_s5_i,
  output logic            spec_ended_s6_o,
  output logic            granted_s6_o,
  output logic            spent_s6_o,         // credit is on and used up
  output logic            last_s6_o,          // credit is on and backlog is 0
  output logic [23:0]     target_s11_o        // 0 unless a SEND
);
  logic [31:0] credit_s5_q;
  logic [23:0] last_pull_s5_q;
  logic        speculating_s5_q;

  gw_sdp_ram #(.Width(57), .Rows(NumContexts), .AddrW(RowW)) u_credit (
    .clk_i  (clk_i),
    .we_i   (write_s5_i),
    .waddr_i(row_s5_i),
    .wdata_i({speculating_s5_q, last_pull_s5_q, credit_s5_q}),
    .raddr_i(row_s1_i),
    .rdata_o({speculating_s2_o, last_pull_s2_o, credit_s2_o})
  );

  // ---------------------------------------------------------------- stage 2: OPEN, LOAD
  logic [31:0] mtu_s2;
  logic [31:0] widest_s2;        // window of the registers
  logic [30:0] most_s2;          // largest credit
  logic [30:0] most_s3_q;
  logic [30:0] most_s4_q;
  logic [23:0] pull_s3_q;
  logic [31:0] credit_s3_q;
  logic [23:0] last_pull_s3_q;
  logic        speculating_s3_q;

  assign mtu_s2    = {16'b0, cfg_s2_i.MTU};
  assign widest_s2 = (cfg_s2_i.MAX_WND > mtu_s2) ? cfg_s2_i.MAX_WND : mtu_s2;
  assign most_s2   = widest_s2[31] ? '1 : widest_s2[30:0];

  always_ff @(posedge clk_i) begin
    most_s3_q        <= most_s2;
    most_s4_q        <= most_s3_q;
    pull_s3_q        <= pull_s2_i;
    credit_s3_q      <= credit_s2_o;
    last_pull_s3_q   <= last_pull_s2_o;
    speculating_s3_q <= speculating_s2_o;
    if (open_s2_i) begin
      credit_s3_q      <= {1'b0, most_s2};
      last_pull_s3_q   <= pull_s2_i;
      speculating_s3_q <= 1'b1;
    end
    if (load_s2_i) begin
      credit_s3_q      <= data_s2_i[ccc_pkg::WORD_CREDIT_LSB +: 32];
      last_pull_s3_q   <= data_s2_i[ccc_pkg::WORD_LAST_PULL_LSB +: 24];
      speculating_s3_q <= data_s2_i[ccc_pkg::WORD_SPECULATING_LSB];
    end
  end

  // ---------------------------------------------------------------- stage 3: what the event does
  logic        on_s3;
  logic        stop_s3;          // speculation ends
  logic [23:0] ahead_s3;         // of the pull, 256 bytes
  logic        grant_s3;
  logic [31:0] credit_s4_q;
  logic [23:0] last_pull_s4_q;
  logic        speculating_s4_q;
  logic        stop_s4_q;
  logic        grant_s4_q;
  logic        take_s4_q;
  logic        send_s4_q;        // answers with a target
  logic [22:0] ahead_s4_q;
  logic [31:0] size_s4_q;
  logic [32:0] room_s4_q;        // of the window

  assign on_s3    = cfg_s3_i.CTRL[1];
  assign stop_s3  = on_s3 & speculating_s3_q
                  & (ack_s3_i | nack_s3_i | pull_s3_i | (loss_s3_i & resends_s3_i));
  assign ahead_s3 = pull_s3_q - last_pull_s3_q;
  assign grant_s3 = pull_s3_i & ~ahead_s3[23] & (ahead_s3 != '0);

  always_ff @(posedge clk_i) begin
    credit_s4_q      <= (stop_s3 && !credit_s3_q[31]) ? '0 : credit_s3_q;
    last_pull_s4_q   <= grant_s3 ? pull_s3_q : last_pull_s3_q;
    speculating_s4_q <= speculating_s3_q & ~stop_s3;
    stop_s4_q        <= stop_s3;
    grant_s4_q       <= grant_s3;
    take_s4_q        <= on_s3 & send_s3_i & ~no_credit_s3_i;
    send_s4_q        <= on_s3 & send_s3_i;
    ahead_s4_q       <= ahead_s3[22:0];
    size_s4_q        <= size_s3_i;
    room_s4_q        <= {1'b0, cwnd_s3_i} + {17'b0, cfg_s3_i.MTU};
  end

  // ---------------------------------------------------------------- stage 4: credit, work, limit
  logic [33:0] more_s4;          // two's complement
  logic [33:0] less_s4;          // two's complement
  logic        above_s4;         // more than the largest credit
  logic        too_low_s4;
  logic        no_window_s4;
  logic        stop_s5_q;
  logic        grant_s5_q;
  logic        send_s5_q;
  logic        backed_s5_q;      // backlog is not 0
  logic [48:0] work_s5_q;        // bytes to send
  logic [30:0] limit_s5_q;       // of what is wanted

  assign more_s4      = {{2{credit_s4_q[31]}}, credit_s4_q} + {3'b0, ahead_s4_q, 8'b0};
  assign less_s4      = {{2{credit_s4_q[31]}}, credit_s4_q} - {2'b0, size_s4_q};
  assign above_s4     = ~more_s4[33] & (more_s4[32:0] > {2'b0, most_s4_q});
  assign too_low_s4   = less_s4[33] & (less_s4[32:31] != 2'b11);
  assign no_window_s4 = cfg_s4_i.CTRL[1] & cfg_s4_i.CTRL[3];

  always_ff @(posedge clk_i) begin
    credit_s5_q      <= credit_s4_q;
    if (grant_s4_q) credit_s5_q <= above_s4 ? {1'b0, most_s4_q} : more_s4[31:0];
    if (take_s4_q)  credit_s5_q <= too_low_s4 ? 32'h8000_0000 : less_s4[31:0];
    saturated_s5_o   <= take_s4_q & too_low_s4;
    last_pull_s5_q   <= last_pull_s4_q;
    speculating_s5_q <= speculating_s4_q;
    stop_s5_q        <= stop_s4_q;
    grant_s5_q       <= grant_s4_q;
    send_s5_q        <= send_s4_q;
    backed_s5_q      <= (backlog_s4_i != '0);
    work_s5_q        <= {1'b0, backlog_s4_i} + {17'b0, rtx_backlog_s4_i};
    limit_s5_q       <= most_s4_q;
    if (!no_window_s4 && (room_s4_q < {2'b0, most_s4_q})) limit_s5_q <= room_s4_q[30:0];
  end

  // ---------------------------------------------------------------- stage 5: flags, what is wanted
  logic [31:0] credit_s6_q;
  logic [30:0] want_s6_q;
  logic        floor_s6_q;       // at least one MTU is wanted

  always_ff @(posedge clk_i) begin
    spec_ended_s6_o <= stop_s5_q;
    granted_s6_o    <= grant_s5_q;
    spent_s6_o      <= cfg_s5_i.CTRL[1] & (credit_s5_q[31] | (credit_s5_q == '0));
    last_s6_o       <= cfg_s5_i.CTRL[1] & ~backed_s5_q;
    credit_s6_q     <= credit_s5_q;
    want_s6_q       <= (work_s5_q < {18'b0, limit_s5_q}) ? work_s5_q[30:0] : limit_s5_q;
    floor_s6_q      <= speculating_s5_q & backed_s5_q;
  end

  // ---------------------------------------------------------------- stages 6, 7: less the credit
  logic [32:0] want_s7_q;        // two's complement
  logic        floor_s7_q;
  logic [32:0] mtu_s7;
  logic [32:0] want_s8_q;        // two's complement

  assign mtu_s7 = {17'b0, cfg_s7_i.MTU};

  always_ff @(posedge clk_i) begin
    want_s7_q  <= {2'b0, want_s6_q} - {credit_s6_q[31], credit_s6_q};
    floor_s7_q <= floor_s6_q;
    want_s8_q  <= want_s7_q;
    if (floor_s7_q && (want_s7_q[32] || (want_s7_q < mtu_s7))) want_s8_q <= mtu_s7;
  end

  // ---------------------------------------------------------------- stages 8 to 10: share, target
  // The target is modulo 2^24 quanta, so that the product is needed modulo 2^32 bytes only.
  logic [16:0] share_s8;         // UQ1.16; 0 stands for the whole
  logic [47:0] share_s9_q;       // 16 fraction bits
  logic [31:0] share_s10_q;      // bytes, rounded up to a quantum once its low bits are dropped
  logic        send_s10;
  logic [23:0] last_pull_s10;

  gw_delay #(.Width(17), .Depth(6)) u_wait_share (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .d_i   ({(share_s2_i == '0), share_s2_i}),
    .q_o   (share_s8)
  );

  gw_delay #(.Width(25), .Depth(5)) u_wait_pull (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .d_i   ({send_s5_q, last_pull_s5_q}),
    .q_o   ({send_s10, last_pull_s10})
  );

  always_ff @(posedge clk_i) begin
    share_s9_q   <= {{15{want_s8_q[32]}}, want_s8_q} * {31'b0, share_s8};
    share_s10_q  <= share_s9_q[47:16] + 32'd255;
    target_s11_o <= send_s10 ? (last_pull_s10 + share_s10_q[31:8]) : '0;
  end

  // The fraction and the rest of the last quantum are dropped.
  logic unused_bits;
  assign unused_bits = ^{share_s9_q[15:0], share_s10_q[7:0]};
endmodule
