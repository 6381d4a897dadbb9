// Interlock: holds an event back while one with its key, or for an exclusive event any event, is
// among those issued in the last Stall-1 cycles.
//
// Latency:     an issue in cycle t blocks in t+1 .. t+Stall-1.
// Throughput:  one check a cycle.
// Comb. paths: key_i, keyed_i, exclusive_i to blocked_o.
// Reset:       nothing is remembered.
// Contract:    timing.md "Acceptance", blocked(t).
//
// The keys stand in a ring of Stall-1 slots, one slot a cycle, whether issued or not: a slot is
// overwritten exactly when its cycle leaves the window, so that age needs no compare and no key
// ever moves.
module gw_hazard #(
  parameter int KeyW  = 16,
  parameter int Stall = 4
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic [KeyW-1:0] key_i,
  input  logic            keyed_i,
  input  logic            exclusive_i,
  input  logic            issue_i,    // the event issues in this cycle
  output logic            blocked_o
);
  localparam int Slots = Stall - 1;
  localparam int PtrW  = (Slots > 1) ? $clog2(Slots) : 1;
  localparam int LastSlot = Slots - 1;
  localparam logic [PtrW-1:0] Last = LastSlot[PtrW-1:0];

  (* mem2reg *)                          // all slots are read at once: registers, no RAM
  logic [KeyW-1:0]  key_q [0:Slots-1];
  logic [Slots-1:0] keyed_q;             // the slot holds an issue with a key
  logic [PtrW-1:0]  ptr_q;
  logic [Slots-1:0] any_q;               // an event issued 1 .. Slots cycles ago
  logic [Slots-1:0] match;
  logic             same;

  for (genvar i = 0; i < Slots; i++) begin : gen_match
    assign match[i] = keyed_q[i] & (key_q[i] == key_i);
  end

  assign same = |match;

  assign blocked_o = exclusive_i ? (|any_q) : (keyed_i & same);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ptr_q   <= '0;
      any_q   <= '0;
      keyed_q <= '0;
    end else begin
      ptr_q          <= (ptr_q == Last) ? '0 : ptr_q + 1'b1;
      any_q          <= {any_q[Slots-2:0], issue_i};
      keyed_q[ptr_q] <= issue_i & keyed_i;
    end
  end

  always_ff @(posedge clk_i) begin
    key_q[ptr_q] <= key_i;
  end

`ifdef GW_ASSERT
  // The last Stall-1 cycles by age, the newest lowest: not the ring above.
  logic [Slots-1:0]           past_q;
  logic [Slots-1:0]           past_keyed_q;
  logic [Slots-1:0][KeyW-1:0] past_key_q;
  logic                       too_close;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_q       <= '0;
      past_keyed_q <= '0;
    end else begin
      past_q       <= {past_q[Slots-2:0], issue_i};
      past_keyed_q <= {past_keyed_q[Slots-2:0], issue_i & keyed_i};
    end
  end

  always_ff @(posedge clk_i) past_key_q <= {past_key_q[Slots-2:0], key_i};

  always_comb begin
    too_close = 1'b0;
    for (int k = 0; k < Slots; k++) begin
      if (past_keyed_q[k] && (past_key_q[k] == key_i)) too_close = 1'b1;
    end
  end

  a_same_key: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (issue_i && keyed_i) |-> !too_close)
    else $error("gw_hazard: two events of one key closer than the stall");
  a_exclusive: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (issue_i && exclusive_i) |-> (past_q == '0))
    else $error("gw_hazard: exclusive event among others");
  a_no_longer: assert property (@(posedge clk_i) disable iff (!rst_ni)
      blocked_o |-> (exclusive_i ? (past_q != '0) : (keyed_i && too_close)))
    else $error("gw_hazard: an event is held back longer than the stall");
`endif
endmodule
