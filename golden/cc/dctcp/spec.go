package dctcp

import (
	"github.com/goldwire/goldwire/golden/cc/newreno"
	"github.com/goldwire/goldwire/golden/cc/param"
)

// Spec holds the constants.
type Spec struct {
	newreno.Spec
	Gain  float64 // g, of alpha
	Alpha float64 // of a new flow
}

// DefaultSpec returns the defaults.
func DefaultSpec() Spec { return Spec{Spec: newreno.DefaultSpec(), Gain: 1. / 16, Alpha: 1} }

// Fields lists the parameters with units and bounds.
func (s *Spec) Fields() []param.Field {
	return append(s.Spec.Fields(),
		param.Field{Name: "gain", Ptr: &s.Gain, Min: 1e-9, Max: 1, About: "weight of a new share of marks"},
		param.Field{Name: "first_alpha", Ptr: &s.Alpha, Min: 0, Max: 1, About: "alpha of a new flow"})
}

// Validate returns nil when the constants make sense, or an error that names the first that does not.
func (s *Spec) Validate() error { return param.Check("dctcp spec", s.Fields()) }
