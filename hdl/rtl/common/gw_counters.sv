// A bank of 32-bit event counters that can be read and written.
//
// Latency:     a count or a write holds from the next cycle on.
// Throughput:  one access a cycle, and one count of every counter.
// Comb. paths: addr_i to rdata_o.
// Reset:       all 0.
// Contract:    trimmer/contract.md and intmd/contract.md, "Counters":
//              counter(t+1) = (data if a LOAD of it, else counter(t)) + inc(t), modulo 2^32.
module gw_counters #(
  parameter int Num = 16
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic [Num-1:0] inc_i,
  input  logic           load_i,
  input  logic [$clog2(Num)-1:0] addr_i,
  input  logic [31:0]    data_i,
  output logic [31:0]    rdata_o   // no meaning for addr_i >= Num
);
  localparam int AddrW = $clog2(Num);

  (* mem2reg *)                     // all count at once: registers, no RAM
  logic [31:0] count_q [0:Num-1];
  logic [Num-1:0] load;

  for (genvar k = 0; k < Num; k++) begin : gen_load
    localparam logic [AddrW-1:0] Addr = k[AddrW-1:0];
    assign load[k] = load_i & (addr_i == Addr);
  end

  assign rdata_o = count_q[addr_i];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int k = 0; k < Num; k++) count_q[k] <= '0;
    end else begin
      for (int k = 0; k < Num; k++) begin
        if (load[k] || inc_i[k]) begin
          count_q[k] <= (load[k] ? data_i : count_q[k]) + {31'b0, inc_i[k]};
        end
      end
    end
  end
endmodule
