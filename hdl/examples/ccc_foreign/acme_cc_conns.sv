// Writes the received-bytes counters of a context's connections, in the states of the walk that
// change one: for a loaded word, an ACK, a BIND, and the wipe of a new context, one connection per
// clock.
//
// The write port is registered: a write appears one clock after the state. wiped is combinational
// from the state and is high in the last clock of S_WIPE. Reset drops a pending write.
module acme_cc_conns #(
  parameter int CONNS = 4
) (
  input  logic        clk,
  input  logic        arst,
  input  logic [5:0]  st,
  input  logic        loads,    // S_DECODE loads a state word
  input  logic [4:0]  waddr,
  input  logic [23:0] wdata,
  input  logic [3:0]  conn,
  input  logic [23:0] rx_total,
  input  logic        stale,    // rx_total is older than the counter
  output logic        wiped,
  output logic        seen_we,
  output logic [3:0]  seen_conn,
  output logic [23:0] seen_wdata
);
  localparam logic [4:0] CONN_END = CONNS[4:0];

  logic [4:0] slot;  // connection being wiped
  assign wiped = st == acme_cc_pkg::S_WIPE && slot + 5'd1 == CONN_END;

  always_ff @(posedge clk or posedge arst) begin
    if (arst) begin
      slot       <= 5'd0;
      seen_we    <= 1'b0;
      seen_conn  <= 4'd0;
      seen_wdata <= 24'd0;
    end else begin
      seen_we <= 1'b0;
      unique case (st)
        acme_cc_pkg::S_REST: slot <= 5'd0;

        acme_cc_pkg::S_DECODE: if (loads) begin
          seen_we    <= waddr == 5'd14;
          seen_conn  <= conn;
          seen_wdata <= wdata;
        end

        acme_cc_pkg::S_WIPE: begin
          seen_we    <= 1'b1;
          seen_conn  <= slot[3:0];
          seen_wdata <= 24'd0;
          slot       <= slot + 5'd1;
        end

        acme_cc_pkg::S_BIND: begin
          seen_we    <= 1'b1;
          seen_conn  <= conn;
          seen_wdata <= rx_total;
        end

        acme_cc_pkg::S_ACK: if (!stale) begin
          seen_we    <= 1'b1;
          seen_conn  <= conn;
          seen_wdata <= rx_total;
        end

        default: seen_we <= 1'b0;
      endcase
    end
  end
endmodule
