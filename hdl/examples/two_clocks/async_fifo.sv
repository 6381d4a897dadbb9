// A FIFO between two clocks, of 2**ADDR words: a pointer on each side, carried to the other in Gray code, in which one
// bit changes at a time. BUG plants a fault: 1 carries the pointers in binary.
module async_fifo #(
  parameter int WIDTH = 8,
  parameter int ADDR = 3,
  parameter int BUG = 0
) (
  input  logic             wr_clk,
  input  logic             wr_rst_n,
  input  logic             wr_valid,
  output logic             wr_ready,
  input  logic [WIDTH-1:0] wr_data,
  input  logic             rd_clk,
  input  logic             rd_rst_n,
  output logic             rd_valid,
  input  logic             rd_ready,
  output logic [WIDTH-1:0] rd_data
);
  function automatic logic [ADDR:0] to_gray(input logic [ADDR:0] bin);
    return BUG == 1 ? bin : bin ^ bin >> 1;
  endfunction
  function automatic logic [ADDR:0] to_bin(input logic [ADDR:0] gray);
    logic [ADDR:0] sum;
    sum = gray;
    for (int i = ADDR - 1; i >= 0; i--) sum[i] = gray[i] ^ sum[i+1];
    return BUG == 1 ? gray : sum;
  endfunction

  logic [WIDTH-1:0] words[2**ADDR];
  logic [ADDR:0] wr_bin, rd_bin, wr_gray, rd_gray, wr_sync, rd_sync, wr_seen, rd_seen;

  // Writing.
  assign rd_seen = to_bin(rd_sync);
  assign wr_ready = wr_bin - rd_seen != (ADDR + 1)'(2 ** ADDR);
  always_ff @(posedge wr_clk or negedge wr_rst_n) begin
    if (!wr_rst_n) begin
      wr_bin <= '0;
      wr_gray <= '0;
    end else if (wr_valid && wr_ready) begin
      wr_bin <= wr_bin + 1'b1;
      wr_gray <= to_gray(wr_bin + 1'b1);
    end
  end
  always_ff @(posedge wr_clk) if (wr_valid && wr_ready) words[wr_bin[ADDR-1:0]] <= wr_data;

  // Reading.
  assign wr_seen = to_bin(wr_sync);
  assign rd_valid = rd_bin != wr_seen;
  assign rd_data = words[rd_bin[ADDR-1:0]];
  always_ff @(posedge rd_clk or negedge rd_rst_n) begin
    if (!rd_rst_n) begin
      rd_bin <= '0;
      rd_gray <= '0;
    end else if (rd_valid && rd_ready) begin
      rd_bin <= rd_bin + 1'b1;
      rd_gray <= to_gray(rd_bin + 1'b1);
    end
  end

  cdc_sync #(.WIDTH(ADDR + 1)) u_to_rd (.src_clk(wr_clk), .clk(rd_clk), .rst_n(rd_rst_n), .d(wr_gray), .q(wr_sync));
  cdc_sync #(.WIDTH(ADDR + 1)) u_to_wr (.src_clk(rd_clk), .clk(wr_clk), .rst_n(wr_rst_n), .d(rd_gray), .q(rd_sync));
endmodule
