// Package credit is the cycle-true, bit-true model of the credit block, the pacer of receiver credit in a NIC: it
// grants credit to one sender after the other at the rate of the receiver's link (UET 1.0 section 3.6.14). It is
// written only from vectors/event/credit/contract.md and vectors/event/timing.md.
//
//	m, err := credit.New(credit.DefaultSpec())
//	var in [port.InWords]uint64           // port is vectors/event/credit
//	var out [port.OutWords]uint64
//	port.PackEvent(&port.Event{Kind: port.KindOpen, Sender: 3}, in[:])
//	in[0] |= port.InRstN | port.InEvValid | port.InRspReady | port.InPullReady
//	m.Cycle(in[:], out[:])                // one clock cycle; ready and valids are in out[0]
//
// Pacer is the block without timing: Event executes one event, Pull grants once. Model executes all of a job in the
// cycle in which it ends.
package credit
