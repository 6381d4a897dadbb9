// A packet trimmer on a bus of W bits, from another house, written from vectors/event/trimmer/contract.md alone. It keeps
// the first 256 bytes of a packet in one register, decides once, and sends them, then the rest unless the packet was
// trimmed. One packet at a time, so that it stalls between packets: its timing is not the block's.
//
// BUG plants a fault: 1 sums a UDP segment of odd length with the byte that follows it, 2 forgets that a bus beat may
// end in the middle of a trimmed packet, 3 gives the first beat of a packet the tag of the packet before.
module kite_trim #(
  parameter int W = 256,
  parameter int BUG = 0
) (
  input  logic           clk,
  input  logic           rst,  // synchronous, active high
  input  logic [W-1:0]   s_axis_tdata,
  input  logic [W/8-1:0] s_axis_tkeep,
  input  logic           s_axis_tlast,
  input  logic [59:0]    s_axis_tuser,  // tag, len, ce, last hop, trim size, trim
  input  logic           s_axis_tvalid,
  output logic           s_axis_tready,
  output logic [W-1:0]   m_axis_tdata,
  output logic [W/8-1:0] m_axis_tkeep,
  output logic           m_axis_tlast,
  output logic [37:0]    m_axis_tuser,  // tag, cause, marked, trimmed
  output logic           m_axis_tvalid,
  input  logic           m_axis_tready,
  input  logic           csr_req,
  output logic           csr_gnt,
  input  logic [3:0]     csr_op,
  input  logic [4:0]     csr_addr,
  input  logic [31:0]    csr_wdata,
  output logic           csr_ack,
  input  logic           csr_rdy,
  output logic [36:0]    csr_rsp  // op, refused, data
);
  localparam int WB = W / 8;
  localparam int BEATS = 256 / WB;

  typedef enum logic [2:0] {FILL, DECIDE, SUM, SEND, PASS, DROP} state_t;
  state_t state;

  logic [2047:0] head;          // byte k is bits 8k+7..8k
  logic [WB-1:0] keeps[BEATS];  // of the beats in head
  logic [31:0] got, sent;       // beats in head, and those that left
  logic ended;                  // the last of them ends the packet
  logic [8:0] known;            // bytes seen, the contract's A
  logic [31:0] tag, last_tag;
  logic [15:0] len;
  logic [8:0] want;
  logic trim, hop, ce;

  // What was decided.
  logic [8:0] size, l2, h;
  logic [3:0] cause;
  logic cut, mark, v6;

  logic [31:0] count[14];
  logic [8:0] trim_size, min_size;
  logic [15:0] udp_port;
  logic [5:0] dscp_trimmed, dscp_lasthop;

  function automatic logic [7:0] b8(input logic [2047:0] x, input int i);
    return x[8*i+:8];
  endfunction
  function automatic logic [15:0] be(input logic [2047:0] x, input int i);
    return {x[8*i+:8], x[8*i+8+:8]};
  endfunction
  function automatic logic [15:0] fold(input logic [31:0] x);
    logic [31:0] y;
    y = {16'd0, x[31:16]} + {16'd0, x[15:0]};
    y = {16'd0, y[31:16]} + {16'd0, y[15:0]};
    return y[15:0];
  endfunction
  // Filling.
  logic [31:0] in_last;  // bytes of a last beat
  always_comb begin
    in_last = 0;
    for (int k = 0; k < WB; k++) if (s_axis_tkeep[k] && in_last == k) in_last = k + 1;
  end
  assign s_axis_tready = state == FILL || state == DROP || state == PASS && m_axis_tready;

  // The decision.
  logic d_cut, d_mark, d_v6;
  logic [3:0] d_cause;
  logic [31:0] d_l2, d_h, d_size, d_e, frame, plen, base;
  logic [15:0] kind;
  logic [8:0] greater;
  logic short_tag, parsed, found;
  logic [7:0] class_of;
  always_comb begin
    frame = ended ? 32'(known) : 32'(len);
    // Tags.
    d_l2 = 14;
    short_tag = 1'b0;
    for (int v = 0; v < 2; v++) begin
      kind = be(head, d_l2 - 2);
      if (d_l2 == 14 + 4 * v && (kind == 16'h8100 || kind == 16'h88a8) && !short_tag) begin
        if (32'(known) < 18 + 4 * v) short_tag = 1'b1;
        else d_l2 = 18 + 4 * v;
      end
    end
    kind = be(head, d_l2 - 2);
    d_v6 = kind == 16'h86dd;
    d_cause = 4'd0;
    plen = 0;
    d_h = d_v6 ? d_l2 + 40 : d_l2 + 4 * 32'(head[8*d_l2+:4]);
    parsed = 1'b0;
    found = known >= 14 && !short_tag && (kind == 16'h0800 || d_v6);
    if (found) begin
      if (d_v6) parsed = 32'(known) >= d_l2 + 40 && b8(head, d_l2) >> 4 == 6;
      else
        parsed = 32'(known) >= d_l2 + 20 && b8(head, d_l2) >> 4 == 4 && head[8*d_l2+:4] >= 5 && 32'(known) >= d_h;
    end
    // The first step that applies ends it.
    if (known < 14 || short_tag) d_cause = 4'd1;
    else if (!found) d_cause = 4'd2;
    else if (!d_v6) begin
      plen = 32'(be(head, d_l2 + 2)) - (d_h - d_l2);
      if (32'(known) < d_l2 + 20) d_cause = 4'd1;
      else if (b8(head, d_l2) >> 4 != 4 || head[8*d_l2+:4] < 5) d_cause = 4'd3;
      else if (32'(known) < d_h) d_cause = 4'd1;
      else if (32'(be(head, d_l2 + 2)) < d_h - d_l2) d_cause = 4'd7;
      else if (frame < d_l2 + 32'(be(head, d_l2 + 2))) d_cause = 4'd1;
      else if ((be(head, d_l2 + 6) & 16'h3fff) != 0) d_cause = 4'd4;
      else if (b8(head, d_l2 + 9) != 17) d_cause = 4'd6;
    end else begin
      plen = 32'(be(head, d_l2 + 4));
      if (32'(known) < d_l2 + 40) d_cause = 4'd1;
      else if (b8(head, d_l2) >> 4 != 6) d_cause = 4'd3;
      else if (frame < d_l2 + 40 + plen) d_cause = 4'd1;
      else if (b8(head, d_l2 + 6) == 44) d_cause = 4'd4;
      else if (b8(head, d_l2 + 6) == 0 || b8(head, d_l2 + 6) == 43 || b8(head, d_l2 + 6) == 50 ||
               b8(head, d_l2 + 6) == 51 || b8(head, d_l2 + 6) == 60 || b8(head, d_l2 + 6) == 135) d_cause = 4'd5;
      else if (b8(head, d_l2 + 6) != 17) d_cause = 4'd6;
    end
    d_e = d_h + plen;
    greater = trim_size > min_size ? trim_size : min_size;
    base = want == 0 ? 32'(greater) : want > 256 ? 256 : 32'(want);
    d_size = base > d_h + 24 ? base : d_h + 24;
    if (d_cause == 0) begin
      if (plen < 10 || 32'(be(head, d_h + 4)) != plen) d_cause = 4'd7;
      else if (want == 0 && be(head, d_h + 2) != udp_port) d_cause = 4'd8;
      else if (b8(head, d_h + 8) >> 3 != 2 && b8(head, d_h + 8) >> 3 != 3 && b8(head, d_h + 8) >> 3 != 13 &&
               b8(head, d_h + 8) >> 3 != 14) d_cause = 4'd9;
      else if (d_size >= d_e) d_cause = 4'd10;
    end
    if (!trim) d_cause = 4'd0;
    d_cut = trim && d_cause == 0;
    class_of = d_v6 ? {head[8*d_l2+:4], head[8*d_l2+12+:4]} : b8(head, d_l2 + 1);
    d_mark = ce && parsed && (class_of[1:0] == 2'b01 || class_of[1:0] == 2'b10);
  end

  // The new header: class and lengths in DECIDE, the UDP checksum over them in SUM.
  logic [2047:0] d_head, s_head;
  logic [7:0] new_class;
  logic [15:0] old_m, new_m, old_n, new_n;
  always_comb begin
    d_head = head;
    new_class = class_of;
    if (d_cut) new_class[7:2] = hop ? dscp_lasthop : dscp_trimmed;
    if (d_mark) new_class[1:0] = 2'b11;
    old_m = be(head, d_l2);
    new_m = {b8(head, d_l2), new_class};
    old_n = be(head, d_l2 + 2);
    new_n = d_cut ? 16'(d_size - d_l2) : old_n;
    if (d_cut || d_mark) begin
      if (d_v6) begin
        d_head[8*d_l2+:8] = {4'd6, new_class[7:4]};
        d_head[8*d_l2+12+:4] = new_class[3:0];
        if (d_cut) {d_head[8*d_l2+32+:8], d_head[8*d_l2+40+:8]} = 16'(d_size - d_h);
      end else begin
        d_head[8*d_l2+8+:8] = new_class;
        {d_head[8*d_l2+16+:8], d_head[8*d_l2+24+:8]} = new_n;
        {d_head[8*d_l2+80+:8], d_head[8*d_l2+88+:8]} = ~fold(32'(16'(~be(head, d_l2 + 10))) +
            32'(16'(~old_m)) + 32'(new_m) + (d_cut ? 32'(16'(~old_n)) + 32'(new_n) : 32'd0));
      end
      if (d_cut) {d_head[8*d_h+32+:8], d_head[8*d_h+40+:8]} = 16'(d_size - d_h);
    end
  end

  logic [31:0] sum;
  logic [15:0] total;
  always_comb begin
    s_head = head;
    sum = 32'd17 + 32'(size) - 32'(h);
    if (v6) for (int k = 8; k < 40; k += 2) sum += 32'(be(head, 32'(l2) + k));
    else for (int k = 12; k < 20; k += 2) sum += 32'(be(head, 32'(l2) + k));
    for (int k = 0; k < 256; k++) begin
      if (k >= 32'(h) && k < 32'(size) + 32'(BUG == 1 && size[0] != h[0]) && k != 32'(h) + 6 && k != 32'(h) + 7)
        sum += (k - 32'(h)) % 2 == 0 ? {16'd0, b8(head, k), 8'd0} : {24'd0, b8(head, k)};
    end
    total = ~fold(sum);
    if (total == 0) total = 16'hffff;
    if (be(head, 32'(h) + 6) != 0) {s_head[8*h+48+:8], s_head[8*h+56+:8]} = total;
    for (int k = 0; k < 256; k++) if (k >= 32'(size)) s_head[8*k+:8] = 8'd0;
  end

  // Sending.
  logic [31:0] left;  // bytes of a trimmed packet from this beat on
  logic final_beat;
  assign left = 32'(size) - sent * WB;
  assign final_beat = cut ? left <= WB : sent + 1 == got;
  assign m_axis_tvalid = state == SEND || state == PASS && s_axis_tvalid;
  assign m_axis_tdata = state == SEND ? head[W-1:0] : s_axis_tdata;
  always_comb begin
    m_axis_tkeep = state == SEND ? keeps[sent[$clog2(BEATS)-1:0]] : s_axis_tkeep;
    if (state == SEND && cut && (left >= WB || BUG == 2)) m_axis_tkeep = '1;
    else if (state == SEND && cut) m_axis_tkeep = (WB'(1) << left) - WB'(1);
  end
  assign m_axis_tlast = state == SEND ? final_beat && (cut || ended) : s_axis_tlast;
  assign m_axis_tuser = {BUG == 3 && state == SEND && sent == 0 ? last_tag : tag, cause, mark, cut};

  // Registers and counters.
  logic refused;
  logic [31:0] value;
  assign csr_gnt = !csr_ack;
  always_comb begin
    refused = 1'b0;
    value = 32'd0;
    case (csr_op)
      4'd1: refused = csr_addr >= 14;
      4'd2: if (csr_addr >= 14) refused = 1'b1; else value = count[csr_addr[3:0]];
      4'd3: refused = csr_addr >= 5 || csr_addr < 2 && csr_wdata > 256;
      4'd4:
      case (csr_addr)
        5'd0: value = 32'(trim_size);
        5'd1: value = 32'(min_size);
        5'd2: value = 32'(udp_port);
        5'd3: value = 32'(dscp_trimmed);
        5'd4: value = 32'(dscp_lasthop);
        default: refused = 1'b1;
      endcase
      default: refused = 1'b1;
    endcase
  end

  always_ff @(posedge clk) begin
    case (state)
      FILL:
      if (s_axis_tvalid) begin
        head[got*W+:W] <= s_axis_tdata;
        keeps[got[$clog2(BEATS)-1:0]] <= s_axis_tkeep;
        if (got == 0) begin
          {tag, len, ce, hop, want, trim} <= s_axis_tuser;
          last_tag <= tag;
        end
        known <= 9'(got * WB + (s_axis_tlast ? in_last : WB));
        ended <= s_axis_tlast;
        got <= got + 1;
        if (s_axis_tlast || got == BEATS - 1) state <= DECIDE;
      end
      DECIDE: begin
        {cut, mark, v6, cause} <= {d_cut, d_mark, d_v6, d_cause};
        {size, l2, h} <= {9'(d_size), 9'(d_l2), 9'(d_h)};
        head <= d_head;
        count[0] <= count[0] + 1;
        if (d_cause != 0) count[d_cause] <= count[d_cause] + 1;
        if (d_cut && hop) count[12] <= count[12] + 1;
        if (d_cut && !hop) count[11] <= count[11] + 1;
        if (d_mark) count[13] <= count[13] + 1;
        state <= d_cut ? SUM : SEND;
      end
      SUM: begin
        head <= s_head;
        state <= SEND;
      end
      SEND:
      if (m_axis_tready) begin
        head <= head >> W;
        sent <= sent + 1;
        if (final_beat) begin
          state <= ended ? FILL : cut ? DROP : PASS;
          {got, sent} <= '0;
        end
      end
      default: if (s_axis_tvalid && s_axis_tready && s_axis_tlast) state <= FILL;
    endcase

    if (csr_ack && csr_rdy) csr_ack <= 1'b0;
    if (csr_req && csr_gnt) begin
      csr_ack <= 1'b1;
      csr_rsp <= {csr_op, refused, value};
      if (csr_op == 1 && !refused) count[csr_addr[3:0]] <= csr_wdata;
      if (csr_op == 3 && !refused) begin
        case (csr_addr)
          5'd0: trim_size <= csr_wdata[8:0];
          5'd1: min_size <= csr_wdata[8:0];
          5'd2: udp_port <= csr_wdata[15:0];
          5'd3: dscp_trimmed <= csr_wdata[5:0];
          default: dscp_lasthop <= csr_wdata[5:0];
        endcase
      end
    end

    if (rst) begin
      state <= FILL;
      {got, sent} <= '0;
      csr_ack <= 1'b0;
      for (int k = 0; k < 14; k++) count[k] <= 32'd0;
      trim_size <= 9'd64;
      min_size <= 9'd64;
      udp_port <= 16'd4793;
      dscp_trimmed <= 6'd16;
      dscp_lasthop <= 6'd18;
    end
  end
endmodule
