// The configuration registers of one profile: those that depend on the destination. A write takes
// one clock, a read is combinational. Reset values are those of the interface description.
// Fraction bits beyond *_FRAC do not exist: they are dropped from what is written and from the reset
// value, and read as 0.
module acme_cc_bank #(
  parameter int GAIN_FRAC  = 24,
  parameter int ALPHA_FRAC = 16,
  parameter int GAMMA_FRAC = 16,
  parameter int JUMP_FRAC  = 16
) (
  input  logic        clk,
  input  logic        arst,
  input  logic        we,       // write wdata to addr
  input  logic [4:0]  addr,
  input  logic [31:0] wdata,
  output logic [31:0] rdata,    // 0 for an address without a register
  output acme_csr_t   csr
);
  localparam logic [23:0] GAIN_BITS  = 24'hffffff << (24 - GAIN_FRAC);
  localparam logic [31:0] ALPHA_BITS = 32'hffffffff << (16 - ALPHA_FRAC);
  localparam logic [15:0] GAMMA_BITS = 16'hffff << (16 - GAMMA_FRAC);
  localparam logic [15:0] JUMP_BITS  = 16'hffff << (16 - JUMP_FRAC);

  always_comb begin
    unique case (addr)
      5'd0:    rdata = {16'd0, csr.mtu};
      5'd1:    rdata = csr.wnd_init;
      5'd2:    rdata = csr.base_init;
      5'd3:    rdata = csr.target;
      5'd4:    rdata = csr.alpha;
      5'd5:    rdata = csr.fair;
      5'd6:    rdata = csr.eta;
      5'd7:    rdata = {8'd0, csr.fast_scale};
      5'd8:    rdata = {16'd0, csr.gamma};
      5'd9:    rdata = {16'd0, csr.jump};
      5'd10:   rdata = {24'd0, csr.qa_gate};
      5'd11:   rdata = csr.qa_delay;
      5'd12:   rdata = csr.adj_bytes;
      5'd13:   rdata = csr.adj_period;
      5'd14:   rdata = {8'd0, csr.gain};
      5'd15:   rdata = csr.fast_delay;
      5'd16:   rdata = csr.wnd_rate;
      5'd17:   rdata = csr.ack_trigger;
      5'd19:   rdata = {28'd0, csr.ctrl};
      default: rdata = 32'd0;
    endcase
  end

  always_ff @(posedge clk or posedge arst) begin
    if (arst) begin
      csr.mtu         <= 16'd4096;
      csr.wnd_init    <= 32'd225000;
      csr.base_init   <= 32'd12000;
      csr.target      <= 32'd9000;
      csr.alpha       <= 32'd89478 & ALPHA_BITS;
      csr.fair        <= 32'd5242880;
      csr.eta         <= 32'd157286;
      csr.fast_scale  <= 24'd16384;
      csr.gamma       <= 16'd52429 & GAMMA_BITS;
      csr.jump        <= 16'd32768 & JUMP_BITS;
      csr.qa_gate     <= 8'd3;
      csr.qa_delay    <= 32'hffffffff;
      csr.adj_bytes   <= 32'd32768;
      csr.adj_period  <= 32'd12000;
      csr.gain        <= 24'd209715 & GAIN_BITS;
      csr.fast_delay  <= 32'd1000;
      csr.wnd_rate    <= 32'd1228800;
      csr.ack_trigger <= 32'd16384;
      csr.ctrl        <= 4'd0;
    end else if (we) begin
      unique case (addr)
        5'd0:    csr.mtu         <= wdata[15:0];
        5'd1:    csr.wnd_init    <= wdata;
        5'd2:    csr.base_init   <= wdata;
        5'd3:    csr.target      <= wdata;
        5'd4:    csr.alpha       <= wdata & ALPHA_BITS;
        5'd5:    csr.fair        <= wdata;
        5'd6:    csr.eta         <= wdata;
        5'd7:    csr.fast_scale  <= wdata[23:0];
        5'd8:    csr.gamma       <= wdata[15:0] & GAMMA_BITS;
        5'd9:    csr.jump        <= wdata[15:0] & JUMP_BITS;
        5'd10:   csr.qa_gate     <= wdata[7:0];
        5'd11:   csr.qa_delay    <= wdata;
        5'd12:   csr.adj_bytes   <= wdata;
        5'd13:   csr.adj_period  <= wdata;
        5'd14:   csr.gain        <= wdata[23:0] & GAIN_BITS;
        5'd15:   csr.fast_delay  <= wdata;
        5'd16:   csr.wnd_rate    <= wdata;
        5'd17:   csr.ack_trigger <= wdata;
        5'd19:   csr.ctrl        <= wdata[3:0];
        default: csr.mtu         <= csr.mtu;
      endcase
    end
  end
endmodule
