package net

import (
	"math/bits"

	"github.com/goldwire/goldwire/golden/fabric/kernel"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// Port is one directed link and the output queues in front of it. Ports 0 to
// hosts-1 are the NICs, whose low queue is the data their contexts hold back.
//
// It is four lines of the cache, which a large network misses: every packet needs the first,
// data and marks the second, limits and telemetry the third.
type Port struct {
	FreeAt    units.Picos // end of the transmission under way
	Latency   units.Picos
	whole     units.Picos // that a byte takes, 0 when it takes a fraction: see speed
	to        int32       // host, or hosts + switch, at the far end
	Rev       int32       // the port of the other direction
	Waking    bool        // an evWake is scheduled
	lastHop   bool        // the far end is a host
	Paused    bool        // the far end holds too much of the low class
	Pausing   bool        // this link's far end has paused it: set there, not here yet
	Down      bool        // the link has failed
	rate      uint8       // INT code of the rate
	turn      uint8       // class whose turn it is in deficit round robin
	sendsData bool        // the transmission under way is data, when telemetry is exact
	Q         [Classes]fifo

	kmin, kin int64 // marking starts above kmin, is certain above kmin + kin

	Limit [Classes]int64 // bytes
	draw  int64          // kin over the probability of a mark at kmin + kin
	step  int64          // of the queue as adaptive routing sees it, bytes
	Tx    uint64         // bytes transmitted
	held  int64          // bytes of the low class that came in by this link and wait at its far end
	room  int64          // what held may not exceed

	deficit [Classes]int64
	dataTx  uint64 // bytes of data transmitted, when telemetry is exact
	Caused  uint64 // pauses that a packet in its queue brought about
	Stops   uint64 // pauses of this link
	carry   int64  // of speed's Den: what its transmissions took beyond whole picoseconds
	speed   int32  // index in Network.speeds
	_       [4]byte
}

// Events of the network.
const (
	evArrive kernel.Kind = iota // packet argument reaches the far end of its link
	EvWake                      // port argument may start its next transmission
	evPause                     // port argument must hold back its low class
	evResume                    // port argument may send its low class again
	evFail                      // the links of failure argument go down
	evStall                     // pauses are checked for a cycle

	EvSample = kernel.IdleKinds     // queue depths are sampled
	EvFair   = kernel.IdleKinds + 2 // switches compute fair rates
)

// enqueue admits packet i to port pi or trims or drops it, and starts the transmission when the link is idle.
func (s *Network) enqueue(pi, i int32) {
	k := s.Pool.At(i)
	s.count.PktHops++
	if pi < 0 {
		s.count.NoRoute++
		s.lose(i, k)
		return
	}
	p := &s.Ports[pi]
	if s.Taps {
		s.TapPort(PortArrive, pi, k)
	}
	if p.Down {
		s.count.NoRoute++
		s.flush(pi, i, k)
		return
	}
	q := &p.Q[k.Class]
	if q.bytes+int64(k.Size) > p.Limit[k.Class] {
		if s.pfc && k.Class == ClassLow {
			s.count.PFCOverruns++ // an error of the run
			s.drop(pi, i, k)
			return
		}
		if k.Class == ClassHigh || k.Flags&FlagTrimmed != 0 || k.Kind != PacketData || k.NoTrim || !s.spec.Trim {
			s.drop(pi, i, k)
			return
		}
		if s.spec.TrimRule == settings.TrimEither {
			i = s.trimEither(q, p.Limit[k.Class], i)
			k = s.Pool.At(i)
		}
		s.trim(pi, p, k)
		q = &p.Q[ClassMedium]
		if q.bytes+int64(k.Size) > p.Limit[k.Class] {
			s.drop(pi, i, k)
			return
		}
	}
	if s.fair != nil && k.Kind == PacketData {
		s.fair.note(pi, k.PDC)
	}
	if s.wheel.Now() >= p.FreeAt && !p.Waking && !(p.Paused && k.Class == ClassLow) {
		// An idle link has empty queues: the packet passes through its queue.
		if q.Peak < int64(k.Size) {
			q.Peak = int64(k.Size)
		}
		if k.Kind == PacketData && k.Flags&FlagTrimmed == 0 {
			s.mark(p, k)
		}
		s.Transmit(pi, p, i, k)
		return
	}
	if s.pfc && k.Class == ClassLow && !s.hold(p, k) {
		s.count.PFCOverruns++
		s.drop(pi, i, k)
		return
	}
	q.push(&s.Pool, i)
	if !p.Waking && (s.wheel.Now() < p.FreeAt || !p.Paused) {
		p.Waking = true
		s.wheel.Push(max(p.FreeAt, s.wheel.Now()), EvWake, pi)
	}
}

// trim cuts off the payload of packet k.
func (s *Network) trim(pi int32, p *Port, k *Packet) {
	k.Size = int32(s.spec.TrimBytes)
	k.Class = ClassMedium
	k.Flags |= FlagTrimmed
	if p.lastHop {
		k.Flags |= FlagLastHop
	}
	s.count.Trims++
	if s.Taps {
		s.TapPort(PortTrim, pi, k)
	}
}

// trimEither returns the packet to trim: packet i, or the one at the tail if a coin toss says so and packet i in its
// place keeps the queue within its limit. The two swap their contents, so the list stays as it is.
func (s *Network) trimEither(q *fifo, limit int64, i int32) int32 {
	if s.rngTrim.Uint64()>>63 == 0 || q.head < 0 {
		return i
	}
	a, b := s.Pool.At(i), s.Pool.At(q.Tail)
	if b.Kind != PacketData || b.NoTrim || b.Flags&FlagTrimmed != 0 {
		return i // nothing to cut off
	}
	grow := int64(a.Size) - int64(b.Size)
	if q.bytes+grow > limit {
		return i
	}
	*a, *b = *b, *a
	s.swapCarried(i, q.Tail)
	q.bytes += grow
	q.Peak = max(q.Peak, q.bytes)
	return i
}

// drop forgets a packet that no queue admits.
func (s *Network) drop(pi, i int32, k *Packet) {
	if s.Taps {
		s.TapPort(PortDrop, pi, k)
	}
	s.forget(i, k, &s.count.DataDrops, &s.count.TrimDrops, &s.count.CtlDrops)
}

// forget counts and releases packet i, of which nothing arrives.
func (s *Network) forget(i int32, k *Packet, data, trim, ctl *uint64) {
	s.LostPayload(k)
	switch {
	case k.Kind != PacketData:
		*ctl++
	case k.Flags&FlagTrimmed != 0:
		*trim++
	default:
		*data++
	}
	s.Pool.Release(i)
}

// mark decides the ECN mark of a data packet that leaves its queue, on the bytes it leaves behind.
func (s *Network) mark(p *Port, k *Packet) {
	over := p.Q[k.Class].bytes - p.kmin
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
	if k.Flags&FlagCE == 0 {
		k.Flags |= FlagCE
		s.count.ECN++
	}
}

// wake starts the next transmission of a port whose link has become free.
func (s *Network) wake(pi int32) {
	p := &s.Ports[pi]
	p.Waking = false
	if int(pi) < s.hosts {
		s.NIC.Transmit(pi)
		return
	}
	c := s.choose(p)
	if c < 0 {
		return
	}
	i := p.Q[c].Pop(&s.Pool)
	k := s.Pool.At(i)
	if k.Kind == PacketData && k.Flags&FlagTrimmed == 0 {
		s.mark(p, k)
	}
	if s.pfc && k.Class == ClassLow {
		s.unhold(k)
	}
	s.Transmit(pi, p, i, k)
	if p.Q[ClassHigh].head >= 0 || p.Q[ClassMedium].head >= 0 || p.Q[ClassLow].head >= 0 && !p.Paused {
		p.Waking = true
		s.wheel.Push(p.FreeAt, EvWake, pi)
	}
}

// choose returns the class to serve next, -1 when none may be. Classes are served
// in strict order, but neighbours that have quanta share by deficit round robin: a
// class without a quantum goes before those below it and never before those above.
func (s *Network) choose(p *Port) int {
	if !s.drr {
		switch {
		case p.Q[ClassHigh].head >= 0:
			return ClassHigh
		case p.Q[ClassMedium].head >= 0:
			return ClassMedium
		case p.Q[ClassLow].head >= 0 && !p.Paused:
			return ClassLow
		}
		return -1
	}
	for c, n := 0, 0; c < Classes; c += n {
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
func (p *Port) ready(c int) bool { return p.Q[c].head >= 0 && !(c == ClassLow && p.Paused) }

// group returns the number of classes from c on that share by their quanta: 1 for a class without one.
func (s *Network) group(c int) int {
	n := 0
	for c+n < Classes && s.spec.DRR[c+n] > 0 {
		n++
	}
	return max(n, 1)
}

// share returns which of the n classes from first on is next by deficit round robin; one of them must be ready.
func (s *Network) share(p *Port, first, n int) int {
	if t := int(p.turn); t < first || t >= first+n {
		p.turn = uint8(first + n - 1) // the first is next
	}
	for {
		c := int(p.turn)
		if p.ready(c) {
			if n := int64(s.Pool.At(p.Q[c].head).Size); n <= p.deficit[c] {
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
func (s *Network) flush(pi, i int32, k *Packet) {
	if s.Taps {
		s.TapPort(PortDrop, pi, k)
	}
	s.lose(i, k)
}

// Transmit puts packet i on the link of port p, now; the packet arrives after its last bit has crossed.
func (s *Network) Transmit(pi int32, p *Port, i int32, k *Packet) {
	if p.whole > 0 {
		p.FreeAt = s.wheel.Now() + units.Picos(k.Size)*p.whole
	} else {
		p.FreeAt = s.wheel.Now() + fraction(s, p, int64(k.Size))
	}
	p.Tx += uint64(k.Size)
	if s.intExact {
		p.sendsData = k.Kind == PacketData
		if p.sendsData {
			p.dataTx += uint64(k.Size)
		}
	}
	if s.intData && k.Kind == PacketData && int(pi) >= s.hosts {
		if s.intExact {
			stampExact(s, i, p, s.wheel.Now())
		} else {
			s.stamp(i, p, s.wheel.Now())
		}
	}
	if s.intAck && s.intExact && k.Kind == PacketAck && int(pi) >= s.hosts {
		stampExact(s, i, &s.Ports[s.Ports[k.link].Rev], s.wheel.Now())
	}
	if s.Taps { // behind the stamp, which departs with the packet
		tapPacket(s, PortDepart, pi, k, intOf(s, i, k))
	}
	k.link = pi
	if s.faults.any {
		risk(s, p, i, k)
		return
	}
	reach(s, p, p.FreeAt+p.Latency, i)
}

// reach has packet i, which is on the link of port p, arrive at a time.
func reach(s *Network, p *Port, at units.Picos, i int32) {
	if s.owner != nil && s.owner[p.to] != s.part {
		cross(s, p, at, i)
		return
	}
	s.wheel.Push(at, evArrive, i)
}

// fraction returns the time of the next bytes on the link of a port whose bytes take a fraction of a picosecond. What
// is left over of each transmission is carried to the next: all together take their exact time, rounded down.
func fraction(s *Network, p *Port, bytes int64) units.Picos {
	b := s.speeds[p.speed]
	sum := bytes*b.Num + p.carry
	p.carry = sum % b.Den
	return units.Picos(sum / b.Den)
}

// PerByte returns the time of a byte on the link of a port.
func PerByte(s *Network, p *Port) units.PerByte { return s.speeds[p.speed] }

// lose forgets a packet that a link, or a network without a way, has lost.
func (s *Network) lose(i int32, k *Packet) {
	s.forget(i, k, &s.count.DataLost, &s.count.TrimLost, &s.count.CtlLost)
}

// arrive hands packet i to the node at the end of its link.
func (s *Network) arrive(i int32) {
	k := s.Pool.At(i)
	in := &s.Ports[k.link]
	if in.Down {
		s.lose(i, k)
		return
	}
	if int(in.to) < s.hosts {
		s.NIC.Receive(i)
		return
	}
	if s.intAck && k.Kind == PacketAck && !s.intExact {
		s.stamp(i, &s.Ports[in.Rev], s.wheel.Now())
	}
	if s.retracing {
		if pi := s.retrace(s.Ports, i, k); pi >= 0 {
			s.enqueue(pi, i)
			return
		}
	}
	s.enqueue(s.route(&s.Switches[int(in.to)-s.hosts], k), i)
}

// Kick lets the NIC of host h transmit now, or as soon as its link is free.
func (s *Network) Kick(h int32) {
	p := &s.Ports[h]
	if p.Waking {
		return
	}
	if s.wheel.Now() < p.FreeAt {
		p.Waking = true
		s.wheel.Push(p.FreeAt, EvWake, h)
		return
	}
	s.NIC.Transmit(h)
}

// Control returns the queue of a NIC to send from before any data: ACK and NACK, then probes, which are of the data's
// class and held back with it; nil when nothing may be sent.
func (p *Port) Control() *fifo {
	switch {
	case p.Q[ClassHigh].head >= 0:
		return &p.Q[ClassHigh]
	case p.Q[ClassLow].head >= 0 && !p.Paused:
		return &p.Q[ClassLow]
	}
	return nil
}

// Waiting returns the bytes in the queues of a port.
func (p *Port) Waiting() (sum int64) {
	for c := range p.Q {
		sum += p.Q[c].bytes
	}
	return sum
}

// Emit is Offer of a control packet.
func (s *Network) Emit(i, h int32) {
	s.count.CtlSent++
	Offer(s, i, h)
}

// Offer queues packet i at the NIC of host h, which drops it when its link has failed.
func Offer(s *Network, i, h int32) {
	k, p := s.Pool.At(i), &s.Ports[h]
	if s.Taps {
		s.TapPort(PortArrive, h, k)
	}
	if p.Down {
		s.drop(h, i, k)
		return
	}
	p.Q[k.Class].push(&s.Pool, i)
	s.Kick(h)
}

// PayloadOf returns the payload bytes that packet k had when it was sent.
func (s *Network) PayloadOf(k *Packet) int64 {
	if k.Kind != PacketData {
		return 0
	}
	return int64(k.Nominal) - int64(s.spec.HeaderBytes)
}

// LostPayload accounts for a packet of which no byte counts.
func (s *Network) LostPayload(k *Packet) { s.bytes.Lost += s.PayloadOf(k) }
