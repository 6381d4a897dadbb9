package swift

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/param"
)

// State is one flow.
type State struct {
	W        float64 // packets
	LastCut  float64 // t_dec, us; -Inf for never
	Timeouts int     // in a row
	Last     float64 // last sample, us, 0 for none
	Seen     float64 // delay that the last decision looked at, us

	seen window          // MSwift
	used map[uint32]bool // LSwift: holes that were counted
}

// NewState returns a flow that has seen no ACK.
func NewState(s *Spec) State { return State{W: s.BDP, LastCut: math.Inf(-1)} }

// Fields lists the state.
func (f *State) Fields(s *Spec) []param.Field {
	out := []param.Field{
		{Name: "w", Unit: "packets", Ptr: &f.W, Min: 1e-9, Max: math.Inf(1)},
		{Name: "target", Unit: "us", Ptr: func() float64 { return f.Target(s) }},
		{Name: "t_dec", Unit: "us", Ptr: &f.LastCut},
		{Name: "timeouts", Ptr: &f.Timeouts, Min: 0, Max: 1e6},
	}
	if s.Kind == Median {
		out = append(out, param.Field{Name: "delay_seen", Unit: "us", Ptr: &f.Seen})
	}
	return out
}

// Target returns the target delay at the present window, us.
func (f *State) Target(s *Spec) float64 {
	low := 1 / math.Sqrt(s.FSMax)
	a := s.FSRange / (1/math.Sqrt(s.FSMin) - low)
	scale := a/math.Sqrt(f.W) - float64(a*low)
	return s.Base + float64(s.Hops*s.HopDelay) + min(max(scale, 0), s.FSRange)
}
