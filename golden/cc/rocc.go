package cc

import (
	"github.com/goldwire/goldwire/golden/cc/param"
	"github.com/goldwire/goldwire/golden/cc/rocc"
)

// roccCC drives one RoCC flow. It has no window: bytes in flight are counted for reports only.
type roccCC struct {
	spec  rocc.Spec
	state rocc.State
	ledger
}

// RoCC returns a factory of RoCC contexts with the defaults for the context's link. edit, when not nil, may change
// them; the factory errors when they become impossible.
func RoCC(edit func(*rocc.Spec)) Factory {
	return func(cfg Config) (Control, error) {
		spec := rocc.DefaultSpec(float64(cfg.LinkGbps))
		if edit != nil {
			edit(&spec)
		}
		if err := spec.Validate(); err != nil {
			return nil, err
		}
		return &roccCC{spec: spec, state: rocc.NewState(&spec)}, nil
	}
}

// Step implements Control.
func (r *roccCC) Step(ev *Event) Out {
	r.note(ev)
	did := rocc.None
	switch ev.Kind {
	case KindOpen:
		r.state, r.ledger = rocc.NewState(&r.spec), ledger{}
	case KindCNP:
		did = r.state.OnCNP(&r.spec, ev.Time.Micros(), int(ev.Port), ev.Fair)
	case KindTimer:
		if due(r.state.Due, ev.Time) {
			did = r.state.OnTimer(&r.spec, max(ev.Time.Micros(), r.state.Due))
		}
	}
	return Out{
		Cwnd: NoWindow, Inflight: r.inflight, Rate: r.state.Rate, Timer: timerAt(r.state.Due), CanSend: true,
		Action: did.String(),
	}
}

// Params implements Inspector, as do the two below.
func (r *roccCC) Params() []param.Field { return r.spec.Fields() }

// State returns the state.
func (r *roccCC) State() []param.Field { return r.state.Fields() }

// Validate returns what is wrong with the parameters.
func (r *roccCC) Validate() error { return r.spec.Validate() }
