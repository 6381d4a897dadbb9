// Dispatch of the ccc block: which events act on their context, which are refused.
//
// Latency:     decides in stage 2, from the kind (stage 1) and the valid bit of the context.
// Throughput:  one event a cycle.
// Comb. paths: kind_s1_i, vld_s1_i to cfg_write_s1_o, cfg_read_s1_o; none to stage 2.
// Reset:       the sweep clears the valid bit of every context, one a cycle.
// Contract:    ccc/contract.md "Dispatch", "OPEN" and "LOAD, READ" (existence of the context only).
module ccc_dispatch #(
  parameter int NumContexts = 256,
  parameter int RowW        = 8
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
  input  logic [4:0]      addr_s1_i,
  input  logic            write_refused_s1_i,
  input  logic            read_refused_s1_i,
  output logic            cfg_write_s1_o,
  output logic            cfg_read_s1_o,
  // stage 2: at most one of these, only for an event that acts
  output logic            open_s2_o,
  output logic            new_data_s2_o,
  output logic            send_s2_o,
  output logic            ack_s2_o,
  output logic            nack_s2_o,
  output logic            loss_s2_o,
  output logic            read_s2_o,
  output logic [15:0]     load_s2_o,       // one bit per state word
  // stage 2: facts about the event
  output logic            write_s2_o,      // it may change the state of the context
  output logic            no_context_s2_o,
  output logic            refused_s2_o,
  input  logic [RowW-1:0] row_s3_i
);
  localparam logic [16:0] Limit = NumContexts[16:0];

  logic in_range_s1;
  logic on_ctx_s1;      // a kind that names a context
  logic known_s1;
  logic refused_s1;

  assign in_range_s1    = ({1'b0, ctx_s1_i} < Limit);
  assign on_ctx_s1      = (kind_s1_i <= ccc_pkg::KIND_LOSS);
  assign known_s1       = (kind_s1_i <= ccc_pkg::KIND_CFG_READ);
  assign cfg_write_s1_o = vld_s1_i & (kind_s1_i == ccc_pkg::KIND_CFG_WRITE);
  assign cfg_read_s1_o  = vld_s1_i & (kind_s1_i == ccc_pkg::KIND_CFG_READ);
  assign refused_s1     = ~known_s1 | (cfg_write_s1_o & write_refused_s1_i)
                        | (cfg_read_s1_o & read_refused_s1_i);

  logic       vld_s2_q;
  logic [3:0] kind_s2_q;
  logic       acts_s2_q;     // names a context in range
  logic       outside_s2_q;  // names a context out of range
  logic       refused_s2_q;
  logic [4:0] addr_s2_q;
  logic       word_ok_s2;
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
    acts_s2_q    <= on_ctx_s1 & in_range_s1;
    outside_s2_q <= on_ctx_s1 & ~in_range_s1;
    refused_s2_q <= refused_s1;
    addr_s2_q    <= addr_s1_i;
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

  // ---------------------------------------------------------------- decision
  logic here_s2;    // in range, whatever the valid bit
  logic live_s2;    // on a valid context

  assign here_s2    = vld_s2_q & acts_s2_q;
  assign live_s2    = here_s2 & valid_s2;
  assign word_ok_s2 = ~addr_s2_q[4];
  assign close_s2   = live_s2 & (kind_s2_q == ccc_pkg::KIND_CLOSE);

  always_comb begin
    open_s2_o     = here_s2 & (kind_s2_q == ccc_pkg::KIND_OPEN);
    read_s2_o     = live_s2 & (kind_s2_q == ccc_pkg::KIND_READ) & word_ok_s2;
    new_data_s2_o = live_s2 & (kind_s2_q == ccc_pkg::KIND_NEW_DATA);
    send_s2_o     = live_s2 & (kind_s2_q == ccc_pkg::KIND_SEND);
    ack_s2_o      = live_s2 & (kind_s2_q == ccc_pkg::KIND_ACK);
    nack_s2_o     = live_s2 & (kind_s2_q == ccc_pkg::KIND_NACK);
    loss_s2_o     = live_s2 & (kind_s2_q == ccc_pkg::KIND_LOSS);
    load_s2_o     = '0;
    if (live_s2 && (kind_s2_q == ccc_pkg::KIND_LOAD) && word_ok_s2) begin
      load_s2_o[addr_s2_q[3:0]] = 1'b1;
    end
  end

  assign write_s2_o = open_s2_o | new_data_s2_o | send_s2_o | ack_s2_o | nack_s2_o | loss_s2_o
                    | (|load_s2_o);
  assign no_context_s2_o = outside_s2_q
                         | (acts_s2_q & (kind_s2_q != ccc_pkg::KIND_OPEN) & ~valid_s2);
  assign refused_s2_o = refused_s2_q
                      | (live_s2 & ~word_ok_s2 & ((kind_s2_q == ccc_pkg::KIND_LOAD)
                                                | (kind_s2_q == ccc_pkg::KIND_READ)));
endmodule
