package fabric

import (
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/units"
)

// A receiver of marked packets sends congestion notification packets (CNP) to a sender whose
// congestion control needs them: one at once, and after that at most one for each interval in which
// another marked packet has come.

// notifier is the state of that for one connection.
type notifier struct {
	until   units.Picos // end of the interval under way
	marked  bool        // a marked packet has come in it; an evNotify is scheduled
	psn     uint32      // of the last one
	entropy uint16
}

// onMark accounts for marked packet k at its receiver.
func (s *sim) onMark(k *packet, gap units.Picos) {
	n := &s.rx[k.pdc].notify
	n.psn, n.entropy = k.psn, k.entropy
	switch {
	case n.marked: // the interval's end sends it
	case s.now < n.until:
		n.marked = true
		s.wheel.push(n.until, evNotify, k.pdc)
	default:
		n.until = s.now + gap
		s.sendCNP(k.pdc)
	}
}

// onNotify ends an interval in which a marked packet has come to connection ti.
func (s *sim) onNotify(ti int32) {
	n := &s.rx[ti].notify
	n.marked = false
	if s.tx[ti].ring == nil {
		return // the connection is over
	}
	n.until = s.now + s.ccc[s.tx[ti].ccc].cnpGap
	s.sendCNP(ti)
}

// sendCNP sends a CNP for the last marked packet of connection ti to its sender.
func (s *sim) sendCNP(ti int32) {
	t, n := &s.tx[ti], &s.rx[ti].notify
	i := s.pool.alloc()
	s.pool.pkts[i] = packet{
		dst: s.ccc[t.ccc].host, pdc: ti, flow: -1, psn: n.psn, kind: pkCNP, class: classHigh,
		size: int32(s.spec.CtlBytes), nominal: int32(s.spec.CtlBytes), entropy: n.entropy,
	}
	if s.spec.INT != INTOff {
		s.clearINT(i)
	}
	s.count.CNPs++
	s.emit(i, t.dst)
}

// onCNP handles a CNP at the sender.
func (s *sim) onCNP(k *packet) {
	s.count.CNPsArrived++
	t := &s.tx[k.pdc]
	if t.ring == nil {
		return // the connection is over
	}
	ev := s.clearEvent(cc.KindCNP, t)
	ev.PSN, ev.Entropy = k.psn, k.entropy
	s.step(t.ccc)
	s.goOn(t.ccc)
}
