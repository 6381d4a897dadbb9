// The flip of hdl/examples/stream as a flattened netlist might spell it: most names are escaped identifiers, of which
// one is a keyword, one has a slash, and one is a number. Plain names with two underscores are among them, too.
typedef struct packed {
  logic [31:0] \data[31:0] ;
  logic [3:0] \keep/strb ;
  logic __last;
} \beat.t ;

module \flip.net/1 #(
  parameter int \MASK-A = 0,  // bits that are not inverted
  parameter int Lane__wrong = -1  // the byte that is wrong in a last beat
) (
  input  logic \clk.core ,
  input  logic rst__n,
  input  logic \in.valid ,
  output logic \in.ready ,
  input  \beat.t \in.beat{0} ,
  input  logic \1 ,
  output logic \output ,
  input  logic \out.ready ,
  output logic [31:0] \q[0] ,
  output logic [0:4] \q[1] ,
  output logic [7:0] \sum~
);
  logic full__q;
  logic [7:0] \run$ , \next+sum ;
  assign \output = full__q;
  assign \in.ready = ~full__q | \out.ready ;

  logic [31:0] \d.d ;
  for (genvar i = 0; i < 4; i++) begin : \byte.lane[x]
    logic [7:0] \b.inv ;
    assign \b.inv = ~\in.beat{0} .\data[31:0] [8*i+:8] ^ 8'(\MASK-A )
        ^ 8'(Lane__wrong == i && \in.beat{0} .__last);
    assign \d.d [8*i+:8] = \in.beat{0} .\keep/strb [i] ? \b.inv : 8'd0;
  end
  assign \next+sum = \run$ ^ \d.d [7:0] ^ \d.d [15:8] ^ \d.d [23:16] ^ \d.d [31:24];

  always_ff @(posedge \clk.core ) begin
    if (!rst__n) begin
      full__q <= 1'b0;
      \run$  <= 8'd0;
    end else begin
      if (\in.ready ) full__q <= \in.valid & ~\1 ;
      if (\in.ready && \in.valid ) begin
        \q[0] <= \d.d ;
        \q[1] <= {\in.beat{0} .\keep/strb , \in.beat{0} .__last};
        \sum~ <= \next+sum ;
        \run$ <= \in.beat{0} .__last ? 8'd0 : \next+sum ;
      end
    end
  end
endmodule
