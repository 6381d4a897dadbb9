// What a harness states: ASSUME(e) of its inputs, PROVE(e) of the design, REACH(e) that can happen. The runner reads
// each harness twice: once with every PROVE asserted, once with the opposite of every REACH, which must then fail.
`ifdef GW_PROVE
`define PROVE(e) assert(e)
`define REACH(e)
`else
`define PROVE(e)
`define REACH(e) assert(!(e))
`endif
`define ASSUME(e) assume(e)
