package rocc

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/param"
)

// State is one flow.
type State struct {
	Rate float64 // R, Gb/s
	Port int     // cp, that set the rate; 0 for none
	Due  float64 // of the timer, us; +Inf while it does not run
}

// NewState returns a flow at the rate of the link.
func NewState(s *Spec) State { return State{Rate: s.LineGbps, Due: math.Inf(1)} }

// Fields lists the state.
func (f *State) Fields() []param.Field {
	return []param.Field{
		{Name: "r", Unit: "Gb/s", Ptr: &f.Rate, Min: 1e-9, Max: 1e6}, {Name: "cp", Ptr: &f.Port, Min: 0, Max: 1 << 31},
		{Name: "due", Unit: "us", Ptr: &f.Due},
	}
}
