package mnscc

import (
	"github.com/goldwire/goldwire/golden/cc/param"
)

// Spec holds the constants beyond those of NSCC.
type Spec struct {
	History int     `param:"history" in:"1 64" about:"most samples looked at"`
	Age     float64 `param:"history_age" in:"0 inf" about:"age of the oldest, base_rtt and target"`
}

// DefaultSpec returns the defaults.
func DefaultSpec() Spec { return Spec{History: 4, Age: 2} }

// Fields lists the parameters with bounds.
func (s *Spec) Fields() []param.Field { return param.Of(s) }

// Validate returns nil when the constants make sense, or an error that names the first that does not.
func (s *Spec) Validate() error { return param.Check("mnscc spec", s.Fields()) }
