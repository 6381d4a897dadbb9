package dcqcn

import (
	"github.com/goldwire/goldwire/golden/cc/param"
	"github.com/goldwire/goldwire/golden/units"
)

// State is one flow. Times of timers are absolute, -1 while they do not run: none does before the
// first CNP.
type State struct {
	Rate   float64 // RC, Gb/s
	Target float64 // RT, Gb/s
	Alpha  float64

	TimerSteps int   // T, steps of the rate timer since the last CNP
	ByteSteps  int   // BC, steps of the byte counter since the last CNP
	Sent       int64 // bytes towards the next step of the byte counter

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
func (f *State) Fields() []param.Field {
	return []param.Field{
		{Name: "rc", Unit: "Gb/s", Ptr: &f.Rate}, {Name: "rt", Unit: "Gb/s", Ptr: &f.Target},
		{Name: "alpha", Ptr: &f.Alpha}, {Name: "timer_steps", Ptr: &f.TimerSteps},
		{Name: "byte_steps", Ptr: &f.ByteSteps}, {Name: "sent", Unit: "bytes", Ptr: &f.Sent},
	}
}
