// Dispatch of the ccc block: which events act on their context, which are refused.
//
// Latency:     decides in stage 2, from the event (stage 1) and the valid bit of the context.
// Throughput:  one event a cycle.
// Comb. paths: kind_s1_i, vld_s1_i to cfg_write_s1_o, cfg_read_s1_o; none to stage 2.
// Reset:       the sweep clears the valid bit of every context, one a cycle.
// Contract:    ccc/contract.md "Dispatch" 1 to 7; "OPEN" and "LOAD, READ" (existence of the context
//              only).
module ccc_dispatch #(
  parameter int NumContexts = 256,
  parameter int RowW        = 8,
  parameter int NumPdcs     = 4,
  parameter int NumProfiles = 8
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            sweep_done_i,
  input  logic [RowW-1:0] sweep_row_i,
  // stage 1
  input  logic            vld_s1_i,
  input  logic [3:0]      kind_s1_i,
  input  logic [15:0]     ctx_s1_i,
  input  logic [RowW-1:0] row_s1_i,
  input  logic [3:0]      pdc_s1_i,
  input  logic [4:0]      addr_s1_i,
  input  logic [3:0]      profile_s1_i,    // of an OPEN or a LOAD of word 0: the one it asks for
  input  logic            write_refused_s1_i,
  input  logic            read_refused_s1_i,
  input  logic            credit_on_s1_i,  // in the registers of the context
  output logic            cfg_write_s1_o,
  output logic            cfg_read_s1_o,
  // stage 2: at most one of these, only for an event that acts
  output logic            open_s2_o,
  output logic            new_data_s2_o,
  output logic            send_s2_o,
  output logic            ack_s2_o,
  output logic            nack_s2_o,
  output logic            loss_s2_o,
  output logic            bind_s2_o,
  output logic            probe_s2_o,      // SAMPLE
  output logic            pull_s2_o,       // CREDIT
  output logic            read_s2_o,
  output logic [15:0]     load_s2_o,       // one bit per state word
  // stage 2: facts about the event
  output logic            write_s2_o,      // it acts: its context is written and shown
  output logic            no_context_s2_o,
  output logic            refused_s2_o,
  input  logic [RowW-1:0] row_s3_i
);
  localparam int NumWords = ccc_pkg::NUM_WORDS;
  localparam logic [16:0] Limit        = NumContexts[16:0];
  localparam logic [4:0]  WordLimit    = NumWords[4:0];
  localparam logic [4:0]  PdcLimit     = NumPdcs[4:0];
  localparam logic [4:0]  ProfileLimit = NumProfiles[4:0];

  // ---------------------------------------------------------------- stage 1
  logic in_range_s1;
  logic known_s1;
  logic on_cfg_s1;
  logic refused_s1;     // whatever the context
  logic pdc_ok_s1;
  logic word_ok_s1;
  logic profile_ok_s1;
  logic bad_s1;         // refused if the context is valid (OPEN: in range)

  assign in_range_s1    = ({1'b0, ctx_s1_i} < Limit);
  assign known_s1       = (kind_s1_i <= ccc_pkg::KIND_CREDIT);
  assign on_cfg_s1      = (kind_s1_i == ccc_pkg::KIND_CFG_WRITE)
                        | (kind_s1_i == ccc_pkg::KIND_CFG_READ);
  assign cfg_write_s1_o = vld_s1_i & (kind_s1_i == ccc_pkg::KIND_CFG_WRITE);
  assign cfg_read_s1_o  = vld_s1_i & (kind_s1_i == ccc_pkg::KIND_CFG_READ);
  assign refused_s1     = ~known_s1 | (cfg_write_s1_o & write_refused_s1_i)
                        | (cfg_read_s1_o & read_refused_s1_i);

  assign pdc_ok_s1      = ({1'b0, pdc_s1_i} < PdcLimit);
  assign word_ok_s1     = (addr_s1_i < WordLimit)
                        & (pdc_ok_s1 | (addr_s1_i != ccc_pkg::WORD_LAST_RCVD));
  assign profile_ok_s1  = ({1'b0, profile_s1_i} < ProfileLimit);

  always_comb begin
    unique case (kind_s1_i)
      ccc_pkg::KIND_OPEN:   bad_s1 = ~profile_ok_s1;
      ccc_pkg::KIND_LOAD:   bad_s1 = ~word_ok_s1
                                   | ((addr_s1_i == ccc_pkg::WORD_PROFILE) & ~profile_ok_s1);
      ccc_pkg::KIND_READ:   bad_s1 = ~word_ok_s1;
      ccc_pkg::KIND_ACK,
      ccc_pkg::KIND_BIND:   bad_s1 = ~pdc_ok_s1;
      ccc_pkg::KIND_CREDIT: bad_s1 = ~credit_on_s1_i;
      default:              bad_s1 = 1'b0;
    endcase
  end

  logic       vld_s2_q;
  logic [3:0] kind_s2_q;
  logic       acts_s2_q;     // names a context in range
  logic       outside_s2_q;  // names a context out of range
  logic       refused_s2_q;
  logic       bad_s2_q;
  logic [3:0] word_s2_q;
  logic       open_s3_q;
  logic       close_s2;
  logic       close_s3_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      vld_s2_q   <= 1'b0;
      open_s3_q  <= 1'b0;
      close_s3_q <= 1'b0;
    end else begin
      vld_s2_q   <= vld_s1_i;
      open_s3_q  <= open_s2_o;
      close_s3_q <= close_s2;
    end
  end

  always_ff @(posedge clk_i) begin
    kind_s2_q    <= kind_s1_i;
    acts_s2_q    <= known_s1 & ~on_cfg_s1 & in_range_s1;
    outside_s2_q <= known_s1 & ~on_cfg_s1 & ~in_range_s1;
    refused_s2_q <= refused_s1;
    bad_s2_q     <= bad_s1;
    word_s2_q    <= addr_s1_i[3:0];
  end

  // ---------------------------------------------------------------- valid bits
  logic            valid_s2;
  logic            valid_we;
  logic [RowW-1:0] valid_row;

  assign valid_we  = ~sweep_done_i | open_s3_q | close_s3_q;
  assign valid_row = sweep_done_i ? row_s3_i : sweep_row_i;

  gw_sdp_ram #(.Width(1), .Rows(NumContexts), .AddrW(RowW)) u_valid (
    .clk_i  (clk_i),
    .we_i   (valid_we),
    .waddr_i(valid_row),
    .wdata_i(sweep_done_i & open_s3_q),
    .raddr_i(row_s1_i),
    .rdata_o(valid_s2)
  );

  // ---------------------------------------------------------------- stage 2: decision
  logic is_open_s2;
  logic there_s2;   // the event finds what it needs: a valid context, or for OPEN one in range
  logic live_s2;    // and is not refused

  assign is_open_s2 = (kind_s2_q == ccc_pkg::KIND_OPEN);
  assign there_s2   = vld_s2_q & acts_s2_q & (is_open_s2 | valid_s2);
  assign live_s2    = there_s2 & ~bad_s2_q;
  assign close_s2   = live_s2 & (kind_s2_q == ccc_pkg::KIND_CLOSE);

  always_comb begin
    open_s2_o     = live_s2 & is_open_s2;
    read_s2_o     = live_s2 & (kind_s2_q == ccc_pkg::KIND_READ);
    new_data_s2_o = live_s2 & (kind_s2_q == ccc_pkg::KIND_NEW_DATA);
    send_s2_o     = live_s2 & (kind_s2_q == ccc_pkg::KIND_SEND);
    ack_s2_o      = live_s2 & (kind_s2_q == ccc_pkg::KIND_ACK);
    nack_s2_o     = live_s2 & (kind_s2_q == ccc_pkg::KIND_NACK);
    loss_s2_o     = live_s2 & (kind_s2_q == ccc_pkg::KIND_LOSS);
    bind_s2_o     = live_s2 & (kind_s2_q == ccc_pkg::KIND_BIND);
    probe_s2_o    = live_s2 & (kind_s2_q == ccc_pkg::KIND_SAMPLE);
    pull_s2_o     = live_s2 & (kind_s2_q == ccc_pkg::KIND_CREDIT);
    load_s2_o     = '0;
    if (live_s2 && (kind_s2_q == ccc_pkg::KIND_LOAD)) load_s2_o[word_s2_q] = 1'b1;
  end

  // Every event that acts writes, a READ too: its window may be raised to the MTU.
  assign write_s2_o      = live_s2 & (kind_s2_q != ccc_pkg::KIND_CLOSE);
  assign no_context_s2_o = outside_s2_q | (acts_s2_q & ~is_open_s2 & ~valid_s2);
  assign refused_s2_o    = refused_s2_q | (there_s2 & bad_s2_q);
endmodule
