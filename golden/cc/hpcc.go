package cc

import (
	"github.com/goldwire/goldwire/golden/cc/hpcc"
	"github.com/goldwire/goldwire/golden/cc/param"
)

// hpccCC drives one flow of HPCC, FNCC or LHCS.
type hpccCC struct {
	spec     hpcc.Spec
	state    hpcc.State
	mtu      int64
	una, nxt int64 // as the event's, without their wrap
	hops     []hpcc.Hop
	ledger
}

// HPCC returns a factory of HPCC, FNCC or LHCS contexts with the defaults for the context's link and base RTT. edit,
// when not nil, may change them; the factory errors when they become impossible.
func HPCC(kind hpcc.Kind, edit func(*hpcc.Spec)) Factory {
	return func(cfg Config) (Control, error) {
		spec := hpcc.DefaultSpec(kind, float64(cfg.LinkGbps), cfg.BaseRTT.Micros())
		if edit != nil {
			edit(&spec)
		}
		if err := spec.Validate(); err != nil {
			return nil, err
		}
		return &hpccCC{spec: spec, state: hpcc.NewState(&spec), mtu: int64(cfg.MTU)}, nil
	}
}

// Step implements Control.
func (h *hpccCC) Step(ev *Event) Out {
	h.note(ev)
	did := hpcc.None
	switch ev.Kind {
	case KindOpen:
		h.state, h.ledger = hpcc.NewState(&h.spec), ledger{}
		h.una, h.nxt = int64(ev.Una), int64(ev.Nxt)
	case KindAck:
		h.una += int64(int32(ev.Una - uint32(h.una)))
		h.nxt += int64(int32(ev.Nxt - uint32(h.nxt)))
		h.hops = h.hops[:0]
		for _, x := range ev.Hops {
			h.hops = append(h.hops, hpcc.Hop{Rate: x.Gbps, TS: x.TS, Tx: x.Tx, Queue: x.Queue})
		}
		did = h.state.OnAck(&h.spec, hpcc.Ack{
			Now: ev.Time.Micros(), Seq: h.una, Next: h.nxt, Hops: h.hops, Wire: ev.INT, Flows: float64(ev.Flows),
		})
	}
	w := max(int64(h.state.W()), h.mtu) // a window below one packet lets one out at a time
	return Out{
		Cwnd: w, Inflight: h.inflight, Rate: h.state.Rate(&h.spec), CanSend: h.inflight+h.mtu <= w, Action: did.String(),
	}
}

// Params implements Inspector, as do the two below.
func (h *hpccCC) Params() []param.Field { return h.spec.Fields() }

// State returns the state.
func (h *hpccCC) State() []param.Field { return h.state.Fields(&h.spec) }

// Validate returns what is wrong with the parameters.
func (h *hpccCC) Validate() error { return h.spec.Validate() }
