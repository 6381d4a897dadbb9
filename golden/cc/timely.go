package cc

import (
	"github.com/goldwire/goldwire/golden/cc/param"
	"github.com/goldwire/goldwire/golden/cc/timely"
	"github.com/goldwire/goldwire/golden/units"
)

// timelyCC drives one TIMELY flow. It has no window: bytes in flight are counted for reports, and bytes that an ACK
// acknowledges end a segment.
type timelyCC struct {
	spec  timely.Spec
	state timely.State
	account
}

// TIMELY returns a factory of TIMELY contexts with the defaults for the context's link. edit, when not nil, may change
// them; the factory errors when they become impossible.
func TIMELY(edit func(*timely.Spec)) Factory {
	return func(cfg Config) (Control, error) {
		spec := timely.DefaultSpec(float64(cfg.LinkGbps))
		if edit != nil {
			edit(&spec)
		}
		if err := spec.Validate(); err != nil {
			return nil, err
		}
		return &timelyCC{spec: spec, state: timely.NewState(&spec)}, nil
	}
}

// Step implements Control.
func (t *timelyCC) Step(ev *Event) Out {
	acked := t.note(ev)
	did := timely.None
	switch ev.Kind {
	case KindOpen:
		t.state, t.account = timely.NewState(&t.spec), account{}
	case KindAck:
		did = t.state.OnAck(&t.spec, acked, wholeRTT(ev))
	}
	return Out{Cwnd: NoWindow, Inflight: t.inflight, Rate: t.state.Rate, CanSend: true, Action: did.String()}
}

// Params implements Inspector, as do the two below.
func (t *timelyCC) Params() []param.Field { return t.spec.Fields() }

// State returns the state.
func (t *timelyCC) State() []param.Field {
	f := &t.state
	return []param.Field{
		{Name: "rate_gbps", Unit: "Gb/s", Ptr: &f.Rate}, {Name: "prev", Unit: "us", Ptr: &f.Prev},
		{Name: "gradient", Ptr: func() float64 { return f.Gradient(&t.spec) }}, {Name: "rises", Ptr: &f.Rises},
		{Name: "acked", Unit: "bytes", Ptr: &f.Acked},
	}
}

// Validate returns what is wrong with the parameters.
func (t *timelyCC) Validate() error { return t.spec.Validate() }

// wholeRTT returns the time from the transmission of the packet that caused an ACK to the ACK, the delay at the
// receiver included; 0 without a sample, as for a packet that was ever resent (congestion-control.md, section 0).
func wholeRTT(ev *Event) units.Picos {
	if !ev.TxValid || ev.RtxCount > 0 || ev.Retx {
		return 0
	}
	return ev.Time - ev.TxTime
}
