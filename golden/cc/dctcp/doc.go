// Package dctcp is the window of DCTCP (RFC 8257) in float64: New Reno, with a cut by half the average share of marked
// packets, once per window (congestion-control.md, section 4). It needs switches that mark above a threshold of about a
// seventh of the bandwidth-delay product, per-packet ACKs, and an echo of each packet's mark.
//
//	spec := dctcp.DefaultSpec()
//	s := dctcp.NewState(&spec, 0)
//	s.OnAck(&spec, 1, true, 1, 11) // packets, marked, lowest not acknowledged, next new one: alpha 1 halves the window
//
// # Decisions
//
//   - The average starts at 1, moves when a window has passed its end, and moves before the cut of the same ACK.
//   - The window grows between the cuts, also while one is recent enough to hold back another.
//   - A loss halves the window as in New Reno; an ACK in recovery keeps the average up to date, and a mark in it cuts.
package dctcp
