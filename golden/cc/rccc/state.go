package rccc

import "github.com/goldwire/goldwire/golden/cc/param"

// State is the sender's half of one context.
type State struct {
	Credit      int64  `param:"credit" unit:"bytes"`      // below 0 after a packet that was larger than what was left
	Last        Number `param:"last" in:"0 16777215"`     // number of the last pull
	Backlog     int64  `param:"backlog" unit:"bytes"`     // of packets not sent yet
	RtxBacklog  int64  `param:"rtx_backlog" unit:"bytes"` // of packets that wait to be resent
	Speculating bool   `param:"speculating"`              // nothing has been heard of the receiver
}

// NewState returns a context at its opening.
func NewState(s *Spec) State { return State{Credit: s.MaxWnd, Last: First, Speculating: true} }

// Fields lists the state.
func (f *State) Fields() []param.Field { return param.Of(f) }
