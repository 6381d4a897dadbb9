package cubic

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/newreno"
	"github.com/goldwire/goldwire/golden/cc/param"
)

// State is one flow.
type State struct {
	newreno.State
	WMax    float64 // packets
	K       float64 // s
	Prior   float64 // window before the last cut
	WEst    float64 // packets
	Epoch   float64 // us, valid while Growing
	Growing bool    // an epoch is under way
	Expired bool    // the last cut was by the timer

	// HyStart.
	RoundEnd   uint32
	RoundStart float64 // us
	LastAck    float64 // us
	Samples    int     // of the round
	RoundLeast float64 // of its first eight, us
	Least      float64 // ever, us
	NoTrain    bool    // a gap broke the train of this round
}

// NewState returns a flow whose first packet has a number.
func NewState(s *Spec, first uint32) State {
	return State{
		State: newreno.NewState(&s.Spec, first), RoundEnd: first, RoundLeast: math.Inf(1), Least: math.Inf(1),
	}
}

// Fields lists the state.
func (f *State) Fields() []param.Field {
	inf := math.Inf(1)
	return append(f.State.Fields(),
		param.Field{Name: "w_max", Unit: "packets", Ptr: &f.WMax, Min: 0, Max: inf},
		param.Field{Name: "k", Unit: "s", Ptr: &f.K}, param.Field{Name: "w_est", Unit: "packets", Ptr: &f.WEst},
		param.Field{Name: "prior", Unit: "packets", Ptr: &f.Prior, Min: 0, Max: inf},
		param.Field{Name: "d_min", Unit: "us", Ptr: &f.Least, Min: 0, Max: inf})
}
