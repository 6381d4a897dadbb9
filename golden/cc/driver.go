package cc

import "github.com/goldwire/goldwire/golden/cc/param"

// constants are the Spec of a control's rules.
type constants interface {
	Fields() []param.Field
	Validate() error
}

// shown is an Inspector but for its events.
type shown struct {
	constants
	state func() []param.Field
}

// Params implements Inspector, as does State.
func (s *shown) Params() []param.Field { return s.Fields() }

// State returns the state.
func (s *shown) State() []param.Field { return s.state() }

// factory returns a factory of controls with constants S, whose defaults for a context are those of of. edit, when not
// nil, may change them; the factory errors when they become impossible.
func factory[S any, P interface {
	*S
	constants
}](of func(*Config) S, edit func(*S), control func(*Config, P) (Control, error)) Factory {
	return func(cfg Config) (Control, error) {
		spec := of(&cfg)
		if edit != nil {
			edit(&spec)
		}
		if err := P(&spec).Validate(); err != nil {
			return nil, err
		}
		return control(&cfg, &spec)
	}
}

// flow drives rules that keep no account of what is in flight.
type flow struct {
	shown
	account
	mtu  int64
	open func(*Event)
	// on plays an event that opens nothing, of which an ACK newly acknowledges so many bytes, and returns the rule that
	// decided it.
	on  func(ev *Event, acked int64) string
	out func() Out // window, rate and timer
}

// Step implements Control.
func (f *flow) Step(ev *Event) Out {
	acked, did := f.note(ev), ""
	if ev.Kind == KindOpen {
		f.account = account{exact: f.exact}
		f.open(ev)
	} else {
		did = f.on(ev, acked)
	}
	out := f.out()
	out.Inflight, out.CanSend, out.Action = f.inflight, f.inflight+f.mtu <= out.Cwnd, did
	return out
}

// account is the number of bytes that a context has in flight: by the wire's counters, or, for controls that are not
// limited to them, by exact bytes.
type account struct {
	exact    bool
	inflight int64
	last     [MaxPDCs]uint32
}

// note accounts for an event and returns the bytes that an ACK newly acknowledges.
func (a *account) note(ev *Event) (acked int64) {
	switch ev.Kind {
	case KindSend:
		a.inflight += ev.Size
	case KindNack, KindLoss:
		a.inflight -= ev.Size
	case KindAck:
		count, wrap, unit := ev.RcvdBytes, 8, int64(256) // 24 bits
		if a.exact {
			count, wrap, unit = ev.RcvdExact, 0, 1
		}
		if delta := int32((count - a.last[ev.PDC]) << wrap); delta > 0 {
			a.last[ev.PDC] = count
			acked = int64(delta>>wrap) * unit
			a.inflight -= acked
		}
		// The loss of an unmarked packet had taken its bytes out already.
		a.inflight += ev.UnmarkBytes
	}
	return acked
}
