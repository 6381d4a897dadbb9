// Package hpcc is the sender of HPCC, of FNCC and of FNCC with last-hop congestion control (LHCS) in float64
// (congestion-control.md, section 6): a window that follows the most utilised hop of the path, by the telemetry that
// ACKs bring. The utilisation and the window are package telemetry's; this package adds LHCS, the wire's format, and
// when telemetry is too old. Windows are bytes, times us.
//
//	spec := hpcc.DefaultSpec(hpcc.FNCC, 100, 12.5) // Gb/s, base RTT of all flows of a run
//	s := hpcc.NewState(&spec)
//	s.OnAck(&spec, hpcc.Ack{Now: 20, Seq: 1, Next: 40, Hops: hops})
//	s.W(), s.Rate()                                // bytes, Gb/s: W over the base round trip
//
// LHCS, after the utilisation is updated: v of each hop is its queue at both stamps over the bandwidth-delay product,
// and its rate, at most 1. When the largest, the first on ties, is hop 0, the last of the path, and above 1.05, the
// window is the last hop's bandwidth-delay product times 0.9 over the number of flows to the receiver, and the rule
// ends.
//
// # Decisions
//
//   - Sequence numbers are those of packets: they are only compared. The window counts bytes of whole packets.
//   - One base round trip holds for all flows of a run; the simulated network gives that of the context's Config, which
//     is the run's unless per_flow_rtt is on.
//   - The base round trip is rounded to a nanosecond, the unit of package telemetry.
//   - Telemetry on the wire is one ns, 128 bytes and 80 bytes fine and comes round; a pause between ACKs of more than
//     half the shorter turn makes the next ACK the first again. A rate code that stands for no rate leaves the ACK out.
//   - In LHCS a hop without time between its stamps keeps its last v, 0 at the start. The variant lhcs_raw leaves the
//     rate term as it is.
//   - An ACK without telemetry runs no rule. Losses move nothing: the network is lossless, or resends by timeout.
package hpcc
