package pathmodel

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/cc/param"
)

// Spec describes a run.
type Spec struct {
	// Base is the round trip, Gbps the link's rate that the control knows; the rate limits nothing.
	Base float64 `json:"base" param:"base" unit:"us" in:"1e-3 1e6"`
	Gbps int     `json:"gbps" param:"gbps" in:"1 8000"`
	MSS  int     `json:"mss" param:"mss" unit:"bytes" in:"64 65535"` // of a packet

	Fast  float64 `json:"fast" param:"fast" unit:"us" in:"1e-3 1e6"` // round trip of the fast paths
	Slow  float64 `json:"slow"`                                      // round trip of the slow path, us
	Paths int     `json:"paths" param:"paths" in:"0 1e6"`            // one of which is slow; 0 for none that is
	// Random draws the path of each packet; else packets take the paths in turn.
	Random bool `json:"random"`
	// Mark marks every packet of the slow path.
	Mark bool `json:"mark"`
	// Pace spreads the sends: at so many windows per round trip of a fast path; 0 sends what the window allows at once,
	// which locks bursts onto the paths. At 1 the sender loses a quarter of a window with each cut: the window stays
	// full for half a round trip, and the pace cannot make up for it. Theory knows no such loss.
	Pace float64 `json:"pace" param:"pace" in:"0 100"`
	// Whole lets no packet out that does not fit the window as a whole, as hosts of the simulated network do.
	Whole bool `json:"whole"`

	Warm   int    `json:"warm" param:"warm" unit:"ACKs" in:"0 1e9"` // before the measurement
	Acks   int    `json:"acks" param:"acks" unit:"ACKs" in:"1 1e9"` // measured
	Seed   uint64 `json:"seed"`                                     // of random paths
	Record bool   `json:"record"`                                   // keep which of the measured ACKs were slow
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
	const most = 1e6 // us
	if err := param.Check("path model", param.Of(s)); err != nil {
		return err
	}
	if !(s.Slow >= s.Fast && s.Slow <= most) {
		return fmt.Errorf("path model: slow = %v: want %v us, that of the fast paths, to %v", s.Slow, s.Fast, most)
	}
	return nil
}
