package dctcp

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/newreno"
	"github.com/goldwire/goldwire/golden/cc/param"
)

// State is one flow.
type State struct {
	newreno.State
	Alpha     float64
	Acked     float64 // packets of the window under way
	Marked    float64
	WindowEnd uint32
	CWR       bool // a cut is recent
	CWREnd    uint32
}

// NewState returns a flow whose first packet has a number.
func NewState(s *Spec, first uint32) State {
	return State{State: newreno.NewState(&s.Spec, first), Alpha: s.Alpha, WindowEnd: first}
}

// Fields lists the state.
func (f *State) Fields() []param.Field {
	return append(f.State.Fields(),
		param.Field{Name: "alpha", Ptr: &f.Alpha, Min: 0, Max: 1},
		param.Field{Name: "acked", Unit: "packets", Ptr: &f.Acked, Min: 0, Max: math.Inf(1)},
		param.Field{Name: "marked", Unit: "packets", Ptr: &f.Marked, Min: 0, Max: math.Inf(1)},
		param.Field{Name: "window_end", Ptr: &f.WindowEnd}, param.Field{Name: "cwr", Ptr: &f.CWR},
		param.Field{Name: "cwr_end", Ptr: &f.CWREnd})
}
