package pathmodel

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/cc/param"
)

// Spec describes a run.
type Spec struct {
	Base float64 `json:"base"` // base round trip that the control knows, us
	Gbps int     `json:"gbps"` // of the link that the control knows; it limits nothing
	MSS  int     `json:"mss"`  // bytes of a packet

	Fast  float64 `json:"fast"`  // round trip of the fast paths, us
	Slow  float64 `json:"slow"`  // round trip of the slow path, us
	Paths int     `json:"paths"` // one of which is slow; 0 for none that is
	// Random draws the path of each packet; else packets take the paths in turn.
	Random bool `json:"random"`
	// Mark marks every packet of the slow path.
	Mark bool `json:"mark"`
	// Pace spreads the sends: at so many windows per round trip of a fast path; 0 sends what the window allows at once,
	// which locks bursts onto the paths. At 1 the sender loses a quarter of a window with each cut: the window stays
	// full for half a round trip, and the pace cannot make up for it. Theory knows no such loss.
	Pace float64 `json:"pace"`
	// Whole lets no packet out that does not fit the window as a whole, as hosts of the simulated network do.
	Whole bool `json:"whole"`

	Warm   int    `json:"warm"`   // ACKs before the measurement
	Acks   int    `json:"acks"`   // ACKs measured
	Seed   uint64 `json:"seed"`   // of random paths
	Record bool   `json:"record"` // keep which of the measured ACKs were slow
}

// DefaultSpec returns the reference: 800 Gb/s, base 6.25 us, fast paths of 1.2 and a slow one of 2.16 base round trips.
func DefaultSpec() Spec {
	return Spec{Base: 6.25, Gbps: 800, MSS: 4096, Fast: 7.5, Slow: 13.5, Pace: 1, Warm: 50_000, Acks: 200_000}
}

// Slowness returns the share of the packets that take the slow path.
func (s *Spec) Slowness() float64 {
	if s.Paths == 0 {
		return 0
	}
	return 1 / float64(s.Paths)
}

// Mean returns the mean round trip, us.
func (s *Spec) Mean() float64 { return (1-s.Slowness())*s.Fast + s.Slowness()*s.Slow }

// Validate returns nil when the run can be made, or an error that names the first impossible value.
func (s *Spec) Validate() error {
	const most = 1e6
	if err := param.Check("path model", []param.Field{
		{Name: "base", Unit: "us", Ptr: &s.Base, Min: 1e-3, Max: most},
		{Name: "gbps", Ptr: &s.Gbps, Min: 1, Max: 8000},
		{Name: "mss", Unit: "bytes", Ptr: &s.MSS, Min: 64, Max: 65535},
		{Name: "fast", Unit: "us", Ptr: &s.Fast, Min: 1e-3, Max: most},
		{Name: "paths", Ptr: &s.Paths, Min: 0, Max: most},
		{Name: "pace", Ptr: &s.Pace, Min: 0, Max: 100},
		{Name: "warm", Unit: "ACKs", Ptr: &s.Warm, Min: 0, Max: 1e9},
		{Name: "acks", Unit: "ACKs", Ptr: &s.Acks, Min: 1, Max: 1e9},
	}); err != nil {
		return err
	}
	if !(s.Slow >= s.Fast && s.Slow <= most) {
		return fmt.Errorf("path model: slow = %v: want %v us, that of the fast paths, to %v", s.Slow, s.Fast, most)
	}
	return nil
}
