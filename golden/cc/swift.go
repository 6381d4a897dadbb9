package cc

import (
	"slices"

	"github.com/goldwire/goldwire/golden/cc/param"
	"github.com/goldwire/goldwire/golden/cc/sack"
	"github.com/goldwire/goldwire/golden/cc/swift"
	"github.com/goldwire/goldwire/golden/units"
)

// swiftRules are those of Swift, LSwift and MSwift.
type swiftRules struct {
	spec    swift.Spec
	state   swift.State
	p       *packetCC
	waiting []uint32 // holes that are not resent yet
	late    []uint32 // holes that are being resent
}

// Swift returns a factory of Swift, LSwift or MSwift contexts with the defaults for the context's link, base RTT and
// MTU. edit, when not nil, may change them; the factory errors when they become impossible.
func Swift(kind swift.Kind, edit func(*swift.Spec)) Factory {
	return func(cfg Config) (Control, error) {
		spec := swift.DefaultSpec(kind, float64(cfg.LinkGbps), cfg.BaseRTT.Micros(), float64(cfg.MTU))
		if edit != nil {
			edit(&spec)
		}
		if err := spec.Validate(); err != nil {
			return nil, err
		}
		s := &swiftRules{spec: spec, state: swift.NewState(&spec)}
		s.p = &packetCC{rules: s, mtu: int64(cfg.MTU), oldestOnly: true, rate: s.rate}
		if kind != swift.Plain {
			s.p.keep = s.keep
		}
		return s.p, nil
	}
}

func (s *swiftRules) open(*Event) (least, first, scan float64) {
	s.state, s.waiting = swift.NewState(&s.spec), s.waiting[:0]
	return s.spec.RTOMin, 3 * s.spec.RTT, 0
}

func (s *swiftRules) ack(e packetAck) string {
	return s.state.OnAck(&s.spec, swift.Ack{Now: e.now, Delay: e.delay, N: e.n, Before: e.before, Srtt: e.srtt}).String()
}

func (s *swiftRules) hole(now float64, _ uint32, _ *Event) string {
	return s.state.OnHole(&s.spec, now, s.p.rto.Srtt).String()
}

func (s *swiftRules) timeout(now float64, _ *Event) string {
	return s.state.OnTimeout(&s.spec, now, s.p.rto.Srtt).String()
}

func (s *swiftRules) window() float64 { return s.state.W }

func (s *swiftRules) fields() (params, state []param.Field) {
	return s.spec.Fields(), s.state.Fields(&s.spec)
}

// Validate returns what is wrong with the parameters.
func (s *swiftRules) Validate() error { return s.spec.Validate() }

// keep is LSwift's rule for holes: adjacent ones cut, and each is resent when it is old enough.
func (s *swiftRules) keep(p *packetCC, now units.Picos, found []uint32) string {
	srtt := p.rto.Srtt
	if srtt <= 0 {
		srtt = s.spec.RTT
	}
	did := swift.None
	if !s.spec.CutLate {
		did = s.state.OnHoles(&s.spec, now.Micros(), srtt, found, p.board.IsHole)
	}
	s.waiting = append(s.waiting, found...)
	p.wake = sack.Never
	s.waiting = slices.DeleteFunc(s.waiting, func(psn uint32) bool {
		if !p.board.IsHole(psn) {
			s.state.Forget(psn)
			return true
		}
		at, _ := p.board.SentAt(psn)
		if at += float64(s.spec.Resend * srtt); !due(at, now) {
			p.wake = min(p.wake, at)
			return false
		}
		p.lost = append(p.lost, Loss{psn, CauseGivenUp})
		return true
	})
	if s.spec.CutLate && len(p.lost) > 0 {
		s.late = s.late[:0]
		for _, l := range p.lost {
			s.late = append(s.late, l.PSN)
		}
		did = s.state.OnHoles(&s.spec, now.Micros(), srtt, s.late, p.board.IsHole)
	}
	for _, l := range p.lost {
		s.state.Forget(l.PSN)
	}
	return did.String()
}

// rate paces one packet per round trip over the window when the window is below one packet: the last sample, or the
// base round trip before the first.
func (s *swiftRules) rate(p *packetCC) float64 {
	rtt := s.state.Last
	switch {
	case s.state.W < 1:
	case s.spec.Kind == swift.Median && s.spec.Pace:
		rtt = p.rto.Srtt
	default:
		return 0
	}
	if rtt <= 0 {
		rtt = s.spec.RTT
	}
	return float64(p.size) * s.state.W / rtt / 125
}
