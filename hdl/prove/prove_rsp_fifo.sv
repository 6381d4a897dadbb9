// gw_rsp_fifo: the words come out as they went in, each once, and wait unchanged.
//
// One word, pushed at any time, is followed: so many words were before it, so many leave before it. The bits of a word
// are copied and decide nothing, so one bit stands for all. ahead_q and row_q are what the pointers must agree with.
`include "prove.svh"
module prove_rsp_fifo #(
  parameter int Rows = 8
) (
  input logic clk_i,
  input logic rst_ni,
  input logic push_i,
  input logic data_i,
  input logic ready_i,
  input logic pick_i
);
  localparam int PtrW   = $clog2(Rows);
  localparam int CountW = $clog2(Rows + 1);
  localparam logic [CountW-1:0] Full = Rows[CountW-1:0];

  logic valid;
  logic data;
  logic take;

  gw_rsp_fifo #(.Width(1), .Rows(Rows)) dut (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (push_i),
    .data_i (data_i),
    .valid_o(valid),
    .ready_i(ready_i),
    .data_o (data),
    .take_o (take)
  );

  logic              started_q = 1'b0;
  logic [CountW-1:0] held_q;
  logic [CountW-1:0] ahead_q;
  logic              follow_q;
  logic              word_q;
  logic              stalled_q;
  logic              last_q;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    stalled_q <= rst_ni & valid & ~ready_i;
    last_q    <= data;
    if (!rst_ni) begin
      held_q   <= '0;
      follow_q <= 1'b0;
    end else begin
      held_q <= held_q + {{(CountW-1){1'b0}}, push_i} - {{(CountW-1){1'b0}}, take};
      if (!follow_q && push_i && pick_i) begin
        follow_q <= 1'b1;
        word_q   <= data_i;
        ahead_q  <= held_q - {{(CountW-1){1'b0}}, take};
      end else if (follow_q && take) begin
        ahead_q <= ahead_q - 1'b1;
        if (ahead_q == '0) follow_q <= 1'b0;
      end
    end
  end

  always_comb begin
    `ASSUME(started_q || !rst_ni);
    `ASSUME(!push_i || !started_q || held_q != Full);   // the credits
    `PROVE(rst_ni || !valid);
    `PROVE(take == (valid && ready_i));
    if (started_q && rst_ni) begin
      `PROVE(valid == (held_q != '0));
      `PROVE(!follow_q || ahead_q != '0 || (valid && data == word_q));
      `PROVE(!stalled_q || (valid && data == last_q));
      `PROVE(!follow_q || ahead_q < held_q);
      `REACH(held_q == Full);
      `REACH(follow_q && ahead_q == 2);
      `REACH(stalled_q);
      `REACH(push_i && take && held_q == 1);
    end
  end

  // Where the pointers stand, and where the followed word lies.
  localparam logic [PtrW:0] Words = Rows[PtrW:0];

  logic [PtrW-1:0] wptr;      // probe
  logic [PtrW-1:0] rptr;      // probe
  logic            wlap;      // probe
  logic            rlap;      // probe
  logic [Rows-1:0] rows;      // probe: the memory
  logic [PtrW:0]   held;
  logic [PtrW:0]   ahead;
  logic [PtrW:0]   sum;
  logic [PtrW:0]   row;

  assign held  = {1'b0, wptr} - {1'b0, rptr} + ((wlap ^ rlap) ? Words : '0);
  assign ahead = {{(PtrW+1-CountW){1'b0}}, ahead_q};
  assign sum   = {1'b0, rptr} + ahead;
  assign row   = (sum >= Words) ? sum - Words : sum;

  always_comb begin
    if (started_q && rst_ni) begin
      `PROVE({1'b0, wptr} < Words && {1'b0, rptr} < Words);
      `PROVE(held == {{(PtrW+1-CountW){1'b0}}, held_q});
      `PROVE(held <= Words);
      `PROVE(!follow_q || rows[row[PtrW-1:0]] == word_q);
    end
  end
endmodule
