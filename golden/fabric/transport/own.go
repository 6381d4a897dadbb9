package transport

import (
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/units"
)

// ownValues are what a context knows about its path: the slower rate of its two
// hosts, the base RTT, and what follows from them.
type ownValues struct {
	gbps   int
	base   units.Picos // config_base_rtt
	target units.Picos // target delay of loss recovery
	rto    units.Picos
	maxWnd int64 // 1.5 BDP
}

// valuesOf returns the values of a context from host a to host b.
func (s *tables) valuesOf(a, b int32) ownValues {
	v := ownValues{gbps: min(s.net.Topo.Ports[a].Gbps, s.net.Topo.Ports[b].Gbps), base: s.baseRTT, rto: s.rto}
	if s.spec.PerFlowRTT {
		v.base = s.net.RoundTrip(a, b)
	}
	switch {
	case s.spec.RTO > 0, s.spec.PFC: // of the whole run
	case s.spec.PerFlowRTT:
		v.rto = s.timeout(v.base, a, b)
	case s.net.Mixed: // slow links take longer to drain than the run's timeout allows for
		v.rto = max(v.rto, s.timeout(v.base, a, b))
	}
	v.target = s.spec.Target
	if v.target == 0 {
		v.target = v.base
		if s.spec.Trim {
			v.target = v.base * 3 / 4
		}
	}
	v.maxWnd = 3 * int64(v.base) / (2 * units.PerByte(v.gbps))
	return v
}

// timeout returns the base RTT and the time that full data queues on the way from
// host a to host b take to drain; the run's when there is no way.
func (s *tables) timeout(base units.Picos, a, b int32) units.Picos {
	way := s.net.Path(a, b)
	if way == nil {
		return s.rto
	}
	for _, p := range way[1:] {
		base += units.Picos(p.Limit[net.ClassLow]) * p.PerByte
	}
	return base + s.spec.ServiceTime + s.spec.ServiceJitter
}
