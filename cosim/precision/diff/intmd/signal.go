package intmd

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/golden/fixed"
)

// limits are how far a number may be below and above the exact one.
type limits struct{ lo, hi float64 }

func (b limits) width() float64 { return b.hi - b.lo }

// signal gathers the errors of one number against its exact value, and holds them against its bound.
type signal struct {
	name, unit, format string
	lsb                float64 // 0: it has no format of its own
	wire, float        diff.Tally
	bound, closest     float64 // the largest one, and the largest share of its bound that an error took
	bounded, unbounded uint64
	beyond             uint64
}

// slack is the share of a number by which a bound computed in float64 may be off.
const slack = 1e-9

// add takes one comparison. It returns what is wrong, or "".
func (s *signal) add(err, exact float64, b limits) string {
	s.wire.Add(err, exact)
	most := max(math.Abs(b.lo), math.Abs(b.hi))
	if math.IsInf(most, 0) || math.IsNaN(most) {
		s.unbounded++
		return ""
	}
	s.bounded++
	s.bound = max(s.bound, most)
	if most > 0 {
		s.closest = max(s.closest, math.Abs(err)/most)
	}
	tolerance := slack * (most + math.Abs(exact)*1e-3)
	if err >= b.lo-tolerance && err <= b.hi+tolerance {
		return ""
	}
	s.beyond++
	return fmt.Sprintf("%s: %v in place of %v %s, an error of %v; its bound is %v to %v", s.name, exact+err, exact, s.unit,
		err, b.lo, b.hi)
}

func (s *signal) result(u fixed.Counts) Signal {
	return Signal{Name: s.name, Unit: s.unit, Format: s.format, LSB: s.lsb, Wire: s.wire.Result(s.lsb),
		Float: s.float.Result(0), Bound: s.bound, Closest: s.closest, Bounded: s.bounded, Unbounded: s.unbounded,
		Beyond: s.beyond, Quantised: u.Count, Inexact: u.Inexact, Saturated: u.Saturated, Wrapped: u.Wrapped}
}
