// Finds the length to which a packet can be trimmed, from its headers as they pass the writer.
//
// Latency:     trim_size_o is that of the packet whose last beat issued two cycles ago.
// Throughput:  one packet a cycle.
// Comb. paths: length_i to trim_size_o.
// Reset:       no packet on its way; the copies of the trimmer's registers take their reset values.
// Contract:    switchport/contract.md "Trim size", "Copies"; trimmer/contract.md "Decision" with
//              trim = 1 and trim_size = 0.
//
// A packet is walked when its beat 3, or an earlier last beat, issues (r0), by the registers in
// force then. Its headers are found one cycle later (p1) and read two cycles later (p2). The result
// stays until the next packet reaches p2, which is after the cycle in which this one's is used. The
// walk does not know the length of a packet that goes on after its beat 3: it is given the greatest
// length, and at the end the true length must hold the IP packet.
module switchport_walk (
  input  logic         clk_i,
  input  logic         rst_ni,
  // r0: a beat issues
  input  logic         issue_i,
  input  logic [7:0]   beat_i,        // its number in the packet
  input  logic [511:0] data_i,
  input  logic [63:0]  keep_i,
  input  logic         last_i,
  // a cfg event leaves for the trimmer
  input  logic         cfg_leave_i,
  input  trimmer_cfg_t cfg_i,
  // the packet whose last beat issued two cycles ago
  input  logic [15:0]  length_i,
  output logic [8:0]   trim_size_o    // 0: it cannot be trimmed
);
  localparam int HeadBeats    = trimmer_pkg::HEAD_BEATS;
  localparam int LastHead     = HeadBeats - 1;
  localparam int MaxTrimBytes = trimmer_pkg::MAX_TRIM;
  localparam int UetMinBytes  = trimmer_pkg::UET_MIN;
  localparam logic [7:0]  LastHeadBeat = LastHead[7:0];
  localparam logic [2:0]  PastIndex    = HeadBeats[2:0];
  localparam logic [31:0] MaxTrim      = MaxTrimBytes;
  localparam logic [8:0]  UetMin       = UetMinBytes[8:0];

  // ---------------------------------------------------------------- copies
  logic        write;
  logic        size_ok;
  logic [8:0]  trim_size_q;
  logic [8:0]  min_size_q;
  logic [15:0] udp_port_q;

  assign write   = cfg_leave_i & (cfg_i.kind == trimmer_pkg::KIND_CFG_WRITE);
  assign size_ok = (cfg_i.data <= MaxTrim);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      trim_size_q <= trimmer_pkg::RST_TRIM_SIZE;
      min_size_q  <= trimmer_pkg::RST_MIN_SIZE;
      udp_port_q  <= trimmer_pkg::RST_UDP_PORT;
    end else if (write) begin
      if ((cfg_i.addr == trimmer_pkg::REG_TRIM_SIZE) && size_ok) trim_size_q <= cfg_i.data[8:0];
      if ((cfg_i.addr == trimmer_pkg::REG_MIN_SIZE) && size_ok)  min_size_q  <= cfg_i.data[8:0];
      if (cfg_i.addr == trimmer_pkg::REG_UDP_PORT)               udp_port_q  <= cfg_i.data[15:0];
    end
  end

  // ---------------------------------------------------------------- headers
  logic         leading;       // one of the beats that are walked
  logic         walked;        // r0: the beat that releases the packet's walk
  logic [2:0]   index;
  logic         vld_p1;
  logic         vld_p2;
  logic [1:0]   index_p1;
  logic [511:0] beat0;
  logic [511:0] beat1;
  logic [4:0]   h_p1;          // the UDP header starts at byte 4 * h_p1 + 2
  logic [1:0]   tags;
  logic [2:0]   l2;
  logic         ipv6;
  logic [319:0] l3;
  logic [4:0]   h_p2;
  logic [47:0]  udp;
  logic [4:0]   uet_type;
  logic [3:0]   cause_walk;
  logic [2:0]   cause_ip;
  logic [15:0]  plen;
  logic [15:0]  ip_end;

  assign leading = (beat_i <= LastHeadBeat);
  assign walked  = issue_i & leading & (last_i | (beat_i == LastHeadBeat));
  assign index   = leading ? beat_i[2:0] : PastIndex;

  gw_uet_walk #(.HeadBeats(HeadBeats)) u_walk (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .issue_i   (issue_i),
    .release_i (walked),
    .index_i   (index),
    .data_i    (data_i),
    .keep_i    (keep_i),
    .last_i    (last_i),
    .len_i     (16'hffff),
    .udp_port_i(udp_port_q),
    .vld_p1_o  (vld_p1),
    .index_p1_o(index_p1),
    .beat0_o   (beat0),
    .beat1_o   (beat1),
    .h_p1_o    (h_p1),
    .vld_p2_o  (vld_p2),
    .tags_o    (tags),
    .l2_o      (l2),
    .ipv6_o    (ipv6),
    .l3_o      (l3),
    .h_o       (h_p2),
    .udp_o     (udp),
    .type_o    (uet_type),
    .cause_o   (cause_walk),
    .cause_ip_o(cause_ip),
    .plen_o    (plen),
    .end_o     (ip_end)
  );

  // ---------------------------------------------------------------- r0 to p2: size
  logic [8:0] base_p1_q;       // size by the registers
  logic [8:0] size_uet;
  logic [8:0] size_p2_q;

  assign size_uet = {2'b0, h_p1, 2'b10} + UetMin;

  always_ff @(posedge clk_i) begin
    if (walked) base_p1_q <= (trim_size_q > min_size_q) ? trim_size_q : min_size_q;
    if (vld_p1) size_p2_q <= (base_p1_q > size_uet) ? base_p1_q : size_uet;
  end

  // ---------------------------------------------------------------- p2: rules
  logic [3:0] cause;

  trimmer_rule u_rule (
    .walk_i    (cause_walk),
    .any_port_i(1'b0),
    .type_i    (uet_type),
    .size_i    (size_p2_q),
    .end_i     (ip_end),
    .cause_o   (cause)
  );

  assign trim_size_o = ((cause == trimmer_pkg::CAUSE_NONE) & (ip_end <= length_i)) ?
                       size_p2_q : 9'd0;

  // What only the rewriting of a packet needs.
  logic unused;
  assign unused = vld_p2 ^ (^index_p1) ^ (^beat0) ^ (^beat1) ^ (^tags) ^ (^l2) ^ ipv6 ^ (^l3) ^
                  (^h_p2) ^ (^udp) ^ (^cause_ip) ^ (^plen);
endmodule
