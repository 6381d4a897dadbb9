package net

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/units"
)

// swtch is a switch. In a tree it reaches hosts lo to hi-1 through its down ports, one port for each per hosts, and all
// others through any of its up ports; port numbers are contiguous, so that routing needs no table.
type swtch struct {
	lo, hi, per int32
	down        int32 // first down port
	up, ups     int32 // first up port and their number
	id          int32
	Salt        uint64
}

// route returns the port on which switch w forwards packet k, -1 when there is no way: the only one or, of several, the
// one that the hash of connection and entropy, or adaptive routing, chooses.
func (s *Network) route(w *swtch, k *Packet) int32 {
	first, n := w.up, w.ups
	var list []int32
	if s.routes == nil {
		if d := k.Dst; d >= w.lo && d < w.hi {
			return w.down + (d-w.lo)/w.per
		}
	} else {
		list = s.routes.Hops(w.id, k.Dst)
		n = int32(len(list))
		if n == 0 {
			return -1
		}
		if n == 1 {
			return list[0]
		}
	}
	h := (uint64(uint32(k.PDC))<<16 | uint64(k.Entropy)) * 0x9e3779b97f4a7c15
	h = (h ^ h>>32 ^ w.Salt) * 0xd6e8feb86659fd93
	at := int32(h >> 32 * uint64(n) >> 32)
	if k.Flags&FlagSteer != 0 {
		return s.shortest(first, n, list, k.Class)
	}
	if list != nil {
		return list[at]
	}
	return first + at
}

// shortest returns a port whose queue of a class is in the lowest band, drawn at
// random among those of the same band. A queue holds the packet under way, too.
func (s *Network) shortest(first, n int32, list []int32, class uint8) int32 {
	least := int64(math.MaxInt64)
	s.tied = s.tied[:0]
	for at := range n {
		pi := first + at
		if list != nil {
			pi = list[at]
		}
		p := &s.Ports[pi]
		bytes := p.Q[class].bytes
		if s.wheel.Now() < p.FreeAt {
			bytes += PerByte(s, p).Bytes(p.FreeAt - s.wheel.Now())
		}
		switch band := bytes / p.step; {
		case band < least:
			least = band
			s.tied = append(s.tied[:0], pi)
		case band == least:
			s.tied = append(s.tied, pi)
		}
	}
	if len(s.tied) == 1 {
		return s.tied[0]
	}
	hi, _ := bits.Mul64(s.rngRoute.Uint64(), uint64(len(s.tied)))
	return s.tied[hi]
}

// Path returns the links of the way that a packet of connection 0 and entropy 0
// takes from host a to host b, none if there is no path.
func (s *Network) Path(a, b int32) []*Port {
	var out []*Port
	k := Packet{Dst: b}
	for at := a; ; {
		p := &s.Ports[at]
		out = append(out, p)
		if p.to == b {
			return out
		}
		if int(p.to) < s.hosts || len(out) > 64 {
			return nil
		}
		if at = s.route(&s.Switches[int(p.to)-s.hosts], &k); at < 0 {
			return nil
		}
	}
}

// RoundTrip returns the unloaded round trip of one MTU and its ACK between two
// hosts, the run's base RTT if there is no path.
func (s *Network) RoundTrip(a, b int32) units.Picos {
	sum := units.Picos(0)
	for _, p := range s.Path(a, b) {
		sum += 2*p.Latency + PerByte(s, p).Time(int64(s.spec.MTU+s.spec.CtlBytes))
	}
	if sum == 0 {
		return s.baseRTT
	}
	return sum
}

// WhyNoWay returns why there is no way from host a to host b at the end of the run, "" when there is one.
func (s *Network) WhyNoWay(a, b int32) string {
	for _, h := range []int32{a, b} {
		if s.Ports[h].Down {
			l := s.Topo.Ports[h].Link
			return fmt.Sprintf("no way: %s's only link, %s, failed at %v us", s.Topo.Names[h], linkName(s, l),
				failedAt(s, l).Micros())
		}
	}
	if s.routes == nil || reaches(s, s.routes, a, b) {
		return ""
	}
	if s.linkDown != nil {
		if s.intact == nil {
			s.intact = s.Topo.Routes(nil)
		}
		if reaches(s, s.intact, a, b) {
			return fmt.Sprintf("no way: links that failed cut %s off from %s", s.Topo.Names[a], s.Topo.Names[b])
		}
	}
	return fmt.Sprintf("no way: the topology does not connect %s and %s", s.Topo.Names[a], s.Topo.Names[b])
}

// reaches reports whether the first switch of host a has a way to host b.
func reaches(s *Network, r *topo.Routes, a, b int32) bool {
	return len(r.Hops(s.Ports[a].to-int32(s.hosts), b)) > 0
}

// linkName returns the name of a link, as in "host5-tor1".
func linkName(s *Network, link int32) string {
	l := &s.Topo.Links[link]
	return s.Topo.Names[l.A] + "-" + s.Topo.Names[l.B] + s.Topo.Which(link)
}

// failedAt returns when a link that is down failed.
func failedAt(s *Network, link int32) units.Picos {
	for _, o := range s.outages {
		if slices.Contains(o.links, link) {
			return o.at
		}
	}
	return 0
}

// outage is a set of links that fail at one time.
type outage struct {
	at    units.Picos
	links []int32
}

// BuildFailures schedules the failures of the spec. The names are known to
// exist. Each link between switches fails with the spec's probability.
func (s *Network) BuildFailures() {
	byTime := map[units.Picos][]int32{}
	for _, f := range s.spec.FailLinks {
		if l, err := s.Topo.FindLink(f.Link); err == nil {
			byTime[f.At] = append(byTime[f.At], l)
		}
	}
	if p := s.spec.FailProb; p > 0 {
		r := rand.New(s.rngFail)
		for i, l := range s.Topo.Links {
			if int(l.A) >= s.Topo.Hosts && int(l.B) >= s.Topo.Hosts && r.Float64() < p {
				byTime[s.spec.FailAt] = append(byTime[s.spec.FailAt], int32(i))
			}
		}
	}
	for i, at := range slices.Sorted(maps.Keys(byTime)) {
		s.outages = append(s.outages, outage{at, byTime[at]})
		if at == 0 {
			s.onFail(int32(i))
			continue
		}
		s.wheel.Push(at, evFail, int32(i))
	}
}

// onFail takes the links of outage i down, loses what waits in front of them and finds new ways around them.
func (s *Network) onFail(i int32) {
	if s.linkDown == nil {
		s.linkDown = make([]bool, len(s.Topo.Links))
	}
	for _, l := range s.outages[i].links {
		s.linkDown[l] = true
	}
	for pi := range s.Ports {
		p := &s.Ports[pi]
		if p.Down || !s.linkDown[s.Topo.Ports[pi].Link] {
			continue
		}
		p.Down = true
		for c := range p.Q {
			for p.Q[c].head >= 0 {
				k := p.Q[c].Pop(&s.Pool)
				pkt := s.Pool.At(k)
				if s.pfc && c == ClassLow && pi >= s.hosts {
					s.unhold(pkt)
				}
				s.flush(int32(pi), k, pkt)
			}
		}
	}
	s.routes = s.Topo.Routes(s.linkDown)
}
