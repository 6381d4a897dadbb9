package dcqcn

import (
	"fmt"

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

// Validate returns nil when the constants make sense, or an error that names the first that does
// not.
func (s *Spec) Validate() error {
	for _, c := range []struct {
		ok   bool
		name string
		got  any
		want string
	}{
		{s.LineGbps > 0, "LineGbps", s.LineGbps, "above 0"},
		{s.MinGbps > 0 && s.MinGbps <= s.LineGbps, "MinGbps", s.MinGbps, "above 0, at most LineGbps"},
		{s.AIGbps >= 0, "AIGbps", s.AIGbps, "0 or above"},
		{s.HAIGbps >= 0, "HAIGbps", s.HAIGbps, "0 or above"},
		{s.Gain > 0 && s.Gain < 1, "Gain", s.Gain, "between 0 and 1"},
		{s.FastSteps >= 1, "FastSteps", s.FastSteps, "1 or above"},
		{s.Bytes >= 1, "Bytes", s.Bytes, "1 or above"},
		{s.Timer >= 1, "Timer", s.Timer, "above 0"},
		{s.AlphaTimer >= 1, "AlphaTimer", s.AlphaTimer, "above 0"},
	} {
		if !c.ok {
			return fmt.Errorf("dcqcn spec: %s = %v: want %s", c.name, c.got, c.want)
		}
	}
	return nil
}
