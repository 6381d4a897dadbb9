package fixed

import "github.com/goldwire/goldwire/vectors/event/formats"

// Flags are what an operation did to a number.
type Flags uint8

// Inexact: rounding changed the number. Saturated, Wrapped: the number was beyond an end of the format.
const (
	Inexact Flags = 1 << iota
	Saturated
	Wrapped
)

// Counts counts what happened to numbers that were brought to one format.
type Counts struct {
	Count     uint64
	Inexact   uint64 // were rounded
	Saturated uint64 // ended at an end of the format
	Wrapped   uint64 // lost high bits
}

// Note counts a number.
func (c *Counts) Note(f Flags) {
	c.Count++
	if f&Inexact != 0 {
		c.Inexact++
	}
	if f&Saturated != 0 {
		c.Saturated++
	}
	if f&Wrapped != 0 {
		c.Wrapped++
	}
}

// away reports whether a magnitude with a remainder of rem / d above its floor is rounded away from 0; odd is the last
// bit of the floor. The remainder is not 0.
func away(r formats.Rounding, neg, odd bool, rem, d word) bool {
	// Compares twice the remainder with d, without a sum that may not fit.
	half := 0
	if rest := d.sub(rem); rem.less(rest) {
		half = -1
	} else if rest.less(rem) {
		half = 1
	}
	switch r {
	case formats.Truncate:
		return false
	case formats.Ceiling:
		return !neg
	case formats.NearestEven:
		return half > 0 || half == 0 && odd
	case formats.NearestAway:
		return half >= 0
	}
	return neg // None, Floor
}

// Round returns x with at most frac fraction bits.
func (c *Context) Round(x Num, frac uint8, r formats.Rounding) (Num, Flags) {
	if x.frac <= uint16(frac) {
		return x, 0
	}
	n := uint(x.frac) - uint(frac)
	q := x.shiftRight(n)
	if q.shiftLeft(n) == x {
		return q, 0
	}
	if r == formats.None || r == formats.Floor {
		return q, Inexact
	}
	if n > 126 {
		return c.fail(ErrWidth, "rounding", x, Num{}), Inexact
	}
	m, neg := x.magnitude()
	d, _ := word{0, 1}.left(n)
	mq, rem := divide(m, d)
	if away(r, neg, mq.lo&1 == 1, rem, d) {
		mq, _ = mq.add(word{0, 1})
	}
	z, ok := signed(mq, neg, uint16(frac))
	if !ok {
		return c.fail(ErrWidth, "rounding", x, Num{}), Inexact
	}
	return z, Inexact
}

// Quo returns x / y with frac fraction bits.
func (c *Context) Quo(x, y Num, frac uint8, r formats.Rounding) (Num, Flags) {
	if y.Sign() == 0 {
		return c.fail(ErrDivideByZero, "quotient", x, y), 0
	}
	n, negN := x.magnitude()
	d, negD := y.magnitude()
	shift, ok := int(frac)+int(y.frac)-int(x.frac), false
	if shift >= 0 {
		n, ok = n.left(uint(shift))
	} else {
		d, ok = d.left(uint(-shift))
	}
	if !ok {
		return c.fail(ErrWidth, "quotient", x, y), 0
	}
	q, rem := divide(n, d)
	neg, flags := negN != negD, Flags(0)
	if rem != (word{}) {
		flags = Inexact
		if away(r, neg, q.lo&1 == 1, rem, d) {
			q, _ = q.add(word{0, 1})
		}
	}
	z, ok := signed(q, neg, uint16(frac))
	if !ok {
		return c.fail(ErrWidth, "quotient", x, y), flags
	}
	return z, flags
}

// Quantise returns x in a format: rounded, then saturated or wrapped.
func (c *Context) Quantise(x Num, f formats.Format, r formats.Rounding, o formats.Overflow) (Num, Flags) {
	x, flags := c.Round(x, f.Frac, r)
	if fits(x, f) {
		return x, flags
	}
	if o == formats.Wrap {
		return wrap(x, f), flags | Wrapped
	}
	n := uint(f.Int) + uint(f.Frac)
	one, _ := word{0, 1}.left(n)
	end := Num{int64(one.hi), one.lo, uint16(f.Frac)} // 2^n steps, one beyond the top
	switch {
	case x.hi >= 0:
		end = c.Sub(end, Num{lo: 1, frac: end.frac})
	case f.Signed:
		end = c.Sub(Num{}, end)
	default:
		end = Num{}
	}
	return end, flags | Saturated | Inexact
}

// fits reports whether a number that needs no rounding lies between the ends of a format.
func fits(x Num, f formats.Format) bool {
	m, neg := x.magnitude()
	if !neg {
		return m.len() <= int(f.Int)+int(x.frac)
	}
	if !f.Signed {
		return false
	}
	m = m.sub(word{0, 1}) // -2^n fits, 2^n does not
	return m.len() <= int(f.Int)+int(x.frac)
}

// wrap returns the low bits of a number, read in the format.
func wrap(x Num, f formats.Format) Num {
	x = x.shiftLeft(uint(f.Frac) - uint(x.frac))
	w := uint(f.Bits())
	v := x.lo << (64 - w)
	if f.Signed {
		return Of(int64(v)>>(64-w), f.Frac)
	}
	return OfUnsigned(v>>(64-w), f.Frac)
}
