package cubic

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/newreno"
	"github.com/goldwire/goldwire/golden/cc/param"
)

// Spec holds the constants.
type Spec struct {
	newreno.Spec
	RTT     float64 // base round trip, us
	C       float64 // packets per cubic second
	Beta    float64
	S0Slope bool // the estimate grows by a packet per round trip

	HyStart    bool
	HyStartLow float64 // least and most that the delay may grow, us
	HyStartTop float64
	DataCentre bool // the bounds are RTT/8 and RTT, and ACK trains count
}

// DefaultSpec returns the defaults for a base round trip in us.
func DefaultSpec(rtt float64) Spec {
	return Spec{
		Spec: newreno.DefaultSpec(), RTT: rtt, C: 0.4, Beta: 0.7, HyStart: true, HyStartLow: 4000, HyStartTop: 16000,
	}
}

// Fields lists the parameters with units and bounds.
func (s *Spec) Fields() []param.Field {
	inf := math.Inf(1)
	return append(s.Spec.Fields(),
		param.Field{Name: "rtt", Unit: "us", Ptr: &s.RTT, Min: 1e-9, Max: param.Long, About: "base round trip"},
		param.Field{Name: "c", Unit: "packets/s^3", Ptr: &s.C, Min: 1e-9, Max: param.Large, About: "of the cubic function"},
		param.Field{Name: "beta", Ptr: &s.Beta, Min: 0.01, Max: 1, About: "share of the window left by a cut"},
		param.Field{Name: "s0_slope", Ptr: &s.S0Slope, About: "1 grows by a packet per round trip"},
		param.Field{Name: "hystart", Ptr: &s.HyStart, About: "1 leaves slow start when the delay grows"},
		param.Field{Name: "hystart_low", Unit: "us", Ptr: &s.HyStartLow, Min: 0, Max: inf, About: "least growth"},
		param.Field{Name: "hystart_top", Unit: "us", Ptr: &s.HyStartTop, Min: 0, Max: inf, About: "most growth"},
		param.Field{Name: "hystart_dc", Ptr: &s.DataCentre, About: "1 scales HyStart with the base round trip"})
}

// Validate returns nil when the constants make sense, or an error that names the first that does not.
func (s *Spec) Validate() error {
	return param.Check("cubic spec", append(s.Fields(),
		param.Field{Name: "hystart_top", Unit: "us", Ptr: &s.HyStartTop, Min: s.HyStartLow, Max: math.Inf(1)}))
}

// slope is alpha_c, or 1.
func (s *Spec) slope() float64 {
	if s.S0Slope {
		return 1
	}
	return 3 * (1 - s.Beta) / (1 + s.Beta)
}

// threshold returns by how much the delay must grow for HyStart, us.
func (s *Spec) threshold(least float64) float64 {
	low, top := s.HyStartLow, s.HyStartTop
	if s.DataCentre {
		low, top = s.RTT/8, s.RTT
	}
	return min(max(least/8, low), top)
}
