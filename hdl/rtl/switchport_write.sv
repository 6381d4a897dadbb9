// Writer of the switch port: packets from rx into slots, and a request for each.
//
// Latency:     a beat accepted in cycle t can be written in t + 1, its request be offered in t + 2.
// Throughput:  one beat a cycle while slots and requests last.
// Comb. paths: rst_ni, up_i to rx_ready_o; rst_ni, free_*_i to slot_o, take_o and the writes.
// Reset:       no beat, no request; the next beat is the first of a packet.
// Contract:    switchport/contract.md "Writer", "Requests".
module switchport_write #(
  parameter int SlotW = 5,
  parameter int ReqW  = SlotW + 8 + 2 + 16 + 3
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             up_i,
  input  logic             rx_valid_i,
  output logic             rx_ready_o,
  input  switchport_rx_t   rx_i,
  input  logic             free_any_i,
  input  logic [SlotW-1:0] free_slot_i,
  output logic             take_o,         // the free slot is taken
  output logic             write_o,
  output logic [SlotW-1:0] slot_o,
  output logic [7:0]       beat_o,
  output logic [576:0]     data_o,
  output logic             record_we_o,
  output logic [63:0]      record_o,       // id, in_port, beats, length
  output logic             req_valid_o,
  output logic [ReqW-1:0]  req_o,          // slot, port, cls, length, trimmable, ect, last_hop
  input  logic             req_pop_i
);
  localparam int SlotBeats = switchport_pkg::SLOT_BEATS;
  localparam logic [7:0] MaxBeats = SlotBeats[7:0];
  localparam logic [1:0] ClsNone  = 2'd3;

  logic             held;
  switchport_rx_t   head;
  logic             issue;
  logic             first_q;        // the next beat is the first of its packet
  logic [7:0]       beat_q;         // its number; MaxBeats for all from there on
  logic [7:0]       beat;
  logic [SlotW-1:0] slot_q;
  logic             too_long;
  logic             req_room;
  logic [6:0]       keep_bytes;
  logic [15:0]      length;
  logic [52:0]      side_q;         // port, in_port, cls, trimmable, ect, last_hop, id
  logic [52:0]      side_head;
  logic [52:0]      side;

  gw_in_fifo #(.Width(switchport_pkg::RX_W)) u_rx_fifo (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enable_i    (up_i),
    .valid_i     (rx_valid_i),
    .ready_o     (rx_ready_o),
    .data_i      (rx_i),
    .head_valid_o(held),
    .head_o      (head),
    .pop_i       (issue)
  );

  gw_ones_below u_bytes (.keep_i(head.keep), .count_o(keep_bytes));

  assign issue    = held & (~first_q | free_any_i) & (~head.last | req_room);
  assign beat     = first_q ? 8'd0 : beat_q;
  assign too_long = (beat == MaxBeats);
  assign take_o   = issue & first_q;
  assign slot_o   = first_q ? free_slot_i : slot_q;
  assign beat_o   = beat;
  assign write_o  = issue & ~too_long;
  assign data_o   = {head.data, head.keep, head.last};
  assign length   = {2'b00, beat, 6'b0} + {9'b0, keep_bytes};

  assign side_head = {head.port, head.in_port, head.cls, head.trimmable, head.ect, head.last_hop,
                      head.id};
  assign side      = first_q ? side_head : side_q;

  assign record_we_o = issue & head.last;
  assign record_o    = {side[31:0], side[44:37], beat + 8'd1, length};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= 1'b1;
    end else if (issue) begin
      first_q <= head.last;
    end
  end

  always_ff @(posedge clk_i) begin
    if (issue) beat_q <= too_long ? MaxBeats : (beat + 8'd1);
    if (take_o) begin
      slot_q <= free_slot_i;
      side_q <= side_head;
    end
  end

  // A packet that is too long asks for class 3, which is refused.
  gw_in_fifo #(.Width(ReqW)) u_requests (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enable_i    (1'b1),
    .valid_i     (issue & head.last),
    .ready_o     (req_room),
    .data_i      ({slot_o, side[52:45], too_long ? ClsNone : side[36:35],
                   too_long ? 16'b0 : length, side[34:32]}),
    .head_valid_o(req_valid_o),
    .head_o      (req_o),
    .pop_i       (req_pop_i)
  );
endmodule
