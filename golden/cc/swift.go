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
	packetCC
	spec  *swift.Spec
	flow  swift.State
	again []uint32 // holes that are not resent yet
	late  []uint32 // holes that are being resent
}

// Swift returns a factory of Swift, LSwift or MSwift contexts with the defaults for the context's link, base RTT and
// MTU. edit, when not nil, may change them; the factory errors when they become impossible.
func Swift(kind swift.Kind, edit func(*swift.Spec)) Factory {
	of := func(cfg *Config) swift.Spec {
		return swift.DefaultSpec(kind, float64(cfg.LinkGbps), cfg.BaseRTT.Micros(), float64(cfg.MTU))
	}
	return factory(of, edit, func(cfg *Config, spec *swift.Spec) (Control, error) {
		s := &swiftRules{spec: spec, flow: swift.NewState(spec)}
		s.packetCC = packetCC{mtu: int64(cfg.MTU), oldestOnly: true, rate: s.pace, packetRules: packetRules{
			shown: shown{spec, func() []param.Field { return s.flow.Fields(spec) }}, window: &s.flow.W,
			open: func(*Event) (least, first, scan float64) {
				s.flow, s.again = swift.NewState(spec), s.again[:0]
				return spec.RTOMin, 3 * spec.RTT, 0
			},
			ack: func(e packetAck) string {
				return s.flow.OnAck(spec, swift.Ack{Now: e.now, Delay: e.delay, N: e.n, Before: e.before, Srtt: e.srtt})
			},
			hole:    func(now float64, _ uint32, _ *Event) string { return s.flow.OnHole(spec, now, s.rto.Srtt) },
			timeout: func(now float64, _ *Event) string { return s.flow.OnTimeout(spec, now, s.rto.Srtt) },
		}}
		if kind != swift.Plain {
			s.keep = s.resend
		}
		return s, nil
	})
}

// resend is LSwift's rule for holes: adjacent ones cut, and each is resent when it is old enough.
func (s *swiftRules) resend(now units.Picos, found []uint32) string {
	srtt := s.rto.Srtt
	if srtt <= 0 {
		srtt = s.spec.RTT
	}
	did := swift.None
	if !s.spec.CutLate {
		did = s.flow.OnHoles(s.spec, now.Micros(), srtt, found, s.board.IsHole)
	}
	s.again = append(s.again, found...)
	s.wake = sack.Never
	s.again = slices.DeleteFunc(s.again, func(psn uint32) bool {
		if !s.board.IsHole(psn) {
			s.flow.Forget(psn)
			return true
		}
		at, _ := s.board.SentAt(psn)
		if at += float64(s.spec.Resend * srtt); !due(at, now) {
			s.wake = min(s.wake, at)
			return false
		}
		s.lost = append(s.lost, Loss{psn, CauseGivenUp})
		return true
	})
	if s.spec.CutLate && len(s.lost) > 0 {
		s.late = s.late[:0]
		for _, l := range s.lost {
			s.late = append(s.late, l.PSN)
		}
		did = s.flow.OnHoles(s.spec, now.Micros(), srtt, s.late, s.board.IsHole)
	}
	for _, l := range s.lost {
		s.flow.Forget(l.PSN)
	}
	return did
}

// pace paces one packet per round trip over the window when the window is below one packet: the last sample, or the
// base round trip before the first.
func (s *swiftRules) pace() float64 {
	rtt := s.flow.Last
	switch {
	case s.flow.W < 1:
	case s.spec.Kind == swift.Median && s.spec.Pace:
		rtt = s.rto.Srtt
	default:
		return 0
	}
	if rtt <= 0 {
		rtt = s.spec.RTT
	}
	return float64(s.size) * s.flow.W / rtt / 125
}
