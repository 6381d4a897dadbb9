package transport

import (
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/units"
)

// ask notes that an ACK is requested for every PSN up to one.
func (t *txPDC) ask(psn uint32) {
	if !t.asked || !before(psn, t.askedTo) {
		t.asked, t.askedTo = true, psn+1
	}
}

// goOn lets context ci send, or ask for an ACK when its window is full.
func (s sender) goOn(ci int32) {
	c := &s.ccc[ci]
	switch {
	case c.out.CanSend:
	case c.credit && c.out.Inflight+int64(s.spec.MTU) <= c.out.Cwnd:
		withCredit{s}.await(c)
	default:
		s.askForAck(c)
	}
	s.queueContext(ci)
	s.net.Kick(c.host)
}

// askForAck asks for an ACK on every connection of context c that has packets in
// flight of which nothing sent so far asks for one, when data waits.
func (s sender) askForAck(c *cccState) {
	if !s.hasWork(c) {
		return // the last packet of a flow asks
	}
	for _, ti := range c.pdcs[:c.npdc] {
		s.askForTail(ti)
	}
}

// askForTail asks for an ACK on connection ti if it has packets in flight for which none is requested.
func (s sender) askForTail(ti int32) {
	t := &s.tx[ti]
	if t.ring == nil || !t.unasked() {
		return
	}
	last := &t.ring[(t.nxt-1)&t.mask]
	t.ask(t.nxt - 1)
	s.count.AckRequests++
	s.net.Emit(s.net.Control(&net.Packet{
		Dst: t.dst, PDC: ti, Flow: last.flow, PSN: t.nxt - 1, Kind: net.PacketAckReq, Class: net.ClassHigh,
		Entropy: last.entropy, Flags: net.FlagAR, Span: t.opening(t.nxt - 1),
	}), s.ccc[t.ccc].host)
}

// unasked reports whether a packet is in flight for which no ACK is requested.
func (t *txPDC) unasked() bool {
	first := t.una
	if t.asked && before(first, t.askedTo) {
		first = t.askedTo
	}
	for psn := t.nxt; psn != first; {
		psn--
		if t.ring[psn&t.mask].state == txInflight {
			return true
		}
	}
	return false
}

// onAckReq answers ACK request i at its destination: with what has arrived, and at once
// with what comes later of the PSNs up to its own.
func (s receiver) onAckReq(i int32) {
	k := s.net.Pool.At(i)
	s.count.AckRequestsArrived++
	if !s.open(k) {
		return
	}
	r := &s.rx[k.PDC]
	if end := k.PSN + 1; !r.asking || before(r.asked, end) {
		r.asked, r.asking = end, true // unlike a packet that asks, the last has not come with it
	}
	s.answered = i
	s.answer(k, net.PacketAck)
}

// onProbe answers probe i at its destination.
func (s receiver) onProbe(i int32) {
	k := s.net.Pool.At(i)
	s.count.ProbesArrived++
	if s.open(k) {
		s.answered = i
		s.answer(k, net.PacketAck)
	}
}

// A receiver of marked packets sends congestion notification packets (CNP) to a sender whose congestion control needs
// them: one at once, and after that at most one for each interval in which another marked packet has come. Switches
// that compute fair rates send CNPs of their own, which only controls that follow them are given.

// notifier is the state of this for one connection.
type notifier struct {
	until   units.Picos // end of the interval under way
	marked  bool        // a marked packet has come in it; an evNotify is scheduled
	psn     uint32      // of the last one
	entropy uint16
}

// onMark accounts for marked packet k at its receiver.
func (s receiver) onMark(k *net.Packet, gap units.Picos) {
	n := &s.rx[k.PDC].notify
	n.psn, n.entropy = k.PSN, k.Entropy
	switch {
	case n.marked: // the interval's end sends it
	case s.wheel.Now() < n.until:
		n.marked = true
		s.wheel.Push(n.until, evNotify, k.PDC)
	default:
		n.until = s.wheel.Now() + gap
		s.sendCNP(k.PDC)
	}
}

// onNotify ends an interval in which a marked packet has come to connection ti.
func (s receiver) onNotify(ti int32) {
	n := &s.rx[ti].notify
	n.marked = false
	if s.rx[ti].life == lifeClosed {
		return // the connection is over
	}
	n.until = s.wheel.Now() + s.ccc[s.tx[ti].ccc].cnpGap
	s.sendCNP(ti)
}

// sendCNP sends a CNP for the last marked packet of connection ti to its sender.
func (s receiver) sendCNP(ti int32) {
	t, n := &s.tx[ti], &s.rx[ti].notify
	s.count.CNPs++
	s.net.Emit(s.net.Control(&net.Packet{
		Dst: s.ccc[t.ccc].host, PDC: ti, Flow: -1, PSN: n.psn, Kind: net.PacketCNP, Class: net.ClassHigh, Entropy: n.entropy,
	}), t.dst)
}

// onCNP handles a CNP at the sender.
func (s sender) onCNP(k *net.Packet) {
	s.count.CNPsArrived++
	t := &s.tx[k.PDC]
	if t.ring == nil {
		return // the connection is over
	}
	port, fair, ok := k.FairRate()
	if ok != s.control(&s.ccc[t.ccc]).Needs.SwitchRate {
		return // of a switch to a control that does not follow it, or of a receiver to one that follows switches
	}
	ev := s.clearEvent(cc.KindCNP, t)
	ev.PSN, ev.Entropy, ev.Port, ev.Fair = k.PSN, k.Entropy, port, fair
	s.step(t.ccc)
	s.goOn(t.ccc)
}
