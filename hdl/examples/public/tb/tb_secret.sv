// Plays pairs on secret_stream with idles, back-pressure and a reset, and prints "a b x" in hex for
// each transfer, as input of golden.py. Ends with $finish.
module tb_secret;
  localparam int Pairs = 2000;

  logic        clk;
  logic        rst_n;
  logic        ev_valid;
  logic        ev_ready;
  logic [31:0] a;
  logic [31:0] b;
  logic        rsp_valid;
  logic        rsp_ready;
  logic [31:0] x;
  logic [63:0] waiting;   // the pair whose answer is due
  logic [31:0] dice;
  logic        took;      // a pair in this cycle
  int          sent;
  int          seen;

  secret_stream dut (
    .clk_i(clk), .rst_ni(rst_n), .ev_valid_i(ev_valid), .ev_ready_o(ev_ready), .ev_a_i(a), .ev_b_i(b),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_x_o(x)
  );

  initial clk = 1'b0;
  always #5 clk = ~clk;

  // xorshift32
  task automatic roll;
    dice = dice ^ (dice << 13);
    dice = dice ^ (dice >> 17);
    dice = dice ^ (dice << 5);
  endtask

  always @(posedge clk) begin
    if (rsp_valid && rsp_ready) begin
      $display("%h %h %h", waiting[63:32], waiting[31:0], x);
      seen = seen + 1;
    end
    if (ev_valid && ev_ready) begin
      waiting = {a, b};
      sent    = sent + 1;
      took    = 1'b1;
    end
  end

  task automatic play(input int pairs);
    int last;
    last = sent + pairs;
    while (sent < last || seen < sent) begin
      @(negedge clk);
      roll;
      rsp_ready = dice[1:0] != 2'd0;
      if (!ev_valid || took) begin
        // Small at first, so that the sum is on both sides of 10; it wraps later.
        ev_valid = sent != last && dice[3:2] != 2'd0;
        roll;
        a = !ev_valid ? 32'hx : (sent < 40 ? {30'd0, dice[5:4]} : dice);
        roll;
        b = ev_valid ? dice : 32'hx;
      end
      took = 1'b0;
    end
    @(negedge clk);
    ev_valid = 1'b0;
  endtask

  initial begin
    dice      = 32'd2463534242;
    sent      = 0;
    seen      = 0;
    took      = 1'b0;
    rst_n     = 1'b0;
    ev_valid  = 1'b0;
    rsp_ready = 1'b0;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    play(Pairs / 2);
    rst_n = 1'b0;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    play(Pairs / 2);
    $finish;
  end
endmodule
