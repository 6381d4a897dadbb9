// What an enq event asks for, and whether it is refused.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    egress/contract.md "enq events" 1 to 4.
module egress_event (
  input  logic [3:0] kind_i,
  input  logic [4:0] addr_i,
  input  logic [1:0] data_i,        // lowest bits of the value
  input  logic       ranged_i,      // port and class are there
  input  logic       reg_known_i,   // addr is a register's
  output logic       is_enq_o,
  output logic       is_read_o,
  output logic       is_load_o,
  output logic       is_write_o,
  output logic       is_cfg_read_o,
  output logic       refused_o
);
  localparam int NumWords = egress_pkg::NUM_WORDS;
  localparam logic [4:0] WordLimit = NumWords[4:0];

  logic bad_word;
  logic fixed_word;      // LOAD refuses it

  assign is_enq_o      = (kind_i == egress_pkg::KIND_ENQ);
  assign is_load_o     = (kind_i == egress_pkg::KIND_LOAD);
  assign is_read_o     = (kind_i == egress_pkg::KIND_READ);
  assign is_write_o    = (kind_i == egress_pkg::KIND_CFG_WRITE);
  assign is_cfg_read_o = (kind_i == egress_pkg::KIND_CFG_READ);

  assign bad_word   = ~ranged_i | (addr_i >= WordLimit);
  assign fixed_word = (addr_i == egress_pkg::WORD_BYTES) |
                      (addr_i == egress_pkg::WORD_PACKETS) |
                      (addr_i == egress_pkg::WORD_PORT_BYTES) |
                      (addr_i == egress_pkg::WORD_SHARED_BYTES) |
                      ((addr_i == egress_pkg::WORD_DRR_PTR) & (data_i == 2'd3));
  assign refused_o  = (is_write_o | is_cfg_read_o) ? ~reg_known_i :
                      is_enq_o                     ? ~ranged_i :
                      is_read_o                    ? bad_word :
                      is_load_o                    ? (bad_word | fixed_word) : 1'b1;
endmodule
