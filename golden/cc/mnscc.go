package cc

import (
	"github.com/goldwire/goldwire/golden/cc/mnscc"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/cc/param"
)

// mnsccCC drives one MNSCC context: an nsccCC whose ACKs are judged by a median.
type mnsccCC struct {
	nsccCC
	spec  mnscc.Spec
	state mnscc.State
}

// MNSCC returns a factory of MNSCC contexts, configured as those of NSCC. edit, when not nil, may change the defaults.
func MNSCC(edit func(*mnscc.Spec)) Factory {
	return func(cfg Config) (Control, error) {
		spec := mnscc.DefaultSpec()
		if edit != nil {
			edit(&spec)
		}
		if err := spec.Validate(); err != nil {
			return nil, err
		}
		c, err := NSCC(nil)(cfg)
		if err != nil {
			return nil, err
		}
		m := &mnsccCC{nsccCC: *c.(*nsccCC), spec: spec}
		m.state = mnscc.NewState(&m.params)
		return m, nil
	}
}

// Step implements Control. All but ACKs are NSCC's own.
func (m *mnsccCC) Step(ev *Event) Out {
	if ev.Kind == KindOpen {
		m.state = mnscc.NewState(&m.params)
	}
	m.nsccCC.state = m.state.State
	if ev.Kind != KindAck {
		out := m.nsccCC.Step(ev)
		m.state.State = m.nsccCC.state
		return out
	}
	now := float64(ev.Time)
	if ev.Sample > 0 {
		m.state.OnSample(&m.params, &nscc.Sample{Time: now, RTT: float64(ev.Sample)})
	}
	r := m.state.OnACK(&m.spec, &m.params, &m.pdcs[ev.PDC], nsccAck(ev))
	return Out{
		Cwnd: int64(r.Cwnd), Inflight: int64(r.Inflight), CanSend: r.CanSend, AckReq: r.AckRequest,
		Action: r.Action.String(),
	}
}

// Params implements Inspector, as do the two below.
func (m *mnsccCC) Params() []param.Field { return m.spec.Fields() }

// State returns the state.
func (m *mnsccCC) State() []param.Field { return m.state.Fields() }

// Validate returns what is wrong with the parameters.
func (m *mnsccCC) Validate() error { return m.spec.Validate() }
