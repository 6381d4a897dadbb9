// ccc: on every output stream a word that is not taken stays as it is, and valid stays with it; nothing is valid in a
// reset. The units that make the payload are cut away: whatever they make, a word stays.
//
// What holds it together: the credits in use are the words on their way to the FIFO and those in it, so that none is
// pushed into a full one. The words on their way are counted by stages: as many up to stage k as up to the stage before,
// and one more if a word is in it. So each step of the induction adds one bit.
`include "prove.svh"
module prove_ports_ccc (
  input logic clk_i,
  input logic rst_ni,
  input logic ev_valid_i,
  input ccc_ev_t ev_i,
  input logic rsp_ready_i
);
  logic ev_ready;
  logic rsp_valid;
  ccc_rsp_t rsp;
  ccc #(.NumContexts(2), .NumPdcs(1), .NumProfiles(1)) dut (
    .clk_i(clk_i),
    .rst_ni(rst_ni),
    .ev_valid_i(ev_valid_i),
    .ev_ready_o(ev_ready),
    .ev_i(ev_i),
    .rsp_valid_o(rsp_valid),
    .rsp_ready_i(rsp_ready_i),
    .rsp_o(rsp)
  );

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb `ASSUME(started_q || !rst_ni);

  always_comb `PROVE(rst_ni || !ev_ready);

  // ---------------------------------------------------------------- rsp
  logic [34:0] rsp_stages;     // probe: a word is on its way
  logic [6:0] rsp_used;       // probe: credits
  logic [5:0] rsp_wptr;       // probe
  logic [5:0] rsp_rptr;       // probe
  logic rsp_wlap;                  // probe
  logic rsp_rlap;                  // probe
  logic rsp_stalled_q;
  logic [$bits(rsp)-1:0] rsp_word;
  logic rsp_last_q;              // one bit, which stands for all: they are copied
  logic issue;                     // probe: a word sets out
  logic [7*35-1:0] rsp_upto_q;     // words in stages 0 .. k
  logic [6:0] rsp_ways;
  logic [6:0] rsp_held;

  always_ff @(posedge clk_i) begin
    rsp_stalled_q <= started_q & rst_ni & rsp_valid & ~rsp_ready_i;
    rsp_last_q    <= rsp_word[0];
  end

  assign rsp_word = rsp;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) rsp_upto_q <= '0;
    else begin
      rsp_upto_q[6:0] <= {6'b0, issue};
      for (int k = 1; k <= 34; k++) rsp_upto_q[7*k +: 7] <= rsp_upto_q[7*(k-1) +: 7] + {6'b0, issue};
    end
  end

  assign rsp_ways = rsp_upto_q[7*34 +: 7];

  for (genvar k = 0; k <= 34; k++) begin : gen_stage
    logic [6:0] before;
    if (k == 0) assign before = '0;
    else        assign before = rsp_upto_q[7*(k-1) +: 7];
    always_comb begin
      if (started_q && rst_ni) `PROVE(rsp_upto_q[7*k +: 7] == before + {6'b0, rsp_stages[k]});
    end
  end

  assign rsp_held = {rsp_wlap ^ rsp_rlap, rsp_wptr} - {1'b0, rsp_rptr};

  always_comb begin
    `PROVE(rst_ni || !rsp_valid);
    if (started_q && rst_ni) begin
      `PROVE(rsp_held <= 64);
      `PROVE(rsp_used <= 64);
      `PROVE(rsp_used == rsp_ways + rsp_held);
      `PROVE(!rsp_stalled_q || rsp_valid);
      `PROVE(!rsp_stalled_q || rsp_word[0] == rsp_last_q);
      `REACH(rsp_stalled_q);
      `REACH(rsp_valid && rsp_ready_i);
    end
  end

endmodule
