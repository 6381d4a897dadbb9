package cc

import (
	"github.com/goldwire/goldwire/golden/cc/cubic"
	"github.com/goldwire/goldwire/golden/cc/dctcp"
	"github.com/goldwire/goldwire/golden/cc/newreno"
)

// tcp returns a control of the TCP family by its rules, which begin with the number of the first packet. Its timer is
// that of New Reno.
func tcp(cfg *Config, s *newreno.Spec, begin func(first uint32), r packetRules) (Control, error) {
	first := 3 * cfg.BaseRTT.Micros()
	r.open = func(ev *Event) (float64, float64, float64) {
		begin(ev.Nxt)
		return s.RTOMin, first, s.RTOScan
	}
	return &packetCC{packetRules: r, mtu: int64(cfg.MTU)}, nil
}

// NewReno returns a factory of TCP New Reno contexts. edit, when not nil, may change the defaults.
func NewReno(edit func(*newreno.Spec)) Factory {
	of := func(*Config) newreno.Spec { return newreno.DefaultSpec() }
	return factory(of, edit, func(cfg *Config, s *newreno.Spec) (Control, error) {
		var f newreno.State
		return tcp(cfg, s, func(first uint32) { f = newreno.NewState(s, first) }, packetRules{
			shown:   shown{s, f.Fields},
			ack:     func(e packetAck) string { return f.OnAck(s, e.n, e.una) },
			hole:    func(_ float64, psn uint32, ev *Event) string { return f.OnHole(s, psn, ev.Nxt) },
			timeout: func(_ float64, ev *Event) string { return f.OnTimeout(s, ev.Nxt) },
			window:  &f.Cwnd,
		})
	})
}

// Cubic returns a factory of Cubic contexts. edit, when not nil, may change the defaults.
func Cubic(edit func(*cubic.Spec)) Factory {
	of := func(cfg *Config) cubic.Spec { return cubic.DefaultSpec(cfg.BaseRTT.Micros()) }
	return factory(of, edit, func(cfg *Config, s *cubic.Spec) (Control, error) {
		var f cubic.State
		return tcp(cfg, &s.Spec, func(first uint32) { f = cubic.NewState(s, first) }, packetRules{
			shown: shown{s, f.Fields},
			ack: func(e packetAck) string {
				return f.OnAck(s, cubic.Ack{Now: e.now, N: e.n, RTT: e.delay, Srtt: e.srtt, Una: e.una, Nxt: e.nxt})
			},
			hole:    func(_ float64, psn uint32, ev *Event) string { return f.OnHole(s, psn, ev.Nxt) },
			timeout: func(_ float64, ev *Event) string { return f.OnTimeout(s, ev.Nxt) },
			window:  &f.Cwnd,
		})
	})
}

// DCTCP returns a factory of DCTCP contexts. edit, when not nil, may change the defaults.
func DCTCP(edit func(*dctcp.Spec)) Factory {
	of := func(*Config) dctcp.Spec { return dctcp.DefaultSpec() }
	return factory(of, edit, func(cfg *Config, s *dctcp.Spec) (Control, error) {
		var f dctcp.State
		return tcp(cfg, &s.Spec, func(first uint32) { f = dctcp.NewState(s, first) }, packetRules{
			shown:   shown{s, f.Fields},
			ack:     func(e packetAck) string { return f.OnAck(s, e.n, e.marked, e.una, e.nxt) },
			hole:    func(_ float64, psn uint32, ev *Event) string { return f.OnHole(&s.Spec, psn, ev.Nxt) },
			timeout: func(_ float64, ev *Event) string { return f.OnTimeout(&s.Spec, ev.Nxt) },
			window:  &f.Cwnd,
		})
	})
}
