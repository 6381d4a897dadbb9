package cc

import (
	"github.com/goldwire/goldwire/golden/cc/dcqcn"
	"github.com/goldwire/goldwire/golden/cc/param"
)

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

// Params implements Inspector, as do the two below.
func (d *dcqcnCC) Params() []param.Field { return d.spec.Fields() }

// State returns the state.
func (d *dcqcnCC) State() []param.Field {
	f := &d.state
	return []param.Field{
		{Name: "rc", Unit: "Gb/s", Ptr: &f.Rate}, {Name: "rt", Unit: "Gb/s", Ptr: &f.Target},
		{Name: "alpha", Ptr: &f.Alpha}, {Name: "timer_steps", Ptr: &f.TimerSteps},
		{Name: "byte_steps", Ptr: &f.ByteSteps}, {Name: "sent", Unit: "bytes", Ptr: &f.Sent},
	}
}

// Validate returns what is wrong with the parameters.
func (d *dcqcnCC) Validate() error { return d.spec.Validate() }
