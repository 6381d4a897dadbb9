// Job of an event: whether it is refused, what it changes, its response.
//
// Latency:     EV_BUSY (4) cycles: the event in k0, its sender's state in k1, results in k3.
// Throughput:  one job at a time.
// Comb. paths: step_i to the enables.
// Reset:       none; payload only.
// Contract:    credit/contract.md "Events". A state is open, active, idle, target, granted.
module credit_event #(
  parameter int Senders = 32,
  parameter int SenderW = 5         // clog2(Senders)
) (
  input  logic         clk_i,
  input  logic         start_i,     // k0
  input  logic [3:1]   step_i,      // k1 .. k3
  input  credit_ev_t   ev_i,
  input  logic [50:0]  state_i,     // k1
  output logic [3:0]   addr_o,      // k1 to k3
  output logic [31:0]  data_o,
  // k2: what it may read
  input  logic [31:0]  register_i,
  input  logic [31:0]  count_i,
  input  logic [12:0]  actives_i,
  input  logic [12:0]  idles_i,
  // k3
  output logic [SenderW-1:0] sender_o,
  output logic         state_we_o,
  output logic [50:0]  state_o,
  output logic         joined_o,
  output logic         write_o,     // a register
  output logic         load_o,      // a counter
  output credit_rsp_t  rsp_o
);
  localparam int NumWords = credit_pkg::NUM_WORDS;
  localparam int NumRegs  = credit_pkg::NUM_REGS;
  localparam logic [3:0] WordLimit = NumWords[3:0];
  localparam logic [3:0] RegLimit  = NumRegs[3:0];
  localparam int LastSender = Senders - 1;
  localparam logic [15:0] MaxSender = LastSender[15:0];

  // ---------------------------------------------------------------- k1: its sender
  credit_ev_t  ev_q;
  logic [50:0] state_q;

  always_ff @(posedge clk_i) begin
    if (start_i)   ev_q    <= ev_i;
    if (step_i[1]) state_q <= state_i;
  end

  assign addr_o   = ev_q.addr;
  assign data_o   = ev_q.data;
  assign sender_o = ev_q.sender[SenderW-1:0];

  // ---------------------------------------------------------------- k2: may it
  logic        open, active, idle;
  logic [23:0] target, granted;
  logic [3:0]  addr;
  logic [23:0] number;
  logic        is_load, is_read, is_write, is_cfg_read, is_open, is_close, is_target, is_want;
  logic        on_open;               // of a sender who has to be open
  logic        outside;               // there is no such sender
  logic        no_word;
  logic        constant;              // a word that no LOAD writes
  logic        forbidden;             // a value that the register cannot take
  logic        refused;
  logic        may;                   // not refused, and the sender is open

  assign {open, active, idle, target, granted} = state_q;

  assign addr        = ev_q.addr;
  assign number      = ev_q.data[23:0];
  assign is_load     = (ev_q.kind == credit_pkg::KIND_LOAD);
  assign is_read     = (ev_q.kind == credit_pkg::KIND_READ);
  assign is_write    = (ev_q.kind == credit_pkg::KIND_CFG_WRITE);
  assign is_cfg_read = (ev_q.kind == credit_pkg::KIND_CFG_READ);
  assign is_open     = (ev_q.kind == credit_pkg::KIND_OPEN);
  assign is_close    = (ev_q.kind == credit_pkg::KIND_CLOSE);
  assign is_target   = (ev_q.kind == credit_pkg::KIND_TARGET);
  assign is_want     = (ev_q.kind == credit_pkg::KIND_WANT);

  assign on_open   = is_close | is_target | is_want;
  assign outside   = (ev_q.sender > MaxSender);
  assign no_word   = (addr < credit_pkg::WORD_ACTIVES) ? outside : (addr >= WordLimit);
  assign constant  = (addr == credit_pkg::WORD_OPEN) | (addr == credit_pkg::WORD_ACTIVES);
  assign forbidden = ((addr == credit_pkg::REG_QUANTA) & (number[7:0] == '0)) |
                     ((addr == credit_pkg::REG_GAP) & (number == '0));
  assign refused   = is_load     ? (no_word | constant) :
                     is_read     ? no_word :
                     is_write    ? ((addr >= RegLimit) | forbidden) :
                     is_cfg_read ? (addr >= RegLimit) :
                     is_open     ? (outside | open) :
                     on_open     ? outside : 1'b1;
  assign may       = open & ~refused;

  // ---------------------------------------------------------------- k2: what it changes
  logic [23:0] ahead;                 // of the target
  logic        raised;
  logic        joined;
  logic        load_target;
  logic        load_granted;
  logic        opened;
  logic        closed;
  logic [31:0] word;

  assign ahead        = number - target;
  assign raised       = is_target & may & ~ahead[23] & (ahead != '0);
  assign joined       = (raised | (is_want & may)) & ~active;
  assign opened       = is_open & ~refused;
  assign closed       = is_close & may;
  assign load_target  = is_load & ~refused & (addr == credit_pkg::WORD_TARGET);
  assign load_granted = is_load & ~refused & (addr == credit_pkg::WORD_GRANTED);

  always_comb begin
    unique case (addr)
      credit_pkg::WORD_OPEN:    word = {29'b0, idle, active, open};
      credit_pkg::WORD_TARGET:  word = {8'b0, target};
      credit_pkg::WORD_GRANTED: word = {8'b0, granted};
      credit_pkg::WORD_ACTIVES: word = {3'b0, idles_i, 3'b0, actives_i};
      default:                  word = count_i;
    endcase
  end

  // ---------------------------------------------------------------- k2 to k3
  logic state_we_q;
  logic write_q;
  logic load_q;

  always_ff @(posedge clk_i) begin
    if (step_i[2]) begin
      state_we_q <= opened | closed | raised | joined | load_target | load_granted;
      state_o    <= {opened | (open & ~closed), active | joined, idle,
                     (opened | raised | load_target) ? number : target,
                     (opened | load_granted) ? number : granted};
      write_q    <= is_write & ~refused;
      load_q     <= is_load & ~refused & ~load_target & ~load_granted;
      rsp_o      <= {ev_q.kind, ev_q.sender, refused,
                     on_open & ~refused & ~open, raised, joined,
                     (is_read & ~refused)     ? word :
                     (is_cfg_read & ~refused) ? register_i : 32'b0};
    end
  end

  assign state_we_o = step_i[3] & state_we_q;
  assign joined_o   = step_i[3] & rsp_o.joined;
  assign write_o    = step_i[3] & write_q;
  assign load_o     = step_i[3] & load_q;
endmodule
