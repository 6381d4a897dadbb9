// Smoke bench of the ccc block's receiver credit: events whose answers were worked out by hand from
// the contract. Two contexts, two profiles; the credit is that of context 1 with profile 1, first
// beside the window, then alone.
module tb_ccc_credit;
  localparam int NumContexts = 2;
  localparam int NumPdcs     = 1;
  localparam int NumProfiles = 2;

  logic     clk;
  logic     rst_n;
  logic     ev_valid;
  logic     ev_ready;
  ccc_ev_t  ev;
  logic     rsp_valid;
  logic     rsp_ready;
  ccc_rsp_t rsp;
  ccc_rsp_t last;             // the last response

  ccc #(.NumContexts(NumContexts), .NumPdcs(NumPdcs), .NumProfiles(NumProfiles)) dut (
    .clk_i      (clk),
    .rst_ni     (rst_n),
    .ev_valid_i (ev_valid),
    .ev_ready_o (ev_ready),
    .ev_i       (ev),
    .rsp_valid_o(rsp_valid),
    .rsp_ready_i(rsp_ready),
    .rsp_o      (rsp)
  );

  bench_clock bench (.clk_o(clk), .rst_no(rst_n));
  bench_source ev_in (.clk_i(clk), .rst_ni(rst_n), .valid_o(ev_valid), .ready_i(ev_ready));
  bench_sink #(.Width(ccc_pkg::RSP_W)) rsp_out (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(rsp_valid), .ready_o(rsp_ready), .data_i(rsp),
    .last_o(last), .prior_o());

  // ---------------------------------------------------------------- stimulus, at falling edges
  task clear;
    ev     = '0;
    ev.ctx = 16'd1;
  endtask

  // Offers the event and waits for its response.
  task run;
    ev_in.offer;
    rsp_out.await(ev_in.taken);
  endtask

  task load(input logic [4:0] word, input logic [63:0] data);
    clear;
    ev.kind = ccc_pkg::KIND_LOAD;
    ev.addr = word;
    ev.data = data;
    run;
  endtask

  task read(input logic [4:0] word);
    clear;
    ev.kind = ccc_pkg::KIND_READ;
    ev.addr = word;
    run;
  endtask

  task configure(input logic [4:0] register, input logic [63:0] data);
    clear;
    ev.kind    = ccc_pkg::KIND_CFG_WRITE;
    ev.profile = 4'd1;
    ev.addr    = register;
    ev.data    = data;
    run;
  endtask

  task send(input logic [31:0] size, input logic no_credit, input logic [15:0] share);
    clear;
    ev.kind      = ccc_pkg::KIND_SEND;
    ev.size      = size;
    ev.no_credit = no_credit;
    ev.share     = share;
    run;
  endtask

  task pull(input logic [23:0] number, input logic granted);
    clear;
    ev.kind   = ccc_pkg::KIND_CREDIT;
    ev.credit = number;
    run;
    bench.check("pull granted", last.granted, granted);
    bench.check("pull without a target", last.target, 0);
  endtask

  task loss(input logic spec_ended);
    clear;
    ev.kind = ccc_pkg::KIND_LOSS;
    ev.size = 32'd100;
    run;
    bench.check("loss spec_ended", last.spec_ended, spec_ended);
  endtask

  initial begin
    clear;
    bench.restart;
    ev_in.await_ready;
    configure(ccc_pkg::REG_CTRL, 64'h1_0012);
    ev.kind = ccc_pkg::KIND_CFG_READ;
    run;
    bench.check("ctrl has four bits", last.data, 2);
    clear;
    ev.kind    = ccc_pkg::KIND_OPEN;
    ev.profile = 4'd1;
    ev.credit  = 24'hfffff0;
    run;
    bench.check("credit, nothing to send", last.ack_request, 1);
    read(5'd15);
    bench.check("credit of a new context", last.data, {8'd1, 24'hfffff0, 32'd225000});
    clear;
    ev.kind = ccc_pkg::KIND_NEW_DATA;
    ev.size = 32'd100000;
    run;
    bench.check("credit, something to send", last.ack_request, 0);

    // Less is wanted than there is, and no less than 4096 bytes while speculating: 16 quanta, or 8.
    send(32'd4096, 1'b0, 16'h0);
    bench.check("first target", last.target, 0);
    send(32'd4096, 1'b1, 16'h8000);
    bench.check("target of a request", last.target, 24'hfffff8);
    read(5'd15);
    bench.check("a request takes none", last.data, {8'd1, 24'hfffff0, 32'd220904});

    // 32 quanta past the wrap, once. Half the range ahead is behind.
    clear;
    ev.kind = ccc_pkg::KIND_ACK;
    run;
    bench.check("spec_ended", last.spec_ended, 1);
    bench.check("no credit, no packet", last.can_send, 0);
    bench.check("no credit, state", last.state, ccc_pkg::STATE_ACTIVE);
    bench.check("no credit, ack_request", last.ack_request, 1);
    pull(24'h10, 1'b1);
    bench.check("pull state", last.state, ccc_pkg::STATE_READY);
    bench.check("pull can_send", last.can_send, 1);
    pull(24'h10, 1'b0);
    pull(24'h800010, 1'b0);
    read(5'd15);
    bench.check("credit after the pulls", last.data, {8'd0, 24'h10, 32'd8192});

    // Credit -1808, backlog 81808: 83616 wanted, 327 quanta; a quarter of it 82.
    send(32'd10000, 1'b0, 16'h0);
    bench.check("target in debt", last.target, 16 + 327);
    send(32'd0, 1'b0, 16'h4000);
    bench.check("target by share", last.target, 16 + 82);
    // cwnd 10000 and 4096 limit what is wanted: 15904, 63 quanta.
    load(5'd1, {32'd225000, 32'd10000});
    send(32'd0, 1'b0, 16'h0);
    bench.check("target by window", last.target, 16 + 63);
    load(5'd15, {8'd0, 24'h10, 32'h8000_0001});
    send(32'd2, 1'b0, 16'h0);
    bench.check("credit saturates", last.saturated, 1);

    // The first loss has nothing to resend before it.
    load(5'd15, {8'hff, 24'h10, 32'd500});
    loss(1'b0);
    loss(1'b1);
    read(5'd15);
    bench.check("speculation ended", last.data, {8'd0, 24'h10, 32'd0});

    // A debt stays when speculation ends.
    load(5'd15, {8'd1, 24'h10, -32'd5});
    loss(1'b1);
    read(5'd15);
    bench.check("debt stays", last.data, {8'd0, 24'h10, -32'd5});

    // A pull of 2^23 - 1 quanta: no more than the largest window.
    pull(24'h80000f, 1'b1);
    bench.check("window is full", last.can_send, 0);
    read(5'd15);
    bench.check("largest credit", last.data, {8'd0, 24'h80000f, 32'd225000});
    configure(ccc_pkg::REG_CTRL, 64'd10);
    read(5'd15);
    bench.check("no window", last.can_send, 1);
    bench.check("no window, ack_request", last.ack_request, 0);
    // 81808 bytes and three lost ones of 100: 321 quanta.
    load(5'd15, {8'd0, 24'h10, 32'd0});
    send(32'd0, 1'b0, 16'h0);
    bench.check("target without a window", last.target, 16 + 321);
    configure(ccc_pkg::REG_CTRL, 64'd8);
    read(5'd15);
    bench.check("no_window without credit", last.can_send, 0);
    pull(24'h800020, 1'b0);
    bench.check("pull without credit", last.refused, 1);

    configure(ccc_pkg::REG_MAX_WND, 64'h8000_0000);
    clear;
    ev.kind    = ccc_pkg::KIND_OPEN;
    ev.profile = 4'd1;
    run;
    read(5'd15);
    bench.check("credit is signed", last.data, {8'd1, 24'd0, 32'h7fff_ffff});
    bench.verdict;
  end
endmodule
