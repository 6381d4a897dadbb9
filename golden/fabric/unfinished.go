package fabric

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/units"
)

// whyUnfinished says why the last byte of flow fi is not acknowledged, "" when it
// is. A way that is gone goes before what follows from it: timeouts without an
// answer, a run that waits for its end, a sender that has nothing to do.
func (s *sim) whyUnfinished(fi int32) string {
	f := &s.flows[fi]
	t := &s.tx[f.pdc]
	switch {
	case f.ackedAt >= 0:
		return ""
	case s.deadlock != nil:
		return "a pause deadlock ended the run"
	case f.waits > 0:
		return "never began: a flow that it waits for was not delivered"
	}
	if why := s.whyNoWay(s.ccc[t.ccc].host, t.dst); why != "" {
		return why
	}
	switch {
	case t.tries > maxTries:
		return fmt.Sprintf("retries exhausted: %d timeouts in a row without an answer", maxTries+1)
	case s.late:
		return fmt.Sprintf("max_time.us = %v came first", s.spec.MaxTime.Micros())
	case s.stop:
		return "the run was stopped"
	case f.start < 0:
		return "never began"
	}
	return "nothing was left to happen"
}

// whyNoWay says why there is no way from host a to host b at the end of the run, ""
// when there is one.
func (s *sim) whyNoWay(a, b int32) string {
	for _, h := range []int32{a, b} {
		if s.ports[h].down {
			l := s.net.Ports[h].Link
			return fmt.Sprintf("no way: %s's only link, %s, failed at %v us", s.net.Names[h], s.linkName(l), s.failedAt(l).Micros())
		}
	}
	if s.routes == nil || s.reaches(s.routes, a, b) {
		return ""
	}
	if s.linkDown != nil {
		if s.intact == nil {
			s.intact = s.net.Routes(nil)
		}
		if s.reaches(s.intact, a, b) {
			return fmt.Sprintf("no way: links that failed cut %s off from %s", s.net.Names[a], s.net.Names[b])
		}
	}
	return fmt.Sprintf("no way: the topology does not connect %s and %s", s.net.Names[a], s.net.Names[b])
}

// reaches reports whether the first switch of host a has a way to host b.
func (s *sim) reaches(r *topo.Routes, a, b int32) bool {
	return len(r.Hops(s.ports[a].to-int32(len(s.hosts)), b)) > 0
}

// linkName returns the name of a link, as in "host5-tor1".
func (s *sim) linkName(link int32) string {
	l := &s.net.Links[link]
	return s.net.Names[l.A] + "-" + s.net.Names[l.B] + s.net.Which(link)
}

// failedAt returns when a link that is down failed.
func (s *sim) failedAt(link int32) units.Picos {
	for _, o := range s.outages {
		for _, l := range o.links {
			if l == link {
				return o.at
			}
		}
	}
	return 0
}
