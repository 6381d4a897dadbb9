package newreno

import (
	"github.com/goldwire/goldwire/golden/cc/param"
)

// Spec holds the constants.
type Spec struct {
	First   float64 // window of a new flow, packets
	Least   float64 // least threshold, packets
	RTOMin  float64 // us
	RTOScan float64 // period at which the timer is looked at, us, 0 for always
}

// DefaultSpec returns the defaults: ten packets, and a timeout of at least 1 ms.
func DefaultSpec() Spec { return Spec{First: 10, Least: 2, RTOMin: 1000} }

// Fields lists the parameters with units and bounds.
func (s *Spec) Fields() []param.Field {
	return []param.Field{
		{Name: "first_window", Unit: "packets", Ptr: &s.First, Min: 1, Max: param.Large, About: "window of a new flow"},
		{Name: "min_ssthresh", Unit: "packets", Ptr: &s.Least, Min: 1, Max: param.Large, About: "least threshold"},
		{Name: "rto_min", Unit: "us", Ptr: &s.RTOMin, Min: 0, Max: param.Long, About: "least retransmission timeout"},
		{Name: "rto_scan", Unit: "us", Ptr: &s.RTOScan, Min: 0, Max: param.Long, About: "period of looking at the timer"},
	}
}

// Validate returns nil when the constants make sense, or an error that names the first that does not.
func (s *Spec) Validate() error { return param.Check("newreno spec", s.Fields()) }
