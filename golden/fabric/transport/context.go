package transport

import (
	"cmp"
	"math/bits"

	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/units"
)

// addContext fills in context ci of a host with that many connections to come.
func (s *Hosts) addContext(ci, at int32, pdcs int) *cccState {
	h := &s.hosts[at]
	c := &s.ccc[ci]
	*c = cccState{host: at, id: h.cccs, next: -1, npdc: uint8(pdcs),
		name: cmp.Or(s.spec.CCContexts[ci], s.spec.CCHosts[at], s.spec.CC)}
	h.cccs++
	return c
}

// addPDC fills in connection ti, number index of context ci, to host dst.
func (s *Hosts) addPDC(ti, ci int32, index uint8, dst int32, kind lb.Kind) {
	c := &s.ccc[ci]
	h := &s.hosts[c.host]
	if index == 0 {
		c.ownValues = s.valuesOf(c.host, dst)
	}
	psn := firstPSN(s.rngTopo.Uint64())
	c.pdcs[index] = ti
	s.tx[ti] = txPDC{
		una: psn, nxt: psn, first: psn, ccc: ci, dst: dst, nicPDC: h.nicPDCs, flow: -1, queue: -1, index: index,
		class: net.ClassLow, kind: kind,
	}
	if kind == lb.AR {
		s.tx[ti].steer = net.FlagSteer
	}
	h.nicPDCs++
}

// classOf returns the power of two of minRing that holds as many packets as connection ti can have outstanding.
func (s *Hosts) classOf(ti int32) int {
	windows := int64(2)
	if (sender{s}).control(&s.ccc[s.tx[ti].ccc]).Windowless {
		windows = 16 // what a lossless network can hold is in flight, too
	}
	n := min(windows*s.maxWnd/int64(s.spec.MTU)+1, s.bound[ti])
	if s.spec.Entries > 0 {
		n = min(n, int64(s.spec.Entries))
	}
	return ringClass(n)
}

// giveMemory gives the sender of connection ti its balancer and its transmit state.
func (s sender) giveMemory(ti int32) {
	t, class := &s.tx[ti], s.classOf(ti)
	size := minRing << class
	if free := s.rings[class]; len(free) > 0 {
		m := free[len(free)-1]
		s.rings[class] = free[:len(free)-1]
		t.ring, t.marked = m.ring, m.marked
	} else {
		t.ring, t.marked = make([]txEntry, size), make([]uint64, size/64)
	}
	t.mask, t.span = uint32(size-1), uint32(min(size, net.MaxOffset+1))
	s.giveBalancer(ti)
}

// giveBalancer gives connection ti its load balancer.
func (s *Hosts) giveBalancer(ti int32) {
	t := &s.tx[ti]
	// Without trimming a loss is often no more than a full queue, and REPS keeps no path for it.
	freeze := int64(0)
	if s.spec.Trim {
		freeze = int64(s.ccc[t.ccc].rto)
	}
	var err error
	t.lb, err = lb.New(t.kind, lb.Config{
		Paths: s.spec.Paths, Label: uint16(s.rngSpray.Uint64()), Rand: s.rngSpray, Freeze: freeze,
	})
	if err != nil {
		s.wheel.Fail(err) // excluded by Validate
	}
}

// minRing is the least number of packets that a connection can have outstanding: two words of bitmap.
const minRing = 128

// ringClass returns the power of two of minRing that holds n packets.
func ringClass(n int64) int { return bits.Len64(uint64(max(n-1, 0) / minRing)) }

// ringMemory is the transmit state that a finished connection gives back.
type ringMemory struct {
	ring   []txEntry
	marked []uint64
}

// takeMemory gives back the transmit state of connection ti, of which no packet is outstanding.
func (s sender) takeMemory(ti int32) {
	t := &s.tx[ti]
	clear(t.ring)
	clear(t.marked)
	class := ringClass(int64(len(t.ring)))
	s.rings[class] = append(s.rings[class], ringMemory{t.ring, t.marked})
	t.ring, t.marked, t.lb = nil, nil, nil
	s.ccc[t.ccc].cc = nil
}

// firstPSN returns a connection's first PSN from a draw: any PSN, but for every
// fourth connection one shortly before the wrap, so that runs of any length cross it.
func firstPSN(draw uint64) uint32 {
	if draw&3 == 0 {
		return -uint32(draw>>2&0xFF) - 1
	}
	return uint32(draw >> 32)
}

// ownValues are what a context knows about its path: the slower rate of its two
// hosts, the base RTT, and what follows from them.
type ownValues struct {
	gbps   units.Gbps
	base   units.Picos // config_base_rtt
	target units.Picos // target delay of loss recovery
	rto    units.Picos
	maxWnd int64 // 1.5 BDP
}

// valuesOf returns the values of a context from host a to host b.
func (s *Hosts) valuesOf(a, b int32) ownValues {
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
	v.target = cmp.Or(s.spec.Target, v.base)
	if s.spec.Target == 0 && s.spec.Trim {
		v.target = v.base * 3 / 4
	}
	v.maxWnd = windowOf(v.base, v.gbps.PerByte())
	return v
}

// windowOf returns 1.5 BDP of a base RTT in bytes, rounded down.
func windowOf(base units.Picos, b units.PerByte) int64 {
	return units.PerByte{Num: 2 * b.Num, Den: b.Den}.Bytes(3 * base)
}

// timeout returns the base RTT and the time that full data queues on the way from
// host a to host b take to drain; the run's when there is no way.
func (s *Hosts) timeout(base units.Picos, a, b int32) units.Picos {
	way := s.net.Path(a, b)
	if way == nil {
		return s.rto
	}
	for _, p := range way[1:] {
		base += net.PerByte(s.net, p).Time(p.Limit[net.ClassLow])
	}
	return base + s.spec.ServiceTime + s.spec.ServiceJitter
}
