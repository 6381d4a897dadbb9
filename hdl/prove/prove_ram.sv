// gw_sdp_ram, gw_fwd_ram, gw_fwd_ram2: one row, any, is followed. A read gives what was written there last: with
// gw_sdp_ram before the cycle of the read, with the others in it too.
`include "prove.svh"
module prove_ram #(
  parameter int Rows  = 8,
  parameter int AddrW = 3
) (
  input logic             clk_i,
  input logic             we_i,
  input logic [AddrW-1:0] waddr_i,
  input logic [1:0]       wdata_i,
  input logic [AddrW-1:0] raddr_i,
  input logic [AddrW-1:0] raddr_b_i,
  input logic [AddrW-1:0] choice_i
);
  logic [1:0] sdp;
  logic [1:0] fwd;
  logic [1:0] fwd_a;
  logic [1:0] fwd_b;

  gw_sdp_ram #(.Width(2), .Rows(Rows), .AddrW(AddrW)) u_sdp (
    .clk_i  (clk_i),
    .we_i   (we_i),
    .waddr_i(waddr_i),
    .wdata_i(wdata_i),
    .raddr_i(raddr_i),
    .rdata_o(sdp)
  );

  gw_fwd_ram #(.Width(2), .Rows(Rows), .AddrW(AddrW)) u_fwd (
    .clk_i  (clk_i),
    .we_i   (we_i),
    .waddr_i(waddr_i),
    .wdata_i(wdata_i),
    .raddr_i(raddr_i),
    .rdata_o(fwd)
  );

  gw_fwd_ram2 #(.Width(2), .Rows(Rows), .AddrW(AddrW)) u_fwd2 (
    .clk_i    (clk_i),
    .we_i     (we_i),
    .waddr_i  (waddr_i),
    .wdata_i  (wdata_i),
    .raddr_a_i(raddr_i),
    .rdata_a_o(fwd_a),
    .raddr_b_i(raddr_b_i),
    .rdata_b_o(fwd_b)
  );

  logic             started_q = 1'b0;
  logic [AddrW-1:0] choice_q;
  logic             written_q = 1'b0;
  logic [1:0]       row_q;          // what the row holds
  logic [1:0]       old_q;          // and held one cycle ago
  logic             known_q = 1'b0; // it did
  logic [AddrW-1:0] raddr_q;
  logic [AddrW-1:0] raddr_b_q;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!started_q) choice_q <= choice_i;
    if (started_q && we_i && waddr_i == choice_q) begin
      written_q <= 1'b1;
      row_q     <= wdata_i;
    end
    old_q     <= row_q;
    known_q   <= written_q;
    raddr_q   <= raddr_i;
    raddr_b_q <= raddr_b_i;
  end

  always_comb begin
    if (known_q && raddr_q == choice_q) begin
      `PROVE(sdp == old_q);
      `PROVE(fwd == row_q);
      `PROVE(fwd_a == row_q);
      `REACH(old_q != row_q);
    end
    if (written_q && started_q && raddr_b_q == choice_q && known_q) begin
      `PROVE(fwd_b == row_q);
      `REACH(raddr_q != raddr_b_q && old_q != row_q);
    end
  end
endmodule
