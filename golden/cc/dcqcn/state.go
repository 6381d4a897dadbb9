package dcqcn

import (
	"github.com/goldwire/goldwire/golden/cc/param"
	"github.com/goldwire/goldwire/golden/units"
)

// State is one flow. Times of timers are absolute, -1 while they do not run: none does before the
// first CNP.
type State struct {
	Rate   float64 `param:"rc" unit:"Gb/s"` // RC, Gb/s
	Target float64 `param:"rt" unit:"Gb/s"` // RT, Gb/s
	Alpha  float64 `param:"alpha"`

	TimerSteps int   `param:"timer_steps"`       // T, steps of the rate timer since the last CNP
	ByteSteps  int   `param:"byte_steps"`        // BC, steps of the byte counter since the last CNP
	Sent       int64 `param:"sent" unit:"bytes"` // bytes towards the next step of the byte counter

	RateDue  units.Picos
	AlphaDue units.Picos
}

// NewState returns a flow that has seen no CNP: at the rate of the link, alpha 1.
func NewState(s *Spec) State {
	return State{Rate: s.LineGbps, Target: s.LineGbps, Alpha: 1, RateDue: -1, AlphaDue: -1}
}

// Next returns when the next timer is due, -1 for never.
func (f *State) Next() units.Picos { return min(f.RateDue, f.AlphaDue) }

// Fields lists the state.
func (f *State) Fields() []param.Field { return param.Of(f) }
