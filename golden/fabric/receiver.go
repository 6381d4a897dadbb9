package fabric

import (
	"math/bits"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/units"
)

// rxPDC is the receiving side of a connection.
type rxPDC struct {
	seen    []uint64 // bit psn & mask: PSN from cum on has arrived
	mask    uint32
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
	if r.seen == nil {
		return false // nothing has come yet
	}
	slot := psn & r.mask
	return r.seen[slot>>6]>>(slot&63)&1 != 0
}

// sack returns the 64 PSNs from base on as a bitmap, bit i for base + i. All of
// them must lie from cum to cum + mask, as they do when the ring holds 128 PSNs
// or more and base is cum or 63 below a PSN of the ring.
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

// receive takes packet i off the network at its destination.
func (s *sim) receive(i int32) {
	k := &s.pool.pkts[i]
	s.digest = digest(s.digest, s.now, k)
	switch k.kind {
	case pkAck:
		s.count.Acks++
		s.onAck(i)
	case pkNack:
		s.count.Nacks++
		s.onNack(k)
	case pkProbe:
		s.onProbe(i)
	case pkAckReq:
		s.onAckReq(i)
	case pkCNP:
		s.onCNP(k)
	default:
		s.answered = i
		s.onData(k)
	}
	s.pool.release(i)
}

// digest adds the arrival of packet k to a run's digest: all of its headers but the
// entropy, which is of no matter where there is one path.
func digest(d uint64, now units.Picos, k *packet) uint64 {
	d = mix64(d ^ uint64(now))
	d = mix64(d ^ uint64(uint32(k.pdc))<<32 ^ uint64(k.psn))
	d = mix64(d ^ uint64(k.cum)<<32 ^ uint64(cc.RcvdUnits(k.rcvd))<<8 ^ uint64(k.flags))
	d = mix64(d ^ uint64(k.ooo)<<32 ^ uint64(k.service)<<16 ^ uint64(k.pend)<<8 ^ uint64(k.reason))
	return mix64(d ^ k.sack ^ bits.RotateLeft64(uint64(k.kind), 62))
}

// onData accepts, refuses or recognises a data packet and answers as the
// receiver's acknowledgement rules say.
func (s *sim) onData(k *packet) {
	r := &s.rx[k.pdc]
	psn, flags := k.psn, k.flags
	dup := r.has(psn)
	if flags&flagCE != 0 {
		if gap := s.ccc[s.tx[k.pdc].ccc].cnpGap; gap > 0 {
			s.onMark(k, gap)
			k = &s.pool.pkts[s.answered] // a CNP may have moved the pool
		}
	}
	if flags&flagTrimmed != 0 {
		s.count.TrimsArrived++
		s.lostPayload(k)
		if !dup {
			s.answer(k, pkNack)
			return
		}
		// The data has arrived by another transmission: say so.
		s.count.DupTrims++
		s.flows[k.flow].spurious++
		s.answer(k, pkAck)
		return
	}
	if dup {
		s.count.Duplicates++
		s.flows[k.flow].spurious++
		s.lostPayload(k)
		s.answer(k, pkAck)
		return
	}
	slot := psn & r.mask
	r.seen[slot>>6] |= 1 << (slot & 63)
	r.ooo++
	for r.seen[r.cum&r.mask>>6]>>(r.cum&r.mask&63)&1 != 0 {
		r.seen[r.cum&r.mask>>6] &^= 1 << (r.cum & r.mask & 63)
		r.cum++
		r.ooo--
	}
	r.bytes += uint64(k.nominal)
	r.pending += max(int64(k.nominal), s.spec.AckMinAdd)
	s.deliver(k)
	s.fillMemory(k)

	ack := !r.started || flags&(flagCE|flagAR) != 0 || r.pending >= s.spec.AckTrigger
	r.started = true
	// An ACK request covers every PSN up to its own: what arrives below it late
	// is acknowledged at once, or the tail of a flow would wait for a timeout.
	ack = ack || r.asking && before(psn, r.asked)
	if flags&flagAR != 0 && (!r.asking || before(r.asked, psn)) {
		r.asked, r.asking = psn, true
	}
	if ack {
		s.answer(k, pkAck)
	}
}

