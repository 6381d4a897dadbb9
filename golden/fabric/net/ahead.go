package net

import "github.com/goldwire/goldwire/golden/fabric/kernel"

// Ahead reads what the coming events will need, and changes nothing. In a large network nearly every packet, port and
// connection is out of the cache when its event comes. Read one after another, each of them stops the run for as long
// as the memory takes; read side by side, as the loops here do, they come together.
func (s *Network) Ahead(coming []kernel.Event) {
	sum := uint64(0)
	for _, e := range coming {
		switch e.Kind {
		case evArrive:
			sum += uint64(s.Pool.At(e.Arg).link)
		case EvWake:
			sum += uint64(s.Ports[e.Arg].to)
		}
	}
	for _, e := range coming {
		switch e.Kind {
		case evArrive:
			sum += uint64(s.Ports[s.Pool.At(e.Arg).link].to)
		case EvWake:
			sum += aheadOfWake(s, e.Arg)
		}
	}
	for _, e := range coming {
		if e.Kind == evArrive {
			sum += aheadOfArrive(s, e.Arg)
		}
	}
	s.sink = sum // or nothing would be read
}

// aheadOfWake reads the packet that a port may send.
func aheadOfWake(s *Network, pi int32) uint64 {
	p := &s.Ports[pi]
	for c := range p.Q {
		if i := p.Q[c].head; i >= 0 {
			return uint64(s.Pool.At(i).link) + uint64(s.Pool.next[i]) + p.Tx
		}
	}
	if int(pi) < s.hosts {
		return s.NIC.AheadOfTransmit(pi) + p.Tx
	}
	return 0
}

// aheadOfArrive reads the port that a packet goes on to, where that is known before it is there, or what its host will
// need.
func aheadOfArrive(s *Network, i int32) uint64 {
	k := s.Pool.At(i)
	to := s.Ports[k.link].to
	if int(to) < s.hosts {
		return s.NIC.AheadOfReceive(k)
	}
	if k.Flags&FlagSteer != 0 || s.retracing {
		return 0
	}
	if pi := s.route(&s.Switches[int(to)-s.hosts], k); pi >= 0 {
		p := &s.Ports[pi]
		return uint64(p.to) + uint64(p.Q[ClassLow].head) + p.Tx
	}
	return 0
}
