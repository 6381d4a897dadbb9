// Package ccc is the cycle-true, bit-true model of the ccc block: the congestion-control contexts
// (CCC) of a NIC running NSCC, UET 1.0 sections 3.6.12 and 3.6.13, with the sender's half of receiver credit. It is
// written only from vectors/event/ccc/contract.md and vectors/event/timing.md.
//
//	m, err := ccc.New(ccc.DefaultSpec())
//	var in [port.InWords]uint64           // port is vectors/event/ccc
//	var out [port.OutWords]uint64
//	port.PackEvent(&port.Event{Kind: port.KindOpen, Ctx: 7}, in[:])
//	in[0] |= port.InRstN | port.InEvValid | port.InRspReady
//	m.Cycle(in[:], out[:])                // one clock cycle; ready and valid are in out[0]
//
// Apply is the function of one event on one context, without timing; Model calls it when the event issues. The
// interlock keeps two events of one context a whole pipeline apart, so when an event issues, every older event of its
// context is complete. The model can therefore do at once what the hardware spreads over LATENCY cycles: the ports show
// no difference.
package ccc
