package transport

import "github.com/goldwire/goldwire/golden/fabric/net"

// A receiver answers unasked only after ack_trigger bytes, or a mark. What it holds
// below that is in flight to the sender, and when the window has shrunk to less than
// that, nothing may be sent that would bring an answer. Such a sender asks with a
// control packet, as the specification's ACK request does: without one it waits for a
// timeout although nothing was lost, in lossless networks for milliseconds.

// ask notes that an ACK is requested for every PSN up to one.
func (t *txPDC) ask(psn uint32) {
	if !t.asked || !before(psn, t.askedTo) {
		t.asked, t.askedTo = true, psn+1
	}
}

// goOn lets context ci send, or ask for an ACK when its window is full.
func (s *sender) goOn(ci int32) {
	c := &s.ccc[ci]
	if !c.out.CanSend {
		s.askForAck(c)
	}
	s.queueContext(ci)
	s.net.Kick(c.host)
}

// askForAck asks for an ACK on every connection of context c that has packets in
// flight of which nothing sent so far asks for one, when data waits.
func (s *sender) askForAck(c *cccState) {
	if !s.hasWork(c) {
		return // the last packet of a flow asks
	}
	for _, ti := range c.pdcs[:c.npdc] {
		s.askForTail(ti)
	}
}

// askForTail asks for an ACK on connection ti if it has packets in flight for which none is requested.
func (s *sender) askForTail(ti int32) {
	t := &s.tx[ti]
	if t.ring == nil || !t.unasked() {
		return
	}
	i, last := s.net.Pool.Alloc(), &t.ring[(t.nxt-1)&t.mask]
	*s.net.Pool.At(i) = net.Packet{
		Dst: t.dst, PDC: ti, Flow: last.flow, PSN: t.nxt - 1, Kind: net.PacketAckReq, Class: net.ClassHigh,
		Size: int32(s.spec.CtlBytes), Nominal: int32(s.spec.CtlBytes), Entropy: last.entropy, Flags: net.FlagAR,
	}
	s.net.Fresh(i)
	t.ask(t.nxt - 1)
	s.count.AckRequests++
	s.net.Emit(i, s.ccc[t.ccc].host)
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
func (s *receiver) onAckReq(i int32) {
	k := *s.net.Pool.At(i)
	s.count.AckRequestsArrived++
	r := &s.rx[k.PDC]
	if end := k.PSN + 1; !r.asking || before(r.asked, end) {
		r.asked, r.asking = end, true // unlike a packet that asks, the last has not come with it
	}
	s.answered = i
	s.answer(&k, net.PacketAck)
}
