package timely

import (
	"github.com/goldwire/goldwire/golden/cc/param"
	"github.com/goldwire/goldwire/golden/units"
)

// Spec holds the constants of TIMELY.
type Spec struct {
	// LineGbps is the largest rate.
	LineGbps  float64 `param:"line_gbps" unit:"Gb/s" in:"1e-3 1e6" about:"rate of the link"`
	FirstGbps float64 `param:"first_gbps" unit:"Gb/s" in:"1e-9 1e6" about:"rate of a new flow"`
	MinGbps   float64 `param:"min_gbps" unit:"Gb/s" in:"1e-9 1e6" about:"least rate"`
	StepGbps  float64 `param:"step_gbps" unit:"Gb/s" in:"0 1e6" about:"step of additive increase"`

	Gain float64 `param:"gain" in:"1e-9 1" about:"weight of a new difference"`
	Cut  float64 `param:"cut" in:"0 1" about:"share of the excess that a cut takes"`

	Low    units.Picos `param:"t_low" unit:"us" in:"0 1e9" about:"round trip below which the rate rises"`
	High   units.Picos `param:"t_high" unit:"us" in:"1e-6 1e9" about:"round trip above which it is cut"`
	MinRTT units.Picos `param:"min_rtt" unit:"us" in:"1e-6 1e9" about:"divisor of the gradient"`

	Segment int64 `param:"segment" unit:"bytes" in:"1 1e15" about:"acknowledged by a decision"`
	// HyperAfter is N: the increase is HyperSteps times StepGbps from the Nth successive decision on in which the
	// gradient raises the rate.
	HyperAfter int     `param:"hyper_after" in:"1 1e6" about:"rises in a row before large steps"`
	HyperSteps float64 `param:"hyper_steps" in:"1 1e6" about:"small steps in a large one"`
}

// DefaultSpec returns the defaults for a link of a rate in Gb/s. The step is 10 Mb/s for each 10 Gb/s of the link, and
// a flow starts at the rate of the link.
func DefaultSpec(gbps float64) Spec {
	return Spec{
		LineGbps: gbps, FirstGbps: gbps, MinGbps: 0.1, StepGbps: gbps * 0.001, Gain: 0.875, Cut: 0.8,
		Low: 50 * units.Microsecond, High: 500 * units.Microsecond, MinRTT: 20 * units.Microsecond,
		Segment: 16_000, HyperAfter: 5, HyperSteps: 5,
	}
}

// Fields lists the parameters with units and bounds.
func (s *Spec) Fields() []param.Field { return param.Of(s) }

// Validate returns nil when the constants make sense, or an error that names the first that does not.
func (s *Spec) Validate() error {
	return param.Check("timely spec", append(s.Fields(),
		param.Field{Name: "min_gbps", Unit: "Gb/s", Ptr: &s.MinGbps, Min: 1e-9, Max: s.LineGbps},
		param.Field{Name: "first_gbps", Unit: "Gb/s", Ptr: &s.FirstGbps, Min: s.MinGbps, Max: s.LineGbps},
		param.Field{Name: "t_high", Unit: "us", Ptr: &s.High, Min: s.Low.Micros(), Max: 1e9}))
}
