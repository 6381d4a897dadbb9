package intmd

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/golden/telemetry"
)

func (m *measurement) hops(p *path, rw, re *telemetry.Response[real], rf *telemetry.Response[float64], gaps []gap) {
	for i := range re.Hops {
		w, e := &rw.Hops[i], &re.Hops[i]
		if !w.Used || !e.Used {
			if w.Used != e.Used {
				m.res.NoTime++
			}
			continue
		}
		tx, share := gaps[i].rateAndShare(float64(m.reader.RTT))
		of := fmt.Sprintf("port %d", p.ports[i])
		m.number(&m.txRate, w.Rate, e.Rate, rf.Hops[i].Rate, tx, p, of)
		m.number(&m.share, w.Share, e.Share, rf.Hops[i].Share, share, p, of)
	}
}

// number compares one number that lies between limits on the wire.
func (m *measurement) number(s *signal, wire, exact real, float float64, b limits, p *path, of string) {
	x := exactly.Float(exact)
	what := s.add(exactly.Float(exactly.Sub(wire, exact)), x, limits{b.lo - x, b.hi - x})
	s.float.Add(float-x, x)
	m.beyond(what, p.stamps[0].packet, of)
}

// unbounded are the limits of a number of which nothing is stated.
var unbounded = limits{math.Inf(-1), math.Inf(1)}

// compare compares what the senders of a rule made of an ACK.
func (m *measurement) compare(p *path, r *reader, x *parties, rw, re *telemetry.Response[real],
	rf *telemetry.Response[float64], gaps []gap, from *telemetry.State[float64]) {
	res := m.of(x)
	res.compared++
	rtt := float64(m.reader.RTT)
	var u limits
	if r.kind == telemetry.HPCC {
		if rw.Hop >= 0 {
			x.u[0] = gaps[rw.Hop].toward(x.u[0], rtt)
		}
		u = x.u[0]
	} else {
		for i := range x.u {
			if gaps[i].dt.hi > 0 {
				x.u[i] = gaps[i].toward(x.u[i], rtt)
			}
			u = limits{max(u.lo, x.u[i].lo), max(u.hi, x.u[i].hi)}
		}
	}
	of := fmt.Sprintf("ports %v, %s", p.ports, x.mode)
	m.number(&res.u[r.kind], rw.U, re.U, rf.U, u, p, of)
	w := unbounded
	if x.mode == diff.Step {
		w = m.windows(x, from, u)
	}
	m.number(&res.window[r.kind], r.wire.W, x.exact.W, x.float.W, w, p, of)
	m.decide(p, r, x, res, rw, re, rf)
}

// windows returns between which numbers the window lies where the average lies between u.
func (m *measurement) windows(x *parties, from *telemetry.State[float64], u limits) limits {
	eta := x.float.Eta()
	cut := func(u float64) float64 { return x.float.Window(from.Wc, true, u) }
	add := x.float.Window(from.Wc, false, 0)
	tolerance := slack * eta
	switch {
	case from.Stage >= m.reader.MaxStage || u.lo >= eta+tolerance:
		return limits{cut(u.hi), cut(u.lo)}
	case u.hi < eta-tolerance:
		return limits{add, add}
	}
	return limits{min(cut(u.hi), add), add}
}

func (m *measurement) of(x *parties) *byMode {
	return &m.results[slices.IndexFunc(m.results, func(r byMode) bool { return r.mode == x.mode })]
}

func (m *measurement) decide(p *path, r *reader, x *parties, res *byMode, rw, re *telemetry.Response[real],
	rf *telemetry.Response[float64]) {
	word := func(b bool, yes, no string) string {
		if b {
			return yes
		}
		return no
	}
	hop := func(i int) string {
		if i < 0 {
			return "none"
		}
		return "port " + strconv.Itoa(p.ports[i])
	}
	eta := exactly.Float(r.wire.Eta())
	exact, wire := exactly.Float(re.U)-eta, exactly.Float(rw.U)-eta
	lead := func(resp *telemetry.Response[real]) float64 { // of the wire's bottleneck over that of the exact numbers
		if rw.Hop < 0 || re.Hop < 0 {
			return 0
		}
		return exactly.Float(exactly.Sub(resp.Hops[rw.Hop].Share, resp.Hops[re.Hop].Share))
	}
	for d, c := range [numDecisions]struct {
		wire, float, exact string
		distance, onWire   float64
		made               bool
	}{
		above: {word(rw.Above, "yes", "no"), word(rf.Above, "yes", "no"), word(re.Above, "yes", "no"), exact, wire, true},
		branch: {word(rw.Cut, "multiplicative", "additive"), word(rf.Cut, "multiplicative", "additive"),
			word(re.Cut, "multiplicative", "additive"), exact, wire, true},
		bottleneck: {hop(rw.Hop), hop(rf.Hop), hop(re.Hop), 0, 0, len(p.ports) > 1},
	} {
		if !c.made {
			continue
		}
		n := &res.decisions[int(r.kind)*numDecisions+d]
		n.Compared++
		if c.wire == c.exact && c.float == c.exact {
			continue
		}
		if c.wire != c.exact {
			n.WireWrong++
		}
		if c.float != c.exact {
			n.FloatWrong++
		}
		if c.wire != c.float {
			n.Apart++
		}
		if len(res.flips) >= m.flips {
			res.lost++
			continue
		}
		if d == bottleneck {
			c.distance, c.onWire = lead(re), lead(rw)
		}
		res.flips = append(res.flips, Flip{Packet: p.stamps[0].packet, Episode: m.episode, Ports: fmt.Sprint(p.ports),
			Decision: n.Name, Wire: c.wire, Float: c.float, Exact: c.exact, Right: right(c.wire, c.float, c.exact),
			Distance: c.distance, WireDistance: c.onWire})
	}
}

// right returns whom exact confirms.
func right(wire, float, exact string) string {
	switch exact {
	case wire:
		return "wire"
	case float:
		return "float64"
	}
	return "neither"
}
