// Handshake around secret_impl, which works on every clock and has no valid, ready or reset.
//
// Between transfers secret_impl gets a = 0, which leaves its sum unchanged. An answer that is not
// taken at once is kept here, because the next clock overwrites it there.
//
// Latency:     1 cycle.
// Throughput:  one pair per cycle.
// Comb. paths: rsp_ready_i to ev_ready_o.
// Reset:       asynchronous; drops a waiting answer. The sum has no reset: it starts from 0 at
//              power-on and continues through any reset.
module secret_stream (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        ev_valid_i,
  output logic        ev_ready_o,
  input  logic [31:0] ev_a_i,
  input  logic [31:0] ev_b_i,
  output logic        rsp_valid_o,
  input  logic        rsp_ready_i,
  output logic [31:0] rsp_x_o
);
  logic        fresh_q;   // x is the answer of the pair taken in the last cycle
  logic        kept_q;
  logic [31:0] kept_x_q;
  logic [31:0] x;
  logic        accept;

  assign rsp_valid_o = rst_ni && (fresh_q || kept_q);
  assign rsp_x_o     = kept_q ? kept_x_q : x;
  assign ev_ready_o  = rst_ni && (rsp_ready_i || !(fresh_q || kept_q));
  assign accept      = ev_valid_i && ev_ready_o;

  secret_impl u_secret_impl (
    .a  (accept ? ev_a_i : 32'd0),
    .b  (ev_b_i),
    .x  (x),
    .clk(clk_i)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fresh_q  <= 1'b0;
      kept_q   <= 1'b0;
      kept_x_q <= 32'd0;
    end else begin
      fresh_q <= accept;
      if (fresh_q && !rsp_ready_i) begin
        kept_q   <= 1'b1;
        kept_x_q <= x;
      end else if (rsp_ready_i) begin
        kept_q <= 1'b0;
      end
    end
  end
endmodule
