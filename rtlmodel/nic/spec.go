package nic

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/ackgen"
	"github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/rtlmodel/txpdc"
	"github.com/goldwire/goldwire/rtlmodel/txstate"
	port "github.com/goldwire/goldwire/vectors/event/nic"
)

// Spec holds the parameters of the module. They are fixed once a Model is made.
type Spec struct {
	Contexts int // a power of two; each has port.Slots PDCs to send with
	Receives int // PDCs that sources can have open here, a power of two
	Pipeline int // of ccc.Spec: 0, or another length of its pipeline
}

// DefaultSpec returns the schema's default parameters.
func DefaultSpec() Spec { return Spec{Contexts: port.DefaultContexts, Receives: port.DefaultReceives} }

// Validate returns an error when a parameter is outside the schema's range or not a power of two.
func (s Spec) Validate() error {
	for _, p := range []struct {
		name          string
		value, lo, hi int
	}{
		{"Contexts", s.Contexts, port.MinContexts, port.MaxContexts},
		{"Receives", s.Receives, port.MinReceives, port.MaxReceives},
	} {
		if p.value < p.lo || p.value > p.hi || p.value&(p.value-1) != 0 {
			return fmt.Errorf("%s %d: want a power of two from %d to %d", p.name, p.value, p.lo, p.hi)
		}
	}
	return nil
}

// Pdcs returns the number of PDCs to send with.
func (s Spec) Pdcs() int { return s.Contexts * port.Slots }

// sweep returns W of the contract in cycles.
func (s Spec) sweep() int { return max(s.Pdcs()*port.Window, s.Receives) }

func (s Spec) ackgen() ackgen.Spec { return ackgen.Spec{Pdcs: s.Receives} }

func (s Spec) txpdc() txpdc.Spec { return txpdc.Spec{Contexts: s.Contexts} }

func (s Spec) txstate() txstate.Spec { return txstate.Spec{NumPdcs: s.Pdcs(), Depth: port.Window} }

func (s Spec) ccc() ccc.Spec {
	return ccc.Spec{NumContexts: s.Contexts, NumPdcs: port.Slots, NumProfiles: port.Profiles, Pipeline: s.Pipeline}
}
