package cc

import (
	"github.com/goldwire/goldwire/golden/cc/param"
	"github.com/goldwire/goldwire/golden/cc/smartt"
)

// SMaRTT returns a factory of SMaRTT contexts with the defaults for the context's link, base RTT and MTU. edit, when
// not nil, may change them; the factory errors when they become impossible.
func SMaRTT(edit func(*smartt.Spec)) Factory {
	of := func(cfg *Config) smartt.Spec {
		return smartt.DefaultSpec(float64(cfg.LinkGbps), cfg.BaseRTT.Micros(), float64(cfg.MTU))
	}
	return factory(of, edit, func(cfg *Config, s *smartt.Spec) (Control, error) {
		f := smartt.NewState(s)
		c := &flow{
			shown: shown{s, func() []param.Field { return f.Fields(s) }}, account: account{exact: true}, mtu: int64(cfg.MTU),
			open: func(*Event) { f = smartt.NewState(s) },
			out:  func() Out { return Out{Cwnd: int64(f.C)} },
		}
		c.on = func(ev *Event, acked int64) string {
			rtt := wholeRTT(ev)
			switch {
			case ev.Kind == KindAck && (acked > 0 || rtt != 0):
				return f.OnAck(s, smartt.Ack{
					Now: ev.Time.Micros(), RTT: rtt.Micros(), Marked: ev.M, Bytes: float64(acked), Inflight: float64(c.inflight),
				})
			case ev.Kind == KindNack || ev.Kind == KindLoss:
				return f.OnLoss(s, float64(ev.Size))
			}
			return smartt.None
		}
		return c, nil
	})
}
