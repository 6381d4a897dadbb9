// Package ccc is the cycle-true, bit-true twin of the ccc block: the congestion-control contexts
// (CCC) of a NIC running NSCC, UET 1.0 sections 3.6.12 and 3.6.13. It is written from
// vectors/event/ccc/contract.md and vectors/event/timing.md alone.
//
//	m, err := ccc.New(ccc.DefaultSpec())
//	var in [port.InWords]uint64           // port is vectors/event/ccc
//	var out [port.OutWords]uint64
//	port.PackEvent(&port.Event{Kind: port.KindOpen, Ctx: 7}, in[:])
//	in[0] |= port.InRstN | port.InEvValid | port.InRspReady
//	m.Cycle(in[:], out[:])                // one clock cycle; ready and valid are in out[0]
//
// Apply is the function of one event on one context without any timing; Model computes it when the
// event issues. The interlock keeps two events of one context a whole pipeline apart, so that at
// issue nothing older of the same context is unfinished, and what the hardware spreads over LATENCY
// cycles may be done at once: at the ports nobody can tell.
package ccc
