package fxp

import "math/bits"

// u256 is an unsigned integer of 256 bits, least significant word first. It holds any exact sum or
// product of two raw values, any dividend scaled for a quotient, and room for guard bits.
type u256 [4]uint64

// wide is an intermediate result before its single rounding: (-1)^neg * (mag + s) / 2^frac, with
// 0 < s < 1 when sticky, else s = 0.
type wide struct {
	neg    bool
	mag    u256
	frac   int
	sticky bool
}

// bit returns bit n; bits from 256 on are zero.
func (x u256) bit(n int) bool {
	return n < 256 && x[n/64]>>(n%64)&1 != 0
}

// lowZero reports whether the low n bits are all zero.
func (x u256) lowZero(n int) bool {
	for i := 0; i < 4 && n > 0; i, n = i+1, n-64 {
		if x[i]&mask(min(n, 64)) != 0 {
			return false
		}
	}
	return true
}

// shl returns x * 2^n. Bits above 256 are lost; callers ensure that there are none.
func (x u256) shl(n int) u256 {
	var z u256
	w, b := n/64, n%64
	for i := 3; i >= w; i-- {
		z[i] = x[i-w] << b
		if b > 0 && i > w {
			z[i] |= x[i-w-1] >> (64 - b)
		}
	}
	return z
}

// shr returns floor(x / 2^n).
func (x u256) shr(n int) u256 {
	var z u256
	w, b := n/64, n%64
	for i := 0; i+w < 4; i++ {
		z[i] = x[i+w] >> b
		if b > 0 && i+w < 3 {
			z[i] |= x[i+w+1] << (64 - b)
		}
	}
	return z
}

// inc returns x + 1.
func (x u256) inc() u256 {
	for i := range x {
		x[i]++
		if x[i] != 0 {
			break
		}
	}
	return x
}

func (x u256) add(y u256) u256 {
	var c uint64
	for i := range x {
		x[i], c = bits.Add64(x[i], y[i], c)
	}
	return x
}

func (x u256) sub(y u256) u256 {
	var b uint64
	for i := range x {
		x[i], b = bits.Sub64(x[i], y[i], b)
	}
	return x
}

func (x u256) less(y u256) bool {
	for i := 3; i > 0; i-- {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	return x[0] < y[0]
}

// div returns the quotient and remainder of x / y; y must not be zero.
func (x u256) div(y uint64) (q u256, rem uint64) {
	for i := 3; i >= 0; i-- {
		q[i], rem = bits.Div64(rem, x[i], y)
	}
	return q, rem
}

// fit rounds w into the context's format and applies its overflow rule.
func (c Context) fit(w wide) (Num, Flags) {
	var fl Flags
	mag := w.mag
	if n := w.frac - int(c.Format.Frac); n > 0 {
		half := mag.bit(n - 1)
		rest := w.sticky || !mag.lowZero(n-1)
		mag = mag.shr(n)
		if half || rest {
			fl |= Inexact
			if c.Rounding.up(w.neg, mag[0]&1 != 0, half, rest) {
				mag = mag.inc()
			}
		}
	} else {
		mag = mag.shl(-n)
	}

	limit := c.Format.MaxRaw()
	if w.neg {
		limit = -c.Format.MinRaw()
	}
	raw := mag[0]
	if w.neg {
		raw = -raw
	}
	if mag[1]|mag[2]|mag[3] != 0 || mag[0] > limit {
		if c.Overflow == Wrap {
			return Num{c.Format.extend(raw), c.Format}, fl | Wrapped
		}
		raw = limit
		if w.neg {
			raw = -limit
		}
		return Num{raw, c.Format}, fl | Saturated
	}
	return Num{raw, c.Format}, fl
}
