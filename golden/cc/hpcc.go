package cc

import (
	"github.com/goldwire/goldwire/golden/cc/hpcc"
	"github.com/goldwire/goldwire/golden/cc/param"
)

// HPCC returns a factory of HPCC, FNCC or LHCS contexts with the defaults for the context's link and base RTT. edit,
// when not nil, may change them; the factory errors when they become impossible.
func HPCC(kind hpcc.Kind, edit func(*hpcc.Spec)) Factory {
	of := func(cfg *Config) hpcc.Spec {
		return hpcc.DefaultSpec(kind, float64(cfg.LinkGbps), cfg.BaseRTT.Micros())
	}
	return factory(of, edit, func(cfg *Config, s *hpcc.Spec) (Control, error) {
		f, mtu := hpcc.NewState(s), int64(cfg.MTU)
		var una, nxt int64 // as the event's, without their wrap
		var hops []hpcc.Hop
		return &flow{
			shown: shown{s, func() []param.Field { return f.Fields(s) }}, account: account{exact: true}, mtu: mtu,
			open: func(ev *Event) { f, una, nxt = hpcc.NewState(s), int64(ev.Una), int64(ev.Nxt) },
			on: func(ev *Event, _ int64) string {
				if ev.Kind != KindAck {
					return hpcc.None
				}
				una += int64(int32(ev.Una - uint32(una)))
				nxt += int64(int32(ev.Nxt - uint32(nxt)))
				hops = hops[:0]
				for _, x := range ev.Hops {
					hops = append(hops, hpcc.Hop{Rate: x.Gbps, TS: x.TS, Tx: x.Tx, Queue: x.Queue})
				}
				return f.OnAck(s, hpcc.Ack{
					Now: ev.Time.Micros(), Seq: una, Next: nxt, Hops: hops, Wire: ev.INT, Flows: float64(ev.Flows),
				})
			},
			// A window below one packet lets one out at a time.
			out: func() Out { return Out{Cwnd: max(int64(f.W()), mtu), Rate: f.Rate(s)} },
		}, nil
	})
}
