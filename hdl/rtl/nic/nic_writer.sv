// Writer: packets, from what settled to beats.
//
// Latency:     a packet appended in cycle t can start in t+1, and its first beat is made one cycle
//              later and offered WRITE (6) cycles after that.
// Throughput:  one beat a cycle, no bubble between packets that have a template.
// Comb. paths: rst_ni to beat_valid_o; beat_ready_i to the credit of a beat.
// Reset:       idle, empty; the template and the payload keep their values.
// Contract:    nic/contract.md "Writer", "Packets".
module nic_writer #(
  parameter int CtxW    = 2,
  parameter int PacketW = 84
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  output logic               packet_room_o,
  input  logic               packet_push_i,
  input  logic [PacketW-1:0] packet_i,      // data, rtx, ar, syn, pdc, psn, peer or offset, size
  // of the context of the packet that starts
  output logic [CtxW-1:0]    ctx_o,
  input  logic [23:0]        form_i,        // entropy, native, ipv6, size
  input  logic [511:0]       template_i,    // one cycle later
  input  logic [15:0]        spray_i,
  input  nic_regs_t          regs_i,
  input  logic [6:0]         header_i,
  output logic [1:0]         inc_o,         // written, unaddressed
  output logic               beat_valid_o,
  input  logic               beat_ready_i,
  output logic [592:0]       beat_o         // data, keep, last, PDC
);
  logic               held;
  logic [PacketW-1:0] packet;        // the oldest
  logic               start;
  logic               addressed;
  logic               busy_q;
  logic               read;
  logic               last;
  logic               feed_room;
  logic [10:0]        beat_q;
  logic [10:0]        last_beat_q;
  logic [5:0]         left_q;
  logic [PacketW-1:0] packet_q;
  logic [5:0]         size_q;
  logic               ipv6_q, native_q;
  logic [15:0]        entropy_q, port_q, plen_q;
  logic               fresh_q;       // the packet started one cycle ago
  logic [495:0]       template_q;

  gw_room_fifo #(.Width(PacketW), .Rows(nic_pkg::PACKETS)) u_packets (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .room_o (packet_room_o),
    .push_i (packet_push_i),
    .data_i (packet_i),
    .valid_o(held),
    .data_o (packet),
    .pop_i  (start)
  );

  // ---------------------------------------------------------------- start
  logic [15:0] entropy;
  logic        native, ipv6;
  logic [5:0]  size;
  logic [15:0] payload;
  logic [16:0] plen;
  logic [16:0] frame;
  logic [16:0] place;               // of the last byte
  localparam int MinFrame = nic_pkg::MIN_FRAME;

  assign {entropy, native, ipv6, size} = form_i;
  assign ctx_o     = packet[66 +: CtxW];
  assign read      = busy_q & feed_room;
  assign last      = (beat_q == last_beat_q);
  assign start     = held & (~busy_q | (read & last));
  assign addressed = (size != '0);
  assign inc_o     = {start & addressed, start & ~addressed};

  always_comb begin
    payload = '0;
    if (packet[PacketW-1] && (packet[15:0] > {9'b0, header_i})) begin
      payload = packet[15:0] - {9'b0, header_i};
    end
  end

  assign plen  = {1'b0, payload} + (native ? 17'd20 : 17'd24);
  assign frame = plen + {11'b0, size};
  assign place = ((frame < MinFrame[16:0]) ? MinFrame[16:0] : frame) - 17'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      fresh_q <= 1'b0;
    end else begin
      fresh_q <= start & addressed;
      if (start)             busy_q <= addressed;
      else if (read && last) busy_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start) begin
      beat_q      <= '0;
      last_beat_q <= place[16:6];
      left_q      <= place[5:0];
      packet_q    <= packet;
      size_q      <= size;
      ipv6_q      <= ipv6;
      native_q    <= native;
      entropy_q   <= (entropy & ~regs_i.SPRAY) | (spray_i & regs_i.SPRAY);
      port_q      <= regs_i.PORT;
      plen_q      <= plen[15:0];
    end else if (read) begin
      beat_q <= beat_q + 11'd1;
    end
    // A beat is made one cycle after the start at the earliest and wants this one cycle later, by
    // when the next packet may have started but not have come this far.
    if (fresh_q) template_q <= template_i[495:0];
  end

  // ---------------------------------------------------------------- beats
  logic         made;
  logic [592:0] made_beat;
  logic         feed_take;

  gw_credit #(.Credits(nic_pkg::FEED)) u_feed_room (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .use_i   (read),
    .return_i(feed_take),
    .avail_o (feed_room)
  );

  nic_build #(.PacketW(PacketW)) u_build (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .make_i    (read),
    .beat_i    (beat_q),
    .last_i    (last),
    .left_i    (left_q),
    .packet_i  (packet_q),
    .size_i    (size_q),
    .ipv6_i    (ipv6_q),
    .native_i  (native_q),
    .entropy_i (entropy_q),
    .port_i    (port_q),
    .plen_i    (plen_q),
    .template_i(template_q),
    .valid_o   (made),
    .beat_o    (made_beat)
  );

  gw_rsp_fifo #(.Width(593), .Rows(nic_pkg::FEED)) u_feed (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (made),
    .data_i (made_beat),
    .valid_o(beat_valid_o),
    .ready_i(beat_ready_i),
    .data_o (beat_o),
    .take_o (feed_take)
  );

  // No template is longer than 62 bytes.
  logic unused;
  assign unused = ^template_i[511:496];
endmodule
