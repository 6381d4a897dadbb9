package timely

import (
	"github.com/goldwire/goldwire/golden/cc/param"
	"github.com/goldwire/goldwire/golden/units"
)

// Spec holds the constants of TIMELY.
type Spec struct {
	LineGbps  float64 // rate of the link, which is the largest rate
	FirstGbps float64 // rate of a new flow
	MinGbps   float64 // least rate
	StepGbps  float64 // delta, the step of additive increase

	Gain float64 // alpha, the weight of a new difference in the smoothed one
	Cut  float64 // beta, of both decreases

	Low    units.Picos // T_low: an RTT below it raises the rate, whatever the gradient
	High   units.Picos // T_high: an RTT above it cuts the rate, whatever the gradient
	MinRTT units.Picos // by which a difference becomes a gradient

	Segment int64 // acknowledged bytes from one rate decision to the next
	// HyperAfter is N: the increase is HyperSteps times StepGbps from the Nth successive decision on in which the
	// gradient raises the rate.
	HyperAfter int
	HyperSteps float64
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
func (s *Spec) Fields() []param.Field {
	return []param.Field{
		{Name: "line_gbps", Unit: "Gb/s", Ptr: &s.LineGbps, Min: 1e-3, Max: 1e6, About: "rate of the link"},
		{Name: "first_gbps", Unit: "Gb/s", Ptr: &s.FirstGbps, Min: 1e-9, Max: 1e6, About: "rate of a new flow"},
		{Name: "min_gbps", Unit: "Gb/s", Ptr: &s.MinGbps, Min: 1e-9, Max: 1e6, About: "least rate"},
		{Name: "step_gbps", Unit: "Gb/s", Ptr: &s.StepGbps, Min: 0, Max: 1e6, About: "step of additive increase"},
		{Name: "gain", Ptr: &s.Gain, Min: 1e-9, Max: 1, About: "weight of a new difference"},
		{Name: "cut", Ptr: &s.Cut, Min: 0, Max: 1, About: "share of the excess that a cut takes"},
		{Name: "t_low", Unit: "us", Ptr: &s.Low, Min: 0, Max: param.Long, About: "round trip below which the rate rises"},
		{Name: "t_high", Unit: "us", Ptr: &s.High, Min: 1e-6, Max: param.Long, About: "round trip above which it is cut"},
		{Name: "min_rtt", Unit: "us", Ptr: &s.MinRTT, Min: 1e-6, Max: param.Long, About: "divisor of the gradient"},
		{Name: "segment", Unit: "bytes", Ptr: &s.Segment, Min: 1, Max: param.Large, About: "acknowledged by a decision"},
		{Name: "hyper_after", Ptr: &s.HyperAfter, Min: 1, Max: 1e6, About: "rises in a row before large steps"},
		{Name: "hyper_steps", Ptr: &s.HyperSteps, Min: 1, Max: 1e6, About: "small steps in a large one"},
	}
}

// Validate returns nil when the constants make sense, or an error that names the first that does not.
func (s *Spec) Validate() error {
	return param.Check("timely spec", append(s.Fields(),
		param.Field{Name: "min_gbps", Unit: "Gb/s", Ptr: &s.MinGbps, Min: 1e-9, Max: s.LineGbps},
		param.Field{Name: "first_gbps", Unit: "Gb/s", Ptr: &s.FirstGbps, Min: s.MinGbps, Max: s.LineGbps},
		param.Field{Name: "t_high", Unit: "us", Ptr: &s.High, Min: s.Low.Micros(), Max: param.Long}))
}
