// Packets that more than one smoke bench sends, and the expected packets, as on the wire: the text
// starts with the first byte; in a beat the first byte is lowest.
package bench_pkg;
  function automatic [511:0] wire_order(input [511:0] text);
    for (int k = 0; k < 64; k++) wire_order[8*k +: 8] = text[8*(63-k) +: 8];
  endfunction

  // Bytes that count up from first.
  function automatic [511:0] ramp(input [7:0] first, input int bytes);
    ramp = '0;
    for (int k = 0; k < bytes; k++) ramp[8*k +: 8] = first + k[7:0];
  endfunction

  // The example of trimmer/contract.md: 142 bytes in three beats (ramps of 64 from 10, of 14 from 74
  // follow), and the beat that remains of them.
  localparam [511:0] Request = {
    128'h02000000_00020200_00000001_08004522, 128'h00800001_40004011_26480a00_00010a00,
    128'h0002c000_12b9006c_9c4e1000_00000000, 128'h00640007_00090001_02030405_06070809};
  localparam [511:0] Trimmed = {
    128'h02000000_00020200_00000001_08004542, 128'h00320001_40004011_26760a00_00010a00,
    128'h0002c000_12b9001e_f4681000_00000000, 128'h00640007_00090001_02030405_06070809};

  // The example of intmd/contract.md: an ACK_CC of 82 bytes. With an entry inserted it has 90; each
  // bench supplies checksum and entry.
  localparam [511:0] Ack0 = {
    128'h02000000_00020200_00000001_080045b8, 128'h00440001_40004011_25ee0a00_00010a00,
    128'h0002c000_12b90030_7b994000_00000000, 128'h00640007_00090000_00000000_00000000};
  localparam [511:0] Ack1 = {
    128'h00000010_00000064_0000494e_000512fa, 16'h0003, 368'h0};

  function automatic [511:0] grown0(input [15:0] udp_checksum);
    grown0 = {
      128'h02000000_00020200_00000001_080045b8, 128'h004c0001_40004011_25e60a00_00010a00,
      48'h0002c000_12b9, 16'h0038, udp_checksum, 48'h4000_00000000,
      128'h00640007_00090000_00000000_00000000};
  endfunction

  function automatic [511:0] grown1(input [63:0] entry);
    grown1 = {128'h00000010_00000064_0000494e_010512fa, 16'h0003, entry, 304'h0};
  endfunction
endpackage
