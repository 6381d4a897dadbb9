package htsim

import "math"

// State is a sender whose values are kept in T. The rules are one text; what is stored goes through the arithmetic.
type State[T int64 | float64] struct {
	Values[T]
	to *arithmetic[T]
}

// IntState is a sender in the simulator's own arithmetic: reals are truncated when stored, and the 32-bit members wrap.
type IntState = State[int64]

// RealState is the same sender in real arithmetic: nothing is truncated and nothing wraps, so its distance from
// IntState is the cost of the stores.
type RealState = State[float64]

// arithmetic is how values are stored.
type arithmetic[T int64 | float64] struct {
	store  func(v float64) T // in full width
	wrap32 func(v float64) T // in a uint32
	wrap   func(v T) T       // likewise
	window func(bdp float64) T
	// average returns the running average after a delay.
	average func(p *Params, avg, delay float64) T
}

var integers = &arithmetic[int64]{
	store: func(v float64) int64 { return int64(v) },
	// The fraction is cut and the high bits fall off.
	wrap32: func(v float64) int64 { return int64(uint32(uint64(v))) },
	wrap:   func(v int64) int64 { return int64(uint32(v)) },
	window: func(bdp float64) int64 { return int64(1.5 * math.Floor(bdp)) },
	average: func(p *Params, avg, delay float64) int64 {
		return int64(float64(p.EWMAGain*delay) + float64((1-p.EWMAGain)*avg))
	},
}

var reals = &arithmetic[float64]{
	store:  func(v float64) float64 { return v },
	wrap32: func(v float64) float64 { return v },
	wrap:   func(v float64) float64 { return v },
	window: func(bdp float64) float64 { return 1.5 * bdp },
	average: func(p *Params, avg, delay float64) float64 {
		return avg + float64(p.EWMAGain*(delay-avg))
	},
}

// NewIntState returns a sender as the simulator creates it: the window at 1.5
// BDP, every counter and time at 0.
func NewIntState(p *Params) *IntState { return newState(p, integers, p.InitBDP) }

// NewRealState returns a sender as the simulator creates it, untruncated.
func NewRealState(p *Params) *RealState { return newState(p, reals, p.bdp(float64(p.NetworkRTT))) }

func newState[T int64 | float64](p *Params, to *arithmetic[T], bdp float64) *State[T] {
	w := to.store(1.5 * bdp)
	return &State[T]{Values[T]{BaseRTT: T(p.NetworkRTT), MaxWnd: w, Cwnd: w}, to}
}
