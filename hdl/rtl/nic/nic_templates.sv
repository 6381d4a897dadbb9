// Templates and forms of the contexts.
//
// Latency:     a form is read in its cycle; a template, and a word of one, is out one cycle after
//              its address. A write holds from the next cycle on.
// Throughput:  one read of a packet, and one access of the host a cycle.
// Comb. paths: ctx_i to form_o, index_i to access_form_o.
// Reset:       none; the sweep makes all of it 0.
// Contract:    nic/contract.md "Access to the writer".
// The words are held twice: a packet needs sixteen at once, the host one of any context meanwhile.
module nic_templates #(
  parameter int Contexts = 4,
  parameter int CtxW     = 2    // clog2(Contexts)
) (
  input  logic            clk_i,
  input  logic            sweep_i,
  input  logic [CtxW+3:0] sweep_row_i,
  input  logic [CtxW-1:0] ctx_i,
  output logic [23:0]     form_o,         // entropy, native, ipv6, size
  output logic [511:0]    template_o,     // of ctx_i of one cycle ago
  input  logic [CtxW-1:0] index_i,
  input  logic [3:0]      addr_i,
  input  logic            word_we_i,
  input  logic            form_we_i,
  input  logic [31:0]     data_i,
  output logic [23:0]     access_form_o,
  output logic [31:0]     access_word_o   // of index_i and addr_i of one cycle ago
);
  logic [23:0]     form_q [0:Contexts-1];
  logic            row_we;
  logic [CtxW+3:0] word;
  logic [CtxW-1:0] row;
  logic [31:0]     data;

  assign row_we = sweep_i | word_we_i;
  assign word   = sweep_i ? sweep_row_i : {index_i, addr_i};
  assign row    = sweep_i ? sweep_row_i[CtxW-1:0] : index_i;
  assign data   = sweep_i ? 32'b0 : data_i;

  for (genvar k = 0; k < 16; k++) begin : gen_bank
    localparam logic [3:0] Bank = k[3:0];
    gw_sdp_ram #(.Width(32), .Rows(Contexts), .AddrW(CtxW)) u_words (
      .clk_i  (clk_i),
      .we_i   (sweep_i | (word_we_i & (addr_i == Bank))),
      .waddr_i(row),
      .wdata_i(data),
      .raddr_i(ctx_i),
      .rdata_o(template_o[32*k +: 32])
    );
  end

  gw_sdp_ram #(.Width(32), .Rows(16 * Contexts), .AddrW(CtxW + 4)) u_access (
    .clk_i  (clk_i),
    .we_i   (row_we),
    .waddr_i(word),
    .wdata_i(data),
    .raddr_i({index_i, addr_i}),
    .rdata_o(access_word_o)
  );

  assign form_o        = form_q[ctx_i];
  assign access_form_o = form_q[index_i];

  always_ff @(posedge clk_i) begin
    if (sweep_i | form_we_i) form_q[row] <= {data[31:16], data[7:0]};
  end
endmodule
