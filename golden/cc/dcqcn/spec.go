package dcqcn

import (
	"github.com/goldwire/goldwire/golden/cc/param"
	"github.com/goldwire/goldwire/golden/units"
)

// Spec holds the constants of DCQCN.
type Spec struct {
	// LineGbps is also the first rate.
	LineGbps float64 `param:"line_gbps" unit:"Gb/s" in:"1e-3 1e6" about:"rate of the link"`
	MinGbps  float64 `param:"min_gbps" unit:"Gb/s" in:"1e-9 1e6" about:"least rate"`
	AIGbps   float64 `param:"ai_gbps" unit:"Gb/s" in:"0 1e6" about:"step of additive increase"`
	HAIGbps  float64 `param:"hai_gbps" unit:"Gb/s" in:"0 1e6" about:"step of hyper increase"`

	Gain float64 `param:"gain" in:"1e-9 0.999999" about:"weight of a new mark in alpha"`

	// FastSteps is F: fast recovery lasts while both counters are below it.
	FastSteps int `param:"fast_steps" in:"1 1e6" about:"steps at which fast recovery ends"`
	// FastToF has fast recovery include the step at which a counter reaches F, as the authors of
	// HPCC and the reference simulator have it.
	FastToF bool `param:"fast_le" about:"1 makes the last of these steps fast, too"`

	Bytes      int64       `param:"bytes" unit:"bytes" in:"1 1e15" about:"sent from one step to the next"`
	Timer      units.Picos `param:"rate_timer" unit:"us" in:"1e-6 1e9" about:"from one step to the next"`
	AlphaTimer units.Picos `param:"alpha_timer" unit:"us" in:"1e-6 1e9" about:"without a CNP after which alpha falls"`
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
func (s *Spec) Fields() []param.Field { return param.Of(s) }

// Validate returns nil when the constants make sense, or an error that names the first that does not.
func (s *Spec) Validate() error {
	return param.Check("dcqcn spec", append(s.Fields(),
		param.Field{Name: "min_gbps", Unit: "Gb/s", Ptr: &s.MinGbps, Min: 1e-9, Max: s.LineGbps}))
}