// deliver hands a packet's payload to the application.
func (s *sim) deliver(k *packet) {
	f := &s.flows[k.flow]
	payload := int64(k.nominal) - int64(s.spec.HeaderBytes)
	f.delivered += payload
	f.sum += deliverySum(k.flow, k.psn-f.startPSN, payload)
	s.count.Delivered++
	if f.delivered >= f.bytes && f.doneAt < 0 {
		f.doneAt = s.now
		s.count.FlowsDelivered++
		s.release(k.flow)
	}
}

// deliverySum is one packet's part of a flow's checksum: the sum over all
// deliveries shows that every segment came exactly once.
func deliverySum(flow int32, index uint32, payload int64) uint64 {
	return mix64(mix64(uint64(uint32(flow))<<32|uint64(index)) + uint64(payload))
}

// answer sends an ACK or NACK for packet k back to its sender.
func (s *sim) answer(k *packet, kind packetKind) {
	r, t := &s.rx[k.pdc], &s.tx[k.pdc]
	h := t.dst
	delay := s.spec.ServiceTime
	if s.spec.ServiceJitter > 0 {
		delay += units.Picos(s.rngHost.Uint64() % uint64(s.spec.ServiceJitter+1))
	}
	a := packet{
		dst: s.ccc[t.ccc].host, pdc: k.pdc, flow: k.flow, psn: k.psn, kind: kind, class: classHigh,
		size: int32(s.spec.CtlBytes), nominal: int32(s.spec.CtlBytes),
		entropy: k.entropy, flags: k.flags & (flagCE | flagRetx | flagProbe),
	}
	if k.kind == pkAckReq {
		a.flags |= flagAR
	}
	if kind == pkNack {
		a.reason = cc.ReasonTrimmed
		if k.flags&flagLastHop != 0 {
			a.reason = cc.ReasonTrimmedLastHop
		}
	} else {
		a.cum = r.cum
		a.sackBase = r.cum
		if d := k.psn - r.cum; int32(d) > 63 && k.kind != pkProbe {
			a.sackBase = k.psn - 63
		}
		a.sack = r.sack(a.sackBase)
		a.rcvd = uint32(r.bytes)
		a.ooo = uint16(min(r.ooo, 0xFFFE))
		a.service = cc.ServiceUnits(delay)
		s.flowControl(&s.ccc[t.ccc], h, &a)
		r.pending = 0
	}
	i := s.pool.alloc()
	s.pool.pkts[i] = a
	if s.spec.INT != INTOff {
		s.clearINT(i)
		if s.spec.INT == INTData && kind == pkAck {
			s.copyINT(i, s.answered)
		}
	}
	if delay > 0 {
		s.wheel.push(s.now+delay, evEmit, i)
		return
	}
	s.emit(i, h)
}

// emit queues control packet i at the NIC of host h, which drops it when its
// link has failed.
func (s *sim) emit(i, h int32) {
	s.count.CtlSent++
	k, p := &s.pool.pkts[i], &s.ports[h]
	if s.ptap != nil {
		s.tapPort(PortArrive, h, k)
	}
	if p.down {
		s.drop(h, i, k)
		return
	}
	p.q[k.class].push(&s.pool, i)
	s.kick(h)
}

// fillMemory accounts for an accepted packet in the memory of a slow host.
func (s *sim) fillMemory(k *packet) {
	n := &s.hosts[k.dst]
	if !n.slow {
		return
	}
	s.drain(n)
	n.memory += int64(k.nominal)
}

// drain brings the memory of a slow host up to date.
func (s *sim) drain(n *host) {
	out := int64((s.now - n.drained) / n.drainTime)
	if out >= n.memory {
		n.memory, n.drained = 0, s.now
		return
	}
	n.memory -= out
	n.drained += units.Picos(out) * n.drainTime
}

// flowControl sets the destination flow control fields of an ACK to context c: no
// penalty up to a quarter BDP of memory in use, the largest from one BDP on,
// linear between (seed 003 section 3.6.13.2 leaves the rule to the receiver). The
// BDP is what the receiver's link brings in the context's base RTT.
func (s *sim) flowControl(c *cccState, h int32, a *packet) {
	n := &s.hosts[h]
	if !n.slow {
		return
	}
	s.drain(n)
	bdp := int64(c.base / s.ports[h].perByte)
	low := bdp / 4
	if n.memory > low {
		a.pend = uint8(min(1+126*(n.memory-low)/max(bdp-low, 1), 127))
	}
	if n.restore {
		a.flags |= flagRestore
	}
}
