package fxp

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Num is a fixed-point number: Raw / 2^Format.Frac. Raw of a signed format is two's complement,
// sign-extended to 64 bits.
type Num struct {
	Raw    uint64
	Format Format
}

// Context describes how a result is made to fit: format, rounding and overflow rule. The zero rounding is Floor, the
// zero overflow rule is Saturate. Sources: the formats, roundings and clamps of vectors/event/<block>/contract.md.
type Context struct {
	Format   Format
	Rounding Rounding
	Overflow Overflow
}

// FromRaw returns the number whose raw bits are the low bits of raw; higher bits are ignored.
func FromRaw(f Format, raw uint64) Num { return Num{f.extend(raw), f} }

// Neg reports whether the number is negative.
func (x Num) Neg() bool { return x.Format.Signed && int64(x.Raw) < 0 }

// abs returns the magnitude of the raw value.
func (x Num) abs() uint64 {
	if x.Neg() {
		return -x.Raw
	}
	return x.Raw
}

// Float64 returns the nearest float64 (ties to even). It is exact for formats of up to 53 bits.
func (x Num) Float64() float64 {
	v := math.Ldexp(float64(x.abs()), -int(x.Format.Frac))
	if x.Neg() {
		return -v
	}
	return v
}

// Rat returns the exact value.
func (x Num) Rat() *big.Rat {
	n := new(big.Int).SetUint64(x.abs())
	if x.Neg() {
		n.Neg(n)
	}
	return new(big.Rat).SetFrac(n, new(big.Int).Lsh(big.NewInt(1), uint(x.Format.Frac)))
}

// String returns the exact decimal value and the format, such as "0.5 (UQ16.16)" followed by zeros to the last digit.
func (x Num) String() string {
	return x.Rat().FloatString(int(x.Format.Frac)) + " (" + x.Format.String() + ")"
}

// FromFloat returns v rounded into the context. Infinities overflow. NaN, and an infinity when the overflow rule is
// Wrap, give 0 with Invalid.
func (c Context) FromFloat(v float64) (Num, Flags) {
	switch {
	case math.IsNaN(v), math.IsInf(v, 0) && c.Overflow == Wrap:
		return Num{0, c.Format}, Invalid
	case math.IsInf(v, 0):
		v = math.Copysign(math.MaxFloat64, v)
	}
	m, e := math.Frexp(math.Abs(v))
	w := wide{neg: v < 0, mag: u256{uint64(m * (1 << 53))}, frac: 53 - e}
	// A number this large has only zero bits within any format: one bit above all formats has the same effect.
	if int(c.Format.Frac)-w.frac > 180 {
		w.mag, w.frac = u256{0, 0, 0, 1 << 63}, int(c.Format.Frac)
	}
	return c.fit(w)
}

// Parse returns the decimal number s rounded into the context. It returns an error when s is not a decimal number or
// when the magnitude of its exponent exceeds 400.
func (c Context) Parse(s string) (Num, Flags, error) {
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		if e, err := strconv.Atoi(s[i+1:]); err != nil || e < -400 || e > 400 {
			return Num{}, 0, fmt.Errorf("number %q: exponent is not an integer between -400 and 400", s)
		}
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok || strings.ContainsAny(s, "/xXpPbBoO_") {
		return Num{}, 0, fmt.Errorf("number %q: want a decimal number such as 0.0125", s)
	}
	const guard = 2
	w := wide{neg: r.Sign() < 0, frac: int(c.Format.Frac) + guard}
	n := new(big.Int).Abs(r.Num())
	q, rem := n.Lsh(n, uint(w.frac)).QuoRem(n, r.Denom(), new(big.Int))
	w.sticky = rem.Sign() != 0
	past := q.BitLen() > 255
	for i := range w.mag {
		w.mag[i] = new(big.Int).Rsh(q, uint(64*i)).Uint64()
	}
	if past { // keeps the low bits for Wrap and the overflow for Saturate
		w.mag[3] |= 1 << 63
	}
	num, fl := c.fit(w)
	return num, fl, nil
}
