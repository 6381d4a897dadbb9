// Writer of the switch port: packets from rx into slots, and a request for each, with the length to
// which the packet can be trimmed.
//
// Latency:     a beat accepted in cycle t can issue in t + 1; a packet's request is offered
//              WALK (4) cycles after its last beat has issued.
// Throughput:  one beat a cycle while slots and requests last.
// Comb. paths: rst_ni, up_i to rx_ready_o; rst_ni, free_*_i to slot_o, take_o and the writes;
//              rst_ni to req_valid_o.
// Reset:       no beat, no request; the next beat is the first of a packet.
// Contract:    switchport/contract.md "Writer", "Trim size", "Requests".
module switchport_write #(
  parameter int SlotW = 5,
  parameter int ReqW  = SlotW + 8 + 2 + 16 + 9 + 3
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
  output logic [ReqW-1:0]  req_o,          // slot, port, cls, length, trim_size, flags
  input  logic             req_pop_i,
  input  logic             cfg_leave_i,    // a cfg event leaves for the trimmer
  input  trimmer_cfg_t     cfg_i
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

  // ---------------------------------------------------------------- walk: t + 1, t + 2, t + 3
  localparam int PlaceW = SlotW + 8 + 2;

  logic              made;            // t: a request is made
  logic              vld_w1_q;
  logic              vld_w2_q;
  logic              vld_w3_q;
  logic              too_long_w1_q;
  logic              too_long_w2_q;
  logic [PlaceW-1:0] place_w1_q;      // slot, port, cls
  logic [PlaceW-1:0] place_w2_q;
  logic [15:0]       length_w1_q;
  logic [15:0]       length_w2_q;
  logic [2:0]        flags_w1_q;      // trimmable, ect, last_hop
  logic [2:0]        flags_w2_q;
  logic [8:0]        trim_size_w2;
  logic [ReqW-1:0]   req_w3_q;

  assign made = issue & head.last;

  switchport_walk u_walk (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .issue_i    (issue),
    .beat_i     (beat),
    .data_i     (head.data),
    .keep_i     (head.keep),
    .last_i     (head.last),
    .cfg_leave_i(cfg_leave_i),
    .cfg_i      (cfg_i),
    .length_i   (length_w2_q),
    .trim_size_o(trim_size_w2)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      vld_w1_q <= 1'b0;
      vld_w2_q <= 1'b0;
      vld_w3_q <= 1'b0;
    end else begin
      vld_w1_q <= made;
      vld_w2_q <= vld_w1_q;
      vld_w3_q <= vld_w2_q;
    end
  end

  // A packet that is too long asks for class 3, which is refused.
  always_ff @(posedge clk_i) begin
    too_long_w1_q <= too_long;
    place_w1_q    <= {slot_o, side[52:45], too_long ? ClsNone : side[36:35]};
    length_w1_q   <= too_long ? 16'b0 : length;
    flags_w1_q    <= side[34:32];
    too_long_w2_q <= too_long_w1_q;
    place_w2_q    <= place_w1_q;
    length_w2_q   <= length_w1_q;
    flags_w2_q    <= flags_w1_q;
    req_w3_q      <= {place_w2_q, length_w2_q, too_long_w2_q ? 9'b0 : trim_size_w2, flags_w2_q};
  end

  // ---------------------------------------------------------------- requests
  logic req_take;

  gw_credit #(.Credits(switchport_pkg::REQUESTS)) u_req_room (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .use_i   (made),
    .return_i(req_take),
    .avail_o (req_room)
  );

  gw_rsp_fifo #(.Width(ReqW), .Rows(switchport_pkg::REQUESTS)) u_requests (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (vld_w3_q),
    .data_i (req_w3_q),
    .valid_o(req_valid_o),
    .ready_i(req_pop_i),
    .data_o (req_o),
    .take_o (req_take)
  );
endmodule
