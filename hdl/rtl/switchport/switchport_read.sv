// Reader of the switch port: takes the answers to grants, reads the packets from their slots.
//
// Latency:     the answer is taken when there is room for a gr and, if it is a packet, its verdict
//              has been taken; a beat is read from the next cycle on and offered READ_LATENCY (2)
//              cycles later.
// Throughput:  one beat a cycle, no bubble between packets.
// Comb. paths: deqr_*_i to the record address; deqr_*_i and judged_i to the report and to
//              deqr_ready_o; rst_ni to feed_valid_o and gr_valid_o.
// Reset:       idle, nothing read, no gr.
// Contract:    switchport/contract.md "Reader".
module switchport_read #(
  parameter int SlotW = 5
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             deqr_valid_i,
  output logic             deqr_ready_o,
  input  egress_deqr_t     deqr_i,
  output logic [SlotW-1:0] record_slot_o,
  input  logic [63:0]      record_i,       // of that slot: id, in_port, beats, length
  input  logic             judged_i,       // its packet has had its verdict taken
  output logic             report_o,       // a packet leaves its queue: to intmd.cnt
  output logic             free_o,
  output logic [SlotW-1:0] slot_o,         // slot read, or freed
  output logic [7:0]       beat_o,
  input  logic [576:0]     data_i,         // of slot and beat of one cycle ago
  output logic             feed_valid_o,
  input  logic             feed_ready_i,
  output trimmer_rx_t      feed_o,
  output logic             gr_valid_o,
  input  logic             gr_ready_i,
  output switchport_gr_t   gr_o
);
  localparam int SideW = 1 + 9 + 1 + 1 + 16 + 32;

  logic             busy_q;
  logic [SlotW-1:0] slot_q;
  logic [7:0]       beat_q;
  logic [7:0]       last_q;        // number of the last beat
  logic [SideW-1:0] side_q;        // trim, trim_size, last_hop, ce, len, tag
  logic             read;
  logic             last;
  logic             take;
  logic             none;          // the answer is no packet
  logic             packet;        // the answer taken is a packet
  logic             feed_room;
  logic             gr_room;
  logic [15:0]      length;        // of the packet as it came in
  logic [8:0]       trim_size;
  logic [7:0]       in_port;

  assign record_slot_o = deqr_i.id[SlotW-1:0];
  assign in_port       = record_i[31:24];
  assign length        = record_i[15:0];
  assign trim_size     = deqr_i.trimmed ? deqr_i.len[8:0] : 9'd0;

  assign read         = busy_q & feed_room;
  assign last         = (beat_q == last_q);
  assign none         = deqr_i.empty | deqr_i.refused;
  assign deqr_ready_o = (~busy_q | (read & last)) & gr_room & (none | judged_i);
  assign take         = deqr_ready_o & deqr_valid_i;
  assign packet       = take & ~none;
  assign report_o     = packet;
  assign free_o       = read & last;
  assign slot_o       = slot_q;
  assign beat_o       = beat_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      busy_q <= 1'b0;
    else if (packet)  busy_q <= 1'b1;
    else if (free_o)  busy_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (packet) begin
      slot_q <= record_slot_o;
      beat_q <= '0;
      last_q <= record_i[23:16] - 8'd1;
      // The tag carries the length that was booked, with which the packet must leave the trimmer.
      side_q <= {deqr_i.trimmed, trim_size, deqr_i.last_hop, deqr_i.ce, length,
                 deqr_i.len, in_port, deqr_i.port};
    end else if (read) begin
      beat_q <= beat_q + 8'd1;
    end
  end

  // ---------------------------------------------------------------- beats to the trimmer
  logic             push_q;
  logic [SideW-1:0] push_side_q;
  logic             feed_take;

  gw_credit #(.Credits(switchport_pkg::FEED)) u_feed_room (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .use_i   (read),
    .return_i(feed_take),
    .avail_o (feed_room)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) push_q <= 1'b0;
    else         push_q <= read;
  end

  always_ff @(posedge clk_i) begin
    push_side_q <= side_q;
  end

  gw_rsp_fifo #(.Width(trimmer_pkg::RX_W), .Rows(switchport_pkg::FEED)) u_feed (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (push_q),
    .data_i ({data_i, push_side_q}),
    .valid_o(feed_valid_o),
    .ready_i(feed_ready_i),
    .data_o (feed_o),
    .take_o (feed_take)
  );

  // ---------------------------------------------------------------- answers to grants
  switchport_gr_t gr;

  assign gr.port       = deqr_i.port;
  assign gr.empty      = deqr_i.empty;
  assign gr.refused    = deqr_i.refused;
  assign gr.cls        = deqr_i.cls;
  assign gr.id         = none ? 32'b0 : record_i[63:32];
  assign gr.len        = deqr_i.len;
  assign gr.trimmed    = deqr_i.trimmed;
  assign gr.ce         = deqr_i.ce;
  assign gr.depth      = deqr_i.depth;
  assign gr.port_bytes = deqr_i.port_bytes;
  assign gr.xoff       = deqr_i.xoff;

  gw_room_fifo #(.Width(switchport_pkg::GR_W), .Rows(switchport_pkg::GRANTS)) u_gr (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .room_o (gr_room),
    .push_i (take),
    .data_i (gr),
    .valid_o(gr_valid_o),
    .data_o (gr_o),
    .pop_i  (gr_ready_i)
  );

  // Of the id only the slot comes back.
  logic unused;
  assign unused = ^deqr_i.id[31:SlotW];
endmodule
