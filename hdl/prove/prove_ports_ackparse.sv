// ackparse: on every output stream a word that is not taken stays as it is, and valid stays with it; nothing is valid
// in a reset. A packet whose last beat issued is judged DECIDE cycles later, each once and in order, and holds a credit
// until it is dropped or its record is taken. The units that make rules, records and sums are cut away: whatever they
// make, a word stays and no packet is lost.
//
// What holds it together: the credits in use are the packets on their way to the FIFO and the records in it, so that
// none is pushed into a full one. judged is not an alias of another wire: connecting a probe would cut that wire off.
`include "prove.svh"
module prove_ports_ackparse (
  input logic clk_i,
  input logic rst_ni,
  input logic rx_valid_i,
  input ackparse_rx_t rx_i,
  input logic cfg_valid_i,
  input ackparse_cfg_t cfg_i,
  input logic rec_ready_i,
  input logic cfgr_ready_i
);
  logic rx_ready;
  logic cfg_ready;
  logic rec_valid;
  ackparse_rec_t rec;
  logic cfgr_valid;
  ackparse_cfgr_t cfgr;
  ackparse dut (
    .clk_i(clk_i),
    .rst_ni(rst_ni),
    .rx_valid_i(rx_valid_i),
    .rx_ready_o(rx_ready),
    .rx_i(rx_i),
    .cfg_valid_i(cfg_valid_i),
    .cfg_ready_o(cfg_ready),
    .cfg_i(cfg_i),
    .rec_valid_o(rec_valid),
    .rec_ready_i(rec_ready_i),
    .rec_o(rec),
    .cfgr_valid_o(cfgr_valid),
    .cfgr_ready_i(cfgr_ready_i),
    .cfgr_o(cfgr)
  );

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb `ASSUME(started_q || !rst_ni);

  always_comb `PROVE(rst_ni || !rx_ready);

  always_comb `PROVE(rst_ni || !cfg_ready);

  // ---------------------------------------------------------------- rec
  logic ends;                // probe: the last beat of a packet issues
  logic push;                // probe: a record
  logic drop;                // probe: a packet without one
  logic [1:0] vld;           // probe: a beat is in s2, s1
  logic [1:0] last;          // probe: and is the last of its packet
  logic [4:0] judged;        // probe: a packet is in s7 .. s3
  logic [4:0] rec_used;      // probe: credits
  logic [3:0] rec_wptr;      // probe
  logic [3:0] rec_rptr;      // probe
  logic rec_wlap;            // probe
  logic rec_rlap;            // probe
  logic rec_stalled_q;
  logic [$bits(rec)-1:0] rec_word;
  logic rec_last_q;          // one bit, which stands for all: they are copied
  logic [6:0] ended_q;       // a packet ended 7 .. 1 cycles ago
  logic [4:0] rec_ways;
  logic [4:0] rec_held;

  always_ff @(posedge clk_i) begin
    rec_stalled_q <= started_q & rst_ni & rec_valid & ~rec_ready_i;
    rec_last_q    <= rec_word[0];
    ended_q       <= rst_ni ? {ended_q[5:0], ends} : 7'b0;
  end

  assign rec_word = rec;

  always_comb begin
    rec_ways = '0;
    for (int k = 0; k <= 4; k++) rec_ways = rec_ways + {4'b0, judged[k]};
    for (int k = 0; k <= 1; k++) rec_ways = rec_ways + {4'b0, vld[k] & last[k]};
  end

  assign rec_held = {rec_wlap ^ rec_rlap, rec_wptr} - {1'b0, rec_rptr};

  always_comb begin
    `PROVE(rst_ni || !rec_valid);
    if (started_q && rst_ni) begin
      `PROVE({judged, vld & last} == ended_q);
      `PROVE((push || drop) == ended_q[6]);
      `PROVE(!(push && drop));
      `PROVE(rec_held <= 16);
      `PROVE(rec_used <= 16);
      `PROVE(rec_used == rec_ways + rec_held);
      `PROVE(!rec_stalled_q || rec_valid);
      `PROVE(!rec_stalled_q || rec_word[0] == rec_last_q);
      `REACH(rec_stalled_q);
      `REACH(rec_valid && rec_ready_i && drop && ends);
      `REACH(rec_used == 16);
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
