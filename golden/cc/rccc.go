package cc

import (
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/cc/param"
	"github.com/goldwire/goldwire/golden/cc/rccc"
)

// rcccCC drives the sender's half of receiver credit, alone or beside a window, which is another control.
type rcccCC struct {
	shown
	account
	spec   *rccc.Spec
	credit rccc.State
	window Control
	out    Out // of the window, or its stand-in
	target uint32
}

// RCCC returns a factory of contexts that send by the receiver's credit alone. edit, when not nil, may change the
// defaults; the factory errors when they become impossible.
func RCCC(edit func(*rccc.Spec)) Factory { return RCCCBeside(nil, edit) }

// RCCCBeside returns RCCC beside a window: a packet needs credit, and room in the window of the control that the other
// factory makes.
func RCCCBeside(window Factory, edit func(*rccc.Spec)) Factory {
	of := func(cfg *Config) rccc.Spec { return rccc.Spec{MaxWnd: cfg.MaxWnd, MTU: int64(cfg.MTU)} }
	return factory(of, edit, func(cfg *Config, s *rccc.Spec) (Control, error) {
		r := &rcccCC{spec: s, account: account{exact: true}}
		r.shown = shown{s, func() []param.Field {
			return append(r.credit.Fields(), param.Field{Name: "asked", Unit: "quanta", About: "beyond the last pull",
				Ptr: func() float64 { return float64(rccc.Number(r.target).Since(r.credit.Last)) }})
		}}
		if window == nil {
			return r, nil
		}
		var err error
		r.window, err = window(*cfg)
		return r, err
	})
}

// NSCCWithRCCC returns NSCC, in which trims at the last hop do not cut the window, beside RCCC.
func NSCCWithRCCC() Factory { return RCCCBeside(NSCC(func(s *nscc.Spec) { s.RCCC = true }), nil) }

// Step implements Control.
func (r *rcccCC) Step(ev *Event) Out {
	if ev.Kind == KindOpen {
		r.credit, r.account = rccc.NewState(r.spec), account{exact: true}
	}
	did := ""
	switch {
	case r.window == nil:
		r.note(ev)
		r.out = Out{Cwnd: NoWindow, Inflight: r.inflight, CanSend: true}
	case ev.Kind != KindCredit: // a window knows nothing of credit
		r.out = r.window.Step(ev)
	}
	switch ev.Kind {
	case KindNewData:
		r.credit.OnData(ev.Size)
	case KindSend:
		r.credit.OnSend(ev.Size, ev.IsRtx, ev.Request)
	case KindAck:
		did = r.credit.OnAck(ev.UnmarkBytes)
	case KindNack:
		did = r.credit.OnNack(ev.Size)
	case KindLoss:
		did = r.credit.OnLoss(ev.Size)
	case KindCredit:
		did = r.credit.OnCredit(r.spec, rccc.Number(ev.Credit))
	}
	out := r.out
	if r.window == nil || ev.Kind == KindCredit {
		out.Action = did // else that of the window counts
	}
	out.CanSend = out.CanSend && r.credit.CanSend()
	out.AckReq = out.AckReq || r.credit.AckReq()
	r.target = uint32(r.credit.Target(r.spec, out.Cwnd, int(ev.Sources)))
	out.Target = r.target
	return out
}
