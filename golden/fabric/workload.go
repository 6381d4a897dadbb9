package fabric

import (
	"math/rand/v2"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// flow is one message on a connection. Times are negative until they are known.
type flow struct {
	bytes     int64
	packets   int64
	last      int64 // payload of the last packet
	start     units.Picos
	doneAt    units.Picos // last byte at the receiver's application
	ackedAt   units.Picos // last byte acknowledged at the sender
	sum       uint64
	pdc       int32
	round     int32
	rtx       int32
	startPSN  uint32
	next      int32       // in its connection's queue
	waits     int32       // flows still to be delivered before this one begins
	notBefore units.Picos // when it may begin, of a list of messages
	name      int32       // in the file it came from
	mark      bool

	delivered, acked int64 // payload bytes

	timeouts, nacks, probes, spurious int32 // as in FlowResult
}

// pairs returns the sender and receiver of every context of a permutation or an
// incast: for each host of the pattern, in order of hosts, CCCsPerNIC
// destinations.
func (s *sim) pairs() [][2]int32 {
	var out [][2]int32
	hosts := int32(len(s.hosts))
	if s.spec.Workload == Incast {
		// The senders are drawn among all hosts but the receiver.
		order := rand.New(s.rngTopo).Perm(int(hosts) - 1)[:s.spec.Incast]
		chosen := make([]bool, hosts)
		for _, h := range order {
			chosen[h+1] = true
		}
		for h := range hosts {
			for i := 0; chosen[h] && i < s.spec.CCCsPerNIC; i++ {
				out = append(out, [2]int32{h, 0})
			}
		}
		return out
	}
	perms := make([][]int, s.spec.CCCsPerNIC)
	for i := range perms {
		perms[i] = traffic.Derangement(rand.New(s.rngTopo), int(hosts))
	}
	for h := range hosts {
		for _, perm := range perms {
			out = append(out, [2]int32{h, int32(perm[h])})
		}
	}
	return out
}

// place returns where host h of the workload sits in the network.
func (s *sim) place(h int32) int32 {
	if s.spec.HostOrder != nil {
		return s.spec.HostOrder[h]
	}
	return h
}

// buildWorkload creates contexts, connections and their first flows.
func (s *sim) buildWorkload() error {
	if w := s.spec.Workload; s.given != nil || w != Permutation && w != Incast {
		return s.buildMessages()
	}
	spec := &s.spec
	pairs := s.pairs()
	n := len(pairs) * spec.PDCsPerCCC
	s.room(len(pairs), n, n*max(spec.Rounds, 1))
	bound := int64(1) << 40
	if spec.Rounds == 1 {
		bound = s.packetsOf(spec.FlowBytes)
	}
	for ci, p := range pairs {
		c := s.addContext(int32(ci), s.place(p[0]), spec.PDCsPerCCC)
		for j := range spec.PDCsPerCCC {
			ti := int32(ci*spec.PDCsPerCCC + j)
			s.addPDC(ti, int32(ci), uint8(j), s.place(p[1]), spec.LB)
			s.giveMemory(ti, bound)
			at := units.Picos(0)
			if spec.StartSpread > 0 {
				at = units.Picos(s.rngTopo.Uint64() % uint64(spec.StartSpread+1))
			}
			s.wheel.push(at, evStart, s.addFlow(ti, 0, spec.FlowBytes))
		}
		if err := s.makeCC(c); err != nil {
			return err
		}
	}
	return nil
}

// room makes the run's tables.
func (s *sim) room(contexts, pdcs, flows int) {
	s.ccc = make([]cccState, contexts)
	s.tx = make([]txPDC, pdcs)
	s.rx = make([]rxPDC, pdcs)
	s.flows = make([]flow, 0, flows)
}

// packetsOf returns the number of packets that carry so many bytes.
func (s *sim) packetsOf(bytes int64) int64 {
	payload := int64(s.spec.MTU - s.spec.HeaderBytes)
	return (bytes + payload - 1) / payload
}

// addContext fills in context ci of a host with so many connections to come.
func (s *sim) addContext(ci, at int32, pdcs int) *cccState {
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
func (s *sim) addPDC(ti, ci int32, index uint8, dst int32, kind lb.Kind) {
	c := &s.ccc[ci]
	h := &s.hosts[c.host]
	if index == 0 {
		c.ownValues = s.valuesOf(c.host, dst)
	}
	psn := firstPSN(s.rngTopo.Uint64())
	c.pdcs[index] = ti
	s.tx[ti] = txPDC{
		una: psn, nxt: psn, ccc: ci, dst: dst, nicPDC: h.nicPDCs, flow: -1, queue: -1, index: index,
		class: classLow, kind: kind,
	}
	if kind == lb.AR {
		s.tx[ti].steer = flagSteer
	}
	s.rx[ti] = rxPDC{cum: psn}
	h.nicPDCs++
}

// giveMemory gives connection ti its balancer and the transmit and receive state
// of as many packets as it can have outstanding, at most bound.
func (s *sim) giveMemory(ti int32, bound int64) {
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
	} else {
		words := make([]uint64, size/32)
		t.ring, t.marked, r.seen = make([]txEntry, size), words[:size/64], words[size/64:]
	}
	t.mask, r.mask = uint32(size-1), uint32(size-1)
	var err error
	t.lb, err = lb.New(t.kind, lb.Config{
		Paths: s.spec.Paths, Label: uint16(s.rngSpray.Uint64()), Rand: s.rngSpray, Freeze: int64(s.ccc[t.ccc].rto),
	})
	if err != nil {
		s.fail(err) // excluded by Validate
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
func (s *sim) takeMemory(ti int32) {
	t, r := &s.tx[ti], &s.rx[ti]
	class := 0
	for minRing<<class < len(t.ring) {
		class++
	}
	clear(t.ring)
	clear(t.marked)
	clear(r.seen)
	s.rings[class] = append(s.rings[class], ringMemory{t.ring, t.marked, r.seen})
	t.ring, t.marked, r.seen, t.lb = nil, nil, nil, nil
	s.ccc[t.ccc].cc = nil
}

// firstPSN returns a connection's first PSN from a draw: any, but for every
// fourth connection shortly before the wrap, so that runs of any length cross it.
func firstPSN(draw uint64) uint32 {
	if draw&3 == 0 {
		return -uint32(draw>>2&0xFF) - 1
	}
	return uint32(draw >> 32)
}

// addFlow appends a flow on connection ti and returns its number.
func (s *sim) addFlow(ti, round int32, bytes int64) int32 {
	payload := int64(s.spec.MTU - s.spec.HeaderBytes)
	n := int32(len(s.flows))
	f := flow{bytes: bytes, pdc: ti, round: round, start: -1, doneAt: -1, ackedAt: -1, next: -1, name: n}
	f.packets = s.packetsOf(bytes)
	f.last = f.bytes - (f.packets-1)*payload
	s.flows = append(s.flows, f)
	s.tx[ti].left++
	return n
}

// startFlow gives flow fi to its connection, to be sent after those it has.
func (s *sim) startFlow(fi int32) {
	f := &s.flows[fi]
	t := &s.tx[f.pdc]
	c := &s.ccc[t.ccc]
	if t.ring == nil {
		s.giveMemory(f.pdc, s.bound[f.pdc])
	}
	if c.cc == nil {
		if err := s.makeCC(c); err != nil {
			s.fail(err)
			return
		}
	}
	if !c.opened {
		c.opened = true
		s.clearEvent(cc.KindOpen, t)
		s.step(t.ccc)
	}
	f.start = s.now
	if t.queue < 0 {
		t.queue = fi
	} else {
		s.flows[t.tail].next = fi
	}
	t.tail = fi
	if t.unsent == 0 {
		s.nextFlow(t)
	}
	ev := s.clearEvent(cc.KindNewData, t)
	ev.Size = f.bytes + f.packets*int64(s.spec.HeaderBytes)
	s.step(t.ccc)
	s.queueContext(t.ccc)
	s.kick(c.host)
}

// nextFlow lets connection t send the first of its waiting flows, if any.
func (s *sim) nextFlow(t *txPDC) {
	if t.queue < 0 {
		return
	}
	f := &s.flows[t.queue]
	t.flow, t.unsent = t.queue, f.packets
	f.startPSN = t.nxt
	t.queue, f.next = f.next, -1
}

// flowAcked ends flow fi at its sender and begins the connection's next round.
func (s *sim) flowAcked(fi int32) {
	f := &s.flows[fi]
	f.ackedAt = s.now
	s.count.FlowsAcked++
	ti, t := f.pdc, &s.tx[f.pdc]
	t.left--
	if t.once {
		if t.left == 0 {
			s.takeMemory(ti)
		}
		return
	}
	if s.spec.Rounds == 0 || int(f.round)+1 < s.spec.Rounds {
		s.startFlow(s.addFlow(ti, f.round+1, s.spec.FlowBytes))
	}
}
