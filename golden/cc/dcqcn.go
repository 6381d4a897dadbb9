package cc

import "github.com/goldwire/goldwire/golden/cc/dcqcn"

// dcqcnCC drives one DCQCN flow. It has no window: bytes in flight are counted for reports only.
type dcqcnCC struct {
	spec  dcqcn.Spec
	state dcqcn.State
	account
}

// DCQCN returns a factory of DCQCN contexts with the defaults for the context's link. edit, when
// not nil, may change them; the factory errors when they become impossible.
func DCQCN(edit func(*dcqcn.Spec)) Factory {
	return func(cfg Config) (Control, error) {
		spec := dcqcn.DefaultSpec(float64(cfg.LinkGbps))
		if edit != nil {
			edit(&spec)
		}
		if err := spec.Validate(); err != nil {
			return nil, err
		}
		return &dcqcnCC{spec: spec, state: dcqcn.NewState(&spec)}, nil
	}
}

// Step implements Control.
func (d *dcqcnCC) Step(ev *Event) Out {
	d.note(ev)
	did := dcqcn.None
	switch ev.Kind {
	case KindOpen:
		d.state, d.account = dcqcn.NewState(&d.spec), account{}
	case KindSend:
		did = d.state.OnSend(&d.spec, ev.Size)
	case KindCNP:
		did = d.state.OnCNP(&d.spec, ev.Time)
	case KindTimer:
		did = d.state.OnTimer(&d.spec, ev.Time)
	}
	return Out{
		Cwnd: NoWindow, Inflight: d.inflight, Rate: d.state.Rate, Timer: max(0, d.state.Next()),
		CanSend: true, Action: did.String(),
	}
}
