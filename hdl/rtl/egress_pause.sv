// Pause request of every port: on from XOFF bytes, off down to XON, as before in between.
//
// Latency:     evaluation is combinational, its result holds from the next cycle on.
// Throughput:  one grant and one event a cycle; where both name one port, the grant comes first.
// Comb. paths: all inputs to the outputs.
// Reset:       no pause.
// Contract:    egress/contract.md "Admission", evaluate xoff[p].
module egress_pause #(
  parameter int PortW = 2
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [31:0]      xoff_level_i,
  input  logic [31:0]      xon_level_i,
  input  logic             same_port_i,
  input  logic             deq_i,           // the grant evaluates its port
  input  logic [PortW-1:0] deq_port_i,
  input  logic [31:0]      deq_bytes_i,     // content of the port after it
  output logic             deq_xoff_o,
  input  logic             enq_i,           // the event evaluates its port
  input  logic [PortW-1:0] enq_port_i,
  input  logic [31:0]      enq_bytes_i,     // content of the port after it
  output logic             left_o,          // what the grant leaves in the event's port
  output logic             enq_xoff_o
);
  localparam int Rows = 1 << PortW;

  logic [Rows-1:0] xoff_q;
  logic            deq_old;
  logic            enq_old;

  assign deq_old    = xoff_q[deq_port_i];
  assign enq_old    = xoff_q[enq_port_i];
  assign deq_xoff_o = (deq_bytes_i >= xoff_level_i) | (deq_old & (deq_bytes_i > xon_level_i));
  assign left_o     = (deq_i & same_port_i) ? deq_xoff_o : enq_old;
  assign enq_xoff_o = (enq_bytes_i >= xoff_level_i) | (left_o & (enq_bytes_i > xon_level_i));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      xoff_q <= '0;
    end else begin
      if (deq_i) xoff_q[deq_port_i] <= deq_xoff_o;
      // The event comes after the grant: where both name one port, this write stays.
      if (enq_i) xoff_q[enq_port_i] <= enq_xoff_o;
    end
  end
endmodule
