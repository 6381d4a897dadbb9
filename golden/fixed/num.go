package fixed

import (
	"cmp"
	"math"
	"math/big"
	"math/bits"
)

// Num is the number i / 2^frac, i a whole number of 128 bits in two's complement. The zero Num is 0.
type Num struct {
	hi   int64
	lo   uint64
	frac uint16
}

// Of returns raw / 2^frac.
func Of(raw int64, frac uint8) Num { return Num{hi: raw >> 63, lo: uint64(raw), frac: uint16(frac)} }

// OfUnsigned returns raw / 2^frac.
func OfUnsigned(raw uint64, frac uint8) Num { return Num{lo: raw, frac: uint16(frac)} }

// Sign returns -1, 0 or 1.
func (x Num) Sign() int {
	if x.hi == 0 {
		return cmp.Compare(x.lo, 0)
	}
	return cmp.Compare(x.hi, 0)
}

// Bits returns the low 64 bits of floor(x * 2^frac).
func (x Num) Bits(frac uint8) uint64 {
	if n := int(x.frac) - int(frac); n >= 0 {
		return x.shiftRight(uint(n)).lo
	}
	return x.shiftLeft(uint(int(frac) - int(x.frac))).lo
}

// Rat returns the number as a ratio.
func (x Num) Rat() *big.Rat {
	m, neg := x.magnitude()
	n := bigOf(m)
	if neg {
		n.Neg(n)
	}
	return new(big.Rat).SetFrac(n, new(big.Int).Lsh(big.NewInt(1), uint(x.frac)))
}

// Parts returns i, of which hi has the high and lo the low 64 bits, and frac of i / 2^frac.
func (x Num) Parts() (hi int64, lo uint64, frac uint16) { return x.hi, x.lo, x.frac }

// Float64 returns the nearest float64.
func (x Num) Float64() float64 {
	if m, neg := x.magnitude(); m.hi == 0 && m.lo < 1<<53 && x.frac < 1000 {
		// A number of 53 bits times a power of two: no rounding.
		f := float64(m.lo) * math.Float64frombits(uint64(1023-int(x.frac))<<52)
		if neg {
			return -f
		}
		return f
	}
	f, _ := x.Rat().Float64()
	return f
}

// word is an unsigned number of 128 bits.
type word struct{ hi, lo uint64 }

func (w word) len() int {
	if w.hi != 0 {
		return 64 + bits.Len64(w.hi)
	}
	return bits.Len64(w.lo)
}

func (w word) less(v word) bool { return w.hi < v.hi || w.hi == v.hi && w.lo < v.lo }

func (w word) add(v word) (word, bool) {
	lo, c := bits.Add64(w.lo, v.lo, 0)
	hi, c := bits.Add64(w.hi, v.hi, c)
	return word{hi, lo}, c != 0
}

func (w word) sub(v word) word {
	lo, b := bits.Sub64(w.lo, v.lo, 0)
	hi, _ := bits.Sub64(w.hi, v.hi, b)
	return word{hi, lo}
}

// left returns w * 2^n and whether it fits.
func (w word) left(n uint) (word, bool) {
	if w.len()+int(n) > 128 {
		return word{}, w == word{}
	}
	if n >= 64 {
		return word{w.lo << (n - 64), 0}, true
	}
	return word{w.hi<<n | w.lo>>(64-n), w.lo << n}, true
}

// magnitude returns the number without its sign, as i of i / 2^frac.
func (x Num) magnitude() (m word, neg bool) {
	if x.hi >= 0 {
		return word{uint64(x.hi), x.lo}, false
	}
	return word{}.sub(word{uint64(x.hi), x.lo}), true
}

// signed returns m / 2^frac with a sign, and whether it fits; the least number of 128 bits counts as not fitting.
func signed(m word, neg bool, frac uint16) (Num, bool) {
	if m.hi>>63 != 0 {
		return Num{}, false
	}
	if neg {
		m = word{}.sub(m)
	}
	return Num{int64(m.hi), m.lo, frac}, true
}

// shiftRight returns floor(i / 2^n) of i / 2^frac, with frac n less.
func (x Num) shiftRight(n uint) Num {
	f := x.frac - uint16(n)
	switch {
	case n == 0:
		return x
	case n >= 128:
		return Num{x.hi >> 63, uint64(x.hi >> 63), f}
	case n >= 64:
		return Num{x.hi >> 63, uint64(x.hi >> (n - 64)), f}
	}
	return Num{x.hi >> n, x.lo>>n | uint64(x.hi)<<(64-n), f}
}

// shiftLeft returns i * 2^n modulo 2^128 of i / 2^frac, with frac n more: the same number where it fits.
func (x Num) shiftLeft(n uint) Num {
	f := x.frac + uint16(n)
	switch {
	case n == 0:
		return x
	case n >= 128:
		return Num{frac: f}
	case n >= 64:
		return Num{int64(x.lo << (n - 64)), 0, f}
	}
	return Num{x.hi<<n | int64(x.lo>>(64-n)), x.lo << n, f}
}

// Int64 returns the number, and whether it is a whole number of 64 bits.
func (x Num) Int64() (int64, bool) {
	if x.frac != 0 {
		n := uint(x.frac)
		y := x.shiftRight(n)
		if y.shiftLeft(n) != x {
			return 0, false
		}
		x = y
	}
	return int64(x.lo), x.hi == int64(x.lo)>>63
}
