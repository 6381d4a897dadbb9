// Package ackparse is the cycle-true, bit-true model of the ackparse block, which turns the UET acknowledgements, NACKs
// and control packets that reach a NIC into records (UET 1.0 section 3.5; RFC 791, 768, 8200, 1071). It is written only
// from vectors/event/ackparse/contract.md and vectors/event/timing.md.
//
//	m := ackparse.New()
//	var in [port.InWords]uint64           // port is vectors/event/ackparse
//	var out [port.OutWords]uint64
//	port.PackRx(&port.Rx{Last: true, Keep: ^uint64(0)}, in[:])
//	in[0] |= port.InRstN | port.InRxValid | port.InRecReady | port.InCfgrReady
//	m.Cycle(in[:], out[:])                // one clock cycle; readies and valids are in out[0]
//
// Parse is the function of one whole frame, without timing. Model decides on a packet and fills its record in the cycle
// in which the last beat issues: neither is visible before.
package ackparse
