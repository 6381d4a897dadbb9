package timely

import (
	"fmt"

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

// Validate returns nil when the constants make sense, or an error that names the first that does not.
func (s *Spec) Validate() error {
	for _, c := range []struct {
		ok   bool
		name string
		got  any
		want string
	}{
		{s.LineGbps > 0, "LineGbps", s.LineGbps, "above 0"},
		{s.MinGbps > 0 && s.MinGbps <= s.LineGbps, "MinGbps", s.MinGbps, "above 0, at most LineGbps"},
		{
			s.FirstGbps >= s.MinGbps && s.FirstGbps <= s.LineGbps, "FirstGbps", s.FirstGbps,
			"from MinGbps to LineGbps",
		},
		{s.StepGbps >= 0, "StepGbps", s.StepGbps, "0 or above"},
		{s.Gain > 0 && s.Gain <= 1, "Gain", s.Gain, "above 0, at most 1"},
		{s.Cut >= 0 && s.Cut <= 1, "Cut", s.Cut, "from 0 to 1"},
		{s.Low >= 0, "Low", s.Low, "0 or above"},
		{s.High >= s.Low && s.High > 0, "High", s.High, "above 0, at least Low"},
		{s.MinRTT >= 1, "MinRTT", s.MinRTT, "above 0"},
		{s.Segment >= 1, "Segment", s.Segment, "1 or above"},
		{s.HyperAfter >= 1, "HyperAfter", s.HyperAfter, "1 or above"},
		{s.HyperSteps >= 1, "HyperSteps", s.HyperSteps, "1 or above"},
	} {
		if !c.ok {
			return fmt.Errorf("timely spec: %s = %v: want %s", c.name, c.got, c.want)
		}
	}
	return nil
}
