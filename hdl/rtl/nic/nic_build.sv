// The bytes of a beat: template, lengths and checksum, UDP or entropy header, PDS header, padding.
//
// Latency:     a beat made in cycle t is out in t+5.
// Throughput:  one beat a cycle, free running.
// Comb. paths: none.
// Reset:       no beat on its way.
// Contract:    nic/contract.md "Packets".
//
// r0 is the cycle in which a beat is made, s1 the next one. What does not follow from the template
// is an overlay of 60 bytes, from 36 bytes before the end of the IP header on. Only beats 0 and 1
// have anything but zeros.
module nic_build #(
  parameter int PacketW = 84
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // r0
  input  logic               make_i,
  input  logic [10:0]        beat_i,
  input  logic               last_i,
  input  logic [5:0]         left_i,        // bytes of the last beat, but one
  input  logic [PacketW-1:0] packet_i,      // data, rtx, ar, syn, pdc, psn, peer or offset, size
  input  logic [5:0]         size_i,        // of the form
  input  logic               ipv6_i,
  input  logic               native_i,
  input  logic [15:0]        entropy_i,
  input  logic [15:0]        port_i,
  input  logic [15:0]        plen_i,        // what follows the IP header, modulo 2^16
  // s1
  input  logic [495:0]       template_i,
  // s5
  output logic               valid_o,
  output logic [592:0]       beat_o         // data, keep, last, PDC
);
  localparam int HeadBytes = 86;            // of the longest template and the headers after it
  localparam int OverBytes = 60;
  localparam logic [5:0] MinSize  = 6'd34;
  localparam logic [4:0] RudCcReq = 5'd13;  // PDS types, and of a control packet its ctl_type
  localparam logic [4:0] Control  = ackparse_pkg::PDS_TYPE_CP;
  localparam logic [3:0] Close    = 4'd4;
  localparam int MinusWindow      = -nic_pkg::WINDOW;
  localparam logic [15:0] Clear   = MinusWindow[15:0];

  // ---------------------------------------------------------------- s1 to s4: carried
  localparam int CarryW = 1 + 1 + 1 + 6 + 16;
  logic [4:1]        vld_q;
  logic              vld_s5_q;
  logic [CarryW-1:0] carry_s1_q;            // first beat, second, last, left, PDC
  logic [CarryW-1:0] carry_s2_q;
  logic [CarryW-1:0] carry_s3_q;
  logic [CarryW-1:0] carry_s4_q;
  logic [15:0]       pdc;

  assign pdc = packet_i[79:64];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      vld_q    <= '0;
      vld_s5_q <= 1'b0;
    end else begin
      vld_q    <= {vld_q[3:1], make_i};
      vld_s5_q <= vld_q[4];
    end
  end

  always_ff @(posedge clk_i) begin
    carry_s1_q <= {beat_i == 11'd0, beat_i == 11'd1, last_i, left_i, pdc};
    carry_s2_q <= carry_s1_q;
    carry_s3_q <= carry_s2_q;
    carry_s4_q <= carry_s3_q;
  end

  // ---------------------------------------------------------------- r0 to s3: PDS header
  logic         data, rtx, ar, syn;
  logic [31:0]  psn;
  logic [15:0]  peer;
  logic [15:0]  flags;
  logic [15:0]  id;
  logic [127:0] pds_s1_q;                   // first byte highest
  logic [127:0] pds_s2_q;
  logic [127:0] pds_s3_q;

  assign {data, rtx, ar, syn} = packet_i[83:80];
  assign psn   = packet_i[63:32];
  assign peer  = packet_i[31:16];
  assign flags = data ? {RudCcReq, 6'b0, rtx, ar, syn, 2'b0} :
                        {Control, Close, 2'b0, rtx, 4'b0};
  assign id    = pdc + 16'd1;

  always_ff @(posedge clk_i) begin
    pds_s1_q <= {flags, data ? Clear : 16'b0, psn, id, peer, data ? pdc[9:2] : 8'b0, 24'b0};
    pds_s2_q <= pds_s1_q;
    pds_s3_q <= pds_s2_q;
  end

  // ---------------------------------------------------------------- r0 to s3: lengths, checksum
  logic [5:0]   size_s1_q, size_s2_q, size_s3_q;
  logic         ipv6_s1_q, ipv6_s2_q, ipv6_s3_q;
  logic         native_s1_q, native_s2_q, native_s3_q;
  logic [15:0]  entropy_s1_q, entropy_s2_q, entropy_s3_q;
  logic [15:0]  port_s1_q, port_s2_q, port_s3_q;
  logic [15:0]  plen_s1_q, plen_s2_q, plen_s3_q;
  logic [495:0] template_s2_q, template_s3_q;
  logic [495:0] at_sum;                     // byte 0: the high byte of the template's checksum
  logic [15:0]  sum_s2_q;
  logic [15:0]  total_s2_q;
  logic [15:0]  total_s3_q;
  logic [16:0]  added;
  logic [15:0]  sum_s3_q;

  assign at_sum = template_i >> {size_s1_q - 6'd10, 3'b000};
  assign added  = {1'b0, ~sum_s2_q} + {1'b0, total_s2_q};

  always_ff @(posedge clk_i) begin
    size_s1_q    <= size_i;
    ipv6_s1_q    <= ipv6_i;
    native_s1_q  <= native_i;
    entropy_s1_q <= entropy_i;
    port_s1_q    <= port_i;
    plen_s1_q    <= plen_i;

    size_s2_q     <= size_s1_q;
    ipv6_s2_q     <= ipv6_s1_q;
    native_s2_q   <= native_s1_q;
    entropy_s2_q  <= entropy_s1_q;
    port_s2_q     <= port_s1_q;
    plen_s2_q     <= plen_s1_q;
    template_s2_q <= template_i;
    total_s2_q    <= plen_s1_q + 16'd20;
    sum_s2_q      <= {at_sum[7:0], at_sum[15:8]};

    size_s3_q     <= size_s2_q;
    ipv6_s3_q     <= ipv6_s2_q;
    native_s3_q   <= native_s2_q;
    entropy_s3_q  <= entropy_s2_q;
    port_s3_q     <= port_s2_q;
    plen_s3_q     <= plen_s2_q;
    template_s3_q <= template_s2_q;
    total_s3_q    <= total_s2_q;
    sum_s3_q      <= ~(added[15:0] + {15'b0, added[16]});
  end

  // ---------------------------------------------------------------- s3 to s4: the headers
  logic [191:0]             after;          // the IP header; first byte highest
  logic [8*OverBytes-1:0]   over_be;        // the overlay, first byte highest
  logic [OverBytes-1:0]     take_be;        // its bytes that stand in place of the template's
  logic [8*OverBytes-1:0]   over;           // first byte lowest
  logic [OverBytes-1:0]     take;
  logic [4:0]               shift;
  logic [8*HeadBytes+15:0]  over_at;        // from byte -2 of the frame on
  logic [HeadBytes+1:0]     take_at;
  logic [HeadBytes-1:0]     keep;           // the template's bytes
  logic [8*HeadBytes-1:0]   head;
  logic [8*HeadBytes-1:0]   head_s4_q;
  logic [5:0]               over_size;

  assign after   = native_s3_q ? {entropy_s3_q, 16'b0, pds_s3_q, 32'b0} :
                                 {entropy_s3_q, port_s3_q, plen_s3_q, 16'b0, pds_s3_q};
  assign over_be = {ipv6_s3_q ? plen_s3_q : 16'b0, 128'b0,
                    ipv6_s3_q ? 16'b0 : total_s3_q, 48'b0,
                    ipv6_s3_q ? 16'b0 : sum_s3_q, 64'b0, after};
  assign take_be = {{2{ipv6_s3_q}}, 16'b0, {2{~ipv6_s3_q}}, 6'b0, {2{~ipv6_s3_q}}, 8'b0,
                    24'hffffff};

  for (genvar k = 0; k < OverBytes; k++) begin : gen_over
    assign over[8*k +: 8] = over_be[8*(OverBytes-1-k) +: 8];
    assign take[k]        = take_be[OverBytes-1-k];
  end

  assign over_size = size_s3_q - MinSize;
  assign shift     = over_size[4:0];
  assign over_at   = {{(8*(HeadBytes+2-OverBytes)){1'b0}}, over} << {shift, 3'b000};
  assign take_at   = {{(HeadBytes+2-OverBytes){1'b0}}, take} << shift;
  assign keep      = ~({HeadBytes{1'b1}} << size_s3_q) & ~take_at[HeadBytes+1:2];

  for (genvar k = 0; k < HeadBytes; k++) begin : gen_head
    if (k < 62) begin : gen_template
      assign head[8*k +: 8] = over_at[8*k+16 +: 8] | (template_s3_q[8*k +: 8] & {8{keep[k]}});
    end else begin : gen_after
      assign head[8*k +: 8] = over_at[8*k+16 +: 8];
    end
  end

  always_ff @(posedge clk_i) begin
    head_s4_q <= head;
  end

  // ---------------------------------------------------------------- s4 to s5: the beat
  logic         first_s4, second_s4, last_s4;
  logic [5:0]   left_s4;
  logic [15:0]  pdc_s4;
  logic [511:0] data_s4;
  logic [63:0]  keep_s4;

  assign {first_s4, second_s4, last_s4, left_s4, pdc_s4} = carry_s4_q;
  assign data_s4 = first_s4  ? head_s4_q[511:0] :
                   second_s4 ? {{(1024-8*HeadBytes){1'b0}}, head_s4_q[8*HeadBytes-1:512]} :
                               512'b0;
  assign keep_s4 = last_s4 ? ~({64{1'b1}} << ({1'b0, left_s4} + 7'd1)) : {64{1'b1}};

  always_ff @(posedge clk_i) begin
    beat_o <= {data_s4, keep_s4, last_s4, pdc_s4};
  end

  assign valid_o = vld_s5_q;

  // The size is in plen; what an overlay shifts before the frame is 0; a template ends before 62.
  logic unused;
  assign unused = (^packet_i[15:0]) ^ (^over_at[15:0]) ^ (^take_at[1:0]) ^ (^keep[85:62]) ^
                  over_size[5] ^ (^at_sum[495:16]);

`ifdef GW_ASSERT
  a_size: assert property (@(posedge clk_i) disable iff (!rst_ni)
      make_i |-> ((size_i >= (ipv6_i ? 6'd54 : 6'd34)) && (size_i <= 6'd62)))
    else $error("nic_build: a packet without a form, or with a forbidden one");
`endif
endmodule
