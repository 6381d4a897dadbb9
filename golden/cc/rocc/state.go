package rocc

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/param"
)

// State is one flow.
type State struct {
	Rate float64 `param:"r" unit:"Gb/s" in:"1e-9 1e6"` // R, Gb/s
	Port int     `param:"cp" in:"0 2147483648"`        // cp, that set the rate; 0 for none
	Due  float64 `param:"due" unit:"us"`               // of the timer, us; +Inf while it does not run
}

// NewState returns a flow at the rate of the link.
func NewState(s *Spec) State { return State{Rate: s.LineGbps, Due: math.Inf(1)} }

// Fields lists the state.
func (f *State) Fields() []param.Field { return param.Of(f) }
