// The queues of one traffic class, of all ports: descriptors, content, counters.
//
// Latency:     addresses in s0 and s1, view and update in s2; marks one stage later.
// Throughput:  one append and one removal a cycle; two removals of one port 2 cycles apart.
// Comb. paths: pop_i, same_port_i to the enq view, with addr_i to word_o; *_s3_i to marks_s3_o.
// Reset:       none of its own; the sweep clears one port a cycle.
// Contract:    egress/contract.md "State". Content is the difference of two running sums, one
//              that only the enq side writes and one that only the deq side writes, so that each
//              table has one writer: bytes = in - out, packets = write pointer - read pointer.
//
// The read pointer is looked up in s0, the descriptor in s1: two grants of one port are DEQ_GAP = 2
// cycles apart, so that the lookup of the later sees the removal of the earlier.
module egress_queue #(
  parameter int NumPorts = 4,
  parameter int Depth    = 64,
  parameter int PortW    = 2
) (
  input  logic             clk_i,
  input  logic             sweep_i,          // clear the row sweep_row_i
  input  logic [PortW-1:0] sweep_row_i,
  input  logic [PortW-1:0] deq_port_s0_i,
  input  logic [PortW-1:0] deq_port_s1_i,
  input  logic [PortW-1:0] deq_port_s2_i,
  input  logic [PortW-1:0] deq_port_s3_i,
  input  logic [PortW-1:0] enq_port_s1_i,
  input  logic [PortW-1:0] enq_port_s2_i,
  input  logic             same_port_i,      // s2: event and grant name one port
  // s2, the grant: before it
  output logic             busy_o,
  output logic             one_o,            // exactly one packet
  output logic [50:0]      desc_o,           // first descriptor: id, len, trimmed, last_hop, ect
  output logic [31:0]      deq_bytes_o,
  input  logic             pop_i,
  // s2, the event: after the grant
  output logic [31:0]      enq_bytes_o,
  output logic             full_o,
  input  logic             push_i,
  input  logic [50:0]      desc_i,
  input  logic             trim_i,           // count
  input  logic             drop_i,           // count
  input  logic             load_i,           // LOAD of a word of this class
  input  logic [3:0]       addr_i,           // of a word; READ and LOAD of others are refused
  input  logic [31:0]      data_i,
  output logic [31:0]      word_o,           // words 0 .. 7
  // s3
  input  logic             mark_s3_i,        // count
  input  logic             same_port_s3_i,
  output logic [31:0]      marks_s3_o        // word 8 for the event, after the grant
);
  localparam int SlotW = $clog2(Depth);
  localparam int PtrW  = SlotW + 1;
  localparam int SumW  = PtrW + 32;
  localparam int DescRows = NumPorts * Depth;
  localparam int DescRowW = (NumPorts > 1) ? PortW + SlotW : SlotW;
  localparam logic [PtrW-1:0] Full = Depth[PtrW-1:0];
  localparam logic [PtrW-1:0] One  = {{SlotW{1'b0}}, 1'b1};

  // ---------------------------------------------------------------- running sums {pointer, bytes}
  logic [SumW-1:0]  in_deq;        // what went in, for the grant's port
  logic [SumW-1:0]  in_enq;        // and for the event's
  logic [SumW-1:0]  out_s1;
  logic [SumW-1:0]  out_deq_q;
  logic [SumW-1:0]  out_enq;
  logic [SumW-1:0]  in_new;
  logic [SumW-1:0]  out_new;
  logic             in_we;
  logic             out_we;
  logic [PortW-1:0] in_row;
  logic [PortW-1:0] out_row;
  logic [15:0]      pop_len;
  logic [15:0]      push_len;
  logic [PtrW-1:0]  deq_packets;
  logic [PtrW-1:0]  enq_packets;
  logic             pop_here;      // the grant removes from the event's queue

  assign pop_len  = desc_o[18:3];
  assign push_len = desc_i[18:3];
  assign in_new   = {in_enq[SumW-1:32] + One, in_enq[31:0] + {16'b0, push_len}};
  assign out_new  = {out_deq_q[SumW-1:32] + One, out_deq_q[31:0] + {16'b0, pop_len}};
  assign in_we    = sweep_i | push_i;
  assign out_we   = sweep_i | pop_i;
  assign in_row   = sweep_i ? sweep_row_i : enq_port_s2_i;
  assign out_row  = sweep_i ? sweep_row_i : deq_port_s2_i;

  gw_fwd_ram2 #(.Width(SumW), .Rows(NumPorts), .AddrW(PortW)) u_in (
    .clk_i    (clk_i),
    .we_i     (in_we),
    .waddr_i  (in_row),
    .wdata_i  (sweep_i ? {SumW{1'b0}} : in_new),
    .raddr_a_i(enq_port_s1_i),
    .rdata_a_o(in_enq),
    .raddr_b_i(deq_port_s1_i),
    .rdata_b_o(in_deq)
  );

  gw_fwd_ram2 #(.Width(SumW), .Rows(NumPorts), .AddrW(PortW)) u_out (
    .clk_i    (clk_i),
    .we_i     (out_we),
    .waddr_i  (out_row),
    .wdata_i  (sweep_i ? {SumW{1'b0}} : out_new),
    .raddr_a_i(enq_port_s1_i),
    .rdata_a_o(out_enq),
    .raddr_b_i(deq_port_s0_i),
    .rdata_b_o(out_s1)
  );

  always_ff @(posedge clk_i) out_deq_q <= out_s1;

  assign deq_packets = in_deq[SumW-1:32] - out_deq_q[SumW-1:32];
  assign deq_bytes_o = in_deq[31:0] - out_deq_q[31:0];
  assign busy_o      = (deq_packets != '0);
  assign one_o       = (deq_packets == One);

  assign pop_here    = pop_i & same_port_i;
  assign enq_packets = in_enq[SumW-1:32] - out_enq[SumW-1:32] - {{SlotW{1'b0}}, pop_here};
  assign enq_bytes_o = in_enq[31:0] - out_enq[31:0] - (pop_here ? {16'b0, pop_len} : 32'b0);
  assign full_o      = (enq_packets == Full);

  // ---------------------------------------------------------------- descriptors
  logic [DescRowW-1:0] desc_wrow;
  logic [DescRowW-1:0] desc_rrow;

  if (NumPorts > 1) begin : gen_rows
    assign desc_wrow = {enq_port_s2_i, in_enq[SumW-2:32]};
    assign desc_rrow = {deq_port_s1_i, out_s1[SumW-2:32]};
  end else begin : gen_rows_one
    assign desc_wrow = in_enq[SumW-2:32];
    assign desc_rrow = out_s1[SumW-2:32];
  end

  gw_fwd_ram #(.Width(51), .Rows(DescRows), .AddrW(DescRowW)) u_desc (
    .clk_i  (clk_i),
    .we_i   (push_i),
    .waddr_i(desc_wrow),
    .wdata_i(desc_i),
    .raddr_i(desc_rrow),
    .rdata_o(desc_o)
  );

  // ---------------------------------------------------------------- counters of the enq side
  logic [63:0] admitted;       // enq_pkts, enq_bytes
  logic [63:0] admitted_new;
  logic [63:0] judged;         // trims, drops
  logic [63:0] judged_new;
  logic        load_enq;
  logic        load_judged;

  assign load_enq    = load_i & ((addr_i == egress_pkg::WORD_ENQ_PKTS[3:0]) |
                                 (addr_i == egress_pkg::WORD_ENQ_BYTES[3:0]));
  assign load_judged = load_i & ((addr_i == egress_pkg::WORD_TRIMS[3:0]) |
                                 (addr_i == egress_pkg::WORD_DROPS[3:0]));
  // The words of a pair differ in the lowest address bit.
  assign admitted_new = sweep_i ? 64'b0 :
                        load_i  ? (addr_i[0] ? {admitted[63:32], data_i} :
                                               {data_i, admitted[31:0]}) :
                        {admitted[63:32] + 32'd1, admitted[31:0] + {16'b0, push_len}};
  assign judged_new   = sweep_i ? 64'b0 :
                        load_i  ? (addr_i[0] ? {judged[63:32], data_i} :
                                               {data_i, judged[31:0]}) :
                        {judged[63:32] + {31'b0, trim_i}, judged[31:0] + {31'b0, drop_i}};

  gw_fwd_ram #(.Width(64), .Rows(NumPorts), .AddrW(PortW)) u_admitted (
    .clk_i  (clk_i),
    .we_i   (in_we | load_enq),
    .waddr_i(in_row),
    .wdata_i(admitted_new),
    .raddr_i(enq_port_s1_i),
    .rdata_o(admitted)
  );

  gw_fwd_ram #(.Width(64), .Rows(NumPorts), .AddrW(PortW)) u_judged (
    .clk_i  (clk_i),
    .we_i   (sweep_i | trim_i | drop_i | load_judged),
    .waddr_i(in_row),
    .wdata_i(judged_new),
    .raddr_i(enq_port_s1_i),
    .rdata_o(judged)
  );

  // ---------------------------------------------------------------- counters of the deq side
  logic [63:0]      served_deq;   // deq_pkts, deq_bytes
  logic [63:0]      served_enq;
  logic [63:0]      served_inc;
  logic [63:0]      served_view;
  logic [63:0]      served_new;
  logic             load_served;
  logic [PortW-1:0] served_row;

  assign load_served = load_i & ((addr_i == egress_pkg::WORD_DEQ_PKTS[3:0]) |
                                 (addr_i == egress_pkg::WORD_DEQ_BYTES[3:0]));
  assign served_row  = sweep_i ? sweep_row_i : (load_i ? enq_port_s2_i : deq_port_s2_i);
  assign served_inc  = {served_deq[63:32] + 32'd1, served_deq[31:0] + {16'b0, pop_len}};
  assign served_view = pop_here ? served_inc : served_enq;
  assign served_new  = sweep_i ? 64'b0 :
                       load_i  ? (addr_i[0] ? {served_enq[63:32], data_i} :
                                              {data_i, served_enq[31:0]}) :
                       served_inc;

  gw_fwd_ram2 #(.Width(64), .Rows(NumPorts), .AddrW(PortW)) u_served (
    .clk_i    (clk_i),
    .we_i     (out_we | load_served),
    .waddr_i  (served_row),
    .wdata_i  (served_new),
    .raddr_a_i(enq_port_s1_i),
    .rdata_a_o(served_enq),
    .raddr_b_i(deq_port_s1_i),
    .rdata_b_o(served_deq)
  );

  // Bit 2, 1, 0 of the address pick.
  assign word_o = addr_i[2] ? (addr_i[1] ? (addr_i[0] ? judged[31:0] : judged[63:32]) :
                                           (addr_i[0] ? served_view[31:0] : served_view[63:32])) :
                              (addr_i[1] ? (addr_i[0] ? admitted[31:0] : admitted[63:32]) :
                                           (addr_i[0] ? {{(32-PtrW){1'b0}}, enq_packets} :
                                                        enq_bytes_o));

  // ---------------------------------------------------------------- marks, known one stage later
  logic [31:0]      marks_deq;
  logic [31:0]      marks_enq;
  logic [31:0]      marks_inc;
  logic             load_marks;
  logic [PortW-1:0] marks_row;

  assign load_marks = load_i & (addr_i == egress_pkg::WORD_MARKS[3:0]);
  assign marks_row  = sweep_i ? sweep_row_i : (load_marks ? enq_port_s2_i : deq_port_s3_i);
  assign marks_inc  = marks_deq + 32'd1;
  assign marks_s3_o = (mark_s3_i & same_port_s3_i) ? marks_inc : marks_enq;

  gw_fwd_ram2 #(.Width(32), .Rows(NumPorts), .AddrW(PortW)) u_marks (
    .clk_i    (clk_i),
    .we_i     (sweep_i | load_marks | mark_s3_i),
    .waddr_i  (marks_row),
    .wdata_i  (sweep_i ? 32'b0 : (load_marks ? data_i : marks_inc)),
    .raddr_a_i(enq_port_s2_i),
    .rdata_a_o(marks_enq),
    .raddr_b_i(deq_port_s2_i),
    .rdata_b_o(marks_deq)
  );

`ifdef GW_ASSERT
  // Until the first clock edge in reset the pipeline and the tables hold anything, so nothing can be
  // said of them: these begin with the first sweep. Sampled,
  // not disable iff, which would see a sweep_i of chance at that edge.
  logic swept_q;

  initial swept_q = 1'b0;

  always_ff @(posedge clk_i) begin
    if (sweep_i) swept_q <= 1'b1;
  end

  a_pop: assert property (@(posedge clk_i) (swept_q && pop_i) |-> busy_o)
    else $error("egress_queue: removal from an empty queue");
  a_push: assert property (@(posedge clk_i) (swept_q && push_i) |-> !full_o)
    else $error("egress_queue: append to a full queue");
  a_load: assert property (@(posedge clk_i) (swept_q && load_i) |-> !(pop_i || mark_s3_i))
    else $error("egress_queue: a grant beside a LOAD");
`endif
endmodule
