package cc

import (
	"github.com/goldwire/goldwire/golden/cc/param"
	"github.com/goldwire/goldwire/golden/cc/smartt"
)

// smarttCC drives one SMaRTT flow.
type smarttCC struct {
	spec  smartt.Spec
	state smartt.State
	mtu   int64
	ledger
}

// SMaRTT returns a factory of SMaRTT contexts with the defaults for the context's link, base RTT and MTU. edit, when
// not nil, may change them; the factory errors when they become impossible.
func SMaRTT(edit func(*smartt.Spec)) Factory {
	return func(cfg Config) (Control, error) {
		spec := smartt.DefaultSpec(float64(cfg.LinkGbps), cfg.BaseRTT.Micros(), float64(cfg.MTU))
		if edit != nil {
			edit(&spec)
		}
		if err := spec.Validate(); err != nil {
			return nil, err
		}
		return &smarttCC{spec: spec, state: smartt.NewState(&spec), mtu: int64(cfg.MTU)}, nil
	}
}

// Step implements Control.
func (s *smarttCC) Step(ev *Event) Out {
	acked := s.note(ev)
	did := smartt.None
	switch ev.Kind {
	case KindOpen:
		s.state, s.ledger = smartt.NewState(&s.spec), ledger{}
	case KindAck:
		rtt := wholeRTT(ev)
		if acked == 0 && rtt == 0 {
			break
		}
		did = s.state.OnAck(&s.spec, smartt.Ack{
			Now: ev.Time.Micros(), RTT: rtt.Micros(), Marked: ev.M, Bytes: float64(acked), Inflight: float64(s.inflight),
		})
	case KindNack, KindLoss:
		did = s.state.OnLoss(&s.spec, float64(ev.Size))
	}
	return Out{
		Cwnd: int64(s.state.C), Inflight: s.inflight, CanSend: s.inflight+s.mtu <= int64(s.state.C), Action: did.String(),
	}
}

// Params implements Inspector, as do the two below.
func (s *smarttCC) Params() []param.Field { return s.spec.Fields() }

// State returns the state.
func (s *smarttCC) State() []param.Field { return s.state.Fields(&s.spec) }

// Validate returns what is wrong with the parameters.
func (s *smarttCC) Validate() error { return s.spec.Validate() }

// ledger is account by exact bytes, for controls that are not limited to the wire's counter.
type ledger struct {
	inflight int64
	last     [MaxPDCs]uint32
}

// note accounts for an event and returns the bytes that an ACK newly acknowledges.
func (l *ledger) note(ev *Event) (acked int64) {
	switch ev.Kind {
	case KindSend:
		l.inflight += ev.Size
	case KindNack, KindLoss:
		l.inflight -= ev.Size
	case KindAck:
		if delta := int32(ev.RcvdExact - l.last[ev.PDC]); delta > 0 {
			l.last[ev.PDC] = ev.RcvdExact
			acked = int64(delta)
			l.inflight -= acked
		}
		// The loss of an unmarked packet had taken its bytes out already.
		l.inflight += ev.UnmarkBytes
	}
	return acked
}
