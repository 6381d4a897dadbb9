// Delay line: the value of d_i, Depth cycles later.
//
// Latency:     Depth cycles, Depth >= 2.
// Throughput:  one value a cycle, free running, no enable.
// Comb. paths: none.
// Reset:       only the pointer; the payload of the first Depth cycles has no meaning.
// Contract:    carries fields past stages that do not use them (a small RAM instead of Depth ranks
//              of registers).
module gw_delay #(
  parameter int Width = 32,
  parameter int Depth = 4
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] q_o
);
  localparam int Rows = Depth - 1;
  localparam int PtrW = (Rows > 1) ? $clog2(Rows) : 1;
  localparam int LastRow = Rows - 1;
  localparam logic [PtrW-1:0] Last = LastRow[PtrW-1:0];

  logic [Width-1:0] mem_q [0:Rows-1];
  logic [Width-1:0] out_q;
  logic [PtrW-1:0]  ptr_q;

  // The row is read before it is written: it holds the value of Rows cycles ago.
  always_ff @(posedge clk_i) begin
    out_q        <= mem_q[ptr_q];
    mem_q[ptr_q] <= d_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)             ptr_q <= '0;
    else if (ptr_q == Last)  ptr_q <= '0;
    else                     ptr_q <= ptr_q + 1'b1;
  end

  assign q_o = out_q;
endmodule
