package cc

import "github.com/goldwire/goldwire/golden/cc/dcqcn"

// DCQCN returns a factory of DCQCN contexts with the defaults for the context's link. edit, when
// not nil, may change them; the factory errors when they become impossible. There is no window: bytes in flight are
// counted for reports only.
func DCQCN(edit func(*dcqcn.Spec)) Factory {
	of := func(cfg *Config) dcqcn.Spec { return dcqcn.DefaultSpec(float64(cfg.LinkGbps)) }
	return factory(of, edit, func(_ *Config, s *dcqcn.Spec) (Control, error) {
		f := dcqcn.NewState(s)
		return &flow{
			shown: shown{s, f.Fields},
			open:  func(*Event) { f = dcqcn.NewState(s) },
			on: func(ev *Event, _ int64) string {
				switch ev.Kind {
				case KindSend:
					return f.OnSend(s, ev.Size)
				case KindCNP:
					return f.OnCNP(s, ev.Time)
				case KindTimer:
					return f.OnTimer(s, ev.Time)
				}
				return dcqcn.None
			},
			out: func() Out { return Out{Cwnd: NoWindow, Rate: f.Rate, Timer: max(0, f.Next())} },
		}, nil
	})
}
