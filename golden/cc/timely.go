package cc

import (
	"github.com/goldwire/goldwire/golden/cc/param"
	"github.com/goldwire/goldwire/golden/cc/timely"
	"github.com/goldwire/goldwire/golden/units"
)

// TIMELY returns a factory of TIMELY contexts with the defaults for the context's link. edit, when not nil, may change
// them; the factory errors when they become impossible. There is no window: bytes in flight are counted for reports,
// and bytes that an ACK acknowledges end a segment.
func TIMELY(edit func(*timely.Spec)) Factory {
	of := func(cfg *Config) timely.Spec { return timely.DefaultSpec(float64(cfg.LinkGbps)) }
	return factory(of, edit, func(_ *Config, s *timely.Spec) (Control, error) {
		f := timely.NewState(s)
		return &flow{
			shown: shown{s, func() []param.Field { return f.Fields(s) }},
			open:  func(*Event) { f = timely.NewState(s) },
			on: func(ev *Event, acked int64) string {
				if ev.Kind != KindAck {
					return timely.None
				}
				return f.OnAck(s, acked, wholeRTT(ev))
			},
			out: func() Out { return Out{Cwnd: NoWindow, Rate: f.Rate} },
		}, nil
	})
}

// wholeRTT returns the time from the transmission of the packet that caused an ACK to the ACK, the delay at the
// receiver included; 0 without a sample, as for a packet that was ever resent (congestion-control.md, section 0).
func wholeRTT(ev *Event) units.Picos {
	if !ev.TxValid || ev.RtxCount > 0 || ev.Retx {
		return 0
	}
	return ev.Time - ev.TxTime
}
