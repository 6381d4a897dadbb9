// Access to the writer: which commands it refuses, its registers and counters, and the copy of
// txpdc's HEADER.
//
// Latency:     a write or a count holds from the next cycle on.
// Throughput:  one command a cycle.
// Comb. paths: cmd_i and form_i to the answer and the enables.
// Reset:       registers at their reset values, counters 0.
// Contract:    nic/contract.md "Access to the writer".
module nic_config #(
  parameter int Contexts = 4
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        leave_i,       // a command, of any target, leaves
  input  nic_cmd_t    cmd_i,
  input  logic [23:0] form_i,        // of its context
  input  logic [1:0]  inc_i,         // written, unaddressed
  output logic        refused_o,
  output logic [31:0] data_o,        // but of a word of a template
  output logic        template_o,    // it reads a word of a template
  output logic        word_we_o,
  output logic        form_we_o,
  output nic_regs_t   regs_o,
  output logic [6:0]  header_o
);
  localparam logic [16:0] Ctxs      = {1'b0, Contexts[15:0]};
  localparam logic [5:0]  MaxSize   = 6'd62;
  localparam logic [5:0]  MinSizeV4 = 6'd34;
  localparam logic [5:0]  MinSizeV6 = 6'd54;

  logic        leave;        // for the writer
  logic        is_load, is_read, is_write, is_cfg_read;
  logic        of_word, of_form, of_count;
  logic        known;        // its context
  logic        form_ok;
  logic [5:0]  size;
  logic [31:0] count;
  logic        load_ok, read_ok, cfg_ok;

  assign leave       = leave_i & (cmd_i.target == nic_pkg::TARGET_WRITER);
  assign is_load     = (cmd_i.kind == txpdc_pkg::KIND_LOAD);
  assign is_read     = (cmd_i.kind == txpdc_pkg::KIND_READ);
  assign is_write    = (cmd_i.kind == txpdc_pkg::KIND_CFG_WRITE);
  assign is_cfg_read = (cmd_i.kind == txpdc_pkg::KIND_CFG_READ);

  assign of_word  = (cmd_i.addr <= nic_pkg::WORD_BYTES15);
  assign of_form  = (cmd_i.addr == nic_pkg::WORD_SIZE);
  assign of_count = (cmd_i.addr == nic_pkg::WORD_UNADDRESSED) |
                    (cmd_i.addr == nic_pkg::WORD_WRITTEN);
  assign known    = ({1'b0, cmd_i.index} < Ctxs);
  assign size     = cmd_i.data[nic_pkg::WORD_SIZE_LSB +: nic_pkg::WORD_SIZE_W];
  assign form_ok  = (size == '0) |
                    ((size >= (cmd_i.data[nic_pkg::WORD_IPV6_LSB] ? MinSizeV6 : MinSizeV4)) &
                     (size <= MaxSize));

  assign read_ok   = ((of_word | of_form) & known) | of_count;
  assign load_ok   = read_ok & (~of_form | form_ok);
  assign cfg_ok    = (cmd_i.addr == nic_pkg::REG_SPRAY) | (cmd_i.addr == nic_pkg::REG_PORT);
  assign refused_o = ~((is_load & load_ok) | (is_read & read_ok) |
                       ((is_write | is_cfg_read) & cfg_ok));

  assign word_we_o  = leave & is_load & load_ok & of_word;
  assign form_we_o  = leave & is_load & load_ok & of_form;
  assign template_o = is_read & read_ok & of_word;

  gw_counters #(.Num(2)) u_counters (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .inc_i  (inc_i),
    .load_i (leave & is_load & of_count),
    .addr_i (cmd_i.addr == nic_pkg::WORD_WRITTEN),
    .data_i (cmd_i.data[31:0]),
    .rdata_o(count)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      regs_o   <= nic_pkg::RST_REGS;
      header_o <= txpdc_pkg::RST_HEADER;
    end else begin
      if (leave && is_write && (cmd_i.addr == nic_pkg::REG_SPRAY)) begin
        regs_o.SPRAY <= cmd_i.data[15:0];
      end
      if (leave && is_write && (cmd_i.addr == nic_pkg::REG_PORT)) begin
        regs_o.PORT <= cmd_i.data[15:0];
      end
      if (leave_i && (cmd_i.target == nic_pkg::TARGET_SOURCE) && is_write &&
          (cmd_i.addr == {1'b0, txpdc_pkg::REG_HEADER})) begin
        header_o <= cmd_i.data[6:0];
      end
    end
  end

  always_comb begin
    data_o = '0;
    if (is_read & of_form & known) data_o = {form_i[23:8], 8'b0, form_i[7:0]};
    if (is_read & of_count)        data_o = count;
    if (is_cfg_read & cfg_ok) begin
      data_o = {16'b0, (cmd_i.addr == nic_pkg::REG_SPRAY) ? regs_o.SPRAY : regs_o.PORT};
    end
  end

  // Fields of a command that only other targets use.
  logic unused;
  assign unused = (^cmd_i.slot) ^ (^cmd_i.profile) ^ (^cmd_i.psn) ^ (^cmd_i.data[63:32]);
endmodule
