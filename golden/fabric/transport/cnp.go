package transport

import (
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/units"
)

// A receiver of marked packets sends congestion notification packets (CNP) to a sender whose
// congestion control needs them: one at once, and after that at most one for each interval in which
// another marked packet has come. Switches that compute fair rates send CNPs of their own, which only
// controls that follow them are given.

// notifier is the state of this for one connection.
type notifier struct {
	until   units.Picos // end of the interval under way
	marked  bool        // a marked packet has come in it; an evNotify is scheduled
	psn     uint32      // of the last one
	entropy uint16
}

// onMark accounts for marked packet k at its receiver.
func (s *receiver) onMark(k *net.Packet, gap units.Picos) {
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
func (s *receiver) onNotify(ti int32) {
	n := &s.rx[ti].notify
	n.marked = false
	if s.tx[ti].ring == nil {
		return // the connection is over
	}
	n.until = s.wheel.Now() + s.ccc[s.tx[ti].ccc].cnpGap
	s.sendCNP(ti)
}

// sendCNP sends a CNP for the last marked packet of connection ti to its sender.
func (s *receiver) sendCNP(ti int32) {
	t, n := &s.tx[ti], &s.rx[ti].notify
	i := s.net.Pool.Alloc()
	*s.net.Pool.At(i) = net.Packet{
		Dst: s.ccc[t.ccc].host, PDC: ti, Flow: -1, PSN: n.psn, Kind: net.PacketCNP, Class: net.ClassHigh,
		Size: int32(s.spec.CtlBytes), Nominal: int32(s.spec.CtlBytes), Entropy: n.entropy,
	}
	s.net.Fresh(i)
	s.count.CNPs++
	s.net.Emit(i, t.dst)
}

// onCNP handles a CNP at the sender.
func (s *sender) onCNP(k *net.Packet) {
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
	ev.PSN, ev.Entropy = k.PSN, k.Entropy
	if ok {
		ev.Port, ev.Fair = port, fair
	}
	s.step(t.ccc)
	s.goOn(t.ccc)
}
