package tolerance

import (
	"errors"
	"fmt"
	"math"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// Kind is how a value is judged.
type Kind string

// The kinds of a Rule.
const (
	Exact   Kind = "exact"   // bit for bit, as what has no rule
	Bounded Kind = "bounded" // the difference is within a bound
	Ignored Kind = "ignored" // not compared
	Flips   Kind = "flips"   // a decision, which may differ so often
)

// Given is a tolerance as a dut.yaml writes it; nil is what is not given.
type Given struct {
	Exact, Ignore bool
	Absolute      *uint64  // LSBs of the value
	Relative      *float64 // of the expected value
	LSB           *uint64  // LSBs of Format
	Format        string
	Flips         *uint64 // in each 10,000 responses begun
}

// Rule is how one value is judged.
type Rule struct {
	Name     string // rsp.cwnd, word.cwnd or register.GAMMA
	Kind     Kind
	Absolute uint64  // of Bounded: largest difference in LSBs of the value; the larger of this and Relative holds
	Relative float64 // of the magnitude of the expected value
	Flips    uint64  // in each flipsPer responses begun
	given    Given
	place
}

// flipsPer is the number of responses that Rule.Flips is for; mostFlips are the most that still compare a decision.
const flipsPer, mostFlips = 10_000, 1000

// mostRelative is the largest relative bound that still compares a value. A wider one could hide a halved value.
const mostRelative = 0.4

// Compile returns the rule for a value of a block. The error says what to write instead.
func Compile(b *event.Block, name string, g Given) (Rule, error) {
	r := Rule{Name: name, given: g}
	p, err := find(b, name)
	if err != nil {
		return r, err
	}
	r.place = p
	if err := g.one(); err != nil {
		return r, err
	}
	switch {
	case g.Exact:
		r.Kind = Exact
		return r, nil
	case g.Ignore:
		r.Kind = Ignored
		return r, nil
	case g.Flips != nil:
		return r.flips(*g.Flips)
	}
	return r.bounded(b)
}

// one returns an error when what is given is not one way to judge a value.
func (g *Given) one() error {
	n := 0
	for _, on := range []bool{g.Exact, g.Ignore, g.Flips != nil, g.Absolute != nil || g.Relative != nil || g.LSB != nil} {
		if on {
			n++
		}
	}
	switch {
	case n == 0:
		return errors.New("give exact, ignore, {absolute: N}, {relative: X}, {lsb: N, format: UQm.n} or {flips: N}")
	case n > 1:
		return errors.New("exact, ignore, flips and a bound exclude each other; keep one")
	case g.Absolute != nil && g.LSB != nil:
		return errors.New("absolute and lsb are both given; keep one")
	case (g.LSB != nil) != (g.Format != ""):
		return errors.New("lsb counts the last places of a format of the design: give both, {lsb: 2, format: UQ16.4}")
	}
	return nil
}

// decides reports whether a value is a decision, which is not nearly right: a flag or a code.
func (p *place) decides() bool { return p.enum != "" || p.width == 1 }

func (r Rule) flips(n uint64) (Rule, error) {
	r.Kind, r.Flips = Flips, n
	switch {
	case !r.decides():
		return r, fmt.Errorf("flips is for a decision, a flag or an enum; a number of %d bits has a bound", r.width)
	case r.Form != Field:
		return r, errors.New("flips is for a field of the response; its state follows from it, so give exact or ignore")
	case n == 0:
		return r, errors.New("flips: 0 is exact; give exact")
	case n > mostFlips:
		return r, fmt.Errorf("flips: %d in %d responses would hide the decision; give at most %d", n, flipsPer, mostFlips)
	}
	return r, nil
}

// bounded fills in the bound.
func (r Rule) bounded(b *event.Block) (Rule, error) {
	g := &r.given
	r.Kind = Bounded
	switch {
	case r.decides():
		return r, errors.New("a flag or an enum is right or wrong; give exact, ignore, or {flips: N} of a response")
	case r.width > 64:
		return r, fmt.Errorf("it has %d bits; a bound is for at most 64: give exact or ignore", r.width)
	case r.Form == Field && r.slot.Field.Name == "data" && (AccessOf(b).HasWords || AccessOf(b).HasConf):
		return r, errors.New("state words and registers come through it; give each its own, as word.NAME or register.NAME")
	}
	if g.Absolute != nil {
		if r.Absolute = *g.Absolute; r.Absolute == 0 {
			return r, errors.New("absolute: 0 is exact; give exact")
		}
	}
	if g.LSB != nil {
		if err := r.scale(*g.LSB, g.Format); err != nil {
			return r, err
		}
	}
	if r.Absolute >= ones(r.width) {
		return r, fmt.Errorf("a bound of %d is as wide as the %d bits of the value, so that any would do; give a smaller "+
			"one, or ignore", r.Absolute, r.width)
	}
	if r.Absolute > ones(r.width)/2 {
		return r, fmt.Errorf("a bound of %d takes more than half of all values of %d bits; give a smaller one, or ignore",
			r.Absolute, r.width)
	}
	if g.Relative != nil {
		switch r.Relative = *g.Relative; {
		case math.IsNaN(r.Relative) || r.Relative <= 0:
			return r, fmt.Errorf("relative: %v is not more than 0; give a fraction such as 0.01, or exact", r.Relative)
		case r.Relative > mostRelative:
			return r, fmt.Errorf("relative: %v takes values from %.3g to %.3g times the right one; give at most %v, such as "+
				"0.01, or ignore", r.Relative, 1-r.Relative, 1+r.Relative, mostRelative)
		}
	}
	return r, nil
}

// scale takes a bound in last places of a format.
func (r *Rule) scale(n uint64, format string) error {
	f, err := formats.ParseFormat(format)
	if err != nil {
		return err
	}
	if n == 0 {
		return errors.New("lsb: 0 is exact; give exact")
	}
	switch by := r.fraction() - int(f.Frac); {
	case by <= 0:
		if r.Absolute = n >> min(-by, 63); r.Absolute == 0 {
			return fmt.Errorf("%d LSB of %s is less than one of the value, which has %d fraction bits; give exact", n, format,
				r.fraction())
		}
	case by >= 64 || n > ones(64-by):
		r.Absolute = math.MaxUint64
	default:
		r.Absolute = n << by
	}
	return nil
}

// bound returns the largest difference from an expected value, both in LSBs.
func (r *Rule) bound(want uint64) float64 {
	return max(float64(r.Absolute), r.Relative*math.Abs(r.number(want)))
}

// difference returns how far two values are apart in LSBs, and whether got is below want.
func (r *Rule) difference(want, got uint64) (diff uint64, below bool) {
	w, g := r.ordered(want), r.ordered(got)
	if g < w {
		return w - g, true
	}
	return g - w, false
}

// within reports whether a value is within the bound; float64 rounds only beyond 2^53.
func (r *Rule) within(want, got uint64) bool {
	diff, _ := r.difference(want, got)
	return diff <= r.Absolute || float64(diff) <= r.Relative*math.Abs(r.number(want))
}

// String returns the rule in words.
func (r *Rule) String() string {
	g := &r.given
	switch r.Kind {
	case Exact, Ignored:
		return string(r.Kind)
	case Flips:
		return fmt.Sprintf("at most %d flips in 10,000 responses", r.Flips)
	}
	var text string
	unit := r.unit
	switch {
	case g.LSB != nil:
		text = fmt.Sprintf("%d LSB of %s", *g.LSB, g.Format)
	case g.Absolute != nil && (r.q != "" || unit == ""):
		text = fmt.Sprintf("%d LSB", r.Absolute)
	case g.Absolute != nil:
		text = fmt.Sprintf("%d %s", r.Absolute, unit)
	}
	if g.Relative != nil {
		if text != "" {
			text += " or "
		}
		text += fmt.Sprintf("%v of the value", r.Relative)
	}
	return "within " + text
}
