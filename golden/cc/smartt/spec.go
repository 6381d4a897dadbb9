package smartt

import (
	"github.com/goldwire/goldwire/golden/cc/param"
)

// Spec holds the constants.
type Spec struct {
	RTT    float64 // T, base round trip, us
	BDP    float64 // bytes
	MTU    float64 // bytes, also the least window
	Target float64 // trtt, us
	Most   float64 // largest window, also the first, bytes

	MI, MD, FI, FD float64 // multiplicative and fair increase and decrease

	Wait     bool    // wait to decrease
	WaitGain float64 // weight of an ACK in the average of marks
	WaitFrom float64 // average from which marks count

	QuickAdapt   bool
	FastIncrease bool
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
	return []param.Field{
		{Name: "rtt", Unit: "us", Ptr: &s.RTT, Min: 1e-9, Max: param.Long, About: "base round trip"},
		{Name: "bdp", Unit: "bytes", Ptr: &s.BDP, Min: 1, Max: param.Large, About: "bandwidth-delay product"},
		{Name: "trtt", Unit: "us", Ptr: &s.Target, Min: 1e-9, Max: param.Long, About: "target round trip"},
		{Name: "max", Unit: "bytes", Ptr: &s.Most, Min: s.MTU, Max: param.Large, About: "largest window, also the first"},
		{Name: "mi", Ptr: &s.MI, Min: 0, Max: param.Large, About: "multiplicative increase"},
		{Name: "md", Ptr: &s.MD, Min: 0, Max: param.Large, About: "multiplicative decrease"},
		{Name: "fi", Ptr: &s.FI, Min: 0, Max: param.Large, About: "fair increase"},
		{Name: "fd", Ptr: &s.FD, Min: 0, Max: param.Large, About: "fair decrease"},
		{Name: "wtd", Ptr: &s.Wait, About: "1 waits to decrease"},
		{Name: "wtd_gain", Ptr: &s.WaitGain, Min: 1e-9, Max: 1, About: "weight of an ACK in the average of marks"},
		{Name: "wtd_threshold", Ptr: &s.WaitFrom, Min: 0, Max: 1, About: "average from which marks count"},
		{Name: "quick_adapt", Ptr: &s.QuickAdapt, About: "1 sets the window to what was achieved after a loss"},
		{Name: "fast_increase", Ptr: &s.FastIncrease, About: "1 grows fast after a window without congestion"},
	}
}

// Validate returns nil when the constants make sense, or an error that names the first that does not.
func (s *Spec) Validate() error {
	mtu := param.Field{Name: "mtu", Ptr: &s.MTU, Min: 1, Max: 1 << 30}
	return param.Check("smartt spec", append([]param.Field{mtu}, s.Fields()...))
}
