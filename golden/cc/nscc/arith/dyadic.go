package arith

import (
	"cmp"
	"math"
	"math/big"
	"math/bits"
)

// dyadic is the number i / 2^frac, i a whole number of 128 bits in two's complement. It is in lowest terms: i is odd or
// frac is 0, so that equal numbers are equal structs. Its operations report whether the result is one; where it is not,
// ratios take over.
type dyadic struct {
	hi   int64
	lo   uint64
	frac uint8
}

// mag is an unsigned number of 128 bits.
type mag struct{ hi, lo uint64 }

func (m mag) len() int {
	if m.hi != 0 {
		return 64 + bits.Len64(m.hi)
	}
	return bits.Len64(m.lo)
}

func (m mag) zero() bool { return m.hi|m.lo == 0 }

func (m mag) trailing() int {
	if m.lo != 0 {
		return bits.TrailingZeros64(m.lo)
	}
	return 64 + bits.TrailingZeros64(m.hi)
}

// left and right shift by 0 to 127 bits; what leaves at either end is lost.
func (m mag) left(n uint) mag {
	if n >= 64 {
		return mag{m.lo << (n - 64), 0}
	}
	return mag{m.hi<<n | m.lo>>1>>(63-n), m.lo << n}
}

func (m mag) right(n uint) mag {
	if n >= 64 {
		return mag{0, m.hi >> (n - 64)}
	}
	return mag{m.hi >> n, m.lo>>n | m.hi<<1<<(63-n)}
}

// mag returns the magnitude and the sign of i.
func (x dyadic) mag() (mag, bool) {
	if x.hi >= 0 {
		return mag{uint64(x.hi), x.lo}, false
	}
	d := mag{uint64(x.hi), x.lo}.signed(true, 0)
	return mag{uint64(d.hi), d.lo}, true
}

// signed returns m / 2^frac, or its opposite.
func (m mag) signed(neg bool, frac uint8) dyadic {
	if neg {
		lo, b := bits.Sub64(0, m.lo, 0)
		hi, _ := bits.Sub64(0, m.hi, b)
		m = mag{hi, lo}
	}
	return dyadic{int64(m.hi), m.lo, frac}
}

// over returns i / 2^frac in lowest terms.
func (x dyadic) over(frac int) (dyadic, bool) {
	m, neg := x.mag()
	return dyadicOf(m, neg, frac)
}

// dyadicOf returns m / 2^frac with a sign in lowest terms; the least number of 128 bits counts as one that does not
// fit.
func dyadicOf(m mag, neg bool, frac int) (dyadic, bool) {
	if m.zero() {
		return dyadic{}, true
	}
	if frac > 0 {
		n := min(m.trailing(), frac)
		m, frac = m.right(uint(n)), frac-n
	} else if frac < 0 {
		if m.len()-frac > 127 {
			return dyadic{}, false
		}
		m, frac = m.left(uint(-frac)), 0
	}
	if m.len() > 127 || frac > math.MaxUint8 {
		return dyadic{}, false
	}
	return m.signed(neg, uint8(frac)), true
}

// raise returns i of the number with frac fraction bits, at least as many as it has, and whether it fits.
func (x dyadic) raise(frac uint8) (dyadic, bool) {
	if x.frac == frac {
		return x, true
	}
	m, neg := x.mag()
	n := int(frac) - int(x.frac)
	if m.len()+n > 126 {
		return dyadic{}, m.zero()
	}
	return m.left(uint(n)).signed(neg, frac), true
}

// align returns two numbers with as many fraction bits, not in lowest terms.
func (x dyadic) align(y dyadic) (dyadic, dyadic, bool) {
	f := max(x.frac, y.frac)
	a, ok1 := x.raise(f)
	b, ok2 := y.raise(f)
	return a, b, ok1 && ok2
}

func (x dyadic) add(y dyadic) (dyadic, bool) {
	a, b, ok := x.align(y)
	if !ok {
		return dyadic{}, false
	}
	lo, c := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(uint64(a.hi), uint64(b.hi), c)
	z := dyadic{int64(hi), lo, 0}
	if (a.hi < 0) == (b.hi < 0) && (z.hi < 0) != (a.hi < 0) {
		return dyadic{}, false
	}
	f := max(x.frac, y.frac)
	if f == 0 {
		return z, true
	}
	return z.over(int(f))
}

func (x dyadic) sub(y dyadic) (dyadic, bool) {
	m, neg := y.mag()
	if m.hi>>63 != 0 {
		return dyadic{}, false
	}
	return x.add(m.signed(!neg, y.frac))
}

