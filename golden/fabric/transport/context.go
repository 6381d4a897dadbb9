package transport

import (
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/net"
)

// addContext fills in context ci of a host with that many connections to come.
func (s *tables) addContext(ci, at int32, pdcs int) *cccState {
	h := &s.hosts[at]
	c := &s.ccc[ci]
	*c = cccState{host: at, id: h.cccs, next: -1, npdc: uint8(pdcs), name: s.spec.CC}
	if name, ok := s.spec.CCHosts[at]; ok {
		c.name = name
	}
	if name, ok := s.spec.CCContexts[ci]; ok {
		c.name = name
	}
	h.cccs++
	return c
}

// addPDC fills in connection ti, number index of context ci, to host dst.
func (s *tables) addPDC(ti, ci int32, index uint8, dst int32, kind lb.Kind) {
	c := &s.ccc[ci]
	h := &s.hosts[c.host]
	if index == 0 {
		c.ownValues = s.valuesOf(c.host, dst)
	}
	psn := firstPSN(s.rngTopo.Uint64())
	c.pdcs[index] = ti
	s.tx[ti] = txPDC{
		una: psn, nxt: psn, ccc: ci, dst: dst, nicPDC: h.nicPDCs, flow: -1, queue: -1, index: index,
		class: net.ClassLow, kind: kind,
	}
	if kind == lb.AR {
		s.tx[ti].steer = net.FlagSteer
	}
	s.rx[ti] = rxPDC{cum: psn}
	h.nicPDCs++
}

// giveMemory gives connection ti its balancer and the transmit and receive state
// of as many packets as it can have outstanding, at most bound.
func (s *sender) giveMemory(ti int32, bound int64) {
	t, r := &s.tx[ti], &s.rx[ti]
	windows := int64(2)
	if s.control(&s.ccc[t.ccc]).Windowless {
		windows = 16 // what a lossless network can hold is in flight, too
	}
	need := min(windows*s.maxWnd/int64(s.spec.MTU)+1, bound)
	class := 0
	for int64(minRing)<<class < need {
		class++
	}
	size := minRing << class
	if free := s.rings[class]; len(free) > 0 {
		m := free[len(free)-1]
		s.rings[class] = free[:len(free)-1]
		t.ring, t.marked, r.seen = m.ring, m.marked, m.seen
		if r.seen == nil {
			r.seen = make([]uint64, size/64)
		}
	} else {
		words := make([]uint64, size/32)
		t.ring, t.marked, r.seen = make([]txEntry, size), words[:size/64], words[size/64:]
	}
	t.mask, r.mask = uint32(size-1), uint32(size-1)
	giveBalancer(s, ti)
}

// giveBalancer gives connection ti its load balancer.
func giveBalancer(s *sender, ti int32) {
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

// minRing is the least number of packets that a connection can have outstanding:
// two words of bitmap.
const minRing = 128

// ringMemory is the state that a finished connection gives back.
type ringMemory struct {
	ring         []txEntry
	marked, seen []uint64
}

// takeMemory gives back the state of connection ti, of which no packet is
// outstanding.
func (s *sender) takeMemory(ti int32) {
	t, r := &s.tx[ti], &s.rx[ti]
	class := 0
	for minRing<<class < len(t.ring) {
		class++
	}
	clear(t.ring)
	clear(t.marked)
	if s.divided {
		// The receiver may be at work: what it has seen stays with it.
		s.rings[class] = append(s.rings[class], ringMemory{t.ring, t.marked, nil})
	} else {
		clear(r.seen)
		s.rings[class] = append(s.rings[class], ringMemory{t.ring, t.marked, r.seen})
		r.seen = nil
	}
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
