package fxp

import (
	"fmt"
	"strings"
)

// Rounding is the treatment of the bits below the last bit of a format.
type Rounding uint8

const (
	// Floor drops the bits: it rounds towards minus infinity, also for negative numbers, as cutting off the low bits of
	// a two's complement word does.
	Floor Rounding = iota
	// NearestEven rounds to the nearest, ties to the even raw value.
	NearestEven
	// NearestAway rounds to the nearest, ties away from zero.
	NearestAway
	// Ceiling rounds towards plus infinity.
	Ceiling
)

// Truncate is the hardware name of Floor. It does not round towards zero.
const Truncate = Floor

var roundingNames = [...]string{"floor", "nearest-even", "nearest-away", "ceiling"}

// String returns the name of the rounding mode.
func (r Rounding) String() string {
	if int(r) < len(roundingNames) {
		return roundingNames[r]
	}
	return fmt.Sprintf("rounding(%d)", uint8(r))
}

// ParseRounding returns the mode with a name that String returns; "truncate" means Floor.
func ParseRounding(s string) (Rounding, error) {
	for i, n := range roundingNames {
		if s == n {
			return Rounding(i), nil
		}
	}
	if s == "truncate" {
		return Truncate, nil
	}
	return 0, fmt.Errorf("rounding %q: want one of %s", s, strings.Join(roundingNames[:], ", "))
}

// up reports whether a magnitude that lost bits must be incremented. neg is the sign of the number, odd the last kept
// bit, half the first lost bit, and rest is true if any later bit was set.
func (r Rounding) up(neg, odd, half, rest bool) bool {
	switch r {
	case NearestEven:
		return half && (rest || odd)
	case NearestAway:
		return half
	case Ceiling:
		return !neg && (half || rest)
	default:
		return neg && (half || rest)
	}
}

// Overflow is the treatment of a value outside its format.
type Overflow uint8

const (
	Saturate Overflow = iota // the nearest end of the format
	Wrap                     // modulo 2^width
)

// String returns the name of the overflow rule.
func (o Overflow) String() string {
	if o == Wrap {
		return "wrap"
	}
	return "saturate"
}

// Flags report what an operation lost. They accumulate with |.
type Flags uint8

const (
	Inexact   Flags = 1 << iota // rounding dropped bits that were not zero
	Saturated                   // the value was outside the format and was clamped to its end
	Wrapped                     // the value was outside the format and was taken modulo 2^width
	DivByZero                   // the divisor was zero
	Invalid                     // the operand was not a number
)

var flagNames = [...]string{"inexact", "saturated", "wrapped", "div-by-zero", "invalid"}

// Has reports whether all flags of g are set.
func (f Flags) Has(g Flags) bool { return f&g == g }

// String returns the names of the set flags joined by "|", or "exact" when there are none.
func (f Flags) String() string {
	var out []string
	for i, n := range flagNames {
		if f>>i&1 != 0 {
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		return "exact"
	}
	return strings.Join(out, "|")
}
