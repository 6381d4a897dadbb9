package cubic

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/newreno"
	"github.com/goldwire/goldwire/golden/cc/param"
)

// State is one flow.
type State struct {
	newreno.State
	WMax    float64 `param:"w_max" unit:"packets" in:"0 inf"` // packets
	K       float64 `param:"k" unit:"s"`                      // s
	WEst    float64 `param:"w_est" unit:"packets"`            // packets
	Prior   float64 `param:"prior" unit:"packets" in:"0 inf"` // window before the last cut
	Epoch   float64 // us, valid while Growing
	Growing bool    // an epoch is under way
	Expired bool    // the last cut was by the timer

	// HyStart.
	RoundEnd   uint32
	RoundStart float64 // us
	LastAck    float64 // us
	Samples    int     // of the round
	RoundLeast float64 // of its first eight, us
	Least      float64 `param:"d_min" unit:"us" in:"0 inf"` // ever, us
	NoTrain    bool    // a gap broke the train of this round
}

// NewState returns a flow whose first packet has a number.
func NewState(s *Spec, first uint32) State {
	return State{
		State: newreno.NewState(&s.Spec, first), RoundEnd: first, RoundLeast: math.Inf(1), Least: math.Inf(1),
	}
}

// Fields lists the state.
func (f *State) Fields() []param.Field { return param.Of(f) }
