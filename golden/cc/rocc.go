package cc

import "github.com/goldwire/goldwire/golden/cc/rocc"

// RoCC returns a factory of RoCC contexts with the defaults for the context's link. edit, when not nil, may change
// them; the factory errors when they become impossible. There is no window: bytes in flight are counted for reports
// only.
func RoCC(edit func(*rocc.Spec)) Factory {
	of := func(cfg *Config) rocc.Spec { return rocc.DefaultSpec(float64(cfg.LinkGbps)) }
	return factory(of, edit, func(_ *Config, s *rocc.Spec) (Control, error) {
		f := rocc.NewState(s)
		return &flow{
			shown: shown{s, f.Fields}, account: account{exact: true},
			open: func(*Event) { f = rocc.NewState(s) },
			on: func(ev *Event, _ int64) string {
				switch {
				case ev.Kind == KindCNP:
					return f.OnCNP(s, ev.Time.Micros(), int(ev.Port), ev.Fair)
				case ev.Kind == KindTimer && due(f.Due, ev.Time):
					return f.OnTimer(s, max(ev.Time.Micros(), f.Due))
				}
				return rocc.None
			},
			out: func() Out { return Out{Cwnd: NoWindow, Rate: f.Rate, Timer: timerAt(f.Due)} },
		}, nil
	})
}
