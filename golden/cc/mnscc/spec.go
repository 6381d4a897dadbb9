package mnscc

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/param"
)

// Spec holds the constants beyond those of NSCC.
type Spec struct {
	History int     // most samples
	Age     float64 // of the oldest, in base_rtt plus target
}

// DefaultSpec returns the defaults.
func DefaultSpec() Spec { return Spec{History: 4, Age: 2} }

// Fields lists the parameters with bounds.
func (s *Spec) Fields() []param.Field {
	return []param.Field{
		{Name: "history", Ptr: &s.History, Min: 1, Max: 64, About: "most samples looked at"},
		{Name: "history_age", Ptr: &s.Age, Min: 0, Max: math.Inf(1), About: "age of the oldest, base_rtt and target"},
	}
}

// Validate returns nil when the constants make sense, or an error that names the first that does not.
func (s *Spec) Validate() error { return param.Check("mnscc spec", s.Fields()) }
