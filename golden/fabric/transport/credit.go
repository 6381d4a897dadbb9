package transport

import (
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/rccc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/units"
)

// Receiver credit (RCCC). The rules are in package rccc: a context's congestion control has the sender's half, each
// host a pacer for all that send to it. Here they meet packets and timers. The state of the pacers (host.pacer,
// Hosts.grants, Hosts.pulls) is written by the receiver's part of a divided run alone.

// withCredit is the senders by what they do about credit.
type withCredit struct{ sender }

// wants gives the receiver's pacer what a packet of a sender with credit holds.
func (s receiver) wants(k *net.Packet, resends bool) {
	if k.Flags&net.FlagCredit == 0 {
		return
	}
	s.hosts[k.Dst].pacer.Wants(s.wheel.Now(), s.tx[k.PDC].ccc, rccc.Number(k.Cum), resends)
	s.duePull(k.Dst)
}

// duePull schedules the next pull of host h, unless something is scheduled that comes before.
func (s receiver) duePull(h int32) {
	n := &s.hosts[h]
	if at := n.pacer.Due(); at >= 0 && (n.pullAt == never || at < n.pullAt) {
		n.pullAt = max(at, s.wheel.Now())
		s.wheel.Push(n.pullAt, evPull, h)
	}
}

// pullPaths is the number of entropies that the pulls of a context take in turn, as those of the reference simulator.
const pullPaths = 128

// onPull sends the next pull of host h, if its pacer has one.
func (s receiver) onPull(h int32) {
	n := &s.hosts[h]
	now := s.wheel.Now()
	if now != n.pullAt {
		return // another has taken its place
	}
	n.pullAt = never
	to, granted, ok := n.pacer.Pull(now)
	s.duePull(h)
	if !ok {
		return
	}
	c := &s.ccc[to]
	s.pulls[to]++
	s.count.Credits++
	s.net.Emit(s.net.Control(&net.Packet{
		Dst: c.host, PDC: c.pdcs[0], Flow: -1, Cum: uint32(granted), Kind: net.PacketCredit, Class: net.ClassHigh,
		Entropy: uint16(s.pulls[to] % pullPaths),
	}), h)
}

// onCreditReq takes credit request i in at its destination, and acknowledges it at once.
func (s receiver) onCreditReq(i int32) {
	k := s.net.Pool.At(i)
	s.count.CreditRequestsArrived++
	if !s.open(k) {
		return
	}
	if r := &s.rx[k.PDC]; !r.has(k.PSN) {
		r.accept(k.PSN)
		r.bytes += uint64(s.spec.HeaderBytes)
	}
	s.answered = i
	s.answer(k, net.PacketAck)
	s.wants(k, true)
}

// onCredit takes pull k in at the sender.
func (s withCredit) onCredit(k *net.Packet) {
	s.count.CreditsArrived++
	t := &s.tx[k.PDC]
	if s.ccc[t.ccc].cc == nil {
		return // the connection is over
	}
	ev := s.clearEvent(cc.KindCredit, t)
	ev.Credit = k.Cum
	s.step(t.ccc)
	s.goOn(t.ccc)
}

// A sender asks for credit when it cannot resend what a timer has given up, as in the reference simulator. Two more
// cases would wait for ever there, where no pull is lost and no message follows another: a message that finds nothing
// in flight and no credit asks at once, and a sender with nothing in flight asks when it has heard nothing for a
// timeout.

// await lets the timers of context c run, which has no credit, also those of connections with nothing in flight.
func (s withCredit) await(c *cccState) {
	for _, ti := range c.pdcs[:c.npdc] {
		if t := &s.tx[ti]; t.ring != nil && !t.armed && t.hasWork() {
			s.arm(ti, s.due(c))
		}
	}
}

// due returns when a context with nothing in flight asks for credit: a timeout after it has sent anything.
func (s withCredit) due(c *cccState) units.Picos { return max(c.sentAt, c.askedAt) + c.rto }

// miss asks for credit on connection ti, whose timer has expired, when it cannot send: at once for packets that
// the timer has given up, and later when nothing is in flight.
func (s withCredit) miss(ti int32, lost bool) {
	t := &s.tx[ti]
	c := &s.ccc[t.ccc]
	now := s.wheel.Now()
	switch {
	case c.out.CanSend || !t.hasWork() || t.tries > maxTries:
	case lost && t.nmark > 0:
		s.request(ti)
	case t.armed: // something is in flight
	case now >= s.due(c):
		s.request(ti)
	default:
		s.arm(ti, s.due(c))
	}
}

// request sends a credit request on connection ti, at most one in a base RTT: a packet of a header's size with a
// PSN of its own. One that is lost is resent as data without payload.
func (s withCredit) request(ti int32) {
	t := &s.tx[ti]
	c := &s.ccc[t.ccc]
	if c.askedAt != never && s.wheel.Now() < c.askedAt+c.base || t.full() {
		return // or what fills the ring is due before
	}
	c.askedAt = s.wheel.Now()
	psn := t.nxt
	t.nxt++
	t.requests = append(t.requests, psn)
	e := &t.ring[psn&t.mask]
	*e = txEntry{time: c.askedAt, flow: t.flow, entropy: t.lb.Next(int64(c.askedAt)), state: txInflight,
		marks: txEmpty | txAsks}
	t.ask(psn)
	ev := s.clearEvent(cc.KindNewData, t)
	ev.Size = int64(s.spec.HeaderBytes)
	s.step(t.ccc)
	ev = s.clearEvent(cc.KindSend, t)
	ev.PSN, ev.Size, ev.Entropy, ev.Request = psn, int64(s.spec.HeaderBytes), e.entropy, true
	ev.TxValid, ev.TxTime, ev.Sources = true, e.time, s.hosts[c.host].waiting
	s.step(t.ccc)
	if !t.armed {
		s.arm(ti, e.time+c.rto<<t.backoff())
	}
	s.count.CreditRequests++
	s.net.Emit(s.net.Control(&net.Packet{
		Dst: t.dst, PDC: ti, Flow: e.flow, PSN: psn, Cum: c.out.Target, Kind: net.PacketCreditReq, Class: net.ClassHigh,
		Entropy: e.entropy, Flags: net.FlagAR | net.FlagCredit, Span: t.opening(psn),
	}), c.host)
}