func (x dyadic) mul(y dyadic) (dyadic, bool) {
	a, negA := x.mag()
	b, negB := y.mag()
	if a.hi != 0 {
		a, b = b, a
	}
	if a.hi != 0 {
		return dyadic{}, false
	}
	h, l := bits.Mul64(a.lo, b.lo)
	over, hi := bits.Mul64(a.lo, b.hi)
	hi, c := bits.Add64(hi, h, 0)
	if over != 0 || c != 0 {
		return dyadic{}, false
	}
	return dyadicOf(mag{hi, l}, negA != negB, int(x.frac)+int(y.frac))
}

// quo returns x / y where that is a dyadic number; y is not 0.
func (x dyadic) quo(y dyadic) (dyadic, bool) {
	n, negN := x.mag()
	d, negD := y.mag()
	if d.zero() {
		return dyadic{}, false
	}
	twos := d.trailing()
	d = d.right(uint(twos))
	if d.hi != 0 {
		return dyadic{}, false
	}
	if d.lo != 1 {
		var q mag
		var rem uint64
		q.hi, rem = n.hi/d.lo, n.hi%d.lo
		if q.lo, rem = bits.Div64(rem, n.lo, d.lo); rem != 0 {
			return dyadic{}, false
		}
		n = q
	}
	return dyadicOf(n, negN != negD, int(x.frac)-int(y.frac)+twos)
}

// cmp returns -1, 0 or 1, and whether it could tell.
func (x dyadic) cmp(y dyadic) (int, bool) {
	if x == y {
		return 0, true
	}
	a, b, ok := x.align(y)
	if !ok {
		return 0, false
	}
	return cmp.Or(cmp.Compare(a.hi, b.hi), cmp.Compare(a.lo, b.lo)), true
}

func (x dyadic) sign() int {
	if x.hi == 0 {
		return cmp.Compare(x.lo, 0)
	}
	return cmp.Compare(x.hi, 0)
}

// mod returns x modulo a power of two that is whole, at least 0; false for any other modulus.
func (x dyadic) mod(y dyadic) (dyadic, bool) {
	d, neg := y.mag()
	if neg || y.frac != 0 || d.zero() {
		return dyadic{}, false
	}
	n := d.len() - 1
	if d.trailing() != n || n+int(x.frac) > 126 {
		return dyadic{}, false
	}
	// Two's complement: the low bits are those of the remainder at least 0.
	low := mag{uint64(x.hi), x.lo}
	up := uint(128 - n - int(x.frac))
	return dyadicOf(low.left(up).right(up), false, int(x.frac))
}

// floor returns the low 64 bits of floor(x * 2^frac).
func (x dyadic) floor(frac uint8) uint64 {
	if x.frac <= frac {
		n := uint(frac - x.frac)
		if n >= 64 {
			return 0
		}
		return x.lo << n
	}
	n := uint(x.frac - frac)
	switch {
	case n >= 128:
		return uint64(x.hi >> 63)
	case n >= 64:
		return uint64(x.hi >> (n - 64))
	}
	return x.lo>>n | uint64(x.hi)<<1<<(63-n)
}

// float64 returns the nearest float64, of two as near the even one.
func (x dyadic) float64() float64 {
	m, neg := x.mag()
	n := max(m.len()-64, 0)
	top := m.right(uint(n))
	if n > 0 && m.trailing() < n {
		top.lo |= 1 // it is above 64 bits and float64 keeps 53 of them: the last bit stands for the rest
	}
	f := math.Ldexp(float64(top.lo), n-int(x.frac))
	if neg {
		return -f
	}
	return f
}

func (x dyadic) rat() *big.Rat {
	m, neg := x.mag()
	n := new(big.Int).SetUint64(m.hi)
	n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(m.lo))
	if neg {
		n.Neg(n)
	}
	return new(big.Rat).SetFrac(n, new(big.Int).Lsh(big.NewInt(1), uint(x.frac)))
}

// dyadicRat returns a ratio where it is a dyadic number.
func dyadicRat(r *big.Rat) (dyadic, bool) {
	d, n := r.Denom(), r.Num()
	k := d.BitLen() - 1
	if n.BitLen() > 127 || k > math.MaxUint8 || k > 0 && int(d.TrailingZeroBits()) != k {
		return dyadic{}, false
	}
	var b [16]byte
	n.FillBytes(b[:])
	m := mag{}
	for i, c := range b {
		if i < 8 {
			m.hi = m.hi<<8 | uint64(c)
		} else {
			m.lo = m.lo<<8 | uint64(c)
		}
	}
	return dyadicOf(m, n.Sign() < 0, k)
}
