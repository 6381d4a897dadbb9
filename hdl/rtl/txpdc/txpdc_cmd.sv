// Job of a command: whether it is refused, what it changes, its response and action.
//
// Latency:     CMD_BUSY (6) cycles: its PDC is out in step 1, a packet of it in 2; results in 5.
// Throughput:  one job at a time.
// Comb. paths: step_i to the enables; none from what it may read.
// Reset:       none; payload only.
// Contract:    txpdc/contract.md "Command". A state is closed_at, rcvd, sum, left, outstanding,
//              una, start, peer, mpr, tries, stopped, closing, syn, valid.
module txpdc_cmd #(
  parameter int Pdcs = 16
) (
  input  logic         clk_i,
  input  logic         start_i,
  input  logic [5:1]   step_i,
  input  txpdc_cmd_t   cmd_i,
  input  logic [222:0] state_i,        // step 1 on
  input  logic [383:0] bits_i,
  input  logic [4:0]   context_i,      // next, queued, waits, can_send
  output logic [4:0]   addr_o,         // step 1 on
  output logic [31:0]  data_o,
  output logic [6:0]   row_o,          // of the packet
  input  logic [15:0]  size_i,         // step 2 on
  input  logic [31:0]  stamp_i,
  input  logic [31:0]  register_i,     // step 1 on
  input  logic [31:0]  count_i,
  input  logic [3:0]   payload_i,      // registers
  input  logic [6:0]   header_i,
  // step 3
  output logic [222:0] state_o,
  output logic [383:0] bits_o,
  // step 5
  output logic         pdc_we_o,
  output logic         closes_o,       // and closed_at is now
  output logic         size_we_o,
  output logic         stamp_we_o,
  output logic         write_o,        // a register
  output logic         load_o,         // a counter
  output logic         done_o,         // with an action
  output txpdc_act_t   act_o,
  output txpdc_rsp_t   rsp_o
);
  // ---------------------------------------------------------------- step 1
  txpdc_cmd_t   cmd_q;
  logic [31:0]  closed_at, sum, una, start;
  logic [23:0]  rcvd;
  logic [30:0]  left;
  logic [7:0]   n, mpr;
  logic [15:0]  peer;
  logic [3:0]   tries;
  logic         stopped, closing, syn, valid;
  logic [31:0]  word;
  logic [222:0] loaded;
  logic [383:0] loaded_bits;
  logic         refused;
  logic         is_load, is_read, is_open, is_message, is_close;
  logic         over;                  // of a CLOSE: stopped, and nothing is outstanding
  logic         busy;
  logic         may;

  assign {closed_at, rcvd, sum, left, n, una, start, peer, mpr, tries, stopped, closing, syn,
          valid} = state_i;

  always_ff @(posedge clk_i) begin
    if (start_i) cmd_q <= cmd_i;
  end

  assign addr_o = cmd_q.addr;
  assign data_o = cmd_q.data;
  assign row_o  = cmd_q.psn[6:0];

  txpdc_refuse #(.Pdcs(Pdcs)) u_refuse (
    .kind_i   (cmd_q.kind),
    .pdc_i    (cmd_q.pdc),
    .addr_i   (cmd_q.addr),
    .data_i   (cmd_q.data),
    .refused_o(refused)
  );

  txpdc_words u_words (
    .addr_i (cmd_q.addr),
    .data_i (cmd_q.data),
    .state_i(state_i),
    .bits_i (bits_i),
    .word_o (word),
    .state_o(loaded),
    .bits_o (loaded_bits)
  );

  assign is_load    = (cmd_q.kind == txpdc_pkg::KIND_LOAD);
  assign is_read    = (cmd_q.kind == txpdc_pkg::KIND_READ);
  assign is_open    = (cmd_q.kind == txpdc_pkg::KIND_OPEN);
  assign is_message = (cmd_q.kind == txpdc_pkg::KIND_MESSAGE);
  assign is_close   = (cmd_q.kind == txpdc_pkg::KIND_CLOSE);

  assign over = is_close & valid & stopped & (n == '0);
  assign busy = is_open ? valid :
                (is_message | is_close) & ~over & (~valid | closing | stopped | (left != '0) |
                                                   (is_close & (n != '0)));
  assign may  = ~refused & ~busy;

  // ---------------------------------------------------------------- steps 1 to 5: which size
  logic [30:0] packets;                // of the message, but one
  logic [30:0] packets_q;
  logic [31:0] headers_q;
  logic [31:0] rest;                   // that rounding left
  logic [31:0] size_q;

  assign rest    = {rcvd, 8'b0} - sum;
  assign packets = (cmd_q.data[30:0] - 31'd1) >> payload_i;

  always_ff @(posedge clk_i) begin
    if (step_i[1]) packets_q <= packets + 31'd1;
    if (step_i[2]) headers_q <= {1'b0, packets_q} * {25'b0, header_i};
    if (step_i[3]) size_q    <= is_message      ? cmd_q.data + headers_q :
                             (rest < 32'd256) ? rest : 32'b0;
  end

  // ---------------------------------------------------------------- step 3
  logic freed, closed;                 // by a CLOSE
  logic [222:0] opened_state, changed_state;

  assign freed         = is_close & may & (over | syn);
  assign closed        = is_close & may & ~freed;
  assign opened_state  = {32'b0, 24'b0, 32'b0, 31'b0, 8'b0, cmd_q.data, cmd_q.data, 16'b0, 8'b0,
                          4'b0, 4'b0011};
  assign changed_state = {closed_at, rcvd, sum, is_message ? cmd_q.data[30:0] : left, n, una, start,
                          peer, mpr, closed ? 4'd0 : tries, stopped, closing | closed, syn,
                          valid & ~freed};
  assign state_o       = is_load ? loaded : is_open ? opened_state : changed_state;
  assign bits_o        = is_load ? loaded_bits : is_open ? 384'b0 : bits_i;

  // ---------------------------------------------------------------- step 4 to 5
  logic        loads;
  logic        of_pdc;
  logic [31:0] answer;
  logic        pdc_we_q, closes_q, size_we_q, stamp_we_q, write_q, load_q, done_q;

  assign loads  = is_load & may;
  assign of_pdc = (cmd_q.addr <= txpdc_pkg::WORD_RESENT3);

  always_comb begin
    unique case (cmd_q.addr)
      txpdc_pkg::WORD_SIZE:     answer = {16'b0, size_i};
      txpdc_pkg::WORD_STAMP:    answer = stamp_i;
      txpdc_pkg::WORD_CAN_SEND: answer = {26'b0, context_i[4:3], 1'b0, context_i[2:0]};
      default:                  answer = of_pdc ? word : count_i;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (step_i[4]) begin
      pdc_we_q   <= (loads & of_pdc) | ((is_open | is_message | is_close) & may);
      closes_q   <= closed;
      size_we_q  <= loads & (cmd_q.addr == txpdc_pkg::WORD_SIZE);
      stamp_we_q <= loads & (cmd_q.addr == txpdc_pkg::WORD_STAMP);
      load_q     <= loads & (cmd_q.addr >= txpdc_pkg::WORD_SENT);
      write_q    <= (cmd_q.kind == txpdc_pkg::KIND_CFG_WRITE) & may;
      done_q     <= (is_open | is_message | is_close) & may;

      rsp_o.kind    <= cmd_q.kind;
      rsp_o.pdc     <= cmd_q.pdc;
      rsp_o.refused <= refused;
      rsp_o.busy    <= ~refused & busy;
      rsp_o.data    <= refused ? 32'b0 :
                       is_read ? answer :
                       (cmd_q.kind == txpdc_pkg::KIND_CFG_READ) ? register_i : 32'b0;

      act_o      <= '0;
      act_o.kind <= is_open    ? txpdc_pkg::ACTION_OPENED :
                    is_message ? txpdc_pkg::ACTION_MESSAGE :
                    freed      ? txpdc_pkg::ACTION_FREED : txpdc_pkg::ACTION_CLOSING;
      act_o.size <= is_close ? 32'b0 : size_q;
      act_o.psn  <= closed ? una : 32'b0;
      act_o.peer <= closed ? peer : 16'b0;
    end
  end

  assign pdc_we_o   = step_i[5] & pdc_we_q;
  assign closes_o   = step_i[5] & closes_q;
  assign size_we_o  = step_i[5] & size_we_q;
  assign stamp_we_o = step_i[5] & stamp_we_q;
  assign write_o    = step_i[5] & write_q;
  assign load_o     = step_i[5] & load_q;
  assign done_o     = step_i[5] & done_q;

  logic unused;
  assign unused = ^cmd_q.psn[31:7];
endmodule
