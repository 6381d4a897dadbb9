package rocc

import (
	"github.com/goldwire/goldwire/golden/cc/param"
)

// Spec holds the constants.
type Spec struct {
	// LineGbps is also the first rate.
	LineGbps float64 `param:"line_gbps" unit:"Gb/s" in:"1e-3 1e6" about:"rate of the link"`
	MinGbps  float64 `param:"min_gbps" unit:"Gb/s" in:"1e-9 1e6" about:"least rate"`
	Unit     float64 `param:"unit_gbps" unit:"Gb/s" in:"1e-9 1e6" about:"unit of a fair rate"`
	Timer    float64 `param:"rate_timer" unit:"us" in:"1e-3 inf" about:"silence that doubles"`
}

// DefaultSpec returns the defaults for a link in Gb/s.
func DefaultSpec(gbps float64) Spec {
	return Spec{LineGbps: gbps, MinGbps: 0.1, Unit: 0.01, Timer: 200}
}

// Fields lists the parameters with units and bounds.
func (s *Spec) Fields() []param.Field { return param.Of(s) }

// Validate returns nil when the constants make sense, or an error that names the first that does not.
func (s *Spec) Validate() error {
	return param.Check("rocc spec", append(s.Fields(),
		param.Field{Name: "min_gbps", Unit: "Gb/s", Ptr: &s.MinGbps, Min: 1e-9, Max: s.LineGbps}))
}
