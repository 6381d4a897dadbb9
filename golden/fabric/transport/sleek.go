package transport

import (
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/units"
)

// sleek is the loss recovery of one connection, in addition to its timeout.
type sleek struct {
	recovery  uint32 // exit when every PSN before it is acknowledged
	probe     uint32 // number of the probe under way
	inMode    bool
	scheduled bool        // an evProbe is scheduled
	at        units.Picos // when the evProbe that counts comes; others are of the past
	due       units.Picos // when the next probe is to be sent
	sent      units.Picos // when the last one was
}

// Factors of SLEEK: out-of-order packets beyond 1.5 windows and five packets
// begin a recovery; probes follow the last ACK and then one another.
const (
	sleekMinPackets = 5
	sleekFirstProbe = 3 // base RTTs after an ACK with data left to send
	sleekNextProbe  = 5 // base RTTs after a probe
)

// runSleek looks for losses after ACK k: it begins a recovery when the receiver holds more packets out of order than
// spraying explains, or when a probe has crossed the network faster than the target delay, and ends it when everything
// sent before has arrived (seed 000, section 8).
func (s sender) runSleek(ti int32, k *net.Packet) {
	t := &s.tx[ti]
	c := &s.ccc[t.ccc]
	w := &t.sleek
	if w.inMode && !before(t.una, w.recovery) {
		w.inMode = false
	}
	if t.una == t.nxt {
		return // nothing outstanding; a pending evProbe will notice
	}
	mss := int64(s.spec.MTU - s.spec.HeaderBytes)
	limit := max(min(c.out.Cwnd*3/2, c.maxWnd), sleekMinPackets*mss) / mss
	quick := k.Flags&net.FlagProbe != 0 && k.PSN == w.probe && s.wheel.Now()-w.sent-c.base < c.target
	switch {
	case w.inMode || t.nmark > 0:
	case int64(k.OOO) >= limit:
		s.enterRecovery(t, s.wheel.Now())
	case quick:
		s.enterRecovery(t, w.sent)
	}
	wait := sleekFirstProbe * c.base
	if t.unsent == 0 && t.nmark == 0 {
		wait = c.base + c.target
	}
	if k.Flags&net.FlagProbe == 0 {
		w.due = s.wheel.Now() + wait
	}
	if !w.scheduled || w.due < w.at {
		s.scheduleProbe(ti)
	}
}

// scheduleProbe wakes connection ti when its next probe is due, in place of any other time.
func (s sender) scheduleProbe(ti int32) {
	w := &s.tx[ti].sleek
	w.scheduled, w.at = true, max(w.due, s.wheel.Now())
	s.wheel.Push(w.at, evProbe, ti)
}

// enterRecovery gives up every packet that was sent before a time, and too long
// ago for an ordinary delay to explain its absence, and is in flight still.
func (s sender) enterRecovery(t *txPDC, sentBefore units.Picos) {
	c := &s.ccc[t.ccc]
	t.sleek.inMode, t.sleek.recovery = true, t.nxt
	s.count.Recoveries++
	for psn := t.una; psn != t.nxt; psn++ {
		if e := &t.ring[psn&t.mask]; e.state == txInflight && e.time < sentBefore && e.time+c.base+c.target <= s.wheel.Now() {
			s.inferLoss(t, psn, cc.CauseTimeout)
		}
	}
}

// onProbeTimer sends a probe when one is due and data is outstanding.
func (s sender) onProbeTimer(ti int32) {
	t := &s.tx[ti]
	w := &t.sleek
	if !w.scheduled || s.wheel.Now() < w.at {
		return // another has taken its place
	}
	w.scheduled = false
	if t.ring == nil || t.una == t.nxt || t.tries > maxTries {
		return
	}
	c := &s.ccc[t.ccc]
	host := c.host
	if s.net.Ports[host].Paused && s.wheel.Now() >= w.due {
		w.due = s.wheel.Now() + c.base // probes would only pile up
	}
	if s.wheel.Now() >= w.due {
		w.probe++
		w.sent, w.due = s.wheel.Now(), s.wheel.Now()+sleekNextProbe*c.base
		s.count.Probes++
		s.flows[t.ring[t.una&t.mask].flow].probes++
		s.net.Emit(s.net.Control(&net.Packet{
			Dst: t.dst, PDC: ti, Flow: t.flow, PSN: w.probe, Kind: net.PacketProbe, Class: net.ClassLow,
			Entropy: t.lb.Probe(), Flags: net.FlagProbe | t.steer,
		}), host)
	}
	s.scheduleProbe(ti)
}

// probeState marks the run's event as the ACK of a probe, which refers to no packet's
// transmit state. The answer to the latest probe gives a round-trip sample.
func (s sender) probeState(t *txPDC, k *net.Packet) {
	s.ev.Probe = true
	if k.PSN != t.sleek.probe {
		return
	}
	s.ev.ProbeTime = t.sleek.sent
	if k.Service == 0 || k.Service == 0xFFFF {
		return // how long the receiver took is not known
	}
	s.ev.Sample = max(0, s.wheel.Now()-t.sleek.sent-units.Picos(k.Service)*cc.ServiceTick)
}
