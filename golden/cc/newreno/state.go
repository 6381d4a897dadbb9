package newreno

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/param"
)

// State is one flow.
type State struct {
	Cwnd       float64 `param:"cwnd" unit:"packets" in:"1e-9 inf"`     // packets
	Ssthresh   float64 `param:"ssthresh" unit:"packets" in:"1e-9 inf"` // packets
	Recovering bool    `param:"in_recovery"`
	Recover    uint32  `param:"recover"` // a recovery ends, and a hole begins one, from this packet on
}

// NewState returns a flow whose first packet has a number.
func NewState(s *Spec, first uint32) State {
	return State{Cwnd: s.First, Ssthresh: math.Inf(1), Recover: first}
}

// Fields lists the state.
func (f *State) Fields() []param.Field { return param.Of(f) }

// Before reports whether packet a comes before packet b; numbers wrap.
func Before(a, b uint32) bool { return int32(a-b) < 0 }
