// Bytes in flight of the contexts, signed and saturating.
//
// Latency:     state read in stage 1, after the event in stage 5, written in stage 5.
// Throughput:  one event a cycle.
// Comb. paths: none.
// Reset:       none; a context is set up by OPEN.
// Contract:    ccc/contract.md SEND; BIND; ACK 3; NACK 1; LOSS; word 2 (lower half). One clamp, on
//              the sum.
module ccc_inflight #(
  parameter int NumContexts = 256,
  parameter int RowW        = 8
) (
  input  logic            clk_i,
  input  logic [RowW-1:0] row_s1_i,
  output logic [31:0]     inflight_s2_o,      // as stored, for READ
  input  logic            open_s2_i,
  input  logic            load_inflight_s2_i,
  input  logic [63:0]     data_s2_i,
  input  logic            add_s3_i,           // SEND or BIND
  input  logic            ack_s3_i,
  input  logic            lost_s3_i,          // NACK or LOSS
  input  logic [31:0]     size_s3_i,
  input  logic [31:0]     unmark_bytes_s3_i,
  input  logic [22:0]     units_s3_i,         // delta / 256
  input  logic            write_s5_i,
  input  logic [RowW-1:0] row_s5_i,
  output logic [31:0]     inflight_s5_o,      // two's complement
  output logic            saturated_s5_o
);
  logic [31:0] inflight_s3_q;
  logic [31:0] inflight_s4_q;
  logic [33:0] change_s4_q;    // two's complement
  logic        moves_s4_q;     // the event may change it
  logic [33:0] change_d;
  logic [34:0] sum_s4;         // two's complement
  logic        too_high_s4;
  logic        too_low_s4;

  gw_sdp_ram #(.Width(32), .Rows(NumContexts), .AddrW(RowW)) u_inflight (
    .clk_i  (clk_i),
    .we_i   (write_s5_i),
    .waddr_i(row_s5_i),
    .wdata_i(inflight_s5_o),
    .raddr_i(row_s1_i),
    .rdata_o(inflight_s2_o)
  );

  always_ff @(posedge clk_i) begin
    inflight_s3_q <= inflight_s2_o;
    if (open_s2_i) inflight_s3_q <= '0;
    if (load_inflight_s2_i) begin
      inflight_s3_q <= data_s2_i[ccc_pkg::WORD_INFLIGHT_LSB +: 32];
    end
  end

  // ---------------------------------------------------------------- stage 3: what changes
  always_comb begin
    change_d = '0;
    if (add_s3_i)       change_d = {2'b0, size_s3_i};
    else if (ack_s3_i)  change_d = {2'b0, unmark_bytes_s3_i} - {3'b0, units_s3_i, 8'b0};
    else if (lost_s3_i) change_d = 34'b0 - {2'b0, size_s3_i};
  end

  always_ff @(posedge clk_i) begin
    inflight_s4_q <= inflight_s3_q;
    change_s4_q   <= change_d;
    moves_s4_q    <= add_s3_i | ack_s3_i | lost_s3_i;
  end

  // ---------------------------------------------------------------- stage 4: sum and clamp
  assign sum_s4      = {{3{inflight_s4_q[31]}}, inflight_s4_q} + {change_s4_q[33], change_s4_q};
  assign too_high_s4 = ~sum_s4[34] & (sum_s4[33:31] != 3'b000);
  assign too_low_s4  = sum_s4[34] & (sum_s4[33:31] != 3'b111);

  always_ff @(posedge clk_i) begin
    saturated_s5_o <= moves_s4_q & (too_high_s4 | too_low_s4);
    inflight_s5_o  <= sum_s4[31:0];
    if (too_high_s4) inflight_s5_o <= 32'h7fff_ffff;
    if (too_low_s4)  inflight_s5_o <= 32'h8000_0000;
  end
endmodule
