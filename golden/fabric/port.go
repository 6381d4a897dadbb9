package fabric

import (
	"math/bits"

	"github.com/goldwire/goldwire/golden/units"
)

// port is one directed link and the output queues in front of it. Ports 0 to
// hosts-1 are the NICs, whose low queue is the data their contexts hold back.
type port struct {
	freeAt    units.Picos // end of the transmission under way
	latency   units.Picos
	perByte   units.Picos // serialisation time of one byte
	to        int32       // host, or hosts + switch, at the far end
	rev       int32       // the port of the other direction
	waking    bool        // an evWake is scheduled
	lastHop   bool        // the far end is a host
	paused    bool        // the far end holds too much of the low class
	pausing   bool        // this link's far end has paused it: set there, not here yet
	down      bool        // the link has failed
	rate      uint8       // INT code of the rate
	turn      uint8       // class whose turn it is in deficit round robin
	q         [classes]fifo
	limit     [classes]int64 // bytes
	kmin, kin int64          // marking starts above kmin, is certain above kmin + kin
	draw      int64          // kin over the probability of a mark at kmin + kin
	step      int64          // of the queue as adaptive routing sees it, bytes
	deficit   [classes]int64
	held      int64  // bytes of the low class that came in by this link and wait at its far end
	room      int64  // what held may not exceed
	tx        uint64 // bytes transmitted
}

// enqueue admits packet i to port pi or trims or drops it, and starts the
// transmission when the link is idle.
func (s *sim) enqueue(pi, i int32) {
	k := &s.pool.pkts[i]
	s.count.PktHops++
	if pi < 0 {
		s.count.NoRoute++
		s.lose(i, k)
		return
	}
	p := &s.ports[pi]
	if s.ptap != nil {
		s.tapPort(PortArrive, pi, k)
	}
	if p.down {
		s.count.NoRoute++
		s.flush(pi, i, k)
		return
	}
	q := &p.q[k.class]
	if q.bytes+int64(k.size) > p.limit[k.class] {
		if s.spec.PFC && k.class == classLow {
			s.overrun(pi, i, k)
			return
		}
		if k.class == classHigh || k.flags&flagTrimmed != 0 || k.kind != pkData || !s.spec.Trim {
			s.drop(pi, i, k)
			return
		}
		if s.spec.TrimRule == TrimEither {
			i = s.trimEither(q, p.limit[k.class], i)
			k = &s.pool.pkts[i]
		}
		s.trim(pi, p, k)
		q = &p.q[classMedium]
		if q.bytes+int64(k.size) > p.limit[k.class] {
			s.drop(pi, i, k)
			return
		}
	}
	if s.now >= p.freeAt && !p.waking && !(p.paused && k.class == classLow) {
		// An idle link has empty queues: the packet passes through its queue.
		if q.peak < int64(k.size) {
			q.peak = int64(k.size)
		}
		if k.kind == pkData && k.flags&flagTrimmed == 0 {
			s.mark(p, k)
		}
		s.transmit(pi, p, i, k)
		return
	}
	if s.spec.PFC && k.class == classLow && !s.hold(k) {
		s.overrun(pi, i, k)
		return
	}
	q.push(&s.pool, i)
	if !p.waking && (s.now < p.freeAt || !p.paused) {
		p.waking = true
		s.wheel.push(max(p.freeAt, s.now), evWake, pi)
	}
}

// trim cuts off the payload of packet k.
func (s *sim) trim(pi int32, p *port, k *packet) {
	k.size = int32(s.spec.TrimBytes)
	k.class = classMedium
	k.flags |= flagTrimmed
	if p.lastHop {
		k.flags |= flagLastHop
	}
	s.count.Trims++
	if s.ptap != nil {
		s.tapPort(PortTrim, pi, k)
	}
}

// trimEither returns the packet to trim: packet i or, by a coin and when the
// exchange keeps the queue within its limit, the one at the tail, whose place
// packet i takes. The two exchange contents, so that the list stays as it is.
func (s *sim) trimEither(q *fifo, limit int64, i int32) int32 {
	if s.rngTrim.Uint64()>>63 == 0 || q.head < 0 {
		return i
	}
	a, b := &s.pool.pkts[i], &s.pool.pkts[q.tail]
	if b.kind != pkData || b.flags&flagTrimmed != 0 {
		return i // nothing to cut off
	}
	grow := int64(a.size) - int64(b.size)
	if q.bytes+grow > limit {
		return i
	}
	*a, *b = *b, *a
	a.next, b.next = b.next, a.next
	if s.ints != nil {
		s.ints[i], s.ints[q.tail] = s.ints[q.tail], s.ints[i]
	}
	q.bytes += grow
	q.peak = max(q.peak, q.bytes)
	return i
}

// drop forgets a packet that no queue admits.
func (s *sim) drop(pi, i int32, k *packet) {
	s.lostPayload(k)
	switch {
	case k.kind != pkData:
		s.count.CtlDrops++
	case k.flags&flagTrimmed != 0:
		s.count.TrimDrops++
	default:
		s.count.DataDrops++
	}
	if s.ptap != nil {
		s.tapPort(PortDrop, pi, k)
	}
	s.pool.release(i)
}

