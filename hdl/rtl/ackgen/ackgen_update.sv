// What a job leaves in its PDC, and what its answer tells of it.
//
// Latency:     inputs of c4, outputs in c5.
// Throughput:  one job at a time.
// Comb. paths: none from an input but control_i, trigger_i, opened_i and what ackgen_verdict holds.
// Reset:       none; payload only.
// Contract:    ackgen/contract.md "Job of a packet" 3 and 4. A state is want_close, refuse, rod,
//              started, asking, ce, start, cack, rcvd, pending, asked, seen.
module ackgen_update (
  input  logic         clk_i,
  input  logic         step_i,          // c4
  // registers
  input  logic [3:1]   control_i,
  input  logic [31:0]  trigger_i,
  input  logic [15:0]  min_add_i,
  input  logic [7:0]   nominal_i,
  // the request
  input  logic         ce_i,
  input  logic         cp_i,
  input  logic         ar_i,
  input  logic         syn_i,
  input  logic [31:0]  psn_i,
  input  logic [31:0]  base_i,
  input  logic [15:0]  plen_i,
  // its PDC and what becomes of it
  input  logic [2:0]   verdict_i,
  input  logic         has_pdc_i,
  input  logic         opened_i,
  input  logic [421:0] state_i,
  input  logic [31:0]  d_i,
  // c5
  output logic         key_we_o,
  output logic         valid_o,         // of the PDC, where key_we_o
  output logic         state_we_o,
  output logic [421:0] state_o,
  output logic         answered_o,
  output logic         plain_o,         // by an ACK, not an ACK_CC
  output logic         ce_o,            // of the PDC, before it is cleared
  output logic [31:0]  cack_o,
  output logic [31:0]  delta_o,         // psn - cack
  output logic [31:0]  base_delta_o,    // base - cack, of a probe
  output logic [31:0]  rcvd_o,
  output logic [255:0] seen_o
);
  // ---------------------------------------------------------------- c4
  logic         want_close, refuse, rod, started, asking, ce;
  logic [31:0]  start, cack, rcvd, pending, asked;
  logic [255:0] seen;
  logic         accepted;
  logic         refused;
  logic         asks;                   // an ACK request
  logic         early;                  // nothing happens
  logic         ce_new;
  logic [255:0] marked;                 // seen with the bit of an accepted packet
  logic [27:0]  ones;                   // below the lowest zero, of each quarter
  logic [8:0]   n;
  logic [31:0]  size;
  logic [31:0]  add;
  logic [32:0]  pending_sum;
  logic [31:0]  ask_psn;
  logic         ask;

  assign {want_close, refuse, rod, started, asking, ce, start, cack, rcvd, pending, asked, seen} =
      state_i;

  assign accepted = (verdict_i == ackgen_pkg::VERDICT_ACCEPTED);
  assign refused  = (verdict_i == ackgen_pkg::VERDICT_REFUSED);
  assign asks     = (verdict_i == ackgen_pkg::VERDICT_ASKED);
  assign early    = (verdict_i == ackgen_pkg::VERDICT_EARLY);
  assign ce_new   = ce | (ce_i & ~refused);

  for (genvar k = 0; k < 256; k++) begin : gen_marked
    localparam logic [7:0] Place = k[7:0];
    assign marked[k] = seen[k] | (accepted & (d_i[7:0] == Place));
  end

  for (genvar k = 0; k < 4; k++) begin : gen_ones
    gw_ones_below u_ones (.keep_i(marked[64*k +: 64]), .count_o(ones[7*k +: 7]));
  end

  assign n = !accepted ? 9'd0 :
             !ones[6]  ? {2'b0, ones[6:0]} :
             !ones[13] ? 9'd64 + {2'b0, ones[13:7]} :
             !ones[20] ? 9'd128 + {2'b0, ones[20:14]} : 9'd192 + {2'b0, ones[27:21]};

  assign size         = {16'b0, plen_i} + {24'b0, nominal_i};
  assign add          = (size < {16'b0, min_add_i}) ? {16'b0, min_add_i} : size;
  assign pending_sum  = {1'b0, pending} + {1'b0, add};
  assign ask_psn      = psn_i + {31'b0, cp_i};
  assign ask          = ((accepted & ar_i) | (asks & (d_i[31:8] == '0))) &
                        (~asking | ($signed(asked - ask_psn) < 0));

  // ---------------------------------------------------------------- c4 to c5
  logic         now_q;                  // acknowledge whatever is pending
  logic         started_q, asking_q, ce_q;
  logic [31:0]  delta_q;                // psn - cack, of the old cack
  logic [31:0]  rcvd_q, pending_q, asked_q;
  logic [255:0] marked_q;
  logic [8:0]   n_q;

  always_ff @(posedge clk_i) begin
    if (step_i) begin
      now_q        <= ~refused & ~early & (~accepted | ~started | ar_i | (control_i[1] & ce_new) |
                                  (control_i[2] & syn_i) | (asking & ($signed(psn_i - asked) < 0)));
      started_q    <= started | accepted;
      asking_q     <= asking | ask;
      ce_q         <= ce_new;
      delta_q      <= d_i + 32'd1;
      base_delta_o <= base_i - cack;
      rcvd_q       <= accepted ? rcvd + size : rcvd;
      pending_q    <= !accepted       ? pending :
                      pending_sum[32] ? '1 : pending_sum[31:0];
      asked_q      <= ask ? ask_psn : asked;
      marked_q     <= marked;
      n_q          <= n;
    end
  end

  // ---------------------------------------------------------------- c5
  logic closed;
  logic acknowledged;
  logic asking_new;                     // none that has come below the window

  assign closed       = (verdict_i == ackgen_pkg::VERDICT_CLOSED);
  assign acknowledged = now_q | (accepted & (pending_q >= trigger_i));
  assign answered_o   = acknowledged | refused;
  assign seen_o       = marked_q >> n_q;
  assign plain_o      = (closed | ~cp_i) & control_i[3] & (seen_o == '0);
  assign ce_o         = ce_q;
  assign cack_o       = closed ? psn_i : cack + {23'b0, n_q};
  assign asking_new   = asking_q & (~accepted | ($signed(cack_o + 32'd1 - asked_q) < 0));
  assign delta_o      = closed ? 32'b0 : delta_q - {23'b0, n_q};
  assign rcvd_o       = rcvd_q;

  assign key_we_o   = opened_i | closed;
  assign valid_o    = ~closed;
  assign state_we_o = has_pdc_i & (opened_i | ~refused);
  assign state_o    = {want_close, refuse, rod, started_q, asking_new, ce_q & ~acknowledged, start,
                       cack_o, rcvd_q, acknowledged ? 32'b0 : pending_q, asked_q, seen_o};

`ifdef GW_ASSERT
  // A bit of seen is set once.
  a_new: assert property (@(posedge clk_i)
      (step_i && accepted) |-> !seen[d_i[7:0]] && (d_i[31:8] == '0))
    else $error("ackgen_update: a packet is accepted that had arrived or is out of range");
`endif
endmodule
