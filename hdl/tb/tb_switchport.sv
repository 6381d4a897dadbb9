// Smoke bench of the switch port: a packet through the whole of it, one that is trimmed, one that
// gets telemetry, grants without a packet, a full buffer.
//
// Runs under Icarus Verilog and under Verilator --timing; ends with PASS or $fatal.
module tb_switchport;
  localparam int NumPorts = 3;
  localparam int Slots    = 4;

  logic              clk;
  logic              rst_n;
  logic              rx_valid;
  logic              rx_ready;
  switchport_rx_t    rx;
  logic              grant_valid;
  logic              grant_ready;
  switchport_grant_t grant;
  logic              cfg_valid;
  logic              cfg_ready;
  switchport_cfg_t   cfg;
  logic              tx_valid;
  switchport_tx_t    tx;
  logic              note_valid;
  switchport_note_t  note;
  logic              gr_valid;
  switchport_gr_t    gr;
  logic              cfgr_valid;
  switchport_cfgr_t  cfgr;

  switchport #(.NumPorts(NumPorts), .Depth(8), .Slots(Slots)) dut (
    .clk_i        (clk),
    .rst_ni       (rst_n),
    .rx_valid_i   (rx_valid),
    .rx_ready_o   (rx_ready),
    .rx_i         (rx),
    .grant_valid_i(grant_valid),
    .grant_ready_o(grant_ready),
    .grant_i      (grant),
    .cfg_valid_i  (cfg_valid),
    .cfg_ready_o  (cfg_ready),
    .cfg_i        (cfg),
    .tx_valid_o   (tx_valid),
    .tx_ready_i   (1'b1),
    .tx_o         (tx),
    .note_valid_o (note_valid),
    .note_ready_i (1'b1),
    .note_o       (note),
    .gr_valid_o   (gr_valid),
    .gr_ready_i   (1'b1),
    .gr_o         (gr),
    .cfgr_valid_o (cfgr_valid),
    .cfgr_ready_i (1'b1),
    .cfgr_o       (cfgr)
  );

  initial clk = 1'b0;
  always #5 clk = ~clk;

  // ---------------------------------------------------------------- observation
  int               cycle;
  int               accepted;
  int               accept_cycle;    // of a beat
  int               granted;
  int               grant_cycle;
  int               sent;
  int               sent_cycle;
  switchport_tx_t   last;
  switchport_tx_t   first;           // the beat before it
  int               noted;
  int               note_cycle;
  switchport_note_t verdict;
  int               replied;
  int               reply_cycle;
  switchport_gr_t   reply;           // to a grant
  int               answered;
  switchport_cfgr_t answer;          // to an access
  int               asked;
  int               errors;

  initial begin
    cycle        = 0;
    accepted     = 0;
    accept_cycle = 0;
    granted      = 0;
    grant_cycle  = 0;
    sent         = 0;
    sent_cycle   = 0;
    noted        = 0;
    note_cycle   = 0;
    replied      = 0;
    reply_cycle  = 0;
    answered     = 0;
    asked        = 0;
    errors       = 0;
  end

  always @(posedge clk) begin
    cycle <= cycle + 1;
    if (rx_valid && rx_ready) begin
      accepted     <= accepted + 1;
      accept_cycle <= cycle;
    end
    if (grant_valid && grant_ready) begin
      granted     <= granted + 1;
      grant_cycle <= cycle;
    end
    if (cfg_valid && cfg_ready) asked <= asked + 1;
    if (tx_valid) begin
      sent       <= sent + 1;
      sent_cycle <= cycle;
      last       <= tx;
      first      <= last;
      known("tx", ^tx);
    end
    if (note_valid) begin
      noted      <= noted + 1;
      note_cycle <= cycle;
      verdict    <= note;
      known("note", ^note);
    end
    if (gr_valid) begin
      replied     <= replied + 1;
      reply_cycle <= cycle;
      reply       <= gr;
      known("gr", ^gr);
    end
    if (cfgr_valid) begin
      answered <= answered + 1;
      answer   <= cfgr;
      known("cfgr", ^cfgr);
    end
  end

  // An unknown bit in an answer: state that was never written has become visible.
  task known(input [8*8-1:0] port, input parity);
    if (parity === 1'bx) begin
      errors = errors + 1;
      $display("tb_switchport: unknown bits at %0s (cycle %0d)", port, cycle);
    end
  endtask

  task check(input [8*24-1:0] what, input [511:0] got, input [511:0] want);
    if (got !== want) begin
      errors = errors + 1;
      $display("tb_switchport: %0s: got %h, want %h (cycle %0d)", what, got, want, cycle);
    end
  endtask

  // Text order, first byte leftmost, to stream order, first byte lowest.
  function automatic [511:0] wire_order(input [511:0] text);
    for (int k = 0; k < 64; k++) wire_order[8*k +: 8] = text[8*(63-k) +: 8];
  endfunction

  // ---------------------------------------------------------------- stimulus, at falling edges
  task beat(input [511:0] data, input [63:0] keep, input is_last);
    int seen;
    seen     = accepted;
    rx.data  = data;
    rx.keep  = keep;
    rx.last  = is_last;
    rx_valid = 1'b1;
    while (accepted == seen) @(negedge clk);
    rx_valid = 1'b0;
  endtask

  task send(input [7:0] port);
    int seen;
    seen        = granted;
    grant.port  = port;
    grant_valid = 1'b1;
    while (granted == seen) @(negedge clk);
    grant_valid = 1'b0;
  endtask

  task access(input [1:0] target, input [3:0] kind, input [4:0] addr, input [31:0] data);
    int seen;
    seen       = asked;
    cfg.target = target;
    cfg.kind   = kind;
    cfg.addr   = addr;
    cfg.data   = data;
    cfg_valid  = 1'b1;
    while (asked == seen) @(negedge clk);
    cfg_valid  = 1'b0;
    while (answered == seen) @(negedge clk);
  endtask

  initial begin : watchdog
    #100000;
    $display("tb_switchport: timeout in cycle %0d", cycle);
    $fatal;
  end

  // A request of 142 bytes in three beats, and what is left of it; an ACK_CC of 82, and with an entry.
  localparam [511:0] Head = {
    128'h02000000_00020200_00000001_08004522, 128'h00800001_40004011_26480a00_00010a00,
    128'h0002c000_12b9006c_9c4e1000_00000000, 128'h00640007_00090001_02030405_06070809};
  localparam [511:0] Cut = {
    128'h02000000_00020200_00000001_08004542, 128'h00320001_40004011_26760a00_00010a00,
    128'h0002c000_12b9001e_f4681000_00000000, 128'h00640007_00090001_02030405_06070809};
  localparam [511:0] Ack0 = {
    128'h02000000_00020200_00000001_080045b8, 128'h00440001_40004011_25ee0a00_00010a00,
    128'h0002c000_12b90030_8e934000_00000000, 128'h00640007_00090000_00000000_00000000};
  localparam [511:0] Ack1 = {
    128'h00000010_00000064_0000494e_00050003, 16'h0000, 368'h0};
  localparam [511:0] Out0 = {
    128'h02000000_00020200_00000001_080045b8, 128'h004c0001_40004011_25e60a00_00010a00,
    128'h0002c000_12b90038_07004000_00000000, 128'h00640007_00090000_00000000_00000000};
  localparam [511:0] Out1 = {
    128'h00000010_00000064_0000494e_01050003, 80'h0000_41234560_00000000, 304'h0};

  logic [511:0] second;
  logic [511:0] third;
  int           start;

  initial begin
    rst_n       = 1'b0;
    rx_valid    = 1'b0;
    grant_valid = 1'b0;
    cfg_valid   = 1'b0;
    rx          = '0;
    grant       = '0;
    cfg         = '0;
    for (int k = 0; k < 64; k++) second[8*k +: 8] = k[7:0] + 8'd10;
    third = '0;
    for (int k = 0; k < 14; k++) third[8*k +: 8] = k[7:0] + 8'd74;
    repeat (3) @(negedge clk);
    start = cycle;
    rst_n = 1'b1;
    while (!rx_ready) @(negedge clk);
    check("sweep", cycle - start, NumPorts);

    // A clock that stands, so that entries can be foretold.
    access(switchport_pkg::TARGET_INTMD, intmd_pkg::KIND_CFG_WRITE, intmd_pkg::REG_STEP, 32'd0);
    access(switchport_pkg::TARGET_INTMD, intmd_pkg::KIND_CFG_WRITE, intmd_pkg::REG_TIME, 32'h123456);

    // 30 bytes to port 1 and out again; the distances are those of the contract.
    rx.id   = 32'd77;
    rx.port = 8'd1;
    beat(second, 64'h3fff_ffff, 1'b1);
    while (noted < 1) @(negedge clk);
    check("to the note", note_cycle - accept_cycle, 8);
    check("note id", verdict.id, 77);
    check("admitted", verdict.verdict, switchport_pkg::VERDICT_ADMIT);
    check("note depth", verdict.depth, 30);
    repeat (2) @(negedge clk);
    cfg.port = 8'd1;
    access(switchport_pkg::TARGET_INTMD, intmd_pkg::KIND_ENTRY_READ, 5'd0, 32'd0);
    check("entry", answer.data, 64'h4123_4560_0000_0000);
    send(8'd1);
    while (sent < 1) @(negedge clk);
    check("to the gr", reply_cycle - grant_cycle, 6);
    check("to tx", sent_cycle - grant_cycle, 26);
    check("gr id", reply.id, 77);
    check("gr length", reply.len, 30);
    check("left behind", reply.depth, 0);
    check("data", last.data, second);
    check("keep", last.keep, 64'h3fff_ffff);
    check("port", last.port, 1);

    // Grants for nothing.
    send(8'd1);
    while (replied < 2) @(negedge clk);
    check("empty", reply.empty, 1);
    check("no id", reply.id, 0);
    send(8'd3);
    while (replied < 3) @(negedge clk);
    check("port refused", reply.refused, 1);

    // Over the threshold: trimmed to 64 bytes, in the medium queue.
    access(switchport_pkg::TARGET_EGRESS, egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_TRIM, 32'd100);
    rx.id        = 32'd78;
    rx.port      = 8'd2;
    rx.trimmable = 1'b1;
    beat(wire_order(Head), '1, 1'b0);
    beat(second, '1, 1'b0);
    beat(third, 64'h3fff, 1'b1);
    while (noted < 2) @(negedge clk);
    check("to trim", verdict.verdict, switchport_pkg::VERDICT_TRIM);
    check("class", verdict.cls, switchport_pkg::CLS_MEDIUM);
    check("length", verdict.len, 64);
    send(8'd2);
    while (sent < 2) @(negedge clk);
    check("gr trimmed", reply.trimmed, 1);
    check("cut", last.data, wire_order(Cut));
    check("cut last", last.last, 1);
    check("not inserted", last.inserted, 0);
    access(switchport_pkg::TARGET_TRIMMER, trimmer_pkg::KIND_READ, trimmer_pkg::WORD_TRIMMED, 32'd0);
    check("count trimmed", answer.data, 1);

    // An ACK gets the entry of the port it came in on, here port 1: 30 bytes are no unit of 128.
    rx.trimmable = 1'b0;
    rx.id        = 32'd79;
    rx.in_port   = 8'd1;
    rx.cls       = switchport_pkg::CLS_HIGH;
    beat(wire_order(Ack0), '1, 1'b0);
    beat(wire_order(Ack1), 64'h3ffff, 1'b1);
    while (noted < 3) @(negedge clk);
    send(8'd2);
    while (sent < 4) @(negedge clk);
    check("first beat", first.data, wire_order(Out0));
    check("second beat", last.data, wire_order(Out1));
    check("second keep", last.keep, 64'h3ffffff);
    check("inserted", last.inserted, 1);
    check("hops", last.hops, 1);

    // A target that is not there.
    access(2'd3, intmd_pkg::KIND_READ, 5'd0, 32'd0);
    check("target refused", answer.refused, 1);

    // No grants: the buffer fills up and stops rx.
    start    = accepted;
    rx.last  = 1'b1;
    rx_valid = 1'b1;
    repeat (60) @(negedge clk);
    check("held", accepted - start, Slots + switchport_pkg::IN_FIFO_DEPTH);
    check("notes", noted, 3 + Slots);
    rx_valid = 1'b0;
    send(8'd2);
    while (noted < 4 + Slots) @(negedge clk);
    #1;
    rst_n = 1'b0;
    #1;
    check("reset ready", rx_ready, 0);
    check("reset valid", tx_valid, 0);

    if (errors != 0) begin
      $display("tb_switchport: FAIL, %0d errors", errors);
      $fatal;
    end
    $display("tb_switchport: PASS, %0d beats", sent);
    $finish;
  end
endmodule
