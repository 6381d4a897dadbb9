// gw_hazard: an event is held back exactly while one with its key, or for an exclusive event any event, is among those
// issued in the last Stall - 1 cycles. One key, any, is followed: so long ago it was issued last.
//
// Slack + Stall cycles are looked at, from any contents of the ring, with resets at any time: what was issued before
// them can block nothing after them. A pointer beyond the last slot comes back within Slack cycles; with no Slack it is
// assumed to be among the slots, which prove_hazard_ptr shows.
`include "prove.svh"
module prove_hazard #(
  parameter int Stall = 4,
  parameter int KeyW  = 16,
  parameter int Slack = 1
) (
  input logic            clk_i,
  input logic            rst_ni,
  input logic [KeyW-1:0] key_i,
  input logic            keyed_i,
  input logic            exclusive_i,
  input logic            issue_i,
  input logic [KeyW-1:0] choice_i
);
  localparam int W = $clog2(Stall + 1);
  localparam logic [W-1:0] Free = Stall[W-1:0];
  logic blocked;

  gw_hazard #(.KeyW(KeyW), .Stall(Stall)) dut (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .key_i      (key_i),
    .keyed_i    (keyed_i),
    .exclusive_i(exclusive_i),
    .issue_i    (issue_i),
    .blocked_o  (blocked)
  );

  logic [$clog2(Stall - 1)-1:0] ptr;   // probe, with no Slack
  logic [6:0]      age_q = '0;
  logic [KeyW-1:0] choice_q;     // the key that is followed
  logic [W-1:0]    same_q;       // cycles since it was issued, at most Stall
  logic [W-1:0]    any_q;        // cycles since any event was

  always_ff @(posedge clk_i) begin
    if (age_q != '1) age_q <= age_q + 1'b1;
    if (age_q == '0) choice_q <= choice_i;
    if (!rst_ni || age_q <= Slack) begin
      same_q <= Free;
      any_q  <= Free;
    end else begin
      same_q <= (issue_i && keyed_i && key_i == choice_q) ? 1 : (same_q == Free) ? Free : same_q + 1'b1;
      any_q  <= issue_i ? 1 : (any_q == Free) ? Free : any_q + 1'b1;
    end
  end

  always_comb begin
    if (Slack == 0) begin
      `ASSUME(age_q != '0 || ptr <= Stall - 2);
    end
    if (age_q == Slack + Stall && rst_ni) begin
      if (exclusive_i) begin
        `PROVE(blocked == (any_q != Free));
      end else if (!keyed_i) begin
        `PROVE(!blocked);
      end else if (key_i == choice_q) begin
        `PROVE(blocked == (same_q != Free));
      end
      `REACH(keyed_i && !exclusive_i && key_i == choice_q && blocked && same_q == Free - 1'b1);
      `REACH(exclusive_i && !blocked);
      `REACH(exclusive_i && blocked && any_q == Free - 1'b1);
    end
  end
endmodule
