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
	Gbps     float64 `param:"gbps" unit:"Gb/s" in:"1e-3 1e6" about:"rate of the sender's link"`
	RTT      float64 `param:"rtt" unit:"us" in:"1e-3 1e6" about:"base round trip of all flows"`
	Eta      float64 `param:"eta" in:"0.01 0.9999" about:"utilisation aimed at, steps of 0.0001"`
	MaxStage int     `param:"max_stage" in:"0 1e6" about:"additive steps in a row"`
	Flows    float64 `param:"n_cfg" in:"1 1e6" whole:"true" about:"flows for which W_AI leaves room"`
	MinGbps  float64 `param:"min_gbps" unit:"Gb/s" in:"1e-3 1e6" about:"least rate, steps of 1 Mb/s"`
	ScalarU  bool    `param:"scalar_u" from:"1" about:"1 keeps one average, as HPCC"`

	Fire  float64 `param:"lhcs_fire" in:"0 inf" from:"2" about:"v above which LHCS fires"`
	Share float64 `param:"lhcs_share" in:"0.01 1" from:"2" about:"of the hop that all flows take"`
	Raw   bool    `param:"lhcs_raw" from:"2" about:"1 leaves the rate term unclamped"`
}

// DefaultSpec returns the defaults for a link in Gb/s and a base round trip in us.
func DefaultSpec(kind Kind, gbps, rtt float64) Spec {
	return Spec{
		Kind: kind, Gbps: gbps, RTT: rtt, Eta: 0.95, MaxStage: 5, Flows: 2, MinGbps: 0.1, Fire: 1.05, Share: 0.9,
	}
}

// Fields lists the parameters with units and bounds.
func (s *Spec) Fields() []param.Field { return param.Of(s, uint8(s.Kind)) }

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
