// Package egress is the cycle-true, bit-true model of the egress block: the queue manager of a
// switch's egress ports (UET 1.0 sections 3.6.17 and 4.1, IEEE 802.1Qbb). It is written only from
// vectors/event/egress/contract.md and vectors/event/timing.md.
//
//	m, err := egress.New(egress.DefaultSpec())
//	var in [port.InWords]uint64           // port is vectors/event/egress
//	var out [port.OutWords]uint64
//	port.PackEnq(&port.Enq{Port: 1, Len: 4096}, in[:])
//	in[0] |= port.InRstN | port.InEnqValid | port.InEnqrReady | port.InDeqrReady
//	m.Cycle(in[:], out[:])                // one clock cycle; readies and valids are in out[0]
//
// Queues executes the events without timing: Enq and Deq execute one event each. Model adds the clock. It executes all
// of an event in the cycle in which the event issues, and a grant before an enqueue of the same cycle, the order that
// the contract gives.
package egress
