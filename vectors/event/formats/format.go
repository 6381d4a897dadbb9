package formats

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MaxBits is the largest number of bits of a format.
const MaxBits = 64

// Format is a Q format: Int integer and Frac fraction bits and, if Signed, one sign bit.
type Format struct {
	Signed    bool
	Int, Frac uint8
}

// ParseFormat returns the format with a name such as "UQ16.16", "SQ31.0" or "sQ31.0". It returns an error when the text
// has another form, or the format has no bits or more than MaxBits.
func ParseFormat(s string) (Format, error) {
	bad := fmt.Errorf("format %q: give UQm.n (unsigned) or SQm.n (signed), such as UQ16.14", s)
	var f Format
	rest, ok := strings.CutPrefix(strings.ToUpper(s), "UQ")
	if !ok {
		if rest, f.Signed = strings.CutPrefix(strings.ToUpper(s), "SQ"); !f.Signed {
			return Format{}, bad
		}
	}
	i, n, ok := strings.Cut(rest, ".")
	m, err1 := strconv.ParseUint(i, 10, 8)
	k, err2 := strconv.ParseUint(n, 10, 8)
	if !ok || err1 != nil || err2 != nil {
		return Format{}, bad
	}
	f.Int, f.Frac = uint8(m), uint8(k)
	if bits := int(m) + int(k); bits == 0 {
		return Format{}, fmt.Errorf("format %q: no bits; give at least one besides the sign", s)
	}
	if f.Bits() > MaxBits {
		return Format{}, fmt.Errorf("format %q: %d bits; give at most %d", s, f.Bits(), MaxBits)
	}
	return f, nil
}

// Bits returns the number of all bits.
func (f Format) Bits() int {
	n := int(f.Int) + int(f.Frac)
	if f.Signed {
		n++
	}
	return n
}

// String returns the format's name, such as UQ16.16.
func (f Format) String() string {
	p := "UQ"
	if f.Signed {
		p = "SQ"
	}
	return fmt.Sprintf("%s%d.%d", p, f.Int, f.Frac)
}

// Rounding is how a number becomes a whole number of steps.
type Rounding uint8

// The roundings. None is for values that are exact; a number that is not exact after all is floored.
const (
	None Rounding = iota
	Floor
	Truncate
	Ceiling
	NearestEven
	NearestAway
)

var roundings = [...]string{"none", "floor", "truncate", "ceiling", "nearest-even", "nearest-away"}

// String returns the name of the rounding.
func (r Rounding) String() string { return roundings[r] }

// Overflow is what happens to a number beyond the ends of a format.
type Overflow uint8

// The overflows. Never is for values that no rule takes out of their range; one that leaves it after all, because
// another value's format was changed, saturates.
const (
	Never Overflow = iota
	Saturate
	Wrap
)

var overflows = [...]string{"none", "saturate", "wrap"}

// String returns the name of the overflow.
func (o Overflow) String() string { return overflows[o] }

// named returns the index of a name in a list of names.
func named(what, s string, names []string) (int, error) {
	if i := slices.Index(names, s); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("%s %q: give one of %s", what, s, strings.Join(names, ", "))
}
