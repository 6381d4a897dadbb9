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
	RTT  float64 // T, base round trip of the path, us
	BDP  float64 // packets; also the first window

	Base     float64 // target without hops and flow scaling, us
	Hops     float64
	HopDelay float64 // of each hop, us
	FSRange  float64 // most that a small window adds to the target, us
	FSMin    float64 // packets
	FSMax    float64 // packets
	AI       float64 // packets per round trip
	Beta     float64
	MaxMDF   float64
	Least    float64 // w_min, packets
	Most     float64 // w_max, packets
	ResetAt  int     // timeouts in a row that set the window to Least
	RTOMin   float64 // us

	Adjacent int     // LSwift: holes in a row that cut
	Resend   float64 // LSwift: age at which a hole is resent, smoothed round trips
	// CutLate is set when LSwift counts adjacent holes as they are resent, and not at once: packets that others have
	// overtaken, and no more, cut nothing then. The source has "successive delayed packets" and leaves both open.
	CutLate bool

	Percentile int     // MSwift: 50 is the lower middle
	History    int     // MSwift: most samples looked at
	Age        float64 // MSwift: age of the oldest, smoothed round trips
	Pace       bool    // MSwift: pace at a window per smoothed round trip
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
func (s *Spec) Fields() []param.Field {
	inf := math.Inf(1)
	const tiny = 1e-9
	f := []param.Field{
		{Name: "rtt", Unit: "us", Ptr: &s.RTT, Min: tiny, Max: param.Long, About: "base round trip"},
		{Name: "bdp", Unit: "packets", Ptr: &s.BDP, Min: tiny, Max: param.Large, About: "first window"},
		{Name: "base_target", Unit: "us", Ptr: &s.Base, Min: tiny, Max: param.Long, About: "target without hops and scaling"},
		{Name: "hops", Ptr: &s.Hops, Min: 0, Max: 64, About: "hops of the path"},
		{Name: "hop_delay", Unit: "us", Ptr: &s.HopDelay, Min: 0, Max: param.Long, About: "target of each hop"},
		{Name: "fs_range", Unit: "us", Ptr: &s.FSRange, Min: 0, Max: param.Long, About: "most that flow scaling adds"},
		{Name: "fs_min", Unit: "packets", Ptr: &s.FSMin, Min: tiny, Max: param.Large, About: "window with all of it"},
		{Name: "fs_max", Unit: "packets", Ptr: &s.FSMax, Min: tiny, Max: inf, About: "window with none"},
		{Name: "ai", Unit: "packets", Ptr: &s.AI, Min: 0, Max: param.Large, About: "increase per round trip"},
		{Name: "beta", Ptr: &s.Beta, Min: 0, Max: 1, About: "share of the excess that a cut takes"},
		{Name: "max_mdf", Ptr: &s.MaxMDF, Min: 0, Max: 1, About: "deepest cut"},
		{Name: "w_min", Unit: "packets", Ptr: &s.Least, Min: tiny, Max: param.Large, About: "least window"},
		{Name: "w_max", Unit: "packets", Ptr: &s.Most, Min: tiny, Max: inf, About: "largest window"},
		{Name: "reset_after", Ptr: &s.ResetAt, Min: 1, Max: 1000, About: "timeouts in a row that reset the window"},
		{Name: "rto_min", Unit: "us", Ptr: &s.RTOMin, Min: 0, Max: param.Long, About: "least retransmission timeout"},
	}
	if s.Kind != Plain {
		f = append(f,
			param.Field{Name: "adjacent", Ptr: &s.Adjacent, Min: 1, Max: 1000, About: "holes in a row that cut"},
			param.Field{Name: "resend_age", Unit: "srtt", Ptr: &s.Resend, Min: 0, Max: inf, About: "age of a resent hole"},
			param.Field{Name: "cut_late", Ptr: &s.CutLate, About: "1 counts adjacent holes when they are resent"})
	}
	if s.Kind == Median {
		f = append(f,
			param.Field{Name: "percentile", Ptr: &s.Percentile, Min: 1, Max: 100, About: "rank of the delay looked at"},
			param.Field{Name: "history", Ptr: &s.History, Min: 1, Max: 4096, About: "most samples looked at"},
			param.Field{Name: "history_age", Unit: "srtt", Ptr: &s.Age, Min: 0, Max: inf, About: "age of the oldest"},
			param.Field{Name: "pace", Ptr: &s.Pace, About: "1 paces at a window per round trip"})
	}
	return f
}

// Validate returns nil when the constants make sense, or an error that names the first that does not.
func (s *Spec) Validate() error {
	return param.Check("swift spec", append(s.Fields(),
		param.Field{Name: "fs_max", Ptr: &s.FSMax, Min: s.FSMin + 1e-9, Max: math.Inf(1)},
		param.Field{Name: "w_max", Ptr: &s.Most, Min: s.Least, Max: math.Inf(1)}))
}
