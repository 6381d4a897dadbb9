package dcqcn

import (
	"github.com/goldwire/goldwire/golden/cc/param"
	"github.com/goldwire/goldwire/golden/units"
)

// Spec holds the constants of DCQCN.
type Spec struct {
	LineGbps float64 // rate of the link, which is also the first rate
	MinGbps  float64 // least rate
	AIGbps   float64 // step of additive increase
	HAIGbps  float64 // step of hyper increase

	Gain float64 // g, of alpha

	// FastSteps is F: fast recovery lasts while both counters are below it.
	FastSteps int
	// FastToF has fast recovery include the step at which a counter reaches F, as the authors of
	// HPCC and the reference simulator have it.
	FastToF bool

	Bytes      int64       // bytes sent between two steps of the byte counter
	Timer      units.Picos // time between two steps of the rate timer
	AlphaTimer units.Picos // time without a CNP after which alpha falls
}

// DefaultSpec returns the defaults for a link of a rate in Gb/s. The increases are 40 and 200 Mb/s
// for each 40 Gb/s of the link.
func DefaultSpec(gbps float64) Spec {
	return Spec{
		LineGbps: gbps, MinGbps: 0.1, AIGbps: gbps * 0.001, HAIGbps: gbps * 0.005,
		Gain: 1. / 256, FastSteps: 5, Bytes: 10_000_000,
		Timer: 55 * units.Microsecond, AlphaTimer: 55 * units.Microsecond,
	}
}

// Fields lists the parameters with units and bounds.
func (s *Spec) Fields() []param.Field {
	return []param.Field{
		{Name: "line_gbps", Unit: "Gb/s", Ptr: &s.LineGbps, Min: 1e-3, Max: 1e6, About: "rate of the link"},
		{Name: "min_gbps", Unit: "Gb/s", Ptr: &s.MinGbps, Min: 1e-9, Max: 1e6, About: "least rate"},
		{Name: "ai_gbps", Unit: "Gb/s", Ptr: &s.AIGbps, Min: 0, Max: 1e6, About: "step of additive increase"},
		{Name: "hai_gbps", Unit: "Gb/s", Ptr: &s.HAIGbps, Min: 0, Max: 1e6, About: "step of hyper increase"},
		{Name: "gain", Ptr: &s.Gain, Min: 1e-9, Max: 0.999999, About: "weight of a new mark in alpha"},
		{Name: "fast_steps", Ptr: &s.FastSteps, Min: 1, Max: 1e6, About: "steps at which fast recovery ends"},
		{Name: "fast_le", Ptr: &s.FastToF, About: "1 makes the last of these steps fast, too"},
		{Name: "bytes", Unit: "bytes", Ptr: &s.Bytes, Min: 1, Max: param.Large, About: "sent from one step to the next"},
		{Name: "rate_timer", Unit: "us", Ptr: &s.Timer, Min: 1e-6, Max: param.Long, About: "from one step to the next"},
		{
			Name: "alpha_timer", Unit: "us", Ptr: &s.AlphaTimer, Min: 1e-6, Max: param.Long,
			About: "without a CNP after which alpha falls",
		},
	}
}

// Validate returns nil when the constants make sense, or an error that names the first that does not.
func (s *Spec) Validate() error {
	return param.Check("dcqcn spec", append(s.Fields(),
		param.Field{Name: "min_gbps", Unit: "Gb/s", Ptr: &s.MinGbps, Min: 1e-9, Max: s.LineGbps}))
}
