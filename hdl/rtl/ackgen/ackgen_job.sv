// Job of a packet: its PDC found, what becomes of it, its indication and its answer.
//
// Latency:     indication and words of the PDC in c5; the answer BUILD (4) cycles later.
// Throughput:  one job at a time; ackgen_jobs names its cycles.
// Comb. paths: cfg_we_i, cfg_key_i and cfg_state_i to memories only; none to an output.
// Reset:       no answer on its way; payload keeps its value.
// Contract:    ackgen/contract.md "Job of a packet", "Answers". A key is valid, ipv6, spdcid, src;
//              a state is want_close, refuse, rod, started, asking, ce, start, cack, rcvd, pending,
//              asked, seen.
//
// req_q is the request whose job runs, and holds until the next starts.
module ackgen_job #(
  parameter int Pdcs = 16,
  parameter int PdcW = 4,             // clog2(Pdcs)
  parameter int Lanes = 16,           // PDCs in a row of keys
  parameter int Rows = 1,
  parameter int RowW = 1              // clog2(Rows), at least 1
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            sweep_i,    // PDC sweep_pdc_i becomes 0
  input  logic [PdcW-1:0] sweep_pdc_i,
  input  ackgen_regs_t    regs_i,
  input  logic [31:0]     tick_i,
  input  logic [15:0]     phase_i,
  // the sequence
  input  logic            start_i,
  input  logic [706:0]    req_i,      // where start_i
  input  logic            scan_i,
  input  logic [RowW-1:0] scan_row_i,
  input  logic [5:1]      step_i,
  input  logic            cfg_start_i,
  input  logic            cfg_step_i, // k1
  // a cfg event's PDC: named in k0, read and written in k2
  input  logic [PdcW-1:0] cfg_pdc_i,
  output logic [145:0]    key_o,
  output logic [421:0]    state_o,
  input  logic            cfg_we_i,
  input  logic [145:0]    cfg_key_i,
  input  logic [421:0]    cfg_state_i,
  // c5
  output ackgen_ind_t     ind_o,
  output logic [9:0]      inc_o,      // counters from accepted on
  // four cycles later
  output logic            built_o,
  output logic [31:0]     tag_o,
  output logic [6:0]      length_o,
  output logic [815:0]    frame_o
);
  localparam logic [3:0] Close = 4'd4;
  localparam logic [3:0] Probe = 4'd6;

  // ---------------------------------------------------------------- the request
  logic [706:0] req_q;

  always_ff @(posedge clk_i) begin
    if (start_i) req_q <= req_i;
  end

  logic [175:0] l2;
  logic [1:0]   tags;
  logic         ipv6;
  logic [7:0]   proto;
  logic [127:0] src, dst;
  logic [31:0]  ports;
  logic [15:0]  plen;
  logic [31:0]  stamp, tag;
  logic [15:0]  phase;
  logic         ce;
  logic [5:0]   dscp;
  logic         cp;
  logic [3:0]   ctl_type;
  logic         rod, retx, ar, syn;
  logic [31:0]  psn, base;
  logic [15:0]  spdcid, dpdcid, opaque;

  ackgen_fields u_fields (
    .req_i     (req_q),
    .l2_o      (l2),
    .tags_o    (tags),
    .ipv6_o    (ipv6),
    .proto_o   (proto),
    .src_o     (src),
    .dst_o     (dst),
    .ports_o   (ports),
    .plen_o    (plen),
    .stamp_o   (stamp),
    .phase_o   (phase),
    .tag_o     (tag),
    .ce_o      (ce),
    .dscp_o    (dscp),
    .cp_o      (cp),
    .ctl_type_o(ctl_type),
    .rod_o     (rod),
    .retx_o    (retx),
    .ar_o      (ar),
    .syn_o     (syn),
    .psn_o     (psn),
    .spdcid_o  (spdcid),
    .dpdcid_o  (dpdcid),
    .opaque_o  (opaque),
    .base_o    (base)
  );

  // ---------------------------------------------------------------- its PDC, c1 to c3
  logic            missing, opened, other;
  logic [PdcW-1:0] pdc;
  logic [31:0]     d;
  logic            key_we, state_we, valid_new;
  logic [421:0]    state_new;

  ackgen_pdc #(.Pdcs(Pdcs), .PdcW(PdcW), .Lanes(Lanes), .Rows(Rows), .RowW(RowW)) u_pdc (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .sweep_i    (sweep_i),
    .sweep_pdc_i(sweep_pdc_i),
    .start_i    (start_i),
    .scan_i     (scan_i),
    .scan_row_i (scan_row_i),
    .step_i     (step_i[2:1]),
    .cfg_start_i(cfg_start_i),
    .cfg_step_i (cfg_step_i),
    .cfg_pdc_i  (cfg_pdc_i),
    .syn_i      (syn),
    .cp_i       (cp),
    .rod_i      (rod),
    .ipv6_i     (ipv6),
    .src_i      (src),
    .spdcid_i   (spdcid),
    .dpdcid_i   (dpdcid),
    .psn_i      (psn),
    .missing_o  (missing),
    .opened_o   (opened),
    .pdc_o      (pdc),
    .key_o      (key_o),
    .state_o    (state_o),
    .d_o        (d),
    .other_o    (other),
    .key_we_i   (cfg_we_i | (step_i[5] & key_we)),
    .state_we_i (cfg_we_i | (step_i[5] & state_we)),
    .key_i      (cfg_we_i ? cfg_key_i : {valid_new, key_o[144:0]}),
    .state_i    (cfg_we_i ? cfg_state_i : state_new)
  );

  // ---------------------------------------------------------------- verdict, c3
  logic [2:0] verdict;
  logic [7:0] nack_code;
  logic       has_pdc;

  ackgen_verdict u_verdict (
    .clk_i      (clk_i),
    .step_i     (step_i[3]),
    .mpr_i      (regs_i.MPR),
    .trimmed_i  (regs_i.TRIMMED),
    .lasthop_i  (regs_i.TRIMMED_LASTHOP),
    .cp_i       (cp),
    .ctl_type_i (ctl_type),
    .rod_i      (rod),
    .syn_i      (syn),
    .dscp_i     (dscp),
    .ipv6_i     (ipv6),
    .src_i      (src),
    .spdcid_i   (spdcid),
    .missing_i  (missing),
    .key_i      (key_o),
    .pdc_rod_i  (state_o[419]),
    .refuse_i   (state_o[420]),
    .seen_i     (state_o[255:0]),
    .d_i        (d),
    .other_i    (other),
    .verdict_o  (verdict),
    .nack_code_o(nack_code),
    .has_pdc_o  (has_pdc)
  );

  // ---------------------------------------------------------------- what is new, c4, c5
  logic         answered, plain, ce_new, nack;
  logic [31:0]  cack, delta, base_delta, rcvd;
  logic [255:0] seen;

  ackgen_update u_update (
    .clk_i       (clk_i),
    .step_i      (step_i[4]),
    .control_i   (regs_i.CONTROL[3:1]),
    .trigger_i   (regs_i.TRIGGER),
    .min_add_i   (regs_i.MIN_ADD),
    .nominal_i   (regs_i.NOMINAL),
    .ce_i        (ce),
    .cp_i        (cp),
    .ar_i        (ar),
    .syn_i       (syn),
    .psn_i       (psn),
    .base_i      (base),
    .plen_i      (plen),
    .verdict_i   (verdict),
    .has_pdc_i   (has_pdc),
    .opened_i    (opened),
    .state_i     (state_o),
    .d_i         (d),
    .key_we_o    (key_we),
    .valid_o     (valid_new),
    .state_we_o  (state_we),
    .state_o     (state_new),
    .answered_o  (answered),
    .plain_o     (plain),
    .ce_o        (ce_new),
    .cack_o      (cack),
    .delta_o     (delta),
    .base_delta_o(base_delta),
    .rcvd_o      (rcvd),
    .seen_o      (seen)
  );

  // ---------------------------------------------------------------- indication, counters, c5
  logic [15:0] pdcid;
  logic [2:0]  counted;

  assign nack    = (verdict == ackgen_pkg::VERDICT_REFUSED);
  assign pdcid   = has_pdc ? {{(16-PdcW){1'b0}}, pdc} + 16'd1 : 16'd0;
  assign ind_o   = {tag, verdict, nack_code, pdcid, psn, opened, answered};
  assign counted = step_i[5] ? verdict : 3'd0;

  assign inc_o[0] = (counted == ackgen_pkg::VERDICT_ACCEPTED);
  assign inc_o[1] = (counted == ackgen_pkg::VERDICT_DUPLICATE);
  assign inc_o[2] = (counted == ackgen_pkg::VERDICT_ASKED);
  assign inc_o[3] = (counted == ackgen_pkg::VERDICT_PROBED);
  assign inc_o[4] = (counted == ackgen_pkg::VERDICT_CLOSED);
  assign inc_o[5] = (counted == ackgen_pkg::VERDICT_EARLY);
  assign inc_o[6] = (counted == ackgen_pkg::VERDICT_REFUSED);
  assign inc_o[7] = step_i[5] & opened;
  assign inc_o[8] = step_i[5] & answered & ~nack & plain;
  assign inc_o[9] = step_i[5] & answered & ~nack & ~plain;

  // ---------------------------------------------------------------- answer
  logic [31:0] ticks;                // since the last beat issued
  logic [15:0] service;

  assign ticks   = tick_i - stamp - {31'b0, phase_i < phase};
  assign service = (ticks == '0) ? 16'd1 : (ticks[31:16] != '0) ? '1 : ticks[15:0];

  ackgen_build u_build (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .load_i      (step_i[5] & answered),
    .l2_i        (l2),
    .tags_i      (tags),
    .ipv6_i      (ipv6),
    .proto_i     (proto),
    .src_i       (src),
    .dst_i       (dst),
    .ports_i     (ports),
    .tag_i       (tag),
    .retx_i      (retx),
    .p_i         (cp & (ctl_type != Close)),
    .probe_i     (cp & (ctl_type == Probe)),
    .opaque_i    (opaque),
    .psn_i       (psn),
    .spdcid_i    (spdcid),
    .nack_i      (nack),
    .plain_i     (plain),
    .m_i         (nack ? ce : ce_new),
    .want_close_i(state_o[421]),
    .nack_code_i (nack_code),
    .pdcid_i     (pdcid),
    .cack_i      (cack),
    .delta_i     (delta),
    .base_delta_i(base_delta),
    .seen_i      (seen),
    .rcvd_i      (rcvd),
    .service_i   (service),
    .mpr_i       (regs_i.MPR),
    .pressure_i  (regs_i.PRESSURE),
    .dscp_i      (regs_i.ACK_DSCP),
    .push_o      (built_o),
    .tag_o       (tag_o),
    .length_o    (length_o),
    .frame_o     (frame_o)
  );

  // What decides before, and what others need.
  logic unused;
  assign unused = (^regs_i.UDP_PORT) ^ (^regs_i.NATIVE) ^ regs_i.CONTROL[0] ^ (^regs_i.TICK);
endmodule
