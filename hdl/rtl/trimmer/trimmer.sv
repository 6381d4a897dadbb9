// Packet trimmer: cuts UET requests to their headers at line rate, marks congestion, passes others.
//
// Latency:     RELEASE (6) cycles from the issue of a packet's beat 3, or of its last, to its first
//              beat leaving the store, EMIT (2) more to the output.
// Throughput:  one beat of 64 bytes a cycle, no bubble within or between packets.
// Comb. paths: rst_ni to the ready and valid outputs; no other.
// Reset:       empty, registers at their reset values, counters 0; ready one cycle later.
// Contract:    vectors/event/timing.md, vectors/event/trimmer/contract.md.
//
// Beats wait in the store while trimmer_decide reads their headers; on the way out they are patched
// and cut. e0 is the cycle in which a beat leaves the store, e1 the next one.
module trimmer (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          rx_valid_i,
  output logic          rx_ready_o,
  input  trimmer_rx_t   rx_i,
  input  logic          cfg_valid_i,
  output logic          cfg_ready_o,
  input  trimmer_cfg_t  cfg_i,
  output logic          tx_valid_o,
  input  logic          tx_ready_i,
  output trimmer_tx_t   tx_o,
  output logic          cfgr_valid_o,
  input  logic          cfgr_ready_i,
  output trimmer_cfgr_t cfgr_o
);
  localparam int BeatW = 512 + 64 + 1;

  // ---------------------------------------------------------------- reset
  logic up_q;         // a sweep of one cycle: there are no rows

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) up_q <= 1'b0;
    else         up_q <= 1'b1;
  end

  // ---------------------------------------------------------------- beats in
  logic             held;
  trimmer_rx_t      head;
  logic             issue;
  logic             first_release;
  logic [2:0]       index;
  logic             avail;
  logic             last_e0;
  logic             pop;
  logic             room;          // a place in the output FIFO
  logic [BeatW-1:0] beat_e1;

  gw_in_fifo #(.Width(trimmer_pkg::RX_W)) u_rx_fifo (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enable_i    (up_q),
    .valid_i     (rx_valid_i),
    .ready_o     (rx_ready_o),
    .data_i      (rx_i),
    .head_valid_o(held),
    .head_o      (head),
    .pop_i       (issue)
  );

  gw_beat_store #(
    .Width    (BeatW),
    .Rows     (trimmer_pkg::STORE),
    .HeadBeats(trimmer_pkg::HEAD_BEATS),
    .Release  (trimmer_pkg::RELEASE)
  ) u_store (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .head_valid_i(held),
    .head_last_i (head.last),
    .head_data_i ({head.data, head.keep, head.last}),
    .issue_o     (issue),
    .index_o     (index),
    .release_o   (first_release),
    .avail_o     (avail),
    .last_o      (last_e0),
    .pop_i       (pop),
    .data_o      (beat_e1)
  );

  assign pop = avail & room;

  // ---------------------------------------------------------------- configuration, decision
  logic [13:0] inc;
  trimmer_regs_t regs;
  logic        decided;
  logic        trimmed;
  logic        marked;
  logic        last_hop;
  logic [3:0]  cause;
  logic [31:0] tag;
  logic [2:0]  keep_beats;
  logic [6:0]  keep_bytes;
  logic [1:0]  tags;
  logic [95:0] l3;
  logic [4:0]  udp_place;
  logic [31:0] udp;

  trimmer_config u_config (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .up_i          (up_q),
    .cfg_valid_i   (cfg_valid_i),
    .cfg_ready_o   (cfg_ready_o),
    .cfg_i         (cfg_i),
    .cfgr_valid_o  (cfgr_valid_o),
    .cfgr_ready_i  (cfgr_ready_i),
    .cfgr_o        (cfgr_o),
    .inc_i         (inc),
    .regs_o        (regs)
  );

  trimmer_decide u_decide (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .issue_i       (issue),
    .release_i     (first_release),
    .index_i       (index),
    .beat_i        (head),
    .regs_i        (regs),
    .pop_i         (pop & last_e0),
    .valid_o       (decided),
    .trimmed_o     (trimmed),
    .marked_o      (marked),
    .last_hop_o    (last_hop),
    .cause_o       (cause),
    .tag_o         (tag),
    .beats_o       (keep_beats),
    .bytes_o       (keep_bytes),
    .tags_o        (tags),
    .l3_o          (l3),
    .udp_place_o   (udp_place),
    .udp_o         (udp)
  );

  // ---------------------------------------------------------------- e0: a beat leaves the store
  logic [2:0] number_q;        // of the beat in its packet, 4 for all from there on
  logic       retained;
  logic       final_beat;      // the last one of a trimmed packet
  logic       counted;

  assign final_beat = (number_q + 3'd1 == keep_beats);
  assign retained   = pop & (~trimmed | (number_q < keep_beats));
  assign counted    = pop & (number_q == 3'd0);

  assign inc[0]  = counted;
  assign inc[11] = counted & trimmed & ~last_hop;
  assign inc[12] = counted & trimmed & last_hop;
  assign inc[13] = counted & marked;
  for (genvar k = 1; k < 11; k++) begin : gen_cause
    localparam logic [3:0] Cause = k[3:0];
    assign inc[k] = counted & (cause == Cause);
  end

  gw_credit #(.Credits(trimmer_pkg::OUT)) u_room (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .use_i   (retained),
    .return_i(tx_valid_o & tx_ready_i),
    .avail_o (room)
  );

  // ---------------------------------------------------------------- e0 to e1
  logic         push_e1_q;
  logic         trimmed_e1_q;
  logic         marked_e1_q;
  logic         final_e1_q;
  logic [3:0]   cause_e1_q;
  logic [31:0]  tag_e1_q;
  logic [6:0]   bytes_e1_q;
  logic [1:0]   tags_e1_q;
  logic [95:0]  l3_e1_q;
  logic [4:0]   udp_place_e1_q;
  logic [31:0]  udp_e1_q;
  logic         first_e1_q;
  logic         second_e1_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      number_q  <= '0;
      push_e1_q <= 1'b0;
    end else begin
      push_e1_q <= retained;
      if (pop) number_q <= last_e0 ? 3'd0 : (number_q[2] ? 3'd4 : number_q + 3'd1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (retained) begin
      trimmed_e1_q   <= trimmed;
      marked_e1_q    <= marked;
      final_e1_q     <= final_beat;
      cause_e1_q     <= cause;
      tag_e1_q       <= tag;
      bytes_e1_q     <= keep_bytes;
      tags_e1_q      <= tags;
      l3_e1_q        <= l3;
      udp_place_e1_q <= udp_place;
      udp_e1_q       <= udp;
      first_e1_q     <= (number_q == 3'd0);
      second_e1_q    <= (number_q == 3'd1);
    end
  end

  // ---------------------------------------------------------------- e1: patch and cut
  logic [511:0] patched;
  logic         cut;             // bytes that do not count become 0
  logic [63:0]  keep_mask;
  logic [511:0] byte_mask;
  trimmer_tx_t  out_e1;
  logic         tx_take;

  gw_ip_patch u_patch (
    .data_i     (beat_e1[BeatW-1:65]),
    .first_i    (first_e1_q),
    .second_i   (second_e1_q),
    .l3_patch_i (trimmed_e1_q | marked_e1_q),
    .tags_i     (tags_e1_q),
    .l3_i       (l3_e1_q),
    .udp_patch_i(trimmed_e1_q),
    .udp_place_i(udp_place_e1_q),
    .udp_i      (udp_e1_q),
    .data_o     (patched)
  );

  assign cut       = trimmed_e1_q & final_e1_q;
  assign keep_mask = final_e1_q ? ~({64{1'b1}} << bytes_e1_q) : {64{1'b1}};  // of a trimmed packet
  assign byte_mask = cut ? ~({512{1'b1}} << {bytes_e1_q, 3'b000}) : {512{1'b1}};

  assign out_e1.data    = patched & byte_mask;
  assign out_e1.keep    = trimmed_e1_q ? keep_mask : beat_e1[64:1];
  assign out_e1.last    = trimmed_e1_q ? final_e1_q : beat_e1[0];
  assign out_e1.trimmed = trimmed_e1_q;
  assign out_e1.marked  = marked_e1_q;
  assign out_e1.cause   = cause_e1_q;
  assign out_e1.tag     = tag_e1_q;

  gw_rsp_fifo #(.Width(trimmer_pkg::TX_W), .Rows(trimmer_pkg::OUT)) u_tx_fifo (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (push_e1_q),
    .data_i (out_e1),
    .valid_o(tx_valid_o),
    .ready_i(tx_ready_i),
    .data_o (tx_o),
    .take_o (tx_take)
  );

  // The output FIFO takes when tx does, a decision is there when needed.
  logic unused;
  assign unused = tx_take ^ decided;
endmodule
