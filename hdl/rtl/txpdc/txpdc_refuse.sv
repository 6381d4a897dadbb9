// Whether a command is refused: unknown, of no PDC, or with a forbidden address or value.
//
// Latency:     none, combinational.
// Throughput:  not applicable.
// Comb. paths: all inputs to all outputs.
// Reset:       no state.
// Contract:    txpdc/contract.md "Command", first rule.
module txpdc_refuse #(
  parameter int Pdcs = 16
) (
  input  logic [3:0]  kind_i,
  input  logic [15:0] pdc_i,
  input  logic [4:0]  addr_i,
  input  logic [31:0] data_i,
  output logic        refused_o
);
  localparam int NumWords = txpdc_pkg::NUM_WORDS;
  localparam int NumRegs  = txpdc_pkg::NUM_REGS;
  localparam int Window   = txpdc_pkg::WINDOW;
  localparam int LastPdc  = Pdcs - 1;
  localparam logic [4:0]  WordLimit   = NumWords[4:0];
  localparam logic [4:0]  RegLimit    = NumRegs[4:0];
  localparam logic [7:0]  Outstanding = Window[7:0];
  localparam logic [15:0] MaxPdc      = LastPdc[15:0];

  logic outside;                    // there is no such PDC
  logic no_word;                    // no such word of it, or among the counters
  logic forbidden;                  // a value that the register cannot take

  assign outside = (pdc_i > MaxPdc);
  assign no_word = (addr_i >= WordLimit) | (outside & (addr_i < txpdc_pkg::WORD_SENT));

  always_comb begin
    unique case (addr_i)
      txpdc_pkg::REG_PAYLOAD: forbidden = (data_i[3:0] < 4'd7) | (data_i[3:0] > 4'd13);
      txpdc_pkg::REG_RTO:     forbidden = (data_i[23:0] == '0);
      txpdc_pkg::REG_TICK:    forbidden = (data_i[15:0] == '0);
      txpdc_pkg::REG_TRIES:   forbidden = (data_i[3:0] == '0);
      default:                forbidden = 1'b0;
    endcase
  end

  always_comb begin
    unique case (kind_i)
      txpdc_pkg::KIND_LOAD:
        refused_o = no_word | (addr_i == txpdc_pkg::WORD_CAN_SEND) |
                    ((addr_i == txpdc_pkg::WORD_OUTSTANDING) & (data_i[7:0] > Outstanding));
      txpdc_pkg::KIND_READ:      refused_o = no_word;
      txpdc_pkg::KIND_CFG_WRITE: refused_o = (addr_i >= RegLimit) | forbidden;
      txpdc_pkg::KIND_CFG_READ:  refused_o = (addr_i >= RegLimit);
      txpdc_pkg::KIND_OPEN, txpdc_pkg::KIND_CLOSE: refused_o = outside;
      txpdc_pkg::KIND_MESSAGE:   refused_o = outside | (data_i == '0) | data_i[31];
      default:                   refused_o = 1'b1;
    endcase
  end
endmodule
