// Package swift is the window of Swift in float64, and of its kin LSwift and MSwift (congestion-control.md, section 1).
// Swift compares the round trip of each packet with a target that is longer for small windows, adds one packet per
// round trip below it and cuts in proportion to the excess above it, once per round trip. Windows are packets, times
// us.
//
//	spec := swift.DefaultSpec(swift.Plain, 100, 12.5, 4160) // Gb/s, base RTT, bytes of a packet
//	s := swift.NewState(&spec)
//	s.OnAck(&spec, swift.Ack{Now: 20, Delay: 12.5, N: 1, Srtt: 12.5}) // below the target: w += 1/w
//	s.OnHole(&spec, 20, 12.5)                                         // w / 2, when a round trip has passed since a cut
//	s.OnTimeout(&spec, 5000, 12.5)
//
// LSwift is Swift with another rule for holes: five adjacent packet numbers that are holes at once cut the window, one
// hole does not. MSwift is LSwift that looks at an order statistic of the last round trips (the median, or the 10th or
// 90th of 100) where LSwift looks at the last one, in the comparison and in the depth of the cut.
//
// # Decisions
//
//   - A run of adjacent holes is judged when one of them is found, and its packets are used up then, also when the last
//     cut is too recent for another: a hole that Swift finds so early is not made up for later either.
//   - LSwift resends a hole that is older than two smoothed round trips, counted from its last transmission.
//   - A trimmed packet that the receiver refuses (NACK) is a hole of Swift; for the others it is resent without a cut.
//   - An ACK of new data without a sample sets only the count of timeouts back.
//   - Below one packet the gap between packets is that of the last sample, before the first of the base round trip.
//   - The largest window bounds only growth and what follows a cut; a window set from outside above it comes down with
//     the next ACK.
//   - Endpoint delay is not separated, a spurious cut is not undone, and the window grows during recovery.
package swift
