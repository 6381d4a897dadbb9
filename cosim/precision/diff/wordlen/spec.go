package wordlen

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// ErrBound is wrapped by the error of a run whose bounds the contract's own formats do not keep.
var ErrBound = errors.New("the contract's own formats do not keep the bounds")

// Bound is the largest absolute error that a value of the state may have, in the value's unit.
type Bound struct {
	Name string  `json:"name"`
	Max  float64 `json:"max"`
}

// Range is a value to search and the fraction bits to search it over; Hi = -1: those of the contract, the most there
// is.
type Range struct {
	Name   string
	Lo, Hi int
}

// Spec says what to search.
type Spec struct {
	Sources []string
	Seeds   []uint64
	HeldOut []uint64 // seeds that confirm the winner; none of Seeds
	Events  int      // of each source and seed; 0: as many as the source has
	Params  map[string]int
	TickNs  int
	Modes   []diff.Mode

	Values   []Range
	Errors   []Bound
	Flips    float64 // events in 10,000 that may be decided otherwise than by exact numbers
	Integers Origin  // Observed, or Proven: integer bits only from bounds of the contract
	Guard    int     // integer bits above the observed ones

	Cells *Yosys // counts the cells of the products of the tables found; nil: they are not counted
}

// Defaults are the values with fraction bits.
func Defaults() (out []Range) {
	for _, v := range ccc.Formats().Values {
		if v.Format.Frac > 0 {
			out = append(out, Range{Name: v.Name, Hi: -1})
		}
	}
	return out
}

// check returns the error of a spec that cannot be searched, and fills in the names and ends of ranges.
func (s *Spec) check(t *formats.Table) error {
	switch {
	case len(s.Sources) == 0 || len(s.Seeds) == 0:
		return fmt.Errorf("%w: no source or no seed is given", diff.ErrNothing)
	case len(s.HeldOut) == 0:
		return errors.New("held-out seeds: none is given; give at least one that the search does not use")
	case len(s.Modes) == 0:
		return fmt.Errorf("%w: no mode is given", diff.ErrNothing)
	case len(s.Values) == 0:
		return fmt.Errorf("%w: no value to search is given", diff.ErrNothing)
	case len(s.Errors) == 0:
		return errors.New("bounds: no error is bounded; give at least one value, such as cwnd")
	case s.Flips < 0 || math.IsNaN(s.Flips) || math.IsInf(s.Flips, 0):
		return errors.New("flips: give 0 or more")
	case s.Integers != Observed && s.Integers != Proven:
		return fmt.Errorf("integer bits %q: give %s or %s", s.Integers, Observed, Proven)
	case s.Guard < 0:
		return errors.New("guard bits: give 0 or more")
	}
	for _, x := range s.HeldOut {
		if slices.Contains(s.Seeds, x) {
			return fmt.Errorf("held-out seed %d is one of the search; give seeds that it does not use", x)
		}
	}
	s.Values = slices.Clone(s.Values)
	seen := map[string]bool{}
	for i := range s.Values {
		r := &s.Values[i]
		v, ok := t.Lookup(r.Name)
		if !ok {
			return fmt.Errorf("value %q: unknown; `goldwire schema show ccc --formats` lists the values", r.Name)
		}
		r.Name = v.Name
		if seen[v.Name] {
			return fmt.Errorf("value %s: given twice; keep one", v.Name)
		}
		seen[v.Name] = true
		if r.Hi < 0 {
			r.Hi = int(v.Format.Frac)
		}
		if r.Lo < 0 || r.Hi > int(v.Format.Frac) || r.Lo > r.Hi {
			return fmt.Errorf("value %s: %d..%d fraction bits; give a range within 0..%d", v.Name, r.Lo, r.Hi, v.Format.Frac)
		}
	}
	_, err := s.watched()
	return err
}

// watched returns the values of the state whose errors are bounded.
func (s *Spec) watched() (out []nscc.Value, err error) {
	stamps := []nscc.Value{nscc.ValQAEnd, nscc.ValLastAdjust, nscc.ValLastDec}
	var names []string
	var values []nscc.Value
	for v := nscc.Value(0); v <= nscc.ValInflightPkts; v++ {
		if !slices.Contains(stamps, v) {
			names, values = append(names, v.String()), append(values, v)
		}
	}
	seen := map[string]bool{}
	for _, b := range s.Errors {
		i := slices.Index(names, b.Name)
		switch {
		case i < 0:
			return nil, fmt.Errorf("bound %q: not a number of the state; give one of %v", b.Name, names)
		case seen[b.Name]:
			return nil, fmt.Errorf("bound of %s: given twice; keep one", b.Name)
		case b.Max < 0 || math.IsNaN(b.Max) || math.IsInf(b.Max, 0):
			return nil, fmt.Errorf("bound of %s: give 0 or more", b.Name)
		}
		seen[b.Name] = true
		out = append(out, values[i])
	}
	return out, nil
}
