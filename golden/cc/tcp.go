package cc

import (
	"github.com/goldwire/goldwire/golden/cc/cubic"
	"github.com/goldwire/goldwire/golden/cc/dctcp"
	"github.com/goldwire/goldwire/golden/cc/newreno"
	"github.com/goldwire/goldwire/golden/cc/param"
)

// tcpTimer is what the TCP family shares beside New Reno's rules: its timer, and the round trip before a sample.
type tcpTimer struct {
	spec *newreno.Spec
	rtt  float64 // us
}

func (t tcpTimer) times() (least, first, scan float64) {
	return t.spec.RTOMin, 3 * t.rtt, t.spec.RTOScan
}

// packetControl returns a control by rules, or what is wrong with their parameters.
func packetControl(cfg *Config, rules packetRules) (Control, error) {
	if err := rules.Validate(); err != nil {
		return nil, err
	}
	return &packetCC{rules: rules, mtu: int64(cfg.MTU)}, nil
}

type newRenoRules struct {
	spec  newreno.Spec
	state newreno.State
	tcpTimer
}

// NewReno returns a factory of TCP New Reno contexts. edit, when not nil, may change the defaults.
func NewReno(edit func(*newreno.Spec)) Factory {
	return func(cfg Config) (Control, error) {
		r := &newRenoRules{spec: newreno.DefaultSpec()}
		if edit != nil {
			edit(&r.spec)
		}
		r.tcpTimer = tcpTimer{&r.spec, cfg.BaseRTT.Micros()}
		return packetControl(&cfg, r)
	}
}

func (r *newRenoRules) open(ev *Event) (least, first, scan float64) {
	r.state = newreno.NewState(&r.spec, ev.Nxt)
	return r.times()
}

func (r *newRenoRules) ack(e packetAck) string { return r.state.OnAck(&r.spec, e.n, e.una).String() }

func (r *newRenoRules) hole(_ float64, psn uint32, ev *Event) string {
	return r.state.OnHole(&r.spec, psn, ev.Nxt).String()
}

func (r *newRenoRules) timeout(_ float64, ev *Event) string {
	return r.state.OnTimeout(&r.spec, ev.Nxt).String()
}

func (r *newRenoRules) window() float64 { return r.state.Cwnd }

func (r *newRenoRules) fields() (params, state []param.Field) {
	return r.spec.Fields(), r.state.Fields()
}

// Validate returns what is wrong with the parameters.
func (r *newRenoRules) Validate() error { return r.spec.Validate() }

type cubicRules struct {
	spec  cubic.Spec
	state cubic.State
	tcpTimer
}

// Cubic returns a factory of Cubic contexts. edit, when not nil, may change the defaults.
func Cubic(edit func(*cubic.Spec)) Factory {
	return func(cfg Config) (Control, error) {
		r := &cubicRules{spec: cubic.DefaultSpec(cfg.BaseRTT.Micros())}
		if edit != nil {
			edit(&r.spec)
		}
		r.tcpTimer = tcpTimer{&r.spec.Spec, cfg.BaseRTT.Micros()}
		return packetControl(&cfg, r)
	}
}

func (r *cubicRules) open(ev *Event) (least, first, scan float64) {
	r.state = cubic.NewState(&r.spec, ev.Nxt)
	return r.times()
}

func (r *cubicRules) ack(e packetAck) string {
	return r.state.OnAck(&r.spec, cubic.Ack{Now: e.now, N: e.n, RTT: e.delay, Srtt: e.srtt, Una: e.una, Nxt: e.nxt})
}

func (r *cubicRules) hole(_ float64, psn uint32, ev *Event) string {
	return r.state.OnHole(&r.spec, psn, ev.Nxt)
}

func (r *cubicRules) timeout(_ float64, ev *Event) string { return r.state.OnTimeout(&r.spec, ev.Nxt) }

func (r *cubicRules) window() float64 { return r.state.Cwnd }

func (r *cubicRules) fields() (params, state []param.Field) { return r.spec.Fields(), r.state.Fields() }

// Validate returns what is wrong with the parameters.
func (r *cubicRules) Validate() error { return r.spec.Validate() }

type dctcpRules struct {
	spec  dctcp.Spec
	state dctcp.State
	tcpTimer
}

// DCTCP returns a factory of DCTCP contexts. edit, when not nil, may change the defaults.
func DCTCP(edit func(*dctcp.Spec)) Factory {
	return func(cfg Config) (Control, error) {
		r := &dctcpRules{spec: dctcp.DefaultSpec()}
		if edit != nil {
			edit(&r.spec)
		}
		r.tcpTimer = tcpTimer{&r.spec.Spec, cfg.BaseRTT.Micros()}
		return packetControl(&cfg, r)
	}
}

func (r *dctcpRules) open(ev *Event) (least, first, scan float64) {
	r.state = dctcp.NewState(&r.spec, ev.Nxt)
	return r.times()
}

func (r *dctcpRules) ack(e packetAck) string {
	return r.state.OnAck(&r.spec, e.n, e.marked, e.una, e.nxt)
}

func (r *dctcpRules) hole(_ float64, psn uint32, ev *Event) string {
	return r.state.OnHole(&r.spec.Spec, psn, ev.Nxt).String()
}

func (r *dctcpRules) timeout(_ float64, ev *Event) string {
	return r.state.OnTimeout(&r.spec.Spec, ev.Nxt).String()
}

func (r *dctcpRules) window() float64 { return r.state.Cwnd }

func (r *dctcpRules) fields() (params, state []param.Field) { return r.spec.Fields(), r.state.Fields() }

// Validate returns what is wrong with the parameters.
func (r *dctcpRules) Validate() error { return r.spec.Validate() }
