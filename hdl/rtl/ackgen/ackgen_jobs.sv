// Sequence of jobs: which starts when, and how far the one that runs has come.
//
// Latency:     none; a job starts in the cycle in which it may.
// Throughput:  one job at a time: BUSY (6) cycles a packet, Rows more with syn, CFG_BUSY (3) a cfg
//              event.
// Comb. paths: all inputs but clock and reset to start_o and cfg_start_o.
// Reset:       no job runs.
// Contract:    ackgen/contract.md "Timing".
//
// Cycles of a packet's job: c0 to c5, c5 the one in which it ends. c0 is its first unless it
// searches: then a row of keys is addressed in each of the Rows cycles before c0, and scan_o is
// high in the cycle after, in which that row is out. Cycles of a cfg event's job: k0, its first, to
// k2.
module ackgen_jobs #(
  parameter int Rows = 1,
  parameter int RowW = 1              // clog2(Rows), at least 1
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            req_i,      // a request waits
  input  logic            syn_i,      // and has to search
  input  logic            room_i,     // for an indication and an answer
  input  logic            cfg_i,      // a cfg event waits
  input  logic            cfg_room_i,
  output logic            start_o,
  output logic            cfg_start_o,
  output logic            scan_o,
  output logic [RowW-1:0] scan_row_o,
  output logic [5:1]      step_o,     // c1 .. c5
  output logic [2:1]      cfg_step_o  // k1, k2
);
  localparam int LastRow = Rows - 1;
  localparam logic [RowW-1:0] Last = LastRow[RowW-1:0];

  logic idle;
  logic scanned;                      // the last row is out: this is c0

  assign idle        = ~scan_o & (step_o == '0) & (cfg_step_o == '0);
  assign cfg_start_o = idle & cfg_i & cfg_room_i;
  assign start_o     = idle & ~cfg_start_o & req_i & room_i;
  assign scanned     = scan_o & (scan_row_o == Last);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      scan_o     <= 1'b0;
      scan_row_o <= '0;
      step_o     <= '0;
      cfg_step_o <= '0;
    end else begin
      scan_o     <= (start_o & syn_i) | (scan_o & ~scanned);
      scan_row_o <= (scan_o & ~scanned) ? scan_row_o + 1'b1 : '0;
      step_o     <= {step_o[4:1], (start_o & ~syn_i) | scanned};
      cfg_step_o <= {cfg_step_o[1], cfg_start_o};
    end
  end

`ifdef GW_ASSERT
  a_one_job: assert property (@(posedge clk_i) disable iff (!rst_ni)
      $countones({scan_o, step_o, cfg_step_o}) <= 1)
    else $error("ackgen_jobs: two jobs run at a time");
`endif
endmodule
