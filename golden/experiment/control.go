package experiment

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/cc/param"
)

// Ack is one ACK or NACK that reached an NSCC context, with its state after it. Delays are microseconds.
type Ack struct {
	Time   float64
	Host   int32
	Kind   cc.Kind
	Trim   bool // a NACK of a trimmed packet
	Action nscc.Action
	Cwnd   float64 // bytes
	MaxWnd float64
	// HasRTT is set when the ACK gave a sample; Delay is it less Base.
	HasRTT           bool
	Mark             bool
	Delay, Base, Avg float64
}

// tracer records the state of each NSCC context, which the events of a tap do not hold.
type tracer struct {
	acks  []Ack
	first func(host int32, max float64) float64 // the first window, nil for the largest
	noQA  bool
	quiet bool // records nothing
	// propagation leaves the packets' own time out of the base RTT.
	propagation bool
}

// row returns NSCC with the recorder, in place of the one that runs know.
func (t *tracer) row() (cc.Row, error) {
	known, err := cc.Find(cc.Default, cc.Rows())
	if err != nil {
		return cc.Row{}, err
	}
	row := *known
	row.New = func(cfg cc.Config) (cc.Control, error) {
		if t.propagation {
			cfg.BaseRTT = propagation(cfg)
		}
		return cc.WatchedNSCC(func(s *nscc.Spec) { s.DisableQuickAdapt = t.noQA },
			func(ev *cc.Event, s *nscc.State, r nscc.Response) {
				switch {
				case ev.Kind == cc.KindOpen && t.first != nil:
					s.Cwnd = math.Floor(t.first(cfg.NIC, s.Cwnd))
				case (ev.Kind == cc.KindAck || ev.Kind == cc.KindNack) && !t.quiet:
					t.record(&cfg, ev, s, &r)
				}
			})(cfg)
	}
	return row, nil
}

// record keeps the state after an ACK or NACK.
func (t *tracer) record(cfg *cc.Config, ev *cc.Event, s *nscc.State, r *nscc.Response) {
	a := Ack{Time: ev.Time.Micros(), Host: cfg.NIC, Kind: ev.Kind, Action: r.Action, Cwnd: r.Cwnd, MaxWnd: s.MaxWnd,
		HasRTT: r.HasRTT, Mark: ev.M, Base: r.BaseRTT / 1e6, Avg: r.AvgDelay / 1e6}
	a.Trim = ev.Kind == cc.KindNack && (ev.Reason == cc.ReasonTrimmed || ev.Reason == cc.ReasonTrimmedLastHop)
	switch {
	case a.Trim: // which NSCC counts as a delay of the configured base RTT, marked
		a.Delay, a.Mark = float64(cfg.BaseRTT)/1e6, true
	case r.HasRTT:
		a.Delay = (r.RTT - r.BaseRTT) / 1e6
	}
	t.acks = append(t.acks, a)
}

// changed returns a factory of controls that change has altered.
func changed(f cc.Factory, change func(cc.Config, cc.Inspector) (cc.Control, error)) cc.Factory {
	return func(cfg cc.Config) (cc.Control, error) {
		c, err := f(cfg)
		if err != nil {
			return nil, err
		}
		in, ok := c.(cc.Inspector)
		if !ok {
			return nil, fmt.Errorf("congestion control %T: its parameters and state cannot be set", c)
		}
		return change(cfg, in)
	}
}

// tuned returns a factory of controls with another value of a parameter.
func tuned(f cc.Factory, name string, value float64) cc.Factory {
	return changed(f, func(_ cc.Config, c cc.Inspector) (cc.Control, error) {
		if err := param.Set(c.Params(), name, value); err != nil {
			return nil, err
		}
		return c, c.Validate()
	})
}

// withFirst returns a factory of contexts whose window, which is a field of their state, begins at so many bytes.
func withFirst(f cc.Factory, field string, bytes func(cc.Config) float64) cc.Factory {
	return changed(f, func(cfg cc.Config, c cc.Inspector) (cc.Control, error) {
		return &firstWindow{c, field, bytes(cfg)}, nil
	})
}

type firstWindow struct {
	cc.Inspector
	field string
	bytes float64
}

// Step implements cc.Control.
func (f *firstWindow) Step(ev *cc.Event) cc.Out {
	out := f.Inspector.Step(ev)
	if ev.Kind == cc.KindOpen {
		if err := param.Set(f.State(), f.field, math.Floor(f.bytes)); err != nil {
			panic(err) // a mistake in the experiment
		}
		out.Cwnd = int64(f.bytes)
	}
	return out
}
