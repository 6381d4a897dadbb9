package exact

import (
	"fmt"

	"github.com/cockroachdb/apd/v3"
)

// Rounding is the way in which a real number becomes a whole number of steps.
type Rounding uint8

// The roundings. Truncate rounds towards 0, Floor towards minus infinity; they agree for unsigned values. NearestEven
// and NearestAway differ only at exact halves.
const (
	Truncate Rounding = iota
	Floor
	Ceiling
	NearestEven
	NearestAway
)

// String returns the rounding's name.
func (r Rounding) String() string {
	return [...]string{"truncate", "floor", "ceiling", "nearest-even", "nearest-away"}[r]
}

// Format is a fixed-point format: Int integer bits, Frac fraction bits and, if Signed, one sign bit; together at most
// 64 bits.
type Format struct {
	Signed    bool
	Int, Frac uint
}

// UQ returns the unsigned format UQ<i>.<f>.
func UQ(i, f uint) Format { return Format{Int: i, Frac: f} }

// SQ returns the signed format SQ<i>.<f>, which has i+f+1 bits.
func SQ(i, f uint) Format { return Format{Signed: true, Int: i, Frac: f} }

// String returns the format's name, such as UQ16.16.
func (f Format) String() string {
	if f.Signed {
		return fmt.Sprintf("SQ%d.%d", f.Int, f.Frac)
	}
	return fmt.Sprintf("UQ%d.%d", f.Int, f.Frac)
}

// Validate returns an error when the format has no bits or more than 64 bits.
func (f Format) Validate() error {
	n := f.Int + f.Frac
	if f.Signed {
		n++
	}
	if f.Int > 64 || f.Frac > 64 || n == 0 || n > 64 {
		return fmt.Errorf("format %v: give 1 to 64 bits in all", f)
	}
	return nil
}

// Word is a quantised number. Raw holds the bits, in two's complement of 64 bits
// for a signed format.
type Word struct {
	Raw       uint64
	Inexact   bool // rounding changed the value; also set when the value saturated
	Saturated bool // the value did not fit and Raw is the nearest end
}

// Signed returns Raw of a signed format as a number of steps.
func (w Word) Signed() int64 { return int64(w.Raw) }

// Quantise returns the word of format f that x rounds to under r, saturating at
// the ends of the format. It returns an error when the format is invalid.
func Quantise(x Number, f Format, r Rounding) (Word, error) {
	if err := f.Validate(); err != nil {
		return Word{}, err
	}
	steps, inexact, err := round(Mul(x, Number{pow2(f.Frac), decOne}), r)
	if err != nil {
		return Word{}, err
	}
	lo, hi := decZero, new(apd.Decimal)
	must(ctx.Sub(hi, pow2(f.Int+f.Frac), decOne))
	if f.Signed {
		lo = new(apd.Decimal)
		must(ctx.Neg(lo, pow2(f.Int+f.Frac)))
	}
	w := Word{Inexact: inexact}
	switch {
	case steps.Cmp(lo) < 0:
		steps, w.Inexact, w.Saturated = lo, true, true
	case steps.Cmp(hi) > 0:
		steps, w.Inexact, w.Saturated = hi, true, true
	}
	// steps is a whole number but may have a decimal exponent.
	var whole apd.Decimal
	must(ctx.Quantize(&whole, steps, 0))
	w.Raw = whole.Coeff.Uint64()
	if whole.Negative {
		w.Raw = -w.Raw
	}
	return w, nil
}

// round returns x rounded to a whole number, and whether rounding changed it.
func round(x Number, r Rounding) (*apd.Decimal, bool, error) {
	n, d := x.parts()
	q, rem := new(apd.Decimal), new(apd.Decimal)
	must(ctx.QuoInteger(q, n, d)) // towards 0
	must(ctx.Sub(rem, n, mulDec(q, d)))
	if rem.IsZero() {
		return q, false, nil
	}
	neg := rem.Negative
	rem.Abs(rem)
	half := mulDec(rem, apd.New(2, 0)).Cmp(d)
	var away bool
	switch r {
	case Truncate:
	case Floor:
		away = neg
	case Ceiling:
		away = !neg
	case NearestEven:
		var odd apd.Decimal
		must(ctx.Rem(&odd, q, apd.New(2, 0)))
		away = half > 0 || half == 0 && !odd.IsZero()
	case NearestAway:
		away = half >= 0
	default:
		return nil, false, fmt.Errorf("rounding %d: not one of truncate to nearest-away", r)
	}
	if away {
		one := apd.New(1, 0)
		one.Negative = neg
		must(ctx.Add(q, q, one))
	}
	return q, true, nil
}
