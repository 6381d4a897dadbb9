package timely

import (
	"github.com/goldwire/goldwire/golden/cc/param"
	"github.com/goldwire/goldwire/golden/units"
)

// State is one flow.
type State struct {
	Rate float64 // R, Gb/s

	Prev units.Picos // RTT of the decision before, 0 before the first
	Diff float64     // smoothed difference between RTTs of successive decisions, ps

	Rises int   // successive decisions in which the gradient raised the rate
	Acked int64 // bytes acknowledged since the last decision
}

// NewState returns a flow that has seen no ACK.
func NewState(s *Spec) State { return State{Rate: s.FirstGbps} }

// Gradient returns the smoothed difference over the minimum RTT.
func (f *State) Gradient(s *Spec) float64 { return f.Diff / float64(s.MinRTT) }

// Fields lists the state.
func (f *State) Fields(s *Spec) []param.Field {
	return []param.Field{
		{Name: "rate_gbps", Unit: "Gb/s", Ptr: &f.Rate}, {Name: "prev", Unit: "us", Ptr: &f.Prev},
		{Name: "gradient", Ptr: func() float64 { return f.Gradient(s) }}, {Name: "rises", Ptr: &f.Rises},
		{Name: "acked", Unit: "bytes", Ptr: &f.Acked},
	}
}
