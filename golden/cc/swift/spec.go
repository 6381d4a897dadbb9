package swift

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/param"
)

// Kind is a member of the family.
type Kind uint8

// Kinds.
const (
	Plain  Kind = iota // Swift
	Loss               // LSwift
	Median             // MSwift
)

// Spec holds the constants.
type Spec struct {
	Kind Kind
	RTT  float64 `param:"rtt" unit:"us" in:"1e-9 1e9" about:"base round trip"`
	BDP  float64 `param:"bdp" unit:"packets" in:"1e-9 1e15" about:"first window"`

	Base     float64 `param:"base_target" unit:"us" in:"1e-9 1e9" about:"target without hops and scaling"`
	Hops     float64 `param:"hops" in:"0 64" about:"hops of the path"`
	HopDelay float64 `param:"hop_delay" unit:"us" in:"0 1e9" about:"target of each hop"`
	FSRange  float64 `param:"fs_range" unit:"us" in:"0 1e9" about:"most that flow scaling adds"`
	FSMin    float64 `param:"fs_min" unit:"packets" in:"1e-9 1e15" about:"window with all of it"`
	FSMax    float64 `param:"fs_max" unit:"packets" in:"1e-9 inf" about:"window with none"`
	AI       float64 `param:"ai" unit:"packets" in:"0 1e15" about:"increase per round trip"`
	Beta     float64 `param:"beta" in:"0 1" about:"share of the excess that a cut takes"`
	MaxMDF   float64 `param:"max_mdf" in:"0 1" about:"deepest cut"`
	Least    float64 `param:"w_min" unit:"packets" in:"1e-9 1e15" about:"least window"`
	Most     float64 `param:"w_max" unit:"packets" in:"1e-9 inf" about:"largest window"`
	ResetAt  int     `param:"reset_after" in:"1 1000" about:"timeouts in a row that reset the window"`
	RTOMin   float64 `param:"rto_min" unit:"us" in:"0 1e9" about:"least retransmission timeout"`

	Adjacent int     `param:"adjacent" in:"1 1000" from:"1" about:"holes in a row that cut"`
	Resend   float64 `param:"resend_age" unit:"srtt" in:"0 inf" from:"1" about:"age of a resent hole"`
	// CutLate is set when LSwift counts adjacent holes as they are resent, and not at once: packets that others have
	// overtaken, and no more, cut nothing then. The source has "successive delayed packets" and leaves both open.
	CutLate bool `param:"cut_late" from:"1" about:"1 counts adjacent holes when they are resent"`

	Percentile int     `param:"percentile" in:"1 100" from:"2" about:"rank of the delay looked at"`
	History    int     `param:"history" in:"1 4096" from:"2" about:"most samples looked at"`
	Age        float64 `param:"history_age" unit:"srtt" in:"0 inf" from:"2" about:"age of the oldest"`
	Pace       bool    `param:"pace" from:"2" about:"1 paces at a window per round trip"`
}

// DefaultSpec returns the defaults for a link in Gb/s, a base round trip in us and a packet size in bytes.
func DefaultSpec(kind Kind, gbps, rtt, mtu float64) Spec {
	bdp := gbps * 125 * rtt / mtu
	return Spec{
		Kind: kind, RTT: rtt, BDP: bdp, Base: rtt + 1, FSRange: 5, FSMin: 0.1, FSMax: 100, AI: 1, Beta: 0.8,
		MaxMDF: 0.5, Least: 0.01, Most: 2 * bdp, ResetAt: 5, RTOMin: 100, Adjacent: 5, Resend: 2, Percentile: 50,
		History: 128, Age: 2,
	}
}

// Fields lists the parameters with units and bounds.
func (s *Spec) Fields() []param.Field { return param.Of(s, uint8(s.Kind)) }

// Validate returns nil when the constants make sense, or an error that names the first that does not.
func (s *Spec) Validate() error {
	return param.Check("swift spec", append(s.Fields(),
		param.Field{Name: "fs_max", Ptr: &s.FSMax, Min: s.FSMin + 1e-9, Max: math.Inf(1)},
		param.Field{Name: "w_max", Ptr: &s.Most, Min: s.Least, Max: math.Inf(1)}))
}
