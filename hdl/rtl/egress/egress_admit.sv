// Admission of the egress block: admit, trim or drop one packet. A packet that is due to be trimmed
// is booked with the length that it will have; one that cannot be trimmed is dropped.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    egress/contract.md "Admission". Content is that after the grant of the same cycle.
module egress_admit (
  input  logic [1:0]   cls_i,
  input  logic [15:0]  len_i,
  input  logic         trimmable_i,
  input  logic [15:0]  trim_size_i,   // its length once trimmed; 0: it cannot be trimmed
  input  logic         last_hop_i,
  input  logic [31:0]  bytes0_i,
  input  logic [31:0]  bytes1_i,
  input  logic [31:0]  bytes2_i,
  input  logic [2:0]   full_i,
  input  logic [31:0]  shared_bytes_i,
  input  egress_regs_t regs_i,
  output logic         trimmed_o,
  output logic [1:0]   cls_o,
  output logic [15:0]  len_o,
  output logic         drop_o,
  output logic [2:0]   cause_o,
  output logic [31:0]  depth_o        // content of the queue after the event
);
  logic        due;               // over the trim threshold
  logic        can_trim;
  logic [31:0] trim_limit;
  logic [31:0] drop_limit;
  logic [31:0] bytes;
  logic        full;
  logic [32:0] low_after;
  logic [32:0] after;
  logic [32:0] shared_after;

  assign trim_limit = last_hop_i ? regs_i.TRIM_LASTHOP : regs_i.TRIM;
  assign low_after  = {1'b0, bytes0_i} + {17'b0, len_i};
  assign due        = (cls_i == egress_pkg::CLS_LOW) & trimmable_i & regs_i.TRIM_EN &
                      (low_after > {1'b0, trim_limit});
  assign can_trim   = (trim_size_i != '0);
  assign trimmed_o  = due & can_trim;
  assign cls_o      = trimmed_o ? egress_pkg::CLS_MEDIUM : cls_i;
  assign len_o      = trimmed_o ? trim_size_i : len_i;

  assign drop_limit = cls_o[1] ? regs_i.DROP_HIGH : (cls_o[0] ? regs_i.DROP_MED : regs_i.DROP_LOW);
  assign bytes      = cls_o[1] ? bytes2_i : (cls_o[0] ? bytes1_i : bytes0_i);
  assign full       = cls_o[1] ? full_i[2] : (cls_o[0] ? full_i[1] : full_i[0]);

  assign after        = {1'b0, bytes} + {17'b0, len_o};
  assign shared_after = {1'b0, shared_bytes_i} + {17'b0, len_o};

  assign cause_o = (due & ~can_trim)                      ? egress_pkg::CAUSE_UNTRIMMABLE :
                   (after > {1'b0, drop_limit})           ? egress_pkg::CAUSE_LIMIT :
                   (shared_after > {1'b0, regs_i.SHARED}) ? egress_pkg::CAUSE_SHARED :
                   full                                   ? egress_pkg::CAUSE_FULL :
                                                            egress_pkg::CAUSE_NONE;
  assign drop_o  = (cause_o != egress_pkg::CAUSE_NONE);
  assign depth_o = drop_o ? bytes : after[31:0];
endmodule
