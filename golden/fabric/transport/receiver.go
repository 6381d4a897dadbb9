package transport

import (
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/units"
)

// rxPDC is the receiving side of a connection.
type rxPDC struct {
	seen    []uint64 // bit psn & mask: PSN from cum on has arrived
	mask    uint32
	span    uint16 // PSNs from cum on that it accepts, as its ACKs have it
	life    life
	cum     uint32 // every PSN before it has arrived
	asked   uint32 // PSNs before it are acknowledged when they arrive
	asking  bool   // asked is set
	started bool
	ooo     int32  // accepted PSNs beyond cum
	bytes   uint64 // nominal bytes accepted, each PSN once
	pending int64  // ... since the last ACK, small packets raised to the spec's least
	notify  notifier
}

func (r *rxPDC) has(psn uint32) bool {
	if before(psn, r.cum) {
		return true
	}
	slot := psn & r.mask
	return r.seen[slot>>6]>>(slot&63)&1 != 0
}

// accept notes that a PSN has arrived which has not before.
func (r *rxPDC) accept(psn uint32) {
	slot := psn & r.mask
	r.seen[slot>>6] |= 1 << (slot & 63)
	r.ooo++
	for r.seen[r.cum&r.mask>>6]>>(r.cum&r.mask&63)&1 != 0 {
		r.seen[r.cum&r.mask>>6] &^= 1 << (r.cum & r.mask & 63)
		r.cum++
		r.ooo--
	}
}

// sack returns the 64 PSNs from base on as a bitmap, bit i for base + i. All of them must lie from cum to cum + mask,
// as they do when the ring holds 128 PSNs or more and base is cum or 63 below a PSN of the ring.
func (r *rxPDC) sack(base uint32) uint64 {
	if r.seen == nil {
		return 0 // the connection is over
	}
	slot := base & r.mask
	w, sh := slot>>6, slot&63
	b := r.seen[w] >> sh
	if sh != 0 {
		b |= r.seen[(w+1)&(r.mask>>6)] << (64 - sh)
	}
	return b
}

// onData accepts, refuses or recognises a data packet and answers as the receiver's acknowledgement rules say.
func (s receiver) onData(k *net.Packet) {
	r := &s.rx[k.PDC]
	psn, flags := k.PSN, k.Flags
	open := s.open(k)
	dup := !open || r.has(psn)
	if open && flags&net.FlagCE != 0 {
		if gap := s.ccc[s.tx[k.PDC].ccc].cnpGap; gap > 0 {
			s.onMark(k, gap)
		}
	}
	trimmed := flags&net.FlagTrimmed != 0
	refused := !dup && (trimmed || s.beyond(k))
	switch {
	case trimmed:
		s.count.TrimsArrived++
		if dup {
			s.count.DupTrims++
		}
	case dup:
		s.count.Duplicates++
	case refused:
		s.count.OutOfRange++
	}
	if refused {
		s.net.LostPayload(k)
		s.answer(k, net.PacketNack)
		s.wants(k, true)
		return
	}
	if !trimmed {
		s.wants(k, false)
	}
	if dup { // the data has arrived by another transmission: report that
		s.flows[k.Flow].spurious++
		s.net.LostPayload(k)
		if open {
			s.answer(k, net.PacketAck)
		}
		return
	}
	r.accept(psn)
	r.bytes += uint64(k.Nominal)
	r.pending += max(int64(k.Nominal), s.spec.AckMinAdd)
	s.deliver(k)
	if n := &s.hosts[k.Dst]; n.slow {
		s.drain(n)
		n.memory += int64(k.Nominal)
	}

	ack := !r.started || flags&(net.FlagCE|net.FlagAR) != 0 || r.pending >= s.spec.AckTrigger
	r.started = true
	// An ACK request covers every PSN up to its own: what arrives below it late is acknowledged at once, or the tail of a
	// flow would wait for a timeout. A sender with credit asks so often that most ACKs would be those of late packets, and
	// its load balancer would take to their paths: all of them are acknowledged when none is missing any more.
	paced := flags&net.FlagCredit != 0
	if !paced {
		ack = ack || r.asking && before(psn, r.asked)
	}
	if flags&net.FlagAR != 0 && (!r.asking || before(r.asked, psn)) {
		r.asked, r.asking = psn, true
	}
	if paced && r.asking && r.ooo == 0 {
		ack, r.asking = true, false
	}
	if ack {
		s.answer(k, net.PacketAck)
	}
}

