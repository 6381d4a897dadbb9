// In-band telemetry of a switch: a table entry a port, and its insertion into packets at line rate.
//
// Latency:     RELEASE (4) cycles from the issue of a packet's beat 1, or of its last, to its first
//              beat leaving the store, EMIT (4) more to the output.
// Throughput:  one beat of 64 bytes a cycle; a packet that grows by a beat takes one cycle more.
// Comb. paths: rst_ni to the ready and valid outputs; no other.
// Reset:       empty, registers at their reset values, counters 0, sweep of NumPorts cycles.
// Contract:    vectors/event/timing.md, vectors/event/intmd/contract.md.
//
// Beats wait in the store while intmd_decide reads their headers. e0 is the cycle in which a beat
// is emitted, and the table looked up; e1 length in units, bytes counted; e2 UDP checksum, headers
// patched; e3 the entry inserted, push.
module intmd #(
  parameter int NumPorts = 4
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        rx_valid_i,
  output logic        rx_ready_o,
  input  intmd_rx_t   rx_i,
  input  logic        cnt_valid_i,
  output logic        cnt_ready_o,
  input  intmd_cnt_t  cnt_i,
  input  logic        cfg_valid_i,
  output logic        cfg_ready_o,
  input  intmd_cfg_t  cfg_i,
  output logic        tx_valid_o,
  input  logic        tx_ready_i,
  output intmd_tx_t   tx_o,
  output logic        cfgr_valid_o,
  input  logic        cfgr_ready_i,
  output intmd_cfgr_t cfgr_o
);
  localparam int PortW = (NumPorts > 1) ? $clog2(NumPorts) : 1;
  localparam int BeatW = 512 + 64;

  // ---------------------------------------------------------------- reset
  logic             up;
  logic [PortW-1:0] sweep_row;

  gw_sweep #(.Rows(NumPorts), .RowW(PortW)) u_sweep (
    .clk_i (clk_i),
    .rst_ni(rst_ni),
    .done_o(up),
    .row_o (sweep_row)
  );

  // ---------------------------------------------------------------- beats in
  logic             held;
  intmd_rx_t        head;
  logic             issue;
  logic             release_r0;
  logic [2:0]       index_r0;
  logic             avail;
  logic             last_e0;
  logic             emit;
  logic             pop;
  logic             added_e0;       // the beat that a packet grows by is due
  logic             room;           // a place in the output FIFO
  logic [BeatW-1:0] beat_e1;

  gw_in_fifo #(.Width(intmd_pkg::RX_W)) u_rx_fifo (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .enable_i    (up),
    .valid_i     (rx_valid_i),
    .ready_o     (rx_ready_o),
    .data_i      (rx_i),
    .head_valid_o(held),
    .head_o      (head),
    .pop_i       (issue)
  );

  gw_beat_store #(
    .Width    (BeatW),
    .Rows     (intmd_pkg::STORE),
    .HeadBeats(intmd_pkg::HEAD_BEATS),
    .Release  (intmd_pkg::RELEASE)
  ) u_store (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .head_valid_i(held),
    .head_last_i (head.last),
    .head_data_i ({head.data, head.keep}),
    .issue_o     (issue),
    .index_o     (index_r0),
    .release_o   (release_r0),
    .avail_o     (avail),
    .last_o      (last_e0),
    .pop_i       (pop),
    .data_o      (beat_e1)
  );

  assign emit = room & (added_e0 | avail);
  assign pop  = emit & ~added_e0;

  // ---------------------------------------------------------------- configuration, clock, decision
  logic [18:0]      inc;
  intmd_regs_t      regs;
  logic             set_time;
  logic [31:0]      cfg_data;
  logic [23:0]      now;
  logic             rate_we;
  logic [PortW-1:0] cfg_port;
  logic [75:0]      cfg_entry;
  logic             bad_report;
  logic             inserted;
  logic [3:0]       cause;
  logic             is_ack;
  logic [7:0]       hops;
  logic [7:0]       out_port;
  logic [PortW-1:0] table_index;
  logic [9:0]       place;
  logic [1:0]       tags;
  logic [95:0]      l3;
  logic [4:0]       udp_place;
  logic [15:0]      udp_len;
  logic             udp_summed;
  logic [15:0]      udp_base;
  logic [4:0]       hop_place;
  logic [15:0]      hop_word;
  logic [75:0]      raw_entry;
  logic             first_e0;

  intmd_config #(.NumPorts(NumPorts), .PortW(PortW)) u_config (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .up_i        (up),
    .cfg_valid_i (cfg_valid_i),
    .cfg_ready_o (cfg_ready_o),
    .cfg_i       (cfg_i),
    .cfgr_valid_o(cfgr_valid_o),
    .cfgr_ready_i(cfgr_ready_i),
    .cfgr_o      (cfgr_o),
    .inc_i       (inc),
    .regs_o      (regs),
    .set_time_o  (set_time),
    .data_o      (cfg_data),
    .time_i      (now),
    .rate_we_o   (rate_we),
    .port_o      (cfg_port),
    .entry_i     (cfg_entry)
  );

  intmd_clock #(.NumPorts(NumPorts), .PortW(PortW)) u_clock (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .up_i        (up),
    .sweep_row_i (sweep_row),
    .cnt_valid_i (cnt_valid_i),
    .cnt_ready_o (cnt_ready_o),
    .cnt_i       (cnt_i),
    .bad_report_o(bad_report),
    .regs_i      (regs),
    .set_time_i  (set_time),
    .set_data_i  (cfg_data[23:0]),
    .time_o      (now),
    .cfg_port_i  (cfg_port),
    .rate_we_i   (rate_we),
    .rate_i      (cfg_data[3:0]),
    .lookup_i    (table_index),
    .lookup_o    (raw_entry),
    .read_o      (cfg_entry)
  );

  intmd_decide #(.NumPorts(NumPorts), .PortW(PortW)) u_decide (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .issue_i     (issue),
    .release_i   (release_r0),
    .index_i     (index_r0),
    .beat_i      (head),
    .regs_i      (regs),
    .pop_i       (first_e0),
    .inserted_o  (inserted),
    .cause_o     (cause),
    .is_ack_o    (is_ack),
    .hops_o      (hops),
    .out_port_o  (out_port),
    .index_o     (table_index),
    .place_o     (place),
    .tags_o      (tags),
    .l3_o        (l3),
    .udp_place_o (udp_place),
    .udp_len_o   (udp_len),
    .udp_summed_o(udp_summed),
    .udp_base_o  (udp_base),
    .hop_place_o (hop_place),
    .hop_word_o  (hop_word)
  );

  // ---------------------------------------------------------------- e0: a beat is emitted
  logic [5:0] number_q, number_e1_q; // of the beat in its packet, 63 for all from there on

  assign first_e0 = pop & (number_q == 6'd0);

  assign inc[0]  = first_e0;
  assign inc[15] = first_e0 & inserted & is_ack;
  assign inc[16] = first_e0 & inserted & ~is_ack;
  assign inc[17] = emit & added_e0;
  assign inc[18] = bad_report;
  for (genvar k = 1; k < 15; k++) begin : gen_cause
    localparam logic [3:0] Cause = k[3:0];
    assign inc[k] = first_e0 & (cause == Cause);
  end

  gw_credit #(.Credits(intmd_pkg::OUT)) u_room (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .use_i   (emit),
    .return_i(tx_valid_o & tx_ready_i),
    .avail_o (room)
  );

  function automatic logic [5:0] next_number(input logic [5:0] n);
    next_number = (n == 6'd63) ? 6'd63 : n + 6'd1;
  endfunction

  // ---------------------------------------------------------------- e0 to e1: held for a packet
  logic        vld_e1_q, added_e1_q;
  logic        last_e1_q;       // last beat of the input packet
  logic        inserted_e1_q;
  logic [3:0]  cause_e1_q;
  logic [7:0]  hops_e1_q, out_port_e1_q;
  logic [9:0]  place_e1_q;
  logic [1:0]  tags_e1_q;
  logic [95:0] l3_e1_q;
  logic [4:0]  udp_place_e1_q;
  logic [15:0] udp_len_e1_q;
  logic        udp_summed_e1_q;
  logic [15:0] udp_base_e1_q;
  logic [4:0]  hop_place_e1_q;
  logic [15:0] hop_word_e1_q;
  logic [75:0] raw_e1_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      number_q <= '0;
      vld_e1_q <= 1'b0;
    end else begin
      vld_e1_q <= emit;
      if (pop) number_q <= last_e0 ? 6'd0 : next_number(number_q);
    end
  end

  always_ff @(posedge clk_i) begin
    if (emit) begin
      added_e1_q  <= added_e0;
      last_e1_q   <= last_e0 & ~added_e0;
      number_e1_q <= added_e0 ? next_number(number_e1_q) : number_q;
    end
    if (first_e0) begin
      inserted_e1_q   <= inserted;
      cause_e1_q      <= cause;
      hops_e1_q       <= hops;
      out_port_e1_q   <= out_port;
      place_e1_q      <= place;
      tags_e1_q       <= tags;
      l3_e1_q         <= l3;
      udp_place_e1_q  <= udp_place;
      udp_len_e1_q    <= udp_len;
      udp_summed_e1_q <= udp_summed;
      udp_base_e1_q   <= udp_base;
      hop_place_e1_q  <= hop_place;
      hop_word_e1_q   <= hop_word;
      raw_e1_q        <= raw_entry;
    end
  end

  // ---------------------------------------------------------------- e1: bytes, entry
  logic [6:0]  keep_bytes, bytes_in; // of this beat
  logic [6:0]  bytes_out;
  logic        reached;         // the packet goes on to the place, so that bytes are added
  logic        grows, grows_e1; // and does not fit this beat
  logic        due_q;           // the added beat is due and has not been emitted
  logic [6:0]  over_q;          // bytes of the last beat of the packet
  logic [15:0] qlen;

  gw_ones_below u_bytes (.keep_i(beat_e1[63:0]), .count_o(keep_bytes));
  intmd_qlen u_qlen (.sixteens_i(raw_e1_q[27:0]), .units_o(qlen));

  assign bytes_in  = last_e1_q ? keep_bytes : 7'd64;
  assign reached   = ({1'b0, number_e1_q, 6'b0} + {6'b0, bytes_in} >= {1'b0, place_e1_q, 2'b10});
  assign grows     = last_e1_q & inserted_e1_q & reached & (bytes_in > 7'd56);
  assign grows_e1  = vld_e1_q & grows;
  assign added_e0  = grows_e1 | due_q;
  assign bytes_out = added_e1_q           ? over_q - 7'd56 :
                     grows                ? 7'd64 :
                     (last_e1_q & reached) ? bytes_in + 7'd8 : bytes_in;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) due_q <= 1'b0;
    else         due_q <= added_e0 & ~emit;
  end

  always_ff @(posedge clk_i) begin
    if (grows_e1) over_q <= bytes_in;
  end

  // ---------------------------------------------------------------- e1 to e2
  logic         vld_e2_q;
  logic [511:0] data_e2_q;
  logic [63:0]  keep_e2_q;
  logic         last_e2_q;
  logic [6:0]   bytes_e2_q;
  logic [5:0]   number_e2_q;
  logic         inserted_e2_q;
  logic [3:0]   cause_e2_q;
  logic [7:0]   hops_e2_q, out_port_e2_q;
  logic [9:0]   place_e2_q;
  logic [1:0]   tags_e2_q;
  logic [95:0]  l3_e2_q;
  logic [4:0]   udp_place_e2_q;
  logic [15:0]  udp_len_e2_q;
  logic         udp_summed_e2_q;
  logic [15:0]  udp_base_e2_q;
  logic [4:0]   hop_place_e2_q;
  logic [15:0]  hop_word_e2_q;
  logic [63:0]  entry_e2_q;      // as a number

  always_ff @(posedge clk_i) begin
    if (vld_e1_q) begin
      data_e2_q       <= beat_e1[BeatW-1:64];
      keep_e2_q       <= beat_e1[63:0];
      last_e2_q       <= added_e1_q | (last_e1_q & ~grows);
      bytes_e2_q      <= bytes_out;
      number_e2_q     <= number_e1_q;
      inserted_e2_q   <= inserted_e1_q;
      cause_e2_q      <= cause_e1_q;
      hops_e2_q       <= hops_e1_q;
      out_port_e2_q   <= out_port_e1_q;
      place_e2_q      <= place_e1_q;
      tags_e2_q       <= tags_e1_q;
      l3_e2_q         <= l3_e1_q;
      udp_place_e2_q  <= udp_place_e1_q;
      udp_len_e2_q    <= udp_len_e1_q;
      udp_summed_e2_q <= udp_summed_e1_q;
      udp_base_e2_q   <= udp_base_e1_q;
      hop_place_e2_q  <= hop_place_e1_q;
      hop_word_e2_q   <= hop_word_e1_q;
      entry_e2_q      <= {raw_e1_q[75:28], qlen};
    end
  end

  // ---------------------------------------------------------------- e2: UDP checksum, headers
  logic [63:0]  entry_wire;      // as bytes, first lowest
  logic [18:0]  udp_total;
  logic [15:0]  udp_check;
  logic [511:0] patched;
  logic [10:0]  place_end;       // behind the entry, at byte 4 * place_end + 2
  logic [4:0]   place_rel;       // and counted from the beat

  for (genvar k = 0; k < 8; k++) begin : gen_wire
    assign entry_wire[8*k +: 8] = entry_e2_q[8*(7-k) +: 8];
  end

  assign udp_total = {3'b0, udp_base_e2_q} + {3'b0, entry_wire[15:0]} + {3'b0, entry_wire[31:16]} +
                     {3'b0, entry_wire[47:32]} + {3'b0, entry_wire[63:48]};

  gw_udp_sum u_udp_sum (
    .sum_i  ({5'b0, udp_total}),
    .used_i (udp_summed_e2_q),
    .check_o(udp_check)
  );

  intmd_patch u_patch (
    .data_i     (data_e2_q),
    .number_i   (number_e2_q),
    .patch_i    (inserted_e2_q),
    .tags_i     (tags_e2_q),
    .l3_i       (l3_e2_q),
    .udp_place_i(udp_place_e2_q),
    .udp_i      ({udp_check, udp_len_e2_q}),
    .hop_place_i(hop_place_e2_q),
    .hop_word_i (hop_word_e2_q),
    .data_o     (patched)
  );

  assign place_end = {1'b0, place_e2_q} + 11'd2;
  assign place_rel = {place_end[4] ^ number_e2_q[0], place_end[3:0]};

  // ---------------------------------------------------------------- e2 to e3
  logic         vld_e3_q;
  logic [511:0] data_e3_q;
  logic [63:0]  tail_q;          // last 8 bytes of the beat before
  logic [63:0]  keep_e3_q;
  logic         last_e3_q;
  logic [6:0]   bytes_e3_q;
  logic         inserted_e3_q;
  logic [3:0]   cause_e3_q;
  logic [7:0]   hops_e3_q;
  logic [7:0]   out_port_e3_q;
  logic [63:0]  entry_e3_q;
  logic         before_e3_q;
  logic         behind_e3_q;
  logic [4:0]   place_e3_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      vld_e2_q <= 1'b0;
      vld_e3_q <= 1'b0;
    end else begin
      vld_e2_q <= vld_e1_q;
      vld_e3_q <= vld_e2_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (vld_e2_q) begin
      data_e3_q     <= patched;
      keep_e3_q     <= keep_e2_q;
      last_e3_q     <= last_e2_q;
      bytes_e3_q    <= bytes_e2_q;
      inserted_e3_q <= inserted_e2_q;
      cause_e3_q    <= cause_e2_q;
      hops_e3_q     <= hops_e2_q;
      out_port_e3_q <= out_port_e2_q;
      entry_e3_q    <= entry_wire;
      before_e3_q   <= ~inserted_e2_q |
                       ({1'b0, place_e2_q} >= ({1'b0, number_e2_q, 4'b0} + 11'd16));
      behind_e3_q   <= inserted_e2_q & (place_end < {1'b0, number_e2_q, 4'b0});
      place_e3_q    <= place_rel;
    end
    if (vld_e3_q) tail_q <= data_e3_q[511:448];
  end

  // ---------------------------------------------------------------- e3: insertion, push
  logic [511:0] opened;
  logic [511:0] byte_mask;
  logic [63:0]  keep_mask;
  logic         cut;             // bytes that do not count become 0
  intmd_tx_t    out_e3;
  logic         tx_take;

  intmd_insert u_insert (
    .data_i  (data_e3_q),
    .tail_i  (tail_q),
    .entry_i (entry_e3_q),
    .before_i(before_e3_q),
    .behind_i(behind_e3_q),
    .place_i (place_e3_q),
    .data_o  (opened)
  );

  assign cut       = inserted_e3_q & last_e3_q;
  assign byte_mask = cut ? ~({512{1'b1}} << {bytes_e3_q, 3'b000}) : {512{1'b1}};
  assign keep_mask = last_e3_q ? ~({64{1'b1}} << bytes_e3_q) : {64{1'b1}};  // of an inserted packet

  assign out_e3.data     = opened & byte_mask;
  assign out_e3.keep     = inserted_e3_q ? keep_mask : keep_e3_q;
  assign out_e3.last     = last_e3_q;
  assign out_e3.out_port = out_port_e3_q;
  assign out_e3.inserted = inserted_e3_q;
  assign out_e3.cause    = cause_e3_q;
  assign out_e3.hops     = hops_e3_q;

  gw_rsp_fifo #(.Width(intmd_pkg::TX_W), .Rows(intmd_pkg::OUT)) u_tx_fifo (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .push_i (vld_e3_q),
    .data_i (out_e3),
    .valid_o(tx_valid_o),
    .ready_i(tx_ready_i),
    .data_o (tx_o),
    .take_o (tx_take)
  );

  // The output FIFO takes when tx does. The clock has 24 bits.
  logic unused;
  assign unused = tx_take ^ (^cfg_data[31:24]);
endmodule
