package rocc

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/param"
)

// Spec holds the constants.
type Spec struct {
	LineGbps float64 // rate of the link, also the first
	MinGbps  float64
	Unit     float64 // of a fair rate, Gb/s
	Timer    float64 // time without a CNP after which the rate doubles, us
}

// DefaultSpec returns the defaults for a link in Gb/s.
func DefaultSpec(gbps float64) Spec {
	return Spec{LineGbps: gbps, MinGbps: 0.1, Unit: 0.01, Timer: 200}
}

// Fields lists the parameters with units and bounds.
func (s *Spec) Fields() []param.Field {
	return []param.Field{
		{Name: "line_gbps", Unit: "Gb/s", Ptr: &s.LineGbps, Min: 1e-3, Max: 1e6, About: "rate of the link"},
		{Name: "min_gbps", Unit: "Gb/s", Ptr: &s.MinGbps, Min: 1e-9, Max: 1e6, About: "least rate"},
		{Name: "unit_gbps", Unit: "Gb/s", Ptr: &s.Unit, Min: 1e-9, Max: 1e6, About: "unit of a fair rate"},
		{Name: "rate_timer", Unit: "us", Ptr: &s.Timer, Min: 1e-3, Max: math.Inf(1), About: "silence that doubles"},
	}
}

// Validate returns nil when the constants make sense, or an error that names the first that does not.
func (s *Spec) Validate() error {
	return param.Check("rocc spec", append(s.Fields(),
		param.Field{Name: "min_gbps", Unit: "Gb/s", Ptr: &s.MinGbps, Min: 1e-9, Max: s.LineGbps}))
}
