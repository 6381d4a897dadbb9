package smartt

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/param"
)

// State is one flow.
type State struct {
	C     float64 // cwnd, bytes
	Marks float64 // e, average of marks

	Armed    bool    // a loss calls for quick adapt
	End      float64 // of the window of quick adapt, us
	Achieved float64 // bytes acknowledged in it
	Ignore   float64 // bytes whose ACKs move nothing

	Clean float64 // bytes acknowledged in a row without congestion
	Fast  bool    // fast increase is on
}

// NewState returns a flow that has seen no ACK.
func NewState(s *Spec) State { return State{C: s.Most} }

// Fields lists the state.
func (f *State) Fields(s *Spec) []param.Field {
	out := []param.Field{
		{Name: "c", Unit: "bytes", Ptr: &f.C, Min: 1, Max: math.Inf(1)}, {Name: "e", Ptr: &f.Marks, Min: 0, Max: 1},
	}
	if s.QuickAdapt {
		out = append(out, param.Field{Name: "ignore", Unit: "bytes", Ptr: &f.Ignore, Min: 0, Max: math.Inf(1)})
	}
	return out
}
