// Scheduler of the egress block: which class of a port a grant serves; deficits and DRR pointers.
//
// Latency:     addresses in s1, choice and update in s2.
// Throughput:  one grant a cycle.
// Comb. paths: busy_i, len*_i, regs_i to cls_o; these and the other choices of s2 to the views.
// Reset:       none of its own; the sweep clears one port a cycle.
// Contract:    egress/contract.md "Scheduler". One step a grant: a class with enough deficit goes
//              on, otherwise the next busy one gets its quantum.
module egress_sched #(
  parameter int NumPorts = 4,
  parameter int PortW    = 2
) (
  input  logic             clk_i,
  input  logic             sweep_i,
  input  logic [PortW-1:0] sweep_row_i,
  input  logic [PortW-1:0] deq_port_s1_i,
  input  logic [PortW-1:0] deq_port_s2_i,
  input  logic [PortW-1:0] enq_port_s1_i,
  input  logic [PortW-1:0] enq_port_s2_i,
  input  logic             same_port_i,    // s2: event and grant name one port
  input  logic             serve_i,        // s2: a class is busy and one is served
  input  logic [2:0]       busy_i,
  input  logic [2:0]       one_i,          // the class holds one packet
  input  logic [15:0]      len0_i,         // of the first packet of each class
  input  logic [15:0]      len1_i,
  input  logic [15:0]      len2_i,
  input  egress_regs_t     regs_i,
  output logic [2:0]       cls_o,          // one-hot
  input  logic [2:0]       load_deficit_i, // s2: LOAD of the class
  input  logic             load_ptr_i,
  input  logic [23:0]      data_i,
  output logic [23:0]      deficit0_o,     // for the event, after the grant
  output logic [23:0]      deficit1_o,
  output logic [23:0]      deficit2_o,
  output logic [1:0]       ptr_o
);
  localparam int RowBits = 2 + 3 * 24;

  logic [RowBits-1:0] row_deq;
  logic [RowBits-1:0] row_enq;
  logic [RowBits-1:0] row_drr;       // after a DRR step
  logic [RowBits-1:0] row_view;
  logic [RowBits-1:0] row_load;
  logic [RowBits-1:0] row_new;
  logic [PortW-1:0]   row;
  logic               load;
  logic               drr;           // this grant is decided by DRR
  logic [2:0]         elig;
  logic [2:0]         at;            // pointer, one-hot
  logic [2:0]         enough;
  logic               stay;
  logic [2:0]         next1;
  logic [2:0]         next2;
  logic [2:0]         pick;
  logic [1:0]         pick_code;
  logic [23:0]        def     [0:2];
  logic [15:0]        len     [0:2];
  logic [15:0]        quantum [0:2];
  logic [23:0]        def_new [0:2];

  assign len[0]     = len0_i;
  assign len[1]     = len1_i;
  assign len[2]     = len2_i;
  assign quantum[0] = regs_i.QUANTUM_LOW;
  assign quantum[1] = regs_i.QUANTUM_MED;
  assign quantum[2] = regs_i.QUANTUM_HIGH;

  assign drr  = (regs_i.SCHED == egress_pkg::SCHED_DRR) |
                ((regs_i.SCHED == egress_pkg::SCHED_HIGH_DRR) & ~busy_i[2]);
  assign elig = (regs_i.SCHED == egress_pkg::SCHED_HIGH_DRR) ? (busy_i & 3'b011) : busy_i;
  assign at   = {row_deq[73], row_deq[72], ~row_deq[73] & ~row_deq[72]};

  assign stay  = |(at & elig & enough);
  assign next1 = {at[1:0], at[2]};
  assign next2 = {at[0], at[2:1]};
  assign pick  = stay              ? at :
                 (|(elig & next1)) ? next1 :
                 (|(elig & next2)) ? next2 : at;
  assign pick_code = {pick[2], pick[1]};
  assign cls_o = drr       ? pick :
                 busy_i[2] ? 3'b100 :
                 busy_i[1] ? 3'b010 : 3'b001;

  for (genvar c = 0; c < 3; c++) begin : gen_class
    logic [24:0] sum;
    logic [23:0] topped;   // with the quantum, clamped
    logic [23:0] base;
    logic [23:0] need;

    assign def[c]     = row_deq[24*c +: 24];
    assign need       = {8'b0, len[c]};
    assign enough[c]  = (def[c] >= need);
    assign sum        = {1'b0, def[c]} + {9'b0, quantum[c]};
    assign topped     = sum[24] ? 24'hffffff : sum[23:0];
    assign base       = stay ? def[c] : topped;
    assign def_new[c] = !pick[c]                   ? def[c] :
                        (one_i[c] | (base < need)) ? 24'b0 : (base - need);
  end

  assign row_drr  = {pick_code, def_new[2], def_new[1], def_new[0]};
  assign row_view = (serve_i & drr & same_port_i) ? row_drr : row_enq;
  assign row_load = {load_ptr_i        ? data_i[1:0] : row_enq[73:72],
                     load_deficit_i[2] ? data_i      : row_enq[71:48],
                     load_deficit_i[1] ? data_i      : row_enq[47:24],
                     load_deficit_i[0] ? data_i      : row_enq[23:0]};
  assign load     = load_ptr_i | (|load_deficit_i);
  assign row      = sweep_i ? sweep_row_i : (load ? enq_port_s2_i : deq_port_s2_i);
  assign row_new  = sweep_i ? {RowBits{1'b0}} : (load ? row_load : row_drr);

  gw_fwd_ram2 #(.Width(RowBits), .Rows(NumPorts), .AddrW(PortW)) u_state (
    .clk_i    (clk_i),
    .we_i     (sweep_i | load | (serve_i & drr)),
    .waddr_i  (row),
    .wdata_i  (row_new),
    .raddr_a_i(enq_port_s1_i),
    .rdata_a_o(row_enq),
    .raddr_b_i(deq_port_s1_i),
    .rdata_b_o(row_deq)
  );

  assign deficit0_o = row_view[23:0];
  assign deficit1_o = row_view[47:24];
  assign deficit2_o = row_view[71:48];
  assign ptr_o      = row_view[73:72];

`ifdef GW_ASSERT
  // Until the first clock edge in reset the pipeline and the tables hold anything, so nothing can be
  // said of them: these begin with the first sweep. Sampled,
  // not disable iff, which would see a sweep_i of chance at that edge.
  logic swept_q;

  initial swept_q = 1'b0;

  always_ff @(posedge clk_i) begin
    if (sweep_i) swept_q <= 1'b1;
  end

  a_alone: assert property (@(posedge clk_i) (swept_q && load) |-> !serve_i)
    else $error("egress_sched: a grant beside a LOAD");
  a_busy: assert property (@(posedge clk_i) (swept_q && serve_i) |-> ((cls_o & busy_i) != '0))
    else $error("egress_sched: an empty class is served");
`endif
endmodule
