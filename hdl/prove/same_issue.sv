// gw_issue with a fault, with the least sweep, two rows: what issues, and when, is the same.
`include "prove.svh"
module same_issue (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       valid_i,
  input logic [3:0] data_i,     // key, keyed, exclusive
  input logic       take_i
);
  logic       started_q = 1'b0;
  logic       ready_a;
  logic       ready_b;
  logic [3:0] head_a;
  logic [3:0] head_b;
  logic       issue_a;
  logic       issue_b;
  logic       done_a;
  logic       done_b;
  logic       row_a;
  logic       row_b;

  gw_issue #(.Rows(2), .RowW(1), .EventW(4), .KeyW(2), .Stall(4), .Credits(2)) u_a (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(valid_i), .ready_o(ready_a), .data_i(data_i), .head_o(head_a),
    .key_i(head_a[1:0]), .keyed_i(head_a[2]), .exclusive_i(head_a[3]), .issue_o(issue_a), .take_i(take_i),
    .sweep_done_o(done_a), .sweep_row_o(row_a)
  );

  gw_issue_planted #(.Rows(2), .RowW(1), .EventW(4), .KeyW(2), .Stall(4), .Credits(2)) u_b (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(valid_i), .ready_o(ready_b), .data_i(data_i), .head_o(head_b),
    .key_i(head_b[1:0]), .keyed_i(head_b[2]), .exclusive_i(head_b[3]), .issue_o(issue_b), .take_i(take_i),
    .sweep_done_o(done_b), .sweep_row_o(row_b)
  );

  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    `ASSUME(started_q || !rst_ni);
    if (started_q) begin
      `PROVE(ready_a == ready_b);
      `PROVE(issue_a == issue_b);
      `PROVE(!issue_a || head_a == head_b);
      `PROVE(done_a == done_b && row_a == row_b);
      `REACH(issue_a && head_a[3]);
      `REACH(issue_a && head_a[2] && !head_a[3]);
    end
  end
endmodule
