package intmd

import "github.com/goldwire/goldwire/cosim/precision/diff"

// Result is what a run measured.
type Result struct {
	Block   string         `json:"block"`
	Source  string         `json:"source"`
	Seed    uint64         `json:"seed"`
	RTT     int64          `json:"rtt_ns"`
	Events  uint64         `json:"events"` // packets, reports and accesses accepted
	Packets uint64         `json:"packets"`
	Changed []diff.Setting `json:"changed,omitempty"`

	// Entries is the number of entries read from packets, Model that of those held against the table, 0 where formats
	// were changed; Parted is the first difference.
	Entries uint64 `json:"entries"`
	Model   uint64 `json:"model"`
	Parted  string `json:"parted,omitempty"`
	// Empty is the number of packets with an entry that lies beyond their end, NoRate that of entries whose code stands
	// for no rate. Senders read neither.
	Empty  uint64 `json:"packets_cut_short"`
	NoRate uint64 `json:"entries_without_rate"`

	// Acks is the number of ACKs of all paths. First, Late and Turned are those with nothing to compare their stamps
	// with: the first of a path, those later than half a turn, those between which time or bytes turned all the same or
	// went back. NoTime counts hops where time passed for one party only.
	Acks   uint64 `json:"acks"`
	First  uint64 `json:"acks_first"`
	Late   uint64 `json:"acks_late"`
	Turned uint64 `json:"acks_turned"`
	NoTime uint64 `json:"hops_without_time"`

	// Beyond is the number of errors beyond their bound, Examples are the first.
	Beyond   uint64   `json:"beyond"`
	Examples []string `json:"examples,omitempty"`

	Signals []Signal  `json:"signals"` // of the block, and of one hop
	Modes   []Measure `json:"modes"`
}

// Failed reports whether the run found a difference.
func (res *Result) Failed() bool { return res.Parted != "" || res.Beyond > 0 }

// Signal is one number: of the table, or of what a sender computes.
type Signal struct {
	Name   string  `json:"name"`
	Format string  `json:"format,omitempty"`
	Unit   string  `json:"unit,omitempty"`
	LSB    float64 `json:"lsb,omitempty"` // in the unit
	// Wire is the telemetry of the table against exact numbers, of what comes round the shorter way; Float is exact
	// telemetry in float64 against exact numbers.
	Wire  diff.Error `json:"wire"`
	Float diff.Error `json:"float64"`

	Bound     float64 `json:"bound"`     // the largest one of a comparison
	Closest   float64 `json:"closest"`   // the largest share of its bound that an error took
	Bounded   uint64  `json:"bounded"`   // comparisons with a bound
	Unbounded uint64  `json:"unbounded"` // and without
	Beyond    uint64  `json:"beyond"`    // beyond it

	Quantised uint64 `json:"quantised,omitempty"` // numbers brought to the format
	Inexact   uint64 `json:"inexact,omitempty"`
	Saturated uint64 `json:"saturated,omitempty"`
	Wrapped   uint64 `json:"wrapped,omitempty"`
}

// Measure is what one mode gave: in the mode step every ACK starts from the state of the sender that reads the wire, in
// the mode free each keeps its own.
type Measure struct {
	Mode      diff.Mode  `json:"mode"`
	Compared  uint64     `json:"compared"` // ACKs by each rule
	Signals   []Signal   `json:"signals"`
	Decisions []Decision `json:"decisions"`
	Flips     []Flip     `json:"flips,omitempty"` // the first ones
	Lost      uint64     `json:"flips_not_listed,omitempty"`
}

// Decision is one thing that a sender decides.
type Decision struct {
	Name       string `json:"name"`
	Compared   uint64 `json:"compared"`
	WireWrong  uint64 `json:"wire_wrong"`    // the reader of the wire differs from exact
	FloatWrong uint64 `json:"float64_wrong"` // float64 differs from exact
	Apart      uint64 `json:"apart"`         // the reader of the wire differs from float64
}

// Flip is one decision that the parties did not take alike.
type Flip struct {
	Packet   uint64 `json:"packet"`
	Episode  string `json:"episode"`
	Ports    string `json:"ports"`
	Decision string `json:"decision"`
	Wire     string `json:"wire"`
	Float    string `json:"float64"`
	Exact    string `json:"exact"`
	Right    string `json:"right"` // whom exact confirms: wire, float64 or neither
	// Distance is by how much U was above eta in exact numbers, or u of the wire's bottleneck above that of the right
	// one; WireDistance is the same as the reader of the wire has it.
	Distance     float64 `json:"distance"`
	WireDistance float64 `json:"wire_distance"`
}
