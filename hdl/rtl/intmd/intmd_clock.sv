// The clock of the telemetry, the update period and the All_INT_Table with its live counters.
//
// Latency:     a report accepted in cycle t issues in t + 1 and is in the table from t + 3 on, with
//              a period of one cycle.
// Throughput:  one report, one rate, two table reads a cycle.
// Comb. paths: lookup_i and cfg_port_i to the raw entries; rst_ni and up_i to cnt_ready_o.
// Reset:       counters 0, rate codes 4, by the sweep; clock 0.
// Contract:    intmd/contract.md "Clock, counters, table". An entry leaves as {B, TS, txBytes, ql},
//              ql in units of 16 bytes: what the reader makes of it costs a product, and no port but
//              his needs it. Bits 27 and up of tx are not kept: no entry shows them.
module intmd_clock #(
  parameter int NumPorts = 4,
  parameter int PortW    = 2
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             up_i,
  input  logic [PortW-1:0] sweep_row_i,
  input  logic             cnt_valid_i,
  output logic             cnt_ready_o,
  input  intmd_cnt_t       cnt_i,
  output logic             bad_report_o,   // a report that names no port issues
  input  intmd_regs_t      regs_i,
  input  logic             set_time_i,
  input  logic [23:0]      set_data_i,
  output logic [23:0]      time_o,
  input  logic [PortW-1:0] cfg_port_i,     // port whose rate is written, and which is read
  input  logic             rate_we_i,
  input  logic [3:0]       rate_i,
  input  logic [PortW-1:0] lookup_i,
  output logic [75:0]      lookup_o,       // B, TS, txBytes, ql
  output logic [75:0]      read_o
);
  localparam logic [7:0] PortLimit = NumPorts[7:0];
  localparam logic [3:0] RateReset = 4'd4;

  // ---------------------------------------------------------------- clock and period
  logic [39:0] time_q;
  logic [23:0] age_q;
  logic [23:0] stamp_q;       // clock at the last tick, ns
  logic        tick;

  // Ticks until the block is up clear what was left from before the reset.
  assign tick   = ~up_i | (regs_i.PERIOD <= 24'd1) |
                  (({1'b0, age_q} + 25'd1) >= {1'b0, regs_i.PERIOD});
  assign time_o = time_q[39:16];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      time_q <= '0;
    end else if (up_i) begin
      time_q <= set_time_i ? {set_data_i, 16'b0} : (time_q + {16'b0, regs_i.STEP});
    end
  end

  always_ff @(posedge clk_i) begin
    age_q <= tick ? 24'd0 : (age_q + 24'd1);
    if (tick) stamp_q <= time_q[39:16];
  end

  // ---------------------------------------------------------------- reports
  logic             held;
  intmd_cnt_t       report;
  logic             known;
  logic             write;
  logic [PortW-1:0] port;
  logic [26:0]      tx_old;
  logic [31:0]      ql_old;
  logic [26:0]      tx_new;
  logic [31:0]      ql_new;
  logic [26:0]      tx_base;
  logic [31:0]      ql_base;

  gw_in_fifo #(.Width(intmd_pkg::CNT_W)) u_cnt_fifo (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enable_i    (up_i),
    .valid_i     (cnt_valid_i),
    .ready_o     (cnt_ready_o),
    .data_i      (cnt_i),
    .head_valid_o(held),
    .head_o      (report),
    .pop_i       (held)
  );

  assign known        = (report.port < PortLimit);
  assign write        = held & known;
  assign bad_report_o = held & ~known;
  assign port         = report.port[PortW-1:0];
  assign tx_base      = (report.op == intmd_pkg::OP_ADD) ? tx_old : 27'b0;
  assign ql_base      = (report.op == intmd_pkg::OP_ADD) ? ql_old : 32'b0;
  assign tx_new       = tx_base + report.tx_bytes[26:0];
  assign ql_new       = ql_base + report.qlen;

  // ---------------------------------------------------------------- tables
  logic [58:0] counts_lookup;
  logic [58:0] counts_read;
  logic [3:0]  rate_old;
  logic [3:0]  rate_lookup;
  logic [3:0]  rate_read;

  intmd_table #(.Width(59), .NumPorts(NumPorts), .PortW(PortW)) u_counts (
    .clk_i      (clk_i),
    .init_i     (~up_i),
    .init_row_i (sweep_row_i),
    .init_data_i(59'b0),
    .tick_i     (tick),
    .we_i       (write),
    .port_i     (port),
    .data_i     ({tx_new, ql_new}),
    .old_o      ({tx_old, ql_old}),
    .read_a_i   (lookup_i),
    .held_a_o   (counts_lookup),
    .read_b_i   (cfg_port_i),
    .held_b_o   (counts_read)
  );

  intmd_table #(.Width(4), .NumPorts(NumPorts), .PortW(PortW)) u_rates (
    .clk_i      (clk_i),
    .init_i     (~up_i),
    .init_row_i (sweep_row_i),
    .init_data_i(RateReset),
    .tick_i     (tick),
    .we_i       (rate_we_i),
    .port_i     (cfg_port_i),
    .data_i     (rate_i),
    .old_o      (rate_old),
    .read_a_i   (lookup_i),
    .held_a_o   (rate_lookup),
    .read_b_i   (cfg_port_i),
    .held_b_o   (rate_read)
  );

  assign lookup_o = {rate_lookup, stamp_q, counts_lookup[58:39], counts_lookup[31:4]};
  assign read_o   = {rate_read, stamp_q, counts_read[58:39], counts_read[31:4]};

  // A rate code is written, never added to. What an entry leaves out counts in later sums only.
  logic unused;
  assign unused = (^rate_old) ^ (^report.tx_bytes[31:27]) ^
                  (^counts_lookup[38:32]) ^ (^counts_lookup[3:0]) ^
                  (^counts_read[38:32]) ^ (^counts_read[3:0]);
endmodule
