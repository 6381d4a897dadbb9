package fxp

import (
	"fmt"
	"strconv"
	"strings"
)

// Format is a Q format. UQm.n is unsigned with m integer bits and n fraction bits, m+n bits in all; Qm.n is two's
// complement with an additional sign bit, 1+m+n bits in all. A raw integer r stands for r / 2^n.
type Format struct {
	Signed bool
	Int    uint8 // integer bits, without the sign bit
	Frac   uint8 // fraction bits
}

// UQ returns the unsigned format UQm.n.
func UQ(m, n uint8) Format { return Format{Int: m, Frac: n} }

// Q returns the two's complement format Qm.n, of 1+m+n bits.
func Q(m, n uint8) Format { return Format{Signed: true, Int: m, Frac: n} }

// Width returns the number of bits of a raw value, including the sign bit.
func (f Format) Width() int {
	w := int(f.Int) + int(f.Frac)
	if f.Signed {
		w++
	}
	return w
}

// Validate returns an error when the format has no value bits or more than 64 bits.
func (f Format) Validate() error {
	if w := f.Width(); int(f.Int)+int(f.Frac) == 0 || w > 64 {
		return fmt.Errorf("format %s: %d bits, want at least one besides the sign and at most 64 in all", f, w)
	}
	return nil
}

// String returns the name of the format, as "UQ16.16" or "Q31.0".
func (f Format) String() string {
	p := "UQ"
	if f.Signed {
		p = "Q"
	}
	return fmt.Sprintf("%s%d.%d", p, f.Int, f.Frac)
}

// ParseFormat returns the format with a name such as "UQ32.16". It returns an error when the name is malformed or the
// format has more than 64 bits.
func ParseFormat(s string) (Format, error) {
	rest, unsigned := strings.CutPrefix(s, "UQ")
	if !unsigned {
		var ok bool
		if rest, ok = strings.CutPrefix(s, "Q"); !ok {
			return Format{}, fmt.Errorf("format %q: want UQm.n or Qm.n", s)
		}
	}
	ms, ns, ok := strings.Cut(rest, ".")
	m, err1 := strconv.ParseUint(ms, 10, 7)
	n, err2 := strconv.ParseUint(ns, 10, 7)
	if !ok || err1 != nil || err2 != nil {
		return Format{}, fmt.Errorf("format %q: want UQm.n or Qm.n", s)
	}
	f := Format{Signed: !unsigned, Int: uint8(m), Frac: uint8(n)}
	return f, f.Validate()
}

// MaxRaw returns the raw value of the format's largest number.
func (f Format) MaxRaw() uint64 {
	return mask(int(f.Int) + int(f.Frac))
}

// MinRaw returns the raw value of the format's smallest number, sign-extended to 64 bits.
func (f Format) MinRaw() uint64 {
	if !f.Signed {
		return 0
	}
	return ^f.MaxRaw()
}

// extend returns the low bits of raw, interpreted in format f: zero- or sign-extended to 64 bits.
func (f Format) extend(raw uint64) uint64 {
	w := f.Width()
	raw &= mask(w)
	if f.Signed && raw>>(w-1) != 0 {
		raw |= ^mask(w)
	}
	return raw
}

// mask returns a word with the low n bits set, for n of 0 to 64.
func mask(n int) uint64 {
	return ^(^uint64(0) << n)
}