// deliver hands a packet's payload to the application.
func (s receiver) deliver(k *net.Packet) {
	f := &s.flows[k.Flow]
	payload := int64(k.Nominal) - int64(s.spec.HeaderBytes)
	s.count.Delivered++
	if payload == 0 {
		return // a credit request that was lost
	}
	if f.delivered == 0 {
		s.hosts[k.Dst].getting++
	}
	f.delivered += payload
	f.sum += deliverySum(k.Flow, k.PSN-f.startPSN, payload)
	if f.delivered >= f.bytes && f.doneAt < 0 {
		s.delivered(k.Flow)
	}
}

// delivered ends flow fi at its receiver.
func (s *Hosts) delivered(fi int32) {
	f := &s.flows[fi]
	f.doneAt = s.wheel.Now()
	if f.delivered > 0 {
		s.hosts[s.tx[f.pdc].dst].getting--
	}
	s.count.FlowsDelivered++
	s.release(fi)
}

// deliverySum is one packet's part of a flow's checksum: the sum over all
// deliveries shows that every segment came exactly once.
func deliverySum(flow int32, index uint32, payload int64) uint64 {
	return mix64(mix64(uint64(uint32(flow))<<32|uint64(index)) + uint64(payload))
}

// answer sends an ACK or NACK for packet k back to its sender.
func (s receiver) answer(k *net.Packet, kind net.PacketKind) {
	r, t := &s.rx[k.PDC], &s.tx[k.PDC]
	h := t.dst
	delay := s.spec.ServiceTime
	if s.spec.ServiceJitter > 0 {
		delay += units.Picos(s.rngHost.Uint64() % uint64(s.spec.ServiceJitter+1))
	}
	a := net.Packet{
		Dst: s.ccc[t.ccc].host, PDC: k.PDC, Flow: k.Flow, PSN: k.PSN, Kind: kind, Class: net.ClassHigh,
		Entropy: k.Entropy, Flags: k.Flags & (net.FlagCE | net.FlagRetx | net.FlagProbe),
	}
	if k.Kind == net.PacketAckReq || k.Kind == net.PacketCreditReq {
		a.Flags |= net.FlagAR
	}
	if kind == net.PacketNack {
		a.Reason = s.reason(k)
	} else {
		a.Cum = r.cum
		a.SackBase = r.cum
		if d := k.PSN - r.cum; int32(d) > 63 && k.Kind != net.PacketProbe {
			a.SackBase = k.PSN - 63
		}
		a.Sack = r.sack(a.SackBase)
		a.Rcvd, a.Span = uint32(r.bytes), r.span
		a.OOO = uint16(min(r.ooo, 0xFFFE))
		a.Service = cc.ServiceUnits(delay)
		if s.ccc[t.ccc].flowCount {
			a.Flows = uint16(min(s.hosts[h].getting, 0xFFFF))
		}
		s.flowControl(&s.ccc[t.ccc], h, &a)
		r.pending = 0
	}
	i := s.net.Control(&a)
	s.net.Bring(i, s.answered, kind == net.PacketAck)
	if delay > 0 {
		s.wheel.Push(s.wheel.Now()+delay, evEmit, i)
		return
	}
	s.net.Emit(i, h)
}

// beyond reports whether the PSN of packet k, of an open connection, is beyond the range that its receiver accepts.
func (s receiver) beyond(k *net.Packet) bool {
	r := &s.rx[k.PDC]
	return s.spec.MPR > 0 && int32(k.PSN-r.cum) >= int32(r.span)
}

// reason returns why packet k is refused.
func (s receiver) reason(k *net.Packet) uint8 {
	switch {
	case s.beyond(k):
		return cc.ReasonOutOfRange
	case k.Flags&net.FlagLastHop != 0:
		return cc.ReasonTrimmedLastHop
	}
	return cc.ReasonTrimmed
}

// drain brings the memory of a slow host up to date.
func (s receiver) drain(n *host) {
	out := n.drainTime.Bytes(s.wheel.Now() - n.drained)
	if out >= n.memory {
		n.memory, n.drained = 0, s.wheel.Now()
		return
	}
	n.memory -= out
	n.drained += n.drainTime.Time(out)
}

// flowControl sets the destination flow control fields of an ACK to context c: no penalty up to a quarter BDP of memory
// in use, the largest from one BDP on, linear between (seed 003 section 3.6.13.2 leaves the rule to the receiver). The
// BDP is what the receiver's link brings in the context's base RTT.
func (s receiver) flowControl(c *cccState, h int32, a *net.Packet) {
	n := &s.hosts[h]
	if !n.slow {
		return
	}
	s.drain(n)
	bdp := net.PerByte(s.net, &s.net.Ports[h]).Bytes(c.base)
	low := bdp / 4
	if n.memory > low {
		a.Pend = uint8(min(1+126*(n.memory-low)/max(bdp-low, 1), 127))
	}
	if n.restore {
		a.Flags |= net.FlagRestore
	}
}
