// Configuration registers: PROFILES banks, and the one register of the clock, svc_shift. Read,
// verdict and choice of the bank are combinational; a write takes one clock.
module acme_cc_csr #(
  parameter int PROFILES   = 8,
  parameter int GAIN_FRAC  = 24,
  parameter int ALPHA_FRAC = 16,
  parameter int GAMMA_FRAC = 16,
  parameter int JUMP_FRAC  = 16
) (
  input  logic        clk,
  input  logic        arst,
  input  logic        we,       // write wdata to addr, unless bad
  input  logic        is_write, // kind of access: the verdict on a write depends on the value
  input  logic [3:0]  prof,
  input  logic [4:0]  addr,
  input  logic [31:0] wdata,
  output logic        bad,
  output logic [31:0] rdata,    // 0 if bad
  output acme_csr_t   csr,      // the bank of prof; 0 if there is none
  output logic [2:0]  svc_shift
);
  localparam logic [4:0] ADDR_SHIFT = 5'd18;

  localparam int         CSR_W      = acme_cc_pkg::CSR_W;

  logic                      is_shift;
  logic [PROFILES-1:0]       mine;
  logic [PROFILES*32-1:0]    words;   // the word of each bank at addr
  logic [PROFILES*CSR_W-1:0] banks;

  assign is_shift = addr == ADDR_SHIFT;
  assign bad      = addr >= 5'd20 || (!is_shift && mine == '0)
                 || (is_write && addr == 5'd0 && wdata[15:0] == 16'd0);

  for (genvar i = 0; i < PROFILES; i++) begin : g_bank
    localparam logic [3:0] NUMBER = i[3:0];
    logic [31:0] bank_word;
    acme_csr_t   bank_csr;

    assign mine[i]                 = prof == NUMBER;
    assign words[i*32 +: 32]       = bank_word;
    assign banks[i*CSR_W +: CSR_W] = bank_csr;

    acme_cc_bank #(
      .GAIN_FRAC(GAIN_FRAC), .ALPHA_FRAC(ALPHA_FRAC), .GAMMA_FRAC(GAMMA_FRAC), .JUMP_FRAC(JUMP_FRAC)
    ) u_bank (
      .clk  (clk),
      .arst (arst),
      .we   (we && !bad && mine[i]),
      .addr (addr),
      .wdata(wdata),
      .rdata(bank_word),
      .csr  (bank_csr)
    );
  end

  function automatic logic [31:0] word_of(input logic [PROFILES-1:0] hit,
                                          input logic [PROFILES*32-1:0] all);
    word_of = 32'd0;
    for (int i = 0; i < PROFILES; i++) begin
      if (hit[i]) word_of = all[i*32 +: 32];
    end
  endfunction

  function automatic logic [CSR_W-1:0] bank_of(input logic [PROFILES-1:0] hit,
                                               input logic [PROFILES*CSR_W-1:0] all);
    bank_of = '0;
    for (int i = 0; i < PROFILES; i++) begin
      if (hit[i]) bank_of = all[i*CSR_W +: CSR_W];
    end
  endfunction

  assign csr   = bank_of(mine, banks);
  assign rdata = bad ? 32'd0 : (is_shift ? {29'd0, svc_shift} : word_of(mine, words));

  always_ff @(posedge clk or posedge arst) begin
    if (arst) begin
      svc_shift <= 3'd7;
    end else if (we && !bad && is_shift) begin
      svc_shift <= wdata[2:0];
    end
  end
endmodule
