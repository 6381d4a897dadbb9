// The flip of ../stream with a FIFO between its clock and that of what comes in.
module flip_fifo #(
  parameter int BUG = 0
) (
  input  logic        s_clk,
  input  logic        m_clk,
  input  logic        rst_n,
  input  logic [31:0] s_axis_tdata,
  input  logic [3:0]  s_axis_tkeep,
  input  logic        s_axis_tlast,
  input  logic        s_axis_tvalid,
  output logic        s_axis_tready,
  output logic [31:0] m_axis_tdata,
  output logic [3:0]  m_axis_tkeep,
  output logic        m_axis_tlast,
  output logic [7:0]  m_axis_tuser,
  output logic        m_axis_tvalid,
  input  logic        m_axis_tready
);
  logic valid, ready;
  logic [36:0] beat;

  async_fifo #(.WIDTH(37), .BUG(BUG)) u_fifo (
    .wr_clk(s_clk), .wr_rst_n(rst_n), .wr_valid(s_axis_tvalid), .wr_ready(s_axis_tready),
    .wr_data({s_axis_tdata, s_axis_tkeep, s_axis_tlast}),
    .rd_clk(m_clk), .rd_rst_n(rst_n), .rd_valid(valid), .rd_ready(ready), .rd_data(beat)
  );

  flip_new u_flip (
    .aclk(m_clk), .aresetn(rst_n),
    .s_axis_tdata(beat[36:5]), .s_axis_tkeep(beat[4:1]), .s_axis_tlast(beat[0]),
    .s_axis_tvalid(valid), .s_axis_tready(ready),
    .m_axis_tdata, .m_axis_tkeep, .m_axis_tlast, .m_axis_tuser, .m_axis_tvalid, .m_axis_tready
  );
endmodule
