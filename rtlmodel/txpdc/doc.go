// Package txpdc is the cycle-true, bit-true model of the txpdc block, the source half of the packet delivery contexts
// (PDCs) of a NIC: it cuts messages into packets, keeps what is outstanding in each PDC, sends again what was lost, and
// gives one context after the other its turn (UET 1.0 section 3.5). It is written only from
// vectors/event/txpdc/contract.md and vectors/event/timing.md.
//
//	m, err := txpdc.New(txpdc.DefaultSpec())
//	var in [port.InWords]uint64           // port is vectors/event/txpdc
//	var out [port.OutWords]uint64
//	port.PackCmd(&port.Cmd{Kind: port.KindOpen, PDC: 5, Data: 1000}, in[:])
//	in[0] |= port.InRstN | port.InCmdValid | port.InActReady | port.InRspReady
//	m.Cycle(in[:], out[:])                // one clock cycle; readies and valids are in out[0]
//
// Source is the block without timing: View, Command, Record, Turn and Timer execute one job each. Model executes all of
// a job in the cycle in which it ends.
package txpdc
