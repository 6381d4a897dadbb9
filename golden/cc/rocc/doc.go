// Package rocc is the host part of RoCC in float64: a rate that the fair rates of switches set, and that doubles until
// the link is full when they fall silent (congestion-control.md, section 7, whose constants are not verified by code).
// Rates are Gb/s, times us. There is no window.
//
//	spec := rocc.DefaultSpec(100)   // Gb/s
//	s := rocc.NewState(&spec)
//	s.OnCNP(&spec, 10, 1, 5000)     // time, port, fair rate in units of 10 Mb/s: 50 Gb/s
//	s.OnTimer(&spec, s.Due)         // 100 Gb/s after 200 us
//
// # Decisions
//
//   - A fair rate counts when it is at most the present rate, or when it is of the port that set the rate last.
//   - The timer is five periods of the switch, 200 us.
//   - The rate stays between 100 Mb/s, the switch's least fair rate, and the link's.
//   - A port is any number from 1; a CNP without a port or a rate is none of a switch, and is not counted.
package rocc
