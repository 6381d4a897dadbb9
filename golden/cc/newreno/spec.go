package newreno

import (
	"github.com/goldwire/goldwire/golden/cc/param"
)

// Spec holds the constants.
type Spec struct {
	First   float64 `param:"first_window" unit:"packets" in:"1 1e15" about:"window of a new flow"`
	Least   float64 `param:"min_ssthresh" unit:"packets" in:"1 1e15" about:"least threshold"`
	RTOMin  float64 `param:"rto_min" unit:"us" in:"0 1e9" about:"least retransmission timeout"`
	RTOScan float64 `param:"rto_scan" unit:"us" in:"0 1e9" about:"period of looking at the timer"`
}

// DefaultSpec returns the defaults: ten packets, and a timeout of at least 1 ms.
func DefaultSpec() Spec { return Spec{First: 10, Least: 2, RTOMin: 1000} }

// Fields lists the parameters with units and bounds.
func (s *Spec) Fields() []param.Field { return param.Of(s) }

// Validate returns nil when the constants make sense, or an error that names the first that does not.
func (s *Spec) Validate() error { return param.Check("newreno spec", s.Fields()) }
