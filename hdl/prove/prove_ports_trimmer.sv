// trimmer: on every output stream a word that is not taken stays as it is, and valid stays with it; nothing is valid in a
// reset. The units that make the payload are cut away: whatever they make, a word stays.
//
// What holds it together: the credits in use are the words on their way to the FIFO and those in it, so that none is
// pushed into a full one.
`include "prove.svh"
module prove_ports_trimmer (
  input logic clk_i,
  input logic rst_ni,
  input logic rx_valid_i,
  input trimmer_rx_t rx_i,
  input logic cfg_valid_i,
  input trimmer_cfg_t cfg_i,
  input logic tx_ready_i,
  input logic cfgr_ready_i
);
  logic rx_ready;
  logic cfg_ready;
  logic tx_valid;
  trimmer_tx_t tx;
  logic cfgr_valid;
  trimmer_cfgr_t cfgr;
  trimmer dut (
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
    .cfgr_valid_o(cfgr_valid),
    .cfgr_ready_i(cfgr_ready_i),
    .cfgr_o(cfgr)
  );

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb `ASSUME(started_q || !rst_ni);

  always_comb `PROVE(rst_ni || !rx_ready);

  always_comb `PROVE(rst_ni || !cfg_ready);

  // ---------------------------------------------------------------- tx
  logic [0:0] tx_stages;     // probe: a word is on its way
  logic [3:0] tx_used;       // probe: credits
  logic [2:0] tx_wptr;       // probe
  logic [2:0] tx_rptr;       // probe
  logic tx_wlap;                  // probe
  logic tx_rlap;                  // probe
  logic tx_stalled_q;
  logic [$bits(tx)-1:0] tx_word;
  logic tx_last_q;              // one bit, which stands for all: they are copied
  logic [3:0] tx_ways;
  logic [3:0] tx_held;

  always_ff @(posedge clk_i) begin
    tx_stalled_q <= started_q & rst_ni & tx_valid & ~tx_ready_i;
    tx_last_q    <= tx_word[0];
  end

  assign tx_word = tx;

  always_comb begin
    tx_ways = '0;
    for (int k = 0; k <= 0; k++) tx_ways = tx_ways + {3'b0, tx_stages[k]};
  end

  assign tx_held = {tx_wlap ^ tx_rlap, tx_wptr} - {1'b0, tx_rptr};

  always_comb begin
    `PROVE(rst_ni || !tx_valid);
    if (started_q && rst_ni) begin
      `PROVE(tx_held <= 8);
      `PROVE(tx_used <= 8);
      `PROVE(tx_used == tx_ways + tx_held);
      `PROVE(!tx_stalled_q || tx_valid);
      `PROVE(!tx_stalled_q || tx_word[0] == tx_last_q);
      `REACH(tx_stalled_q);
      `REACH(tx_valid && tx_ready_i);
    end
  end

  // ---------------------------------------------------------------- cfgr
  logic [0:0] cfgr_stages;     // probe: a word is on its way
  logic [3:0] cfgr_used;       // probe: credits
  logic [2:0] cfgr_wptr;       // probe
  logic [2:0] cfgr_rptr;       // probe
  logic cfgr_wlap;                  // probe
  logic cfgr_rlap;                  // probe
  logic cfgr_stalled_q;
  logic [$bits(cfgr)-1:0] cfgr_word;
  logic cfgr_last_q;              // one bit, which stands for all: they are copied
  logic [3:0] cfgr_ways;
  logic [3:0] cfgr_held;

  always_ff @(posedge clk_i) begin
    cfgr_stalled_q <= started_q & rst_ni & cfgr_valid & ~cfgr_ready_i;
    cfgr_last_q    <= cfgr_word[0];
  end

  assign cfgr_word = cfgr;

  always_comb begin
    cfgr_ways = '0;
    for (int k = 0; k <= 0; k++) cfgr_ways = cfgr_ways + {3'b0, cfgr_stages[k]};
  end

  assign cfgr_held = {cfgr_wlap ^ cfgr_rlap, cfgr_wptr} - {1'b0, cfgr_rptr};

  always_comb begin
    `PROVE(rst_ni || !cfgr_valid);
    if (started_q && rst_ni) begin
      `PROVE(cfgr_held <= 8);
      `PROVE(cfgr_used <= 8);
      `PROVE(cfgr_used == cfgr_ways + cfgr_held);
      `PROVE(!cfgr_stalled_q || cfgr_valid);
      `PROVE(!cfgr_stalled_q || cfgr_word[0] == cfgr_last_q);
      `REACH(cfgr_stalled_q);
      `REACH(cfgr_valid && cfgr_ready_i);
    end
  end

endmodule
