package dctcp

import (
	"github.com/goldwire/goldwire/golden/cc/newreno"
	"github.com/goldwire/goldwire/golden/cc/param"
)

// Spec holds the constants.
type Spec struct {
	newreno.Spec
	Gain  float64 `param:"gain" in:"1e-9 1" about:"weight of a new share of marks"`
	Alpha float64 `param:"first_alpha" in:"0 1" about:"alpha of a new flow"`
}

// DefaultSpec returns the defaults.
func DefaultSpec() Spec { return Spec{Spec: newreno.DefaultSpec(), Gain: 1. / 16, Alpha: 1} }

// Fields lists the parameters with units and bounds.
func (s *Spec) Fields() []param.Field { return param.Of(s) }

// Validate returns nil when the constants make sense, or an error that names the first that does not.
func (s *Spec) Validate() error { return param.Check("dctcp spec", s.Fields()) }
