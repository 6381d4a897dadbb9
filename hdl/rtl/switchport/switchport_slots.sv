// The packet buffer: beats and records of a fixed number of packets, which slots are free, and
// which hold a packet that has had its verdict taken (judged).
//
// Latency:     a beat written in cycle t can be read from t + 1 on; read data one cycle after the
//              address. A slot freed in t is free from t + 1 on, one judged in t judged from t + 1
//              on.
// Throughput:  one beat in and one out a cycle; one slot taken and two freed.
// Comb. paths: record addresses to records, and record_b_slot_i to judged_b_o; none from take_i,
//              judge_a_i or free_*_i to any_o, slot_o, judged_b_o.
// Reset:       all slots are free, none is judged.
// Contract:    switchport/contract.md "Slots".
module switchport_slots #(
  parameter int Slots = 32,
  parameter int SlotW = 5
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  output logic             any_o,          // a slot is free
  output logic [SlotW-1:0] slot_o,         // the lowest-numbered
  input  logic             take_i,         // it is taken; and is not judged any more
  input  logic             free_a_i,
  input  logic [SlotW-1:0] free_a_slot_i,
  input  logic             free_b_i,
  input  logic [SlotW-1:0] free_b_slot_i,
  input  logic             write_i,
  input  logic [SlotW-1:0] write_slot_i,
  input  logic [7:0]       write_beat_i,
  input  logic [576:0]     write_data_i,
  input  logic [SlotW-1:0] read_slot_i,
  input  logic [7:0]       read_beat_i,
  output logic [576:0]     read_data_o,    // one cycle later
  input  logic             record_we_i,    // record of write_slot_i
  input  logic [63:0]      record_i,
  input  logic [SlotW-1:0] record_a_slot_i,
  output logic [63:0]      record_a_o,
  input  logic             judge_a_i,      // the verdict of record_a_slot_i is taken
  input  logic [SlotW-1:0] record_b_slot_i,
  output logic [63:0]      record_b_o,
  output logic             judged_b_o      // record_b_slot_i is judged
);
  localparam int Rows = Slots * switchport_pkg::SLOT_BEATS;
  localparam int RowW = $clog2(Rows);
  localparam int SlotBeats = switchport_pkg::SLOT_BEATS;
  localparam logic [RowW-1:0] SlotRows = SlotBeats[RowW-1:0];

  logic [Slots-1:0] free_q;
  logic [Slots-1:0] judged_q;
  logic [63:0]      record_q [0:Slots-1];
  logic [RowW-1:0]  write_row;
  logic [RowW-1:0]  read_row;

  gw_first_one #(.Width(Slots), .IndexW(SlotW)) u_first (
    .ones_i (free_q),
    .any_o  (any_o),
    .index_o(slot_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      free_q <= '1;
    end else begin
      if (take_i)   free_q[slot_o] <= 1'b0;
      if (free_a_i) free_q[free_a_slot_i] <= 1'b1;
      if (free_b_i) free_q[free_b_slot_i] <= 1'b1;
    end
  end

  // The reader waits for this, so that a slot is not used again while its verdict still waits. A slot's
  // bit means something from the moment that the slot is taken.
  always_ff @(posedge clk_i) begin
    if (take_i)    judged_q[slot_o] <= 1'b0;
    if (judge_a_i) judged_q[record_a_slot_i] <= 1'b1;
  end

  assign write_row = {{(RowW-SlotW){1'b0}}, write_slot_i} * SlotRows +
                     {{(RowW-8){1'b0}}, write_beat_i};
  assign read_row  = {{(RowW-SlotW){1'b0}}, read_slot_i} * SlotRows +
                     {{(RowW-8){1'b0}}, read_beat_i};

  gw_sdp_ram #(.Width(577), .Rows(Rows), .AddrW(RowW)) u_beats (
    .clk_i  (clk_i),
    .we_i   (write_i),
    .waddr_i(write_row),
    .wdata_i(write_data_i),
    .raddr_i(read_row),
    .rdata_o(read_data_o)
  );

  assign record_a_o = record_q[record_a_slot_i];
  assign record_b_o = record_q[record_b_slot_i];
  assign judged_b_o = judged_q[record_b_slot_i];

  always_ff @(posedge clk_i) begin
    if (record_we_i) record_q[write_slot_i] <= record_i;
  end

`ifdef GW_ASSERT
  a_take: assert property (@(posedge clk_i) disable iff (!rst_ni) take_i |-> any_o)
    else $error("switchport_slots: no slot is free");
  a_free_a: assert property (@(posedge clk_i) disable iff (!rst_ni)
      free_a_i |-> !free_q[free_a_slot_i])
    else $error("switchport_slots: a free slot is freed");
  a_free_b: assert property (@(posedge clk_i) disable iff (!rst_ni)
      free_b_i |-> (!free_q[free_b_slot_i] && !(free_a_i && (free_a_slot_i == free_b_slot_i))))
    else $error("switchport_slots: a free slot is freed");
  a_judge: assert property (@(posedge clk_i) disable iff (!rst_ni)
      judge_a_i |-> (!free_q[record_a_slot_i] && !judged_q[record_a_slot_i]))
    else $error("switchport_slots: a verdict for a free slot, or a second one");
  a_unjudged: assert property (@(posedge clk_i) disable iff (!rst_ni)
      free_b_i |-> judged_q[free_b_slot_i])
    else $error("switchport_slots: a packet has left before its verdict");
`endif
endmodule
