package dctcp

import (
	"github.com/goldwire/goldwire/golden/cc/newreno"
	"github.com/goldwire/goldwire/golden/cc/param"
)

// State is one flow.
type State struct {
	newreno.State
	Alpha     float64 `param:"alpha" in:"0 1"`
	Acked     float64 `param:"acked" unit:"packets" in:"0 inf"` // packets of the window under way
	Marked    float64 `param:"marked" unit:"packets" in:"0 inf"`
	WindowEnd uint32  `param:"window_end"`
	CWR       bool    `param:"cwr"` // a cut is recent
	CWREnd    uint32  `param:"cwr_end"`
}

// NewState returns a flow whose first packet has a number.
func NewState(s *Spec, first uint32) State {
	return State{State: newreno.NewState(&s.Spec, first), Alpha: s.Alpha, WindowEnd: first}
}

// Fields lists the state.
func (f *State) Fields() []param.Field { return param.Of(f) }
