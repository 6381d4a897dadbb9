// Package txstate is the cycle-true, bit-true model of the txstate block: the per-packet transmit
// state of a NIC, which turns an ACK or NACK into an RTT sample or none (UET 1.0 sections 3.6.13.1
// and 3.6.13.6). It is written only from vectors/event/txstate/contract.md and vectors/event/timing.md.
//
//	m, err := txstate.New(txstate.DefaultSpec())
//	var in [port.InWords]uint64           // port is vectors/event/txstate
//	var out [port.OutWords]uint64
//	port.PackEvent(&port.Event{Kind: port.KindSend, PDC: 3, PSN: 100, Now: 5000}, in[:])
//	in[0] |= port.InRstN | port.InEvValid | port.InRspReady
//	m.Cycle(in[:], out[:])                // one clock cycle; ready and valid are in out[0]
//
// Apply is the function of one event on one entry, without timing. Model calls it when the event issues; because of the
// interlock, the ports show no difference from the pipeline.
package txstate
