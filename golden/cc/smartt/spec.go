package smartt

import (
	"github.com/goldwire/goldwire/golden/cc/param"
)

// Spec holds the constants.
type Spec struct {
	RTT    float64 `param:"rtt" unit:"us" in:"1e-9 1e9" about:"base round trip"`
	BDP    float64 `param:"bdp" unit:"bytes" in:"1 1e15" about:"bandwidth-delay product"`
	MTU    float64 // bytes, also the least window
	Target float64 `param:"trtt" unit:"us" in:"1e-9 1e9" about:"target round trip"`
	Most   float64 `param:"max" unit:"bytes" in:"0 1e15" about:"largest window, also the first"`

	MI float64 `param:"mi" in:"0 1e15" about:"multiplicative increase"`
	MD float64 `param:"md" in:"0 1e15" about:"multiplicative decrease"`
	FI float64 `param:"fi" in:"0 1e15" about:"fair increase"`
	FD float64 `param:"fd" in:"0 1e15" about:"fair decrease"`

	Wait     bool    `param:"wtd" about:"1 waits to decrease"`
	WaitGain float64 `param:"wtd_gain" in:"1e-9 1" about:"weight of an ACK in the average of marks"`
	WaitFrom float64 `param:"wtd_threshold" in:"0 1" about:"average from which marks count"`

	QuickAdapt   bool `param:"quick_adapt" about:"1 sets the window to what was achieved after a loss"`
	FastIncrease bool `param:"fast_increase" about:"1 grows fast after a window without congestion"`
}

// DefaultSpec returns the defaults for a link in Gb/s, a base round trip in us and a packet size in bytes.
func DefaultSpec(gbps, rtt, mtu float64) Spec {
	bdp := gbps * 125 * rtt
	return Spec{
		RTT: rtt, BDP: bdp, MTU: mtu, Target: 1.5 * rtt, Most: max(1.25*bdp, mtu), MI: 2, MD: 2, FI: 0.25, FD: 0.8,
		WaitGain: 1. / 8, WaitFrom: 0.25,
	}
}

// Fields lists the parameters with units and bounds.
func (s *Spec) Fields() []param.Field {
	out := param.Of(s)
	out[3].Min = s.MTU // of the largest window
	return out
}

// Validate returns nil when the constants make sense, or an error that names the first that does not.
func (s *Spec) Validate() error {
	mtu := param.Field{Name: "mtu", Ptr: &s.MTU, Min: 1, Max: 1 << 30}
	return param.Check("smartt spec", append([]param.Field{mtu}, s.Fields()...))
}
