// Package timely is the rate computation of TIMELY in float64: a rate that follows the gradient of the RTT between two
// thresholds, rises below the lower one and falls above the upper one. Rules and defaults are those of
// congestion-control.md, section 8. Time is picoseconds, rates are Gb/s of bytes on the wire.
//
//	spec := timely.DefaultSpec(100)             // on a link of 100 Gb/s
//	s := timely.NewState(&spec)
//	s.OnAck(&spec, 16_000, 60*units.Microsecond) // the first sample moves nothing
//	s.OnAck(&spec, 16_000, 70*units.Microsecond) // gradient 0.4375: rate 65
//
// The thresholds do not scale with the network: where the longest queue adds less than the lower threshold to the RTT,
// the rate never falls. TIMELY uses no timer and needs nothing from switches.
package timely
