package net

import (
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/golden/units"
)

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
	for at, links := range byTime {
		s.outages = append(s.outages, outage{at, links})
	}
	slices.SortFunc(s.outages, func(a, b outage) int { return int(min(max(a.at-b.at, -1), 1)) })
	for i, o := range s.outages {
		if o.at == 0 {
			s.onFail(int32(i))
			continue
		}
		s.wheel.Push(o.at, evFail, int32(i))
	}
}

// onFail takes the links of outage i down, loses what waits in front of them and
// finds new ways around them.
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
