// Decode of an enq event of the egress block: what it asks for, and whether it is refused.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    egress/contract.md "enq events" 1 to 4.
module egress_decode (
  input  logic       valid_i,      // an event is there
  input  logic [3:0] kind_i,
  input  logic [4:0] addr_i,
  input  logic [1:0] data_i,       // its lowest bits: the DRR pointer of a LOAD
  input  logic       ranged_i,     // port and class are there
  input  logic       reg_known_i,  // the address is a register's
  output logic       packet_o,     // an ENQ to execute
  output logic       read_o,       // READ, refused or not
  output logic       cfg_read_o,   // CFG_READ, refused or not
  output logic       refused_o,
  output logic       load_o,       // a LOAD to execute
  output logic       cfg_write_o   // a CFG_WRITE to execute
);
  localparam int NumWords = egress_pkg::NUM_WORDS;
  localparam logic [4:0] WordLimit = NumWords[4:0];

  logic is_enq;
  logic is_load;
  logic is_write;
  logic word_fixed;      // a word that LOAD refuses

  assign is_enq     = (kind_i == egress_pkg::KIND_ENQ);
  assign is_load    = (kind_i == egress_pkg::KIND_LOAD);
  assign read_o     = (kind_i == egress_pkg::KIND_READ);
  assign is_write   = (kind_i == egress_pkg::KIND_CFG_WRITE);
  assign cfg_read_o = (kind_i == egress_pkg::KIND_CFG_READ);
  assign word_fixed = (addr_i == egress_pkg::WORD_BYTES) |
                      (addr_i == egress_pkg::WORD_PACKETS) |
                      (addr_i == egress_pkg::WORD_PORT_BYTES) |
                      (addr_i == egress_pkg::WORD_SHARED_BYTES) |
                      ((addr_i == egress_pkg::WORD_DRR_PTR) & (data_i == 2'd3));
  assign refused_o  = (is_write | cfg_read_o) ? ~reg_known_i :
                      is_enq                  ? ~ranged_i :
                      read_o  ? (~ranged_i | (addr_i >= WordLimit)) :
                      is_load ? (~ranged_i | (addr_i >= WordLimit) | word_fixed) :
                                1'b1;
  assign packet_o    = valid_i & is_enq & ~refused_o;
  assign load_o      = valid_i & is_load & ~refused_o;
  assign cfg_write_o = valid_i & is_write & ~refused_o;
endmodule
