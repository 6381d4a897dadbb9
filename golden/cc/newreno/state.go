package newreno

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/param"
)

// State is one flow.
type State struct {
	Cwnd       float64 // packets
	Ssthresh   float64 // packets
	Recovering bool
	Recover    uint32 // a recovery ends, and a hole begins one, from this packet on
}

// NewState returns a flow whose first packet has a number.
func NewState(s *Spec, first uint32) State {
	return State{Cwnd: s.First, Ssthresh: math.Inf(1), Recover: first}
}

// Fields lists the state.
func (f *State) Fields() []param.Field {
	inf := math.Inf(1)
	return []param.Field{
		{Name: "cwnd", Unit: "packets", Ptr: &f.Cwnd, Min: 1e-9, Max: inf},
		{Name: "ssthresh", Unit: "packets", Ptr: &f.Ssthresh, Min: 1e-9, Max: inf},
		{Name: "in_recovery", Ptr: &f.Recovering}, {Name: "recover", Ptr: &f.Recover},
	}
}

// Before reports whether packet a comes before packet b; numbers wrap.
func Before(a, b uint32) bool { return int32(a-b) < 0 }
