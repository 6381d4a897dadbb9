// ackgen: on every output stream a word that is not taken stays as it is, and valid stays with it; nothing is valid in
// a reset. A packet whose last beat issued is judged DECIDE cycles later, each once and in order, and holds a credit
// until it is dropped or its job starts. At most one job runs; it ends with one indication, and holds a credit of an
// answer until the last beat of that has left, or until it ends without one. The units that make rules, PDCs, verdicts
// and bytes are cut away: whatever they make, a word stays and no packet is lost.
//
// What holds it together: the credits in use are the packets on their way to a FIFO and those in it, so that none is
// pushed into a full one.
`include "prove.svh"
module prove_ports_ackgen (
  input logic clk_i,
  input logic rst_ni,
  input logic rx_valid_i,
  input ackgen_rx_t rx_i,
  input logic cfg_valid_i,
  input ackgen_cfg_t cfg_i,
  input logic tx_ready_i,
  input logic ind_ready_i,
  input logic cfgr_ready_i
);
  logic rx_ready;
  logic cfg_ready;
  logic tx_valid;
  ackgen_tx_t tx;
  logic ind_valid;
  ackgen_ind_t ind;
  logic cfgr_valid;
  ackgen_cfgr_t cfgr;
  ackgen #(.Pdcs(4)) dut (
    .clk_i(clk_i),
    .rst_ni(rst_ni),
    .rx_valid_i(rx_valid_i),
    .rx_ready_o(rx_ready),
    .rx_i(rx_i),
    .cfg_valid_i(cfg_valid_i),
    .cfg_ready_o(cfg_ready),
    .cfg_i(cfg_i),
    .tx_valid_o(tx_valid),
    .tx_ready_i(tx_ready_i),
    .tx_o(tx),
    .ind_valid_o(ind_valid),
    .ind_ready_i(ind_ready_i),
    .ind_o(ind),
    .cfgr_valid_o(cfgr_valid),
    .cfgr_ready_i(cfgr_ready_i),
    .cfgr_o(cfgr)
  );

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb `ASSUME(started_q || !rst_ni);

  always_comb `PROVE(rst_ni || !rx_ready);

  always_comb `PROVE(rst_ni || !cfg_ready);

  // ---------------------------------------------------------------- requests
  logic ends;                // probe: the last beat of a packet issues
  logic push;                // probe: a request
  logic drop;                // probe: a packet without one
  logic [1:0] vld;           // probe: a beat is in s2, s1
  logic [1:0] last;          // probe: and is the last of its packet
  logic [4:0] judged;        // probe: a packet is in s7 .. s3
  logic [4:0] req_used;      // probe: credits
  logic [3:0] req_wptr;      // probe
  logic [3:0] req_rptr;      // probe
  logic req_wlap;            // probe
  logic req_rlap;            // probe
  logic [6:0] ended_q;       // a packet ended 7 .. 1 cycles ago
  logic [4:0] req_ways;
  logic [4:0] req_held;

  always_ff @(posedge clk_i) ended_q <= rst_ni ? {ended_q[5:0], ends} : 7'b0;

  always_comb begin
    req_ways = '0;
    for (int k = 0; k <= 4; k++) req_ways = req_ways + {4'b0, judged[k]};
    for (int k = 0; k <= 1; k++) req_ways = req_ways + {4'b0, vld[k] & last[k]};
  end

  assign req_held = {req_wlap ^ req_rlap, req_wptr} - {1'b0, req_rptr};

  always_comb begin
    if (started_q && rst_ni) begin
      `PROVE({judged, vld & last} == ended_q);
      `PROVE((push || drop) == ended_q[6]);
      `PROVE(!(push && drop));
      `PROVE(req_held <= 16);
      `PROVE(req_used <= 16);
      `PROVE(req_used == req_ways + req_held);
      `REACH(req_used == 16);
    end
  end

  // ---------------------------------------------------------------- jobs, ind
  logic scan;                // probe: a job searches
  logic [4:0] step;          // probe: c5 .. c1
  logic [1:0] cfg_step;      // probe: k2, k1
  logic [2:0] ind_used;      // probe: credits
  logic [1:0] ind_wptr;      // probe
  logic [1:0] ind_rptr;      // probe
  logic ind_wlap;            // probe
  logic ind_rlap;            // probe
  logic ind_stalled_q;
  logic [$bits(ind)-1:0] ind_word;
  logic ind_last_q;          // one bit, which stands for all: they are copied
  logic [2:0] runs;          // 1: a job of a packet runs
  logic [2:0] ind_held;

  always_ff @(posedge clk_i) begin
    ind_stalled_q <= started_q & rst_ni & ind_valid & ~ind_ready_i;
    ind_last_q    <= ind_word[0];
  end

  assign ind_word = ind;
  assign runs     = {2'b0, scan | (step != '0)};
  assign ind_held = {ind_wlap ^ ind_rlap, ind_wptr} - {1'b0, ind_rptr};

  always_comb begin
    `PROVE(rst_ni || !ind_valid);
    if (started_q && rst_ni) begin
      `PROVE(({scan, step, cfg_step} & ({scan, step, cfg_step} - 8'd1)) == '0);
      `PROVE(ind_held <= 4);
      `PROVE(ind_used <= 4);
      `PROVE(ind_used == runs + ind_held);
      `PROVE(!ind_stalled_q || ind_valid);
      `PROVE(!ind_stalled_q || ind_word[0] == ind_last_q);
      `REACH(ind_stalled_q);
      `REACH(ind_used == 4);
    end
  end

  // ---------------------------------------------------------------- tx
  logic [2:0] answers;       // probe: credits
  logic [3:0] built;         // probe: an answer is in b4 .. b1
  logic second;              // probe: the first beat of the oldest answer left
  logic [1:0] tx_wptr;       // probe
  logic [1:0] tx_rptr;       // probe
  logic tx_wlap;             // probe
  logic tx_rlap;             // probe
  logic tx_stalled_q;
  logic [$bits(tx)-1:0] tx_word;
  logic [1:0] tx_last_q;     // a bit of data and last, which depend on the beat
  logic [3:0] tx_ways;
  logic [2:0] tx_held;

  always_ff @(posedge clk_i) begin
    tx_stalled_q <= started_q & rst_ni & tx_valid & ~tx_ready_i;
    tx_last_q    <= {tx_word[97], tx_word[32]};
  end

  assign tx_word = tx;

  always_comb begin
    tx_ways = {1'b0, runs};
    for (int k = 0; k <= 3; k++) tx_ways = tx_ways + {3'b0, built[k]};
  end

  assign tx_held = {tx_wlap ^ tx_rlap, tx_wptr} - {1'b0, tx_rptr};

  always_comb begin
    `PROVE(rst_ni || !tx_valid);
    if (started_q && rst_ni) begin
      `PROVE(tx_held <= 4);
      `PROVE(answers <= 4);
      `PROVE({1'b0, answers} == tx_ways + {1'b0, tx_held});
      `PROVE(!second || tx_valid);
      `PROVE(!tx_stalled_q || tx_valid);
      `PROVE(!tx_stalled_q || {tx_word[97], tx_word[32]} == tx_last_q);
      `REACH(tx_stalled_q && second);
      `REACH(tx_stalled_q && !second);
      `REACH(answers == 4);
    end
  end

  // ---------------------------------------------------------------- cfgr
  logic [2:0] cfgr_used;       // probe: credits
  logic [1:0] cfgr_wptr;       // probe
  logic [1:0] cfgr_rptr;       // probe
  logic cfgr_wlap;             // probe
  logic cfgr_rlap;             // probe
  logic cfgr_stalled_q;
  logic [$bits(cfgr)-1:0] cfgr_word;
  logic cfgr_last_q;           // one bit, which stands for all: they are copied
  logic [2:0] cfgr_held;

  always_ff @(posedge clk_i) begin
    cfgr_stalled_q <= started_q & rst_ni & cfgr_valid & ~cfgr_ready_i;
    cfgr_last_q    <= cfgr_word[0];
  end

  assign cfgr_word = cfgr;
  assign cfgr_held = {cfgr_wlap ^ cfgr_rlap, cfgr_wptr} - {1'b0, cfgr_rptr};

  always_comb begin
    `PROVE(rst_ni || !cfgr_valid);
    if (started_q && rst_ni) begin
      `PROVE(cfgr_held <= 4);
      `PROVE(cfgr_used <= 4);
      `PROVE(cfgr_used == {2'b0, cfg_step != '0} + cfgr_held);
      `PROVE(!cfgr_stalled_q || cfgr_valid);
      `PROVE(!cfgr_stalled_q || cfgr_word[0] == cfgr_last_q);
      `REACH(cfgr_stalled_q);
      `REACH(cfgr_valid && cfgr_ready_i);
    end
  end

endmodule
