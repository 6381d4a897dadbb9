package mnscc

import (
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/cc/param"
)

// State is one context.
type State struct {
	nscc.State
	Median float64 // delay that the last ACK was judged by, in units of time
	Seen   int     // samples that it is the median of

	past []sample // the oldest first
	sort []float64
}

type sample struct{ at, delay float64 }

// NewState returns a context without feedback.
func NewState(p *nscc.Params) State { return State{State: nscc.NewState(p, 0)} }

// Fields lists the state; times are those of a clock in ps.
func (f *State) Fields() []param.Field {
	us := func(v *float64) func() float64 { return func() float64 { return *v / 1e6 } }
	return []param.Field{
		{Name: "cwnd", Unit: "bytes", Ptr: &f.Cwnd, Min: 1, Max: 1 << 40},
		{Name: "base_rtt", Unit: "us", Ptr: us(&f.BaseRTT)}, {Name: "avg_delay", Unit: "us", Ptr: us(&f.AvgDelay)},
		{Name: "median", Unit: "us", Ptr: us(&f.Median)}, {Name: "samples", Ptr: &f.Seen},
		{Name: "inc_bytes", Unit: "bytes^2", Ptr: &f.IncBytes},
	}
}
