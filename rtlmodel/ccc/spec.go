package ccc

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/clk"
	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// Spec holds the parameters of the module, frozen once a Model is made.
type Spec struct {
	NumContexts int // contexts held; the reset sweep takes as many cycles
}

// DefaultSpec returns the schema's default parameters.
func DefaultSpec() Spec { return Spec{NumContexts: port.DefaultNumContexts} }

// Validate returns an error when a parameter is outside the schema's range.
func (s Spec) Validate() error {
	if s.NumContexts < port.MinNumContexts || s.NumContexts > port.MaxNumContexts {
		return fmt.Errorf("NumContexts %d: want %d to %d", s.NumContexts, port.MinNumContexts, port.MaxNumContexts)
	}
	return nil
}

func (s Spec) timing() clk.Timing {
	return clk.Timing{
		Latency: port.Latency,
		Stall:   port.Stall,
		InDepth: port.InFIFODepth,
		Credits: port.Credits,
		Sweep:   s.NumContexts,
	}
}
