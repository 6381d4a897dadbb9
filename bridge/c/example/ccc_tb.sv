// A scoreboard that asks a golden model: random events into ccc, every response compared over DPI.
//
// From the root of the tree, with `build/goldwire serve --block ccc --param NumContexts=8 --listen
// unix:/tmp/gold.sock` running:
//
//   $ verilator --binary --timing --top-module ccc_tb -Wno-fatal -y hdl/rtl/common -y hdl/rtl/ccc
//     hdl/gen/ccc_types.sv hdl/gen/ccc_pkg.sv bridge/c/gw_dpi_pkg.sv bridge/c/example/ccc_tb.sv $PWD/bridge/c/*.c --Mdir build/ccc_tb -o ccc_tb
//   $ build/ccc_tb/ccc_tb +gold=unix:/tmp/gold.sock +events=20000
module ccc_tb;
  import gw_dpi_pkg::*;

  localparam int NumContexts = 8;
  localparam int NumPdcs = 4;
  localparam int NumProfiles = 8;

  logic     clk = 1'b0;
  logic     rst_n = 1'b0;
  logic     ev_valid = 1'b0;
  logic     ev_ready;
  ccc_ev_t  ev = '0;
  logic     rsp_valid;
  logic     rsp_ready = 1'b0;
  ccc_rsp_t rsp;

  ccc #(.NumContexts(NumContexts), .NumPdcs(NumPdcs), .NumProfiles(NumProfiles)) u_dut (
    .clk_i      (clk),
    .rst_ni     (rst_n),
    .ev_valid_i (ev_valid),
    .ev_ready_o (ev_ready),
    .ev_i       (ev),
    .rsp_valid_o(rsp_valid),
    .rsp_ready_i(rsp_ready),
    .rsp_o      (rsp)
  );

  always #5 clk = ~clk;

  chandle      gold;
  string       address;
  int          events = 20000;
  int          pushed = 0;
  int          seen = 0;
  int          errors = 0;
  int          quiet = 0;
  int          verdict = GW_MATCH;
  logic [47:0] now = '0;

  // ------------------------------------------------------------------ stimulus
  function automatic ccc_ev_t draw(int n);
    ccc_ev_t e;
    logic [3:0] busy[10] = '{
      ccc_pkg::KIND_READ, ccc_pkg::KIND_NEW_DATA, ccc_pkg::KIND_SEND, ccc_pkg::KIND_SEND,
      ccc_pkg::KIND_ACK, ccc_pkg::KIND_ACK, ccc_pkg::KIND_NACK, ccc_pkg::KIND_LOSS,
      ccc_pkg::KIND_BIND, ccc_pkg::KIND_SAMPLE
    };
    e = '0;
    e.kind = n < NumContexts ? ccc_pkg::KIND_OPEN : busy[$urandom_range(9)];
    e.ctx = n < NumContexts ? 16'(n) : 16'($urandom_range(NumContexts));  // one too many now and then
    e.pdc = 4'($urandom_range(NumPdcs - 1));
    e.profile = 4'($urandom_range(NumProfiles - 1));
    e.data = 64'($urandom_range(20000));
    e.now = now;
    e.size = $urandom_range(4096);
    e.is_rtx = $urandom_range(9) == 0;
    e.rcvd_bytes = 24'(n);
    e.acked_pkts = 16'($urandom_range(2));
    e.m = $urandom_range(3) == 0;
    e.entropy = 16'($urandom);
    e.tx_valid = $urandom_range(9) != 0;
    e.tx_time = now - 48'($urandom_range(20000));
    if ($urandom_range(31) == 0) e.tx_time = {16'($urandom), $urandom};  // of another age
    if (n >= NumContexts && $urandom_range(31) == 0) e.kind = 4'($urandom_range(15, 13));  // no kind
    e.rtx_count = 2'($urandom);
    e.service_time = 16'($urandom_range(4));
    e.retx = 1'($urandom);
    e.reason = 8'($urandom_range(3));
    e.addr = 5'($urandom);
    return e;
  endfunction

  // ------------------------------------------------------------------ scoreboard
  always @(posedge clk) begin
    if (rst_n && ev_valid && ev_ready) begin
      verdict = gw_push(gold, "ev", gw_bits_t'(ev));
      if (verdict != GW_MATCH) $fatal(1, "FAIL ccc_tb: the golden model is gone");
    end
    if (rst_n && rsp_valid && rsp_ready) begin
      verdict = gw_expect(gold, "rsp", gw_bits_t'(rsp));
      if (verdict == GW_BROKEN) $fatal(1, "FAIL ccc_tb: the golden model is gone");
      if (verdict == GW_MISMATCH) errors++;
      seen++;
    end
  end

  initial begin
    if (!$value$plusargs("gold=%s", address)) address = "unix:/tmp/gold.sock";
    void'($value$plusargs("events=%d", events));
    if (events < 1) $fatal(1, "FAIL ccc_tb: +events=%0d checks nothing: give 1 or more", events);
    gold = gw_connect(address, "ccc", $sformatf("%h", ccc_pkg::SCHEMA_HASH),
                      $sformatf("NumContexts=%0d,NumPdcs=%0d,NumProfiles=%0d", NumContexts, NumPdcs, NumProfiles));
    if (gold == null) $fatal(1, "FAIL ccc_tb: no golden model");
    repeat (4) @(negedge clk);
    rst_n = 1'b1;
    // Inputs change at the falling edge. At the rising edge the design, the scoreboard above and this loop all wake,
    // in an order that SystemVerilog leaves open: an input that changed then would be the old value for one and the
    // new one for another, and the golden model would be told of an event that the design did not take. Half a
    // cycle before, inputs and outputs have settled, and all three sample the same. A bench with a clocking block
    // (input #1step) needs no falling edge. An event stays until it is taken.
    while (quiet < 200 && errors < 5) begin
      logic taken;
      @(posedge clk);
      taken = ev_valid && ev_ready;
      quiet = rsp_valid || pushed < events ? 0 : quiet + 1;
      @(negedge clk);
      now += 48'($urandom_range(100));
      if (taken) pushed++;
      if (taken || !ev_valid) begin
        ev_valid = pushed < events && $urandom_range(3) != 0;
        ev = draw(pushed);
      end
      rsp_ready = $urandom_range(7) != 0;
    end
    verdict = gw_finish(gold);
    if (verdict != GW_MATCH) errors++;
    gw_close(gold);
    if (errors != 0) $fatal(1, "FAIL ccc_tb: %0d of %0d responses differ", errors, seen);
    if (seen == 0) $fatal(1, "FAIL ccc_tb: no response came: nothing was checked");
    $display("PASS ccc_tb: %0d events, %0d responses", pushed, seen);
    $finish;
  end
endmodule
