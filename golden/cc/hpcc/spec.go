package hpcc

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/param"
	"github.com/goldwire/goldwire/golden/telemetry"
)

// Kind is a member of the family.
type Kind uint8

// Kinds.
const (
	HPCC Kind = iota // telemetry in data packets, hop 0 the first
	FNCC             // telemetry in ACKs, hop 0 the last
	LHCS             // FNCC with last-hop congestion control
)

// Spec holds the constants.
type Spec struct {
	Kind     Kind
	Gbps     float64 // of the sender's link
	RTT      float64 // T, us
	Eta      float64 // utilisation aimed at
	MaxStage int     // additive steps between multiplicative ones
	Flows    float64 // N_cfg, for which the additive step leaves room; whole
	MinGbps  float64 // rate of the least window
	ScalarU  bool    // FNCC: one average for the path, as HPCC

	Fire  float64 // LHCS: v of the last hop above which it fires
	Share float64 // LHCS: of the last hop that all flows together take
	Raw   bool    // LHCS: the rate term is not clamped
}

// DefaultSpec returns the defaults for a link in Gb/s and a base round trip in us.
func DefaultSpec(kind Kind, gbps, rtt float64) Spec {
	return Spec{
		Kind: kind, Gbps: gbps, RTT: rtt, Eta: 0.95, MaxStage: 5, Flows: 2, MinGbps: 0.1, Fire: 1.05, Share: 0.9,
	}
}

// Fields lists the parameters with units and bounds.
func (s *Spec) Fields() []param.Field {
	inf := math.Inf(1)
	f := []param.Field{
		{Name: "gbps", Unit: "Gb/s", Ptr: &s.Gbps, Min: 1e-3, Max: 1e6, About: "rate of the sender's link"},
		{Name: "rtt", Unit: "us", Ptr: &s.RTT, Min: 1e-3, Max: 1e6, About: "base round trip of all flows"},
		{Name: "eta", Ptr: &s.Eta, Min: 0.01, Max: 0.9999, About: "utilisation aimed at, steps of 0.0001"},
		{Name: "max_stage", Ptr: &s.MaxStage, Min: 0, Max: 1e6, About: "additive steps in a row"},
		{Name: "n_cfg", Ptr: &s.Flows, Min: 1, Max: 1e6, Whole: true, About: "flows for which W_AI leaves room"},
		{Name: "min_gbps", Unit: "Gb/s", Ptr: &s.MinGbps, Min: 1e-3, Max: 1e6, About: "least rate, steps of 1 Mb/s"},
	}
	if s.Kind != HPCC {
		f = append(f, param.Field{Name: "scalar_u", Ptr: &s.ScalarU, About: "1 keeps one average, as HPCC"})
	}
	if s.Kind == LHCS {
		f = append(f,
			param.Field{Name: "lhcs_fire", Ptr: &s.Fire, Min: 0, Max: inf, About: "v above which LHCS fires"},
			param.Field{Name: "lhcs_share", Ptr: &s.Share, Min: 0.01, Max: 1, About: "of the hop that all flows take"},
			param.Field{Name: "lhcs_raw", Ptr: &s.Raw, About: "1 leaves the rate term unclamped"})
	}
	return f
}

// Validate returns nil when the constants make sense, or an error that names the first that does not.
func (s *Spec) Validate() error {
	return param.Check("hpcc spec", append(s.Fields(),
		param.Field{Name: "min_gbps", Unit: "Gb/s", Ptr: &s.MinGbps, Min: 1e-3, Max: s.Gbps}))
}

// rules returns the constants as package telemetry takes them.
func (s *Spec) rules() (telemetry.Kind, telemetry.Spec) {
	kind := telemetry.FNCC
	if s.Kind == HPCC || s.ScalarU {
		kind = telemetry.HPCC
	}
	return kind, telemetry.Spec{
		RTT: int64(math.Round(s.RTT * 1000)), Eta: [2]int64{int64(math.Round(s.Eta * 1e4)), 1e4}, MaxStage: s.MaxStage,
		Flows: int64(s.Flows), FloorMbitS: int64(math.Round(s.MinGbps * 1000)),
	}
}
