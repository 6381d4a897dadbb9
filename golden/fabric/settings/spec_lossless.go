package settings

import (
	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/units"
)

// PauseBytes is the size of a priority flow control frame.
const PauseBytes = 64

// RoomOf returns the bytes that a link of that rate and latency may have waiting at its far end.
func (s *Spec) RoomOf(perByte, latency units.Picos) int64 {
	headroom := s.PFCHeadroom
	if headroom == 0 {
		headroom = 2*int64((latency+perByte-1)/perByte) + 3*int64(max(s.MTU, s.CtlBytes)) + PauseBytes
	}
	return s.XOff + headroom
}

// losslessRTO returns the timeout that no packet in a lossless network outlasts
// when links serve their inputs alike: the base RTT and what every switch can hold
// over the slowest link, at most a second.
func (s *Spec) losslessRTO(n *topo.Net) units.Picos {
	const most = units.Picos(1e12)
	sum, slowest := 0.0, units.Picos(0)
	for i := range n.Ports {
		p := &n.Ports[i]
		perByte := units.Picos(units.PerByte(p.Gbps))
		slowest = max(slowest, perByte)
		if int(p.To) >= n.Hosts {
			sum += float64(s.RoomOf(perByte, units.Picos(p.Latency)))
		}
	}
	if sum*float64(slowest) >= float64(most) {
		return most
	}
	return min(most, s.EffectiveBaseRTT()+units.Picos(sum)*slowest+s.ServiceTime+s.ServiceJitter)
}
