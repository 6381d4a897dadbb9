package cubic

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/newreno"
	"github.com/goldwire/goldwire/golden/cc/param"
)

// Spec holds the constants.
type Spec struct {
	newreno.Spec
	RTT     float64 `param:"rtt" unit:"us" in:"1e-9 1e9" about:"base round trip"`
	C       float64 `param:"c" unit:"packets/s^3" in:"1e-9 1e15" about:"of the cubic function"`
	Beta    float64 `param:"beta" in:"0.01 1" about:"share of the window left by a cut"`
	S0Slope bool    `param:"s0_slope" about:"1 grows by a packet per round trip"`

	HyStart    bool    `param:"hystart" about:"1 leaves slow start when the delay grows"`
	HyStartLow float64 `param:"hystart_low" unit:"us" in:"0 inf" about:"least growth"`
	HyStartTop float64 `param:"hystart_top" unit:"us" in:"0 inf" about:"most growth"`
	DataCentre bool    `param:"hystart_dc" about:"1 scales HyStart with the base round trip"`
}

// DefaultSpec returns the defaults for a base round trip in us.
func DefaultSpec(rtt float64) Spec {
	return Spec{
		Spec: newreno.DefaultSpec(), RTT: rtt, C: 0.4, Beta: 0.7, HyStart: true, HyStartLow: 4000, HyStartTop: 16000,
	}
}

// Fields lists the parameters with units and bounds.
func (s *Spec) Fields() []param.Field { return param.Of(s) }

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
