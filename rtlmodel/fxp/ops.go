package fxp

import "math/bits"

// Add returns x + y, exact before the single rounding.
func (c Context) Add(x, y Num) (Num, Flags) { return c.sum(x, y, y.Neg()) }

// Sub returns x - y, exact before the single rounding.
func (c Context) Sub(x, y Num) (Num, Flags) { return c.sum(x, y, !y.Neg()) }

// sum adds |y| with the sign yneg to x.
func (c Context) sum(x, y Num, yneg bool) (Num, Flags) {
	frac := max(x.Format.Frac, y.Format.Frac)
	a := u256{x.abs()}.shl(int(frac - x.Format.Frac))
	b := u256{y.abs()}.shl(int(frac - y.Format.Frac))
	w := wide{neg: x.Neg(), frac: int(frac)}
	switch {
	case x.Neg() == yneg:
		w.mag = a.add(b)
	case a.less(b):
		w.neg, w.mag = yneg, b.sub(a)
	default:
		w.mag = a.sub(b)
	}
	return c.fit(w)
}

// Mul returns x * y, exact in 128 bits before the single rounding.
func (c Context) Mul(x, y Num) (Num, Flags) {
	hi, lo := bits.Mul64(x.abs(), y.abs())
	return c.fit(wide{
		neg:  x.Neg() != y.Neg(),
		mag:  u256{lo, hi},
		frac: int(x.Format.Frac) + int(y.Format.Frac),
	})
}

// Div returns x / y, correctly rounded. A zero divisor gives DivByZero and the end of the format with the sign of x, or
// 0 for 0 / 0.
func (c Context) Div(x, y Num) (Num, Flags) {
	if y.Raw == 0 {
		switch {
		case x.Raw == 0:
			return Num{0, c.Format}, DivByZero
		case x.Neg():
			return Num{c.Format.MinRaw(), c.Format}, DivByZero
		default:
			return Num{c.Format.MaxRaw(), c.Format}, DivByZero
		}
	}
	// Two bits below the last one: the quotient then holds the first lost bit, and the remainder only has to show
	// whether any bit below it is set.
	const guard = 2
	w := wide{neg: x.Neg() != y.Neg(), frac: int(c.Format.Frac) + guard}
	scale := w.frac + int(y.Format.Frac) - int(x.Format.Frac)
	if scale < 0 {
		w.frac -= scale
		scale = 0
	}
	q, rem := u256{x.abs()}.shl(scale).div(y.abs())
	w.mag, w.sticky = q, rem != 0
	return c.fit(w)
}

// Shift returns x * 2^n, with n from -128 to 128.
func (c Context) Shift(x Num, n int) (Num, Flags) {
	return c.fit(wide{neg: x.Neg(), mag: u256{x.abs()}, frac: int(x.Format.Frac) - n})
}

// Convert returns x in the context's format.
func (c Context) Convert(x Num) (Num, Flags) { return c.Shift(x, 0) }

// Cmp returns -1, 0 or 1 as x is less than, equal to or greater than y; the formats may differ.
func Cmp(x, y Num) int {
	frac := max(x.Format.Frac, y.Format.Frac)
	a := u256{x.abs()}.shl(int(frac - x.Format.Frac))
	b := u256{y.abs()}.shl(int(frac - y.Format.Frac))
	switch {
	case x.Neg() && !y.Neg():
		return -1
	case y.Neg() && !x.Neg():
		return 1
	case x.Neg():
		a, b = b, a
	}
	switch {
	case a.less(b):
		return -1
	case b.less(a):
		return 1
	}
	return 0
}
