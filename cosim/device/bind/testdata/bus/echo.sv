// Packets come out as they went in, on a bus of W bits. The plusarg +bug=N plants a fault.
module echo #(parameter int W = 64) (
  input  logic           clk,
  input  logic           rst_n,
  input  logic           in_valid,
  output logic           in_ready,
  input  logic [W-1:0]   in_data,
  input  logic [W/8-1:0] in_keep,
  input  logic           in_last,
  input  logic [7:0]     in_id,
  output logic           out_valid,
  input  logic           out_ready,
  output logic [W-1:0]   out_data,
  output logic [W/8-1:0] out_keep,
  output logic           out_last,
  output logic [7:0]     out_id,
  output logic [7:0]     out_sum
);
  int bug = 0;
  initial if (!$value$plusargs("bug=%d", bug)) bug = 0;

  logic full, first, last, tail, tail_q, lost;
  logic [7:0] id, sum, next;
  logic [4:0] packets;
  always_comb begin
    next = first ? 8'd0 : sum;
    for (int k = 0; k < W / 8; k++) if (in_keep[k]) next ^= in_data[8*k+:8];
  end
  // 10 is no fault: the end of a packet comes after its last full beat, in one without bytes.
  assign tail = bug == 10 && last && &out_keep && packets[0] && !tail_q;
  assign out_last = last && !tail;
  assign out_valid = full && !(bug == 2 && lost);
  assign in_ready = !full || out_ready && !tail && !(bug == 2 && lost);

  always_ff @(posedge clk) begin
    lost <= out_valid && !out_ready && packets[2:0] == 3;
    if (bug == 1 && out_valid && !out_ready && packets[2:0] == 3) out_data[3] <= ~out_data[3];
    if (out_valid && out_ready) begin
      full <= tail;
      tail_q <= tail;
      if (tail) out_keep <= '0;
    end
    if (in_valid && in_ready) begin
      full <= !(bug == 5 && packets == 5);
      tail_q <= 1'b0;
      first <= in_last;
      if (first) id <= in_id;
      sum <= next;
      out_data <= in_data;
      for (int k = 0; k < W / 8; k++) if (bug == 11 && !in_keep[k]) out_data[8*k+:8] <= 8'h55;
      out_keep <= in_keep;
      if (bug == 3 && in_last && in_keep[2]) out_keep[1] <= 1'b0;
      if (bug == 4 && !in_last && packets == 7) out_keep[W/8-1] <= 1'b0;
      if (bug == 8 && in_last && packets[1]) out_keep[W/8-1] <= 1'b0;
      last <= in_last && !(bug == 6 && packets == 9);
      out_id <= first ? in_id : bug == 7 && packets == 4 ? ~id : id;
      out_sum <= bug == 9 && packets == 2 ? ~next : next;
      packets <= packets + 5'(in_last);
    end
    if (!rst_n) begin
      full <= 1'b0;
      tail_q <= 1'b0;
      first <= 1'b1;
      lost <= 1'b0;
      packets <= 5'd0;
    end
  end
endmodule
