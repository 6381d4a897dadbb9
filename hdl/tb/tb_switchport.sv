// Smoke bench of the switch port: a packet through the whole port, packets that are trimmed and
// that cannot be trimmed, a packet with telemetry, grants without a packet, a full buffer.
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
  logic              tx_ready;
  switchport_tx_t    tx;
  switchport_tx_t    last;
  switchport_tx_t    prior;
  logic              note_valid;
  logic              note_ready;
  switchport_note_t  note;
  switchport_note_t  verdict;
  logic              gr_valid;
  logic              gr_ready;
  switchport_gr_t    gr;
  switchport_gr_t    reply;           // to a grant
  logic              cfgr_valid;
  logic              cfgr_ready;
  switchport_cfgr_t  cfgr;
  switchport_cfgr_t  answer;          // to an access

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
    .tx_ready_i   (tx_ready),
    .tx_o         (tx),
    .note_valid_o (note_valid),
    .note_ready_i (note_ready),
    .note_o       (note),
    .gr_valid_o   (gr_valid),
    .gr_ready_i   (gr_ready),
    .gr_o         (gr),
    .cfgr_valid_o (cfgr_valid),
    .cfgr_ready_i (cfgr_ready),
    .cfgr_o       (cfgr)
  );

  bench_clock bench (.clk_o(clk), .rst_no(rst_n));
  bench_source rx_in (.clk_i(clk), .rst_ni(rst_n), .valid_o(rx_valid), .ready_i(rx_ready));
  bench_source grant_in (.clk_i(clk), .rst_ni(rst_n), .valid_o(grant_valid), .ready_i(grant_ready));
  bench_source cfg_in (.clk_i(clk), .rst_ni(rst_n), .valid_o(cfg_valid), .ready_i(cfg_ready));
  bench_sink #(.Width(switchport_pkg::TX_W)) tx_out (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(tx_valid), .ready_o(tx_ready), .data_i(tx),
    .last_o(last), .prior_o(prior));
  bench_sink #(.Width(switchport_pkg::NOTE_W)) note_out (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(note_valid), .ready_o(note_ready), .data_i(note),
    .last_o(verdict), .prior_o());
  bench_sink #(.Width(switchport_pkg::GR_W)) gr_out (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(gr_valid), .ready_o(gr_ready), .data_i(gr),
    .last_o(reply), .prior_o());
  bench_sink #(.Width(switchport_pkg::CFGR_W)) cfgr_out (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(cfgr_valid), .ready_o(cfgr_ready), .data_i(cfgr),
    .last_o(answer), .prior_o());

  // ---------------------------------------------------------------- stimulus
  task beat(input [511:0] data, input [63:0] keep, input is_last);
    rx.data = data;
    rx.keep = keep;
    rx.last = is_last;
    rx_in.offer;
  endtask

  task request;
    beat(bench_pkg::wire_order(bench_pkg::Request), '1, 1'b0);
    beat(bench_pkg::ramp(8'd10, 64), '1, 1'b0);
    beat(bench_pkg::ramp(8'd74, 14), 64'h3fff, 1'b1);
  endtask

  // The same request, but of 526 bytes by its headers (total length 512, UDP length 492): 512 bytes
  // and those of keep.
  task long_request(input [63:0] keep);
    beat(bench_pkg::wire_order(bench_pkg::Request) ^ (512'h8002 << (8*16)) ^ (512'h8001 << (8*38)),
         '1, 1'b0);
    repeat (7) beat(bench_pkg::ramp(8'd10, 64), '1, 1'b0);
    beat(bench_pkg::ramp(8'd74, 14), keep, 1'b1);
  endtask

  task send(input [7:0] port);
    grant.port = port;
    grant_in.offer;
  endtask

  task access(input [1:0] target, input [3:0] kind, input [4:0] addr, input [31:0] data);
    cfg.target = target;
    cfg.kind   = kind;
    cfg.addr   = addr;
    cfg.data   = data;
    cfg_in.offer;
    cfgr_out.await(cfg_in.taken);
  endtask

  int count;

  initial begin
    rx    = '0;
    grant = '0;
    cfg   = '0;
    bench.restart;
    rx_in.await_ready;
    bench.check("sweep", rx_in.sweep, NumPorts);

    // The clock is stopped, so that entries are predictable.
    access(switchport_pkg::TARGET_INTMD, intmd_pkg::KIND_CFG_WRITE, intmd_pkg::REG_STEP, 32'd0);
    access(switchport_pkg::TARGET_INTMD, intmd_pkg::KIND_CFG_WRITE, intmd_pkg::REG_TIME, 32'h123456);

    // 30 bytes to port 1 and out again; the distances are those of the contract.
    rx.id   = 32'd77;
    rx.port = 8'd1;
    beat(bench_pkg::ramp(8'd10, 64), 64'h3fff_ffff, 1'b1);
    note_out.await(1);
    bench.check("to the note", note_out.taken_cycle - rx_in.taken_cycle, 11);
    bench.check("note id", verdict.id, 77);
    bench.check("admitted", verdict.verdict, switchport_pkg::VERDICT_ADMIT);
    bench.check("note depth", verdict.depth, 30);
    bench.wait_cycles(2);
    cfg.port = 8'd1;
    access(switchport_pkg::TARGET_INTMD, intmd_pkg::KIND_ENTRY_READ, 5'd0, 32'd0);
    bench.check("entry", answer.data, 64'h4123_4560_0000_0000);
    send(8'd1);
    tx_out.await(1);
    bench.check("to the gr", gr_out.taken_cycle - grant_in.taken_cycle, 6);
    bench.check("to tx", tx_out.taken_cycle - grant_in.taken_cycle, 26);
    bench.check("gr id", reply.id, 77);
    bench.check("gr length", reply.len, 30);
    bench.check("left behind", reply.depth, 0);
    bench.check("data", last.data, bench_pkg::ramp(8'd10, 64));
    bench.check("keep", last.keep, 64'h3fff_ffff);
    bench.check("port", last.port, 1);

    // Grants without a packet.
    send(8'd1);
    gr_out.await(2);
    bench.check("empty", reply.empty, 1);
    bench.check("no id", reply.id, 0);
    send(8'd3);
    gr_out.await(3);
    bench.check("port refused", reply.refused, 1);

    // Over the threshold: trimmed to 64 bytes, in the medium queue.
    access(switchport_pkg::TARGET_EGRESS, egress_pkg::KIND_CFG_WRITE, egress_pkg::REG_TRIM, 32'd100);
    rx.id        = 32'd78;
    rx.port      = 8'd2;
    rx.trimmable = 1'b1;
    request;
    note_out.await(2);
    bench.check("to trim", verdict.verdict, switchport_pkg::VERDICT_TRIM);
    bench.check("class", verdict.cls, switchport_pkg::CLS_MEDIUM);
    bench.check("length", verdict.len, 64);
    send(8'd2);
    tx_out.await(2);
    bench.check("gr trimmed", reply.trimmed, 1);
    bench.check("cut", last.data, bench_pkg::wire_order(bench_pkg::Trimmed));
    bench.check("cut last", last.last, 1);
    bench.check("not inserted", last.inserted, 0);
    access(switchport_pkg::TARGET_TRIMMER, trimmer_pkg::KIND_READ, trimmer_pkg::WORD_TRIMMED, 32'd0);
    bench.check("count trimmed", answer.data, 1);

    // Over the threshold, but to another UDP port: dropped.
    access(switchport_pkg::TARGET_TRIMMER, trimmer_pkg::KIND_CFG_WRITE, trimmer_pkg::REG_UDP_PORT,
           32'd4794);
    request;
    note_out.await(3);
    bench.check("cannot", verdict.verdict, switchport_pkg::VERDICT_DROP);
    bench.check("cannot cause", verdict.cause, switchport_pkg::CAUSE_UNTRIMMABLE);
    bench.check("cannot cls", verdict.cls, switchport_pkg::CLS_LOW);
    bench.check("cannot len", verdict.len, 142);
    access(switchport_pkg::TARGET_TRIMMER, trimmer_pkg::KIND_CFG_WRITE, trimmer_pkg::REG_UDP_PORT,
           32'd4793);

    // Booked with 64 bytes, it leaves with 64, even if registers are written meanwhile.
    request;
    note_out.await(4);
    bench.check("can again", verdict.len, 64);
    access(switchport_pkg::TARGET_TRIMMER, trimmer_pkg::KIND_CFG_WRITE, trimmer_pkg::REG_UDP_PORT,
           32'd4794);
    access(switchport_pkg::TARGET_TRIMMER, trimmer_pkg::KIND_CFG_WRITE, trimmer_pkg::REG_TRIM_SIZE,
           32'd100);
    send(8'd2);
    tx_out.await(3);
    bench.check("as booked", last.data, bench_pkg::wire_order(bench_pkg::Trimmed));
    bench.check("booked last", last.last, 1);
    access(switchport_pkg::TARGET_TRIMMER, trimmer_pkg::KIND_CFG_WRITE, trimmer_pkg::REG_UDP_PORT,
           32'd4793);

    // MIN_SIZE takes effect, a refused write does not. A long packet can be trimmed if it is
    // complete: 526 bytes, not 525.
    access(switchport_pkg::TARGET_TRIMMER, trimmer_pkg::KIND_CFG_WRITE, trimmer_pkg::REG_MIN_SIZE,
           32'd101);
    access(switchport_pkg::TARGET_TRIMMER, trimmer_pkg::KIND_CFG_WRITE, trimmer_pkg::REG_TRIM_SIZE,
           32'd257);
    bench.check("size refused", answer.refused, 1);
    long_request(64'h3fff);
    note_out.await(5);
    bench.check("long", verdict.len, 101);
    long_request(64'h1fff);
    note_out.await(6);
    bench.check("long cause", verdict.cause, switchport_pkg::CAUSE_UNTRIMMABLE);
    bench.check("long len", verdict.len, 525);
    send(8'd2);
    tx_out.await(5);
    bench.check("long gr", reply.len, 101);
    bench.check("long keep", last.keep, 64'h1f_ffff_ffff);

    // An ACK gets the entry of its input port, here port 1: 30 bytes are less than one unit of 128.
    rx.trimmable = 1'b0;
    rx.id        = 32'd79;
    rx.in_port   = 8'd1;
    rx.cls       = switchport_pkg::CLS_HIGH;
    beat(bench_pkg::wire_order(bench_pkg::Ack0), '1, 1'b0);
    beat(bench_pkg::wire_order(bench_pkg::Ack1), 64'h3ffff, 1'b1);
    note_out.await(7);
    send(8'd2);
    tx_out.await(7);
    bench.check("no bubble", tx_out.streak, 2);
    bench.check("first beat", prior.data,
                bench_pkg::wire_order(bench_pkg::grown0(16'hf405)));
    bench.check("second beat", last.data,
                bench_pkg::wire_order(bench_pkg::grown1(64'h4123_4560_0000_0000)));
    bench.check("second keep", last.keep, 64'h3ffffff);
    bench.check("inserted", last.inserted, 1);
    bench.check("hops", last.hops, 1);

    // A target that does not exist.
    access(2'd3, intmd_pkg::KIND_READ, 5'd0, 32'd0);
    bench.check("target refused", answer.refused, 1);

    // No grants: the buffer fills up and stops rx.
    count = rx_in.taken;
    repeat (60) begin
      rx.id = rx_in.taken;
      rx_in.offer_once;
    end
    bench.check("held", rx_in.taken - count, Slots + switchport_pkg::IN_FIFO_DEPTH);
    bench.check("notes", note_out.taken, 7 + Slots);
    send(8'd2);
    note_out.await(8 + Slots);

    // A reset drops all packets.
    bench.restart;
    bench.wait_cycles(60);
    bench.check("reset drops", note_out.taken, 0);
    send(8'd2);
    gr_out.await(1);
    bench.check("reset empty", reply.empty, 1);
    bench.verdict;
  end
endmodule
