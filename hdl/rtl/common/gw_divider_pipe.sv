// Pipelined restoring divider, two quotient bits a stage.
//
// quot_o = {hi_i, lo_i} / div_i, floored, for hi_i < div_i; otherwise it has no meaning.
//
// Latency:     Bits / 2 cycles (Bits even).
// Throughput:  one division a cycle, free running.
// Comb. paths: none.
// Reset:       none; payload only.
// Contract:    ccc/contract.md, ACK 13 (decrease ratio) and 14 (fulfil). div_i comes out beside
//              the quotient, as div_o.
module gw_divider_pipe #(
  parameter int DivW = 32,   // divisor and remainder
  parameter int Bits = 32    // quotient, and the low part of the dividend
) (
  input  logic            clk_i,
  input  logic [DivW-1:0] hi_i,
  input  logic [Bits-1:0] lo_i,
  input  logic [DivW-1:0] div_i,
  output logic [Bits-1:0] quot_o,
  output logic [DivW-1:0] div_o
);
  localparam int Stages = Bits / 2;

  // Rank k: the remainder; the dividend bits not yet used, above the quotient bits found; the
  // divisor.
  logic [DivW-1:0] rem  [0:Stages];
  logic [Bits-1:0] lo   [0:Stages];
  logic [DivW-1:0] dvs  [0:Stages];

  assign rem[0] = hi_i;
  assign lo[0]  = lo_i;
  assign dvs[0] = div_i;

  for (genvar k = 0; k < Stages; k++) begin : gen_stage
    logic [DivW:0]   sh1;    // remainder with the next dividend bit
    logic [DivW:0]   sh2;
    logic            ge1;
    logic            ge2;
    logic [DivW-1:0] rem1;
    logic [DivW-1:0] rem2;
    logic [DivW-1:0] rem_q;
    logic [Bits-1:0] lo_q;
    logic [DivW-1:0] dvs_q;

    // The remainder is below the divisor, so the difference fits DivW bits when it is taken.
    assign sh1  = {rem[k], lo[k][Bits-1]};
    assign ge1  = (sh1 >= {1'b0, dvs[k]});
    assign rem1 = ge1 ? (sh1[DivW-1:0] - dvs[k]) : sh1[DivW-1:0];
    assign sh2  = {rem1, lo[k][Bits-2]};
    assign ge2  = (sh2 >= {1'b0, dvs[k]});
    assign rem2 = ge2 ? (sh2[DivW-1:0] - dvs[k]) : sh2[DivW-1:0];

    always_ff @(posedge clk_i) begin
      rem_q <= rem2;
      lo_q  <= {lo[k][Bits-3:0], ge1, ge2};
      dvs_q <= dvs[k];
    end

    assign rem[k+1] = rem_q;
    assign lo[k+1]  = lo_q;
    assign dvs[k+1] = dvs_q;
  end

  assign quot_o = lo[Stages];
  assign div_o  = dvs[Stages];

  // The last remainder is not needed.
  logic unused_rem;
  assign unused_rem = ^rem[Stages];
endmodule
