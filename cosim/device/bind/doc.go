// Package bind binds other people's RTL to a block's schema.
//
// A dut.yaml names the design and maps its ports to the block's. Load reads it, Elaborate asks Verilator for the ports
// of the design with all parameters applied, Check lists everything that does not fit, and Foreign returns what
// bridge/launch needs to build it: the sources and a generated module that has the block's flat ports and holds the
// design.
//
//	b, err := bind.Load("my/dut.yaml", lookup)  // Problems: each with file and line
//	f, err := b.Foreign(ctx)                    // elaborated and checked
//	bin, err := launch.Build(ctx, launch.BuildSpec{Root: root, Block: b.Block.Name, Schema: b.Block, Foreign: f})
//
// The design runs in the folder of its dut.yaml: a file that it reads with $readmemh, $readmemb or $fopen is
// relative to that, and one of the first two that is not there is an error. Verilator runs there too, so paths in flags
// are relative to it.
//
// A design is a program that runs with the rights of its user. The dut.yaml itself runs no program. Flags under the key
// verilator are refused if they run a program, take over the build, or pass the compiler or the linker a value with a
// character that is special to make or the shell; flags.go lists them. The same holds inside option files (-f, -F).
//
// A dut.yaml in short (paths are relative to it):
//
//	block: ccc                      # one of ours, or schema: mine.yaml (see hdl/examples/README.md)
//	top: my_ccc
//	sources: [rtl/*.sv]             # globs allowed, in compile order; all .vhd for a design in VHDL, which GHDL reads
//	include: [rtl/include]
//	defines: [FAST, DEPTH=3]
//	parameters: {N: NumContexts}    # a number, a quoted string, or a parameter of the block
//	block_parameters: {NumContexts: 64}
//	clock: clk                      # [clk, clk_2]: all of them are one clock; none: the design has none
//	clocks:                         # in place of clock: clocks of their own, and the streams that are on each
//	  wr_clk: {period: 10, streams: [ev]}            # in steps, of which a cycle of the run is one; 2 to 1000
//	  rd_clk: {period: 3, phase: 1, streams: [rsp]}  # first edge after as many steps; without it drawn by the seed
//	reset: {port: rst, active: high, kind: async, cycles: 4}  # port: [rst_a, rst_b] likewise; or reset: none
//	latency: elastic                # not for our blocks with several input streams, whose answers depend on the
//	                                # cycle in which they meet; or exact: cycle for cycle as the contract
//	order: context                  # stream, context or tag; with latency elastic only
//	key: ctx
//	flush: 512                      # cycles that the last response may take, 1 to 100000000
//	patience: 200000                # cycles that an event may be refused, likewise
//	relax: [rsp.data_changes]       # handshake rules that the design breaks on purpose, for one output or, as
//	                                # data_changes, for all: valid_drops (a response that waits for ready may be
//	                                # withdrawn), data_changes (its fields may change); every report names them
//	beats: {width: 256}             # the design's bus has 64 to 1024 bits: packets are cut anew at its edge and compared
//	                                # as packets; data and keep of the map then have the design's bits
//	tolerance:                      # values that need not be equal; what is not listed is exact
//	  rsp.cwnd: {absolute: 2, relative: 0.001}  # LSBs of the field, or a share of the expected value: the larger holds
//	  rsp.avg_delay: {lsb: 1, format: UQ32.8}   # last places of a format of the design
//	  rsp.can_send: {flips: 1}      # a decision: in each 10,000 responses begun; with resync: state only
//	  rsp.entropy: ignore           # or exact
//	  word.inc_bytes: {relative: 0.01}          # a state word, as READ answers it
//	  register.GAMMA: {lsb: 1, format: UQ0.12}  # a register, as CFG_READ answers it
//	resync: state                   # the reference takes the design's state after each event; or none
//	plusargs: [+quiet]
//	verilator: [-Wno-WIDTH]
//	map:                            # schema port: expression over the design's ports
//	  ev_valid: in_vld
//	  ev_ready: in_rdy              # 1: always ready
//	  ev.kind: "cmd[7:4]"
//	  ev.now: "{ts_hi, ts_lo}"
//	  rsp_valid: ~out_empty
//	  rsp_ready: none               # the design has no ready there; also with latency exact
//	  rsp.cwnd: "{8'd0, out_cwnd}"
//	tie: {scan_en: 0, mode: 0x1f}   # inputs that no field drives
//
// An expression is a port, a member of a packed struct (port.member), a slice of either, ~ of it, a
// constant, or several in braces, most significant first. For an input field it says where its bits
// go (a constant drops that many bits), for an output field where they come from. A slice of a packed array counts
// bits. A constant is decimal, 0x1f, 0b101, or has a width as in 8'h1f. `none` leaves an input field unconnected, and
// an output field uncompared.
//
// Tolerances are for a design with other word lengths, whose answers are right but not equal bit for bit. They need
// latency: elastic. Numbers have bounds; flags and enums are exact, ignored, or may flip. A rule that accepts any value
// is an error, and so are rules that leave nothing to compare. With resync: state the harness reads every state word,
// and the register that was written, after each event, and all registers after a reset. It compares them and writes
// the differences into the reference, so rounding does not add up and the bounds are those of one event. The block
// needs the events READ and LOAD for that. It has a price: two events of a context never come back to back, so a hazard
// between them is not exercised. A decision that differs needs a cause: a state within four bounds of the design's
// state from which the reference makes that decision and answers everything else within the tolerances.
//
// Names of the design (top, parameters, clock, ports, members) are written as in the RTL, an escaped identifier without
// its backslash: in.valid, d[3]. The longest name that fits is taken. A name that could also be read as something else,
// such as ~x or 1, stands with the backslash and the space that ends it: "\\1 " in YAML.
//
// With beats the streams of packets, which have data, keep and last, are cut anew in both directions. A design gets
// every byte of a beat that is not the last, and of the last those below the lowest zero of keep; the same is expected
// of it. A last beat without bytes is as good as an end in the beat before. An input beat has the other fields of the
// beat that it is cut from, or of the first of those that it joins. An output beat has those of the last that it joins,
// in all of which they must be equal unless the field has a mask or a condition. A reference that is another design has
// beats, too, if only of the block's own width.
//
// With clocks, every stream moves at the rising edges of its clock. The answers are compared, with latency: elastic;
// flush, patience and the cycles of a reset are those of the slowest clock.
//
// The input streams of a block whose schema has turns: true take turns at the edge of a design with latency: elastic. A
// stream goes on when what was taken from the others is answered: what a packet meets depends on the order of events.
//
// A design without a reset begins each episode with power-on, so it needs initial values, and no episode resets it in
// the middle. An output without a valid of its own has one of these in its place, and none for its ready:
//
//	rsp_valid: after ev 3           # valid three cycles after an event of the stream ev was accepted
//	rsp_valid: after ev             # in the same cycle: a combinational design
//	rsp_valid: on change            # a level: valid in each cycle in which a field has changed
//	rsp_valid: on change 8          # the same of a level that takes its time: valid when it has changed and then
//	                                # stayed for 8 cycles; the next event waits for that, so that none is missed
//
// Where an output is valid after a stream, the valid of that stream may be none, too: the design looks at its inputs
// in every cycle.
package bind
