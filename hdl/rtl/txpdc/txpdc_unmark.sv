// What a job takes off, counted: packets in flight, and those that waited to be sent again with
// their sizes, one a cycle.
//
// Latency:     walk_o is high for as many cycles of step 4 as packets waited; acked_o is settled in
//              step 4, pkts_o after walk_o, bytes_o from step 5 on.
// Throughput:  one job at a time.
// Comb. paths: none.
// Reset:       none; payload only.
// Contract:    txpdc/contract.md "ACK" 4 and "Timer": unmark_pkts, unmark_bytes,
//              acked_pkts.
module txpdc_unmark (
  input  logic         clk_i,
  input  logic         step3_i,
  input  logic         step4_i,
  input  logic         off_i,       // step 3: it takes off; else there is nothing to count
  input  logic [127:0] new_i,       // what it takes off
  input  logic [127:0] marked_i,
  output logic         walk_o,
  output logic [6:0]   place_o,     // of the packet whose size is read
  input  logic [15:0]  size_i,      // of the packet of the cycle before
  output logic [7:0]   acked_o,
  output logic [7:0]   pkts_o,
  output logic [23:0]  bytes_o
);
  logic [127:0] left_q;             // packets whose size is not read
  logic         any;
  logic         read_q;

  function automatic logic [7:0] ones(input logic [127:0] v);
    ones = '0;
    for (int k = 0; k < 128; k++) ones = ones + {7'b0, v[k]};
  endfunction

  gw_first_one #(.Width(128), .IndexW(7)) u_first (
    .ones_i (left_q),
    .any_o  (any),
    .index_o(place_o)
  );

  assign walk_o = step4_i & any;

  always_ff @(posedge clk_i) begin
    read_q <= walk_o;
    if (step3_i) begin
      left_q  <= new_i & marked_i & {128{off_i}};
      acked_o <= ones(new_i & ~marked_i);
      pkts_o  <= '0;
      bytes_o <= '0;
    end else begin
      if (walk_o) begin
        left_q <= left_q & (left_q - 128'd1);
        pkts_o <= pkts_o + 8'd1;
      end
      if (read_q) bytes_o <= bytes_o + {8'b0, size_i};
    end
  end
endmodule
