// Store of a packet stream: takes beats from an input FIFO and releases a packet's beats some
// cycles after its first HeadBeats beats, or its last one, are there.
//
// Latency:     a beat released by an issue in cycle t can leave from t + Release on; its payload is
//              at data_o in the cycle after pop_i.
// Throughput:  one beat a cycle in and out.
// Comb. paths: head_*_i to issue_o, release_o; none from pop_i to any output.
// Reset:       empty; the next beat is the first of a packet.
// Contract:    trimmer/contract.md and intmd/contract.md, "Timing": issue, rel, s, avail.
module gw_beat_store #(
  parameter int Width     = 576,
  parameter int Rows      = 16,
  parameter int HeadBeats = 4,
  parameter int Release   = 6
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             head_valid_i,   // a beat waits
  input  logic             head_last_i,    // and is the last of its packet
  input  logic [Width-1:0] head_data_i,
  output logic             issue_o,        // it goes to the store in this cycle
  output logic [2:0]       index_o,        // its number in the packet, HeadBeats for all later
  output logic             release_o,      // it releases its packet
  output logic             avail_o,        // a beat can leave
  output logic             last_o,         // and is the last of its packet
  input  logic             pop_i,          // it leaves
  output logic [Width-1:0] data_o          // the beat that left one cycle ago
);
  localparam int RowW   = $clog2(Rows);
  localparam int CountW = RowW + 1;
  localparam int RelW   = 3 * (Release - 1);
  localparam int HeadLast = HeadBeats - 1;
  localparam logic [2:0] LastIndex = HeadLast[2:0];
  localparam logic [2:0] PastIndex = HeadBeats[2:0];

  logic              room;
  logic [2:0]        index_q;
  logic [2:0]        rel;                       // beats released by this issue
  logic [RelW-1:0]   rel_q;                     // and by those of 1 .. Release-1 cycles ago
  logic [CountW-1:0] avail_q;
  logic [RowW-1:0]   wrow_q;
  logic [RowW-1:0]   rrow_q;
  logic [Rows-1:0]   last_q;

  gw_credit #(.Credits(Rows)) u_room (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .use_i   (issue_o),
    .return_i(pop_i),
    .avail_o (room)
  );

  assign issue_o   = head_valid_i & room;
  assign index_o   = index_q;
  assign release_o = issue_o & (index_q != PastIndex) & (head_last_i | (index_q == LastIndex));
  assign rel       = !issue_o                 ? 3'd0 :
                     release_o                ? index_q + 3'd1 :
                     (index_q == PastIndex)   ? 3'd1 : 3'd0;
  assign avail_o   = (avail_q != '0);
  assign last_o    = last_q[rrow_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      index_q <= '0;
      rel_q   <= '0;
      avail_q <= '0;
      wrow_q  <= '0;
      rrow_q  <= '0;
    end else begin
      rel_q   <= {rel_q[RelW-4:0], rel};
      avail_q <= avail_q + {{(CountW-3){1'b0}}, rel_q[RelW-1:RelW-3]} - {{(CountW-1){1'b0}}, pop_i};
      if (issue_o) begin
        wrow_q <= wrow_q + 1'b1;
        if (head_last_i)               index_q <= '0;
        else if (index_q != PastIndex) index_q <= index_q + 3'd1;
      end
      if (pop_i) rrow_q <= rrow_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (issue_o) last_q[wrow_q] <= head_last_i;
  end

  gw_sdp_ram #(.Width(Width), .Rows(Rows), .AddrW(RowW)) u_ram (
    .clk_i  (clk_i),
    .we_i   (issue_o),
    .waddr_i(wrow_q),
    .wdata_i(head_data_i),
    .raddr_i(rrow_q),
    .rdata_o(data_o)
  );

`ifdef GW_ASSERT
  a_pop: assert property (@(posedge clk_i) disable iff (!rst_ni) pop_i |-> avail_o)
    else $error("gw_beat_store: a beat leaves that was not released");
`endif
endmodule
