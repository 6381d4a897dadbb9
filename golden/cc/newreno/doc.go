// Package newreno is the window of TCP New Reno in float64 (congestion-control.md, section 4): slow start, one packet
// per round trip above the threshold, half for a loss, and the recovery of RFC 6675 after it. Windows are packets; time
// plays no part. Cubic and DCTCP build on it.
//
//	spec := newreno.DefaultSpec()
//	s := newreno.NewState(&spec, 0)  // the first packet number
//	s.OnAck(&spec, 1, 1)             // packets acknowledged, lowest one that is not: 11
//	s.OnHole(&spec, 3, 12)           // packet, next new one: 5.5, in recovery until 12 is reached
//	s.OnTimeout(&spec, 12)           // 1
//
// # Decisions
//
//   - Growth is by the number of packets acknowledged, and the window, not what is in flight, is halved.
//   - The ACK that ends a recovery does not grow the window.
//   - After a timeout no hole below the next new packet of that time begins a recovery.
//   - In recovery the sender counts as in flight what is neither acknowledged nor known to be lost, which is the pipe
//     of RFC 6675; nothing inflates the window.
//   - A trimmed packet that the receiver refuses (NACK) is a hole.
//   - A spurious cut is not undone. Nothing is paced. ECN is ignored.
package newreno
