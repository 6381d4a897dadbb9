// Package ackgen is the cycle-true, bit-true model of the ackgen block, the destination half of a NIC: it keeps what
// has arrived in each packet delivery context and answers requests and control packets (UET 1.0 section 3.5; RFC 791,
// 768, 8200, 1071). It is written only from vectors/event/ackgen/contract.md, vectors/event/timing.md and the first
// steps of vectors/event/ackparse/contract.md.
//
//	m, err := ackgen.New(ackgen.DefaultSpec())
//	var in [port.InWords]uint64           // port is vectors/event/ackgen
//	var out [port.OutWords]uint64
//	port.PackRx(&port.Rx{Last: true, Keep: ^uint64(0)}, in[:])
//	in[0] |= port.InRstN | port.InRxValid | port.InTxReady | port.InIndReady | port.InCfgrReady
//	m.Cycle(in[:], out[:])                // one clock cycle; readies and valids are in out[0]
//
// Receiver is the block without timing: Receive takes one whole frame, Configure one cfg event. Model judges a packet
// in the cycle in which its last beat issues, and executes all of a job in the cycle in which it ends.
package ackgen
