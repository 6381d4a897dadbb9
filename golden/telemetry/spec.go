package telemetry

import "fmt"

// Kind is a rule by which a sender reads telemetry.
type Kind uint8

// The rules. HPCC averages the utilisation of the most loaded hop of each ACK, FNCC that of every hop by itself.
const (
	HPCC Kind = iota
	FNCC
)

// Kinds are all rules.
var Kinds = []Kind{HPCC, FNCC}

// String returns the name of the rule in lower case.
func (k Kind) String() string { return [...]string{"hpcc", "fncc"}[k] }

// Spec holds the parameters of the rules. Source: congestion-control.md section 6.
type Spec struct {
	RTT        int64    // T, ns: the base round trip of all flows of a run
	Eta        [2]int64 // utilisation aimed at, as a ratio
	MaxStage   int      // additive steps between multiplicative ones
	Flows      int64    // N_cfg, for which W_AI leaves room
	FloorMbitS int64    // rate of the smallest window
}

// DefaultSpec returns the parameters of the micro-benchmarks of section 6.
func DefaultSpec() Spec {
	return Spec{RTT: 12_500, Eta: [2]int64{95, 100}, MaxStage: 5, Flows: 2, FloorMbitS: 100}
}

// Validate returns an error when a parameter is out of range.
func (s Spec) Validate() error {
	switch {
	case s.RTT < 1 || s.RTT > 1e9:
		return fmt.Errorf("round trip %d ns: give 1 to 1,000,000,000", s.RTT)
	case s.Eta[0] < 1 || s.Eta[0] >= s.Eta[1]:
		return fmt.Errorf("eta %d/%d: give a ratio between 0 and 1", s.Eta[0], s.Eta[1])
	case s.MaxStage < 0 || s.Flows < 1 || s.FloorMbitS < 1:
		return fmt.Errorf("stages %d, flows %d, floor %d Mb/s: give 0, 1, 1 or more", s.MaxStage, s.Flows, s.FloorMbitS)
	}
	return nil
}
