// egress: on every output stream a word that is not taken stays as it is, and valid stays with it; nothing is valid in a
// reset. The units that make the payload are cut away: whatever they make, a word stays.
//
// What holds it together: the credits in use are the words on their way to the FIFO and those in it, so that none is
// pushed into a full one.
`include "prove.svh"
module prove_ports_egress (
  input logic clk_i,
  input logic rst_ni,
  input logic enq_valid_i,
  input egress_enq_t enq_i,
  input logic deq_valid_i,
  input egress_deq_t deq_i,
  input logic enqr_ready_i,
  input logic deqr_ready_i
);
  logic enq_ready;
  logic deq_ready;
  logic enqr_valid;
  egress_enqr_t enqr;
  logic deqr_valid;
  egress_deqr_t deqr;
  egress #(.NumPorts(1), .Depth(2)) dut (
    .clk_i(clk_i),
    .rst_ni(rst_ni),
    .enq_valid_i(enq_valid_i),
    .enq_ready_o(enq_ready),
    .enq_i(enq_i),
    .deq_valid_i(deq_valid_i),
    .deq_ready_o(deq_ready),
    .deq_i(deq_i),
    .enqr_valid_o(enqr_valid),
    .enqr_ready_i(enqr_ready_i),
    .enqr_o(enqr),
    .deqr_valid_o(deqr_valid),
    .deqr_ready_i(deqr_ready_i),
    .deqr_o(deqr)
  );

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb `ASSUME(started_q || !rst_ni);

  always_comb `PROVE(rst_ni || !enq_ready);

  always_comb `PROVE(rst_ni || !deq_ready);

  // ---------------------------------------------------------------- enqr
  logic [2:0] enqr_stages;     // probe: a word is on its way
  logic [3:0] enqr_used;       // probe: credits
  logic [2:0] enqr_wptr;       // probe
  logic [2:0] enqr_rptr;       // probe
  logic enqr_wlap;                  // probe
  logic enqr_rlap;                  // probe
  logic enqr_stalled_q;
  logic [$bits(enqr)-1:0] enqr_word;
  logic enqr_last_q;              // one bit, which stands for all: they are copied
  logic [3:0] enqr_ways;
  logic [3:0] enqr_held;

  always_ff @(posedge clk_i) begin
    enqr_stalled_q <= started_q & rst_ni & enqr_valid & ~enqr_ready_i;
    enqr_last_q    <= enqr_word[0];
  end

  assign enqr_word = enqr;

  always_comb begin
    enqr_ways = '0;
    for (int k = 0; k <= 2; k++) enqr_ways = enqr_ways + {3'b0, enqr_stages[k]};
  end

  assign enqr_held = {enqr_wlap ^ enqr_rlap, enqr_wptr} - {1'b0, enqr_rptr};

  always_comb begin
    `PROVE(rst_ni || !enqr_valid);
    if (started_q && rst_ni) begin
      `PROVE(enqr_held <= 8);
      `PROVE(enqr_used <= 8);
      `PROVE(enqr_used == enqr_ways + enqr_held);
      `PROVE(!enqr_stalled_q || enqr_valid);
      `PROVE(!enqr_stalled_q || enqr_word[0] == enqr_last_q);
      `REACH(enqr_stalled_q);
      `REACH(enqr_valid && enqr_ready_i);
    end
  end

  // ---------------------------------------------------------------- deqr
  logic [2:0] deqr_stages;     // probe: a word is on its way
  logic [3:0] deqr_used;       // probe: credits
  logic [2:0] deqr_wptr;       // probe
  logic [2:0] deqr_rptr;       // probe
  logic deqr_wlap;                  // probe
  logic deqr_rlap;                  // probe
  logic deqr_stalled_q;
  logic [$bits(deqr)-1:0] deqr_word;
  logic deqr_last_q;              // one bit, which stands for all: they are copied
  logic [3:0] deqr_ways;
  logic [3:0] deqr_held;

  always_ff @(posedge clk_i) begin
    deqr_stalled_q <= started_q & rst_ni & deqr_valid & ~deqr_ready_i;
    deqr_last_q    <= deqr_word[0];
  end

  assign deqr_word = deqr;

  always_comb begin
    deqr_ways = '0;
    for (int k = 0; k <= 2; k++) deqr_ways = deqr_ways + {3'b0, deqr_stages[k]};
  end

  assign deqr_held = {deqr_wlap ^ deqr_rlap, deqr_wptr} - {1'b0, deqr_rptr};

  always_comb begin
    `PROVE(rst_ni || !deqr_valid);
    if (started_q && rst_ni) begin
      `PROVE(deqr_held <= 8);
      `PROVE(deqr_used <= 8);
      `PROVE(deqr_used == deqr_ways + deqr_held);
      `PROVE(!deqr_stalled_q || deqr_valid);
      `PROVE(!deqr_stalled_q || deqr_word[0] == deqr_last_q);
      `REACH(deqr_stalled_q);
      `REACH(deqr_valid && deqr_ready_i);
    end
  end

endmodule
