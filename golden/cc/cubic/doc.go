// Package cubic is the window of Cubic (RFC 9438) in float64, with fast convergence and HyStart (congestion-control.md,
// section 4). Windows are packets, times us; inside the cubic function they are seconds.
//
//	spec := cubic.DefaultSpec(12.5)  // base RTT, us
//	s := cubic.NewState(&spec, 0)
//	s.OnHole(&spec, 3, 12)           // packet, next new one: 0.7 of the window
//	s.OnAck(&spec, cubic.Ack{Now: 20, N: 1, RTT: 12.5, Srtt: 12.5, Una: 12, Nxt: 20})
//
// At round trips of data centres the cubic term is dead (K is seconds), so the estimate of Reno rules, and HyStart's
// least threshold of 4 ms never fires. Both are the rules' own and the default. The profile of a data centre
// (hystart_dc) scales HyStart with the base round trip and adds its other test, the ACK train.
//
// # Decisions
//
//   - HyStart: a round ends when everything sent at its start is acknowledged; the eighth sample and later ones of a
//     round are judged by the least of the first eight; the window must hold 16 packets.
//   - ACK train: a gap of more than a quarter of the base round trip breaks the train of a round, which fires when it
//     has lasted more than half the least round trip.
//   - Slope s0 adds a whole packet per round trip in place of alpha_c, as the simulator of seed 000 does.
//   - The ACK that ends a recovery does not grow the window. ECN is ignored. Losses by NACK are holes.
package cubic
