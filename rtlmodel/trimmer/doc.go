// Package trimmer is the cycle-true, bit-true model of the trimmer block, which cuts packets to
// their headers at line rate (UET 1.0 section 4.1; RFC 791, 768, 8200, 1624). It is written only from
// vectors/event/trimmer/contract.md and vectors/event/timing.md.
//
//	m := trimmer.New()
//	var in [port.InWords]uint64           // port is vectors/event/trimmer
//	var out [port.OutWords]uint64
//	port.PackRx(&port.Rx{Last: true, Keep: ^uint64(0), Trim: true}, in[:])
//	in[0] |= port.InRstN | port.InRxValid | port.InTxReady | port.InCfgrReady
//	m.Cycle(in[:], out[:])                // one clock cycle; readies and valids are in out[0]
//
// Trim is the function of one whole frame, without timing. ParseNetwork and ParseUDP are its header walk: intmd shares
// both, ackparse the first. Model decides on a packet in its release cycle and rewrites its first beats in the store at
// once: they are not visible before.
package trimmer