// mark decides the ECN mark of a data packet that leaves its queue, on the bytes
// it leaves behind.
func (s *sim) mark(p *port, k *packet) {
	over := p.q[k.class].bytes - p.kmin
	if over <= 0 {
		return
	}
	if over <= p.kin {
		// Probability over/draw; kin is 0 with the deterministic rule.
		if hi, _ := bits.Mul64(s.rngECN.Uint64(), uint64(p.draw)); hi >= uint64(over) {
			return
		}
	}
	s.count.ECNMarks++
	if k.flags&flagCE == 0 {
		k.flags |= flagCE
		s.count.ECN++
	}
}

// wake starts the next transmission of a port whose link has become free.
func (s *sim) wake(pi int32) {
	p := &s.ports[pi]
	p.waking = false
	if int(pi) < len(s.hosts) {
		s.hostTransmit(pi)
		return
	}
	c := s.choose(p)
	if c < 0 {
		return
	}
	i := p.q[c].pop(&s.pool)
	k := &s.pool.pkts[i]
	if k.kind == pkData && k.flags&flagTrimmed == 0 {
		s.mark(p, k)
	}
	if s.spec.PFC && k.class == classLow {
		s.unhold(k)
	}
	s.transmit(pi, p, i, k)
	if p.q[classHigh].head >= 0 || p.q[classMedium].head >= 0 || p.q[classLow].head >= 0 && !p.paused {
		p.waking = true
		s.wheel.push(p.freeAt, evWake, pi)
	}
}

// choose returns the class to serve next, -1 when none may be. Classes are served
// in strict order, but neighbours that have quanta share by deficit round robin: a
// class without a quantum goes before those below it and never before those above.
func (s *sim) choose(p *port) int {
	if !s.drr {
		switch {
		case p.q[classHigh].head >= 0:
			return classHigh
		case p.q[classMedium].head >= 0:
			return classMedium
		case p.q[classLow].head >= 0 && !p.paused:
			return classLow
		}
		return -1
	}
	for c, n := 0, 0; c < classes; c += n {
		if n = s.group(c); n == 1 {
			if p.ready(c) {
				return c
			}
		} else if p.ready(c) || p.ready(c+1) || n > 2 && p.ready(c+2) {
			return s.share(p, c, n)
		}
	}
	return -1
}

// ready reports whether class c of a switch port may send.
func (p *port) ready(c int) bool { return p.q[c].head >= 0 && !(c == classLow && p.paused) }

// group returns the number of classes from c on that share by their quanta: 1 for
// a class without one.
func (s *sim) group(c int) int {
	n := 0
	for c+n < classes && s.spec.DRR[c+n] > 0 {
		n++
	}
	return max(n, 1)
}

// share returns which of the n classes from first on is next by deficit round
// robin; one of them is ready.
func (s *sim) share(p *port, first, n int) int {
	if t := int(p.turn); t < first || t >= first+n {
		p.turn = uint8(first + n - 1) // the first is next
	}
	for {
		c := int(p.turn)
		if p.ready(c) {
			if n := int64(s.pool.pkts[p.q[c].head].size); n <= p.deficit[c] {
				p.deficit[c] -= n
				return c
			}
		} else {
			p.deficit[c] = 0
		}
		if c++; c == first+n {
			c = first
		}
		p.turn = uint8(c)
		p.deficit[c] += int64(s.spec.DRR[c])
	}
}

// flush loses a packet that waits for, or comes to, a link that has failed.
func (s *sim) flush(pi, i int32, k *packet) {
	if s.ptap != nil {
		s.tapPort(PortDrop, pi, k)
	}
	s.lose(i, k)
}

// transmit puts packet i on the link of port p, now; the packet arrives after
// its last bit has crossed.
func (s *sim) transmit(pi int32, p *port, i int32, k *packet) {
	p.freeAt = s.now + units.Picos(k.size)*p.perByte
	p.tx += uint64(k.size)
	if s.ptap != nil {
		s.tapPort(PortDepart, pi, k)
	}
	if s.spec.INT == INTData && k.kind == pkData && int(pi) >= len(s.hosts) {
		s.stamp(i, p)
	}
	if s.lossCut > 0 && s.rngLoss.Uint64()>>11 < s.lossCut {
		s.lose(i, k)
		return
	}
	k.link = pi
	s.wheel.push(p.freeAt+p.latency, evArrive, i)
}

// lose forgets a packet that a link, or a network without a way, has lost.
func (s *sim) lose(i int32, k *packet) {
	s.lostPayload(k)
	switch {
	case k.kind != pkData:
		s.count.CtlLost++
	case k.flags&flagTrimmed != 0:
		s.count.TrimLost++
	default:
		s.count.DataLost++
	}
	s.pool.release(i)
}

// arrive hands packet i to the node at the end of its link.
func (s *sim) arrive(i int32) {
	k := &s.pool.pkts[i]
	in := &s.ports[k.link]
	if in.down {
		s.lose(i, k)
		return
	}
	if int(in.to) < len(s.hosts) {
		s.receive(i)
		return
	}
	if s.spec.INT == INTAck && k.kind == pkAck {
		s.stamp(i, &s.ports[in.rev])
	}
	s.enqueue(s.route(&s.switches[int(in.to)-len(s.hosts)], k), i)
}
