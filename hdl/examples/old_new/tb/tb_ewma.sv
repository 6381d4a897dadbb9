// Plays one random run of samples on ewma_old, ewma_new and ewma_new_fixed, each at its own pace
// and with separate back-pressure, and compares the answers one by one, also with answers that it
// computes itself.
//
// Ends with PASS when old and fixed give every expected answer and new differs by one LSB in
// exactly the samples in which its rounding is known to differ; otherwise with $fatal.
module tb_ewma;
  localparam int Samples = 20000;

  logic        clk;
  logic        rst_n;
  logic [26:0] stim [0:Samples-1];  // chan, init, gain, x
  logic [21:0] want [0:Samples-1];  // chan, y
  logic        tie  [0:Samples-1];  // new's answer is one LSB below the correct one
  logic [2:0]  ev_valid;
  logic [2:0]  ev_ready;
  logic [2:0]  rsp_valid;
  logic [2:0]  rsp_ready;
  logic [26:0] ev [0:2];
  logic [1:0]  chan [0:2];
  logic [19:0] y [0:2];
  int          sent [0:2];
  int          seen [0:2];
  int          errors;
  int          differ;
  int          ties;
  logic [31:0] dice;

  initial clk = 1'b0;
  always #5 clk = ~clk;

  ewma_old u_old (
    .clk_i(clk), .rst_ni(rst_n), .ev_valid_i(ev_valid[0]), .ev_ready_o(ev_ready[0]),
    .ev_chan_i(ev[0][26:25]), .ev_init_i(ev[0][24]), .ev_gain_i(ev[0][23:16]), .ev_x_i(ev[0][15:0]),
    .rsp_valid_o(rsp_valid[0]), .rsp_ready_i(rsp_ready[0]), .rsp_chan_o(chan[0]), .rsp_y_o(y[0])
  );
  ewma_new_fixed u_fixed (
    .clk_i(clk), .rst_ni(rst_n), .ev_valid_i(ev_valid[1]), .ev_ready_o(ev_ready[1]),
    .ev_chan_i(ev[1][26:25]), .ev_init_i(ev[1][24]), .ev_gain_i(ev[1][23:16]), .ev_x_i(ev[1][15:0]),
    .rsp_valid_o(rsp_valid[1]), .rsp_ready_i(rsp_ready[1]), .rsp_chan_o(chan[1]), .rsp_y_o(y[1])
  );
  ewma_new u_new (
    .clk_i(clk), .rst_ni(rst_n), .ev_valid_i(ev_valid[2]), .ev_ready_o(ev_ready[2]),
    .ev_chan_i(ev[2][26:25]), .ev_init_i(ev[2][24]), .ev_gain_i(ev[2][23:16]), .ev_x_i(ev[2][15:0]),
    .rsp_valid_o(rsp_valid[2]), .rsp_ready_i(rsp_ready[2]), .rsp_chan_o(chan[2]), .rsp_y_o(y[2])
  );

  // xorshift32
  task automatic roll;
    dice = dice ^ (dice << 13);
    dice = dice ^ (dice >> 17);
    dice = dice ^ (dice << 5);
  endtask

  // Samples and answers. A sample after a tie is an init, so that new's error does not persist.
  task automatic draw;
    int avg [0:3];
    int move;
    int prod;
    logic [3:0] reset_next;
    reset_next = 4'd0;
    ties = 0;
    for (int c = 0; c < 4; c++) avg[c] = 0;
    for (int i = 0; i < Samples; i++) begin
      roll;
      stim[i] = dice[26:0];
      roll;
      if (dice[1:0] != 2'd0) stim[i][15:0] = dice[31] ? 16'hfff0 | dice[15:0] : {12'd0, dice[7:4]};
      stim[i][24] = dice[10:2] == 9'd0 || reset_next[stim[i][26:25]];
      reset_next[stim[i][26:25]] = 1'b0;
      move = {12'd0, stim[i][15:0], 4'd0} - avg[stim[i][26:25]];
      prod = move * {24'd0, stim[i][23:16]};
      tie[i] = !stim[i][24] && prod < -134217728 && prod[7:0] == 8'h80;
      if (stim[i][24]) avg[stim[i][26:25]] = {12'd0, stim[i][15:0], 4'd0};
      else avg[stim[i][26:25]] = avg[stim[i][26:25]] + ((prod + 128) >>> 8);
      want[i] = {stim[i][26:25], avg[stim[i][26:25]][19:0]};
      if (tie[i]) begin
        ties = ties + 1;
        reset_next[stim[i][26:25]] = 1'b1;
      end
    end
  endtask

  always @(posedge clk) begin
    if (rst_n) begin
      for (int k = 0; k < 3; k++) begin
        if (ev_valid[k] && ev_ready[k]) sent[k] = sent[k] + 1;
        if (rsp_valid[k] && rsp_ready[k]) begin
          if (k == 2 && tie[seen[k]]) begin
            differ = differ + 1;
            if ({chan[k], y[k] + 20'd1} !== want[seen[k]]) errors = errors + 1;
          end else if ({chan[k], y[k]} !== want[seen[k]]) begin
            errors = errors + 1;
            if (errors < 10) begin
              $display("FAIL: device %0d, sample %0d: got %h, want %h",
                       k, seen[k], {chan[k], y[k]}, want[seen[k]]);
            end
          end
          seen[k] = seen[k] + 1;
        end
      end
    end
  end

  // Inputs change at the falling edge; valid stays until it is taken.
  always @(negedge clk) begin
    for (int k = 0; k < 3; k++) begin
      roll;
      if (rst_n && sent[k] < Samples) begin
        ev_valid[k] = dice[0] || (ev_valid[k] && ev[k] === stim[sent[k]]);
        ev[k]       = ev_valid[k] ? stim[sent[k]] : 27'bx;
      end else begin
        ev_valid[k] = 1'b0;
      end
      rsp_ready[k] = dice[5:4] != 2'd0;
    end
  end

  initial begin
    dice      = 32'd2463534242;
    errors    = 0;
    differ    = 0;
    rst_n     = 1'b0;
    ev_valid  = 3'd0;
    rsp_ready = 3'd0;
    for (int k = 0; k < 3; k++) begin
      sent[k] = 0;
      seen[k] = 0;
    end
    draw;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    repeat (4 * Samples) @(posedge clk);
    for (int k = 0; k < 3; k++) begin
      if (seen[k] != Samples) begin
        $display("FAIL: device %0d answered %0d of %0d", k, seen[k], Samples);
        errors = errors + 1;
      end
    end
    if (ties == 0 || differ != ties) errors = errors + 1;
    if (errors != 0) begin
      $display("FAIL: %0d errors; new differed %0d times, expected %0d", errors, differ, ties);
      $fatal;
    end
    $display("PASS: ewma_new differed in %0d of %0d samples", differ, Samples);
    $finish;
  end
endmodule
