package fixed

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
)

// ErrWidth is wrapped by the error of a Context in which a number needed more than 128 bits; ErrDivideByZero by that of
// a Context in which a divisor was 0.
var (
	ErrWidth        = errors.New("a number of more than 128 bits")
	ErrDivideByZero = errors.New("divide by zero")
)

// Context runs operations and keeps the first error; results after it have no meaning.
type Context struct{ err error }

// Err returns the first error.
func (c *Context) Err() error { return c.err }

func (c *Context) fail(err error, what string, x, y Num) Num {
	if c.err == nil {
		fix := "give the values narrower formats"
		if err == ErrDivideByZero {
			fix = "give the divisor a format that leaves something of it"
		}
		c.err = fmt.Errorf("fixed point: %s of %v and %v: %w; %s", what, x.Float64(), y.Float64(), err, fix)
	}
	return Num{}
}

// align returns two numbers with the same number of fraction bits.
func (c *Context) align(x, y Num) (Num, Num) {
	if x.frac == y.frac {
		return x, y
	}
	if x.frac > y.frac {
		y, x = c.align(y, x)
		return x, y
	}
	m, neg := x.magnitude()
	m, ok := m.left(uint(y.frac - x.frac))
	z, ok2 := signed(m, neg, y.frac)
	if !ok || !ok2 {
		z = c.fail(ErrWidth, "alignment", x, y)
		z.frac = y.frac
	}
	return z, y
}

// Add returns x + y.
func (c *Context) Add(x, y Num) Num {
	x, y = c.align(x, y)
	lo, carry := bits.Add64(x.lo, y.lo, 0)
	hi, _ := bits.Add64(uint64(x.hi), uint64(y.hi), carry)
	z := Num{int64(hi), lo, x.frac}
	if (x.hi < 0) == (y.hi < 0) && (z.hi < 0) != (x.hi < 0) {
		return c.fail(ErrWidth, "sum", x, y)
	}
	return z
}

// Sub returns x - y.
func (c *Context) Sub(x, y Num) Num {
	m, neg := y.magnitude()
	z, ok := signed(m, !neg, y.frac)
	if !ok {
		return c.fail(ErrWidth, "difference", x, y)
	}
	return c.Add(x, z)
}

// Cmp returns -1, 0 or 1 as x is less than, equal to or greater than y.
func (c *Context) Cmp(x, y Num) int {
	x, y = c.align(x, y)
	return cmp.Or(cmp.Compare(x.hi, y.hi), cmp.Compare(x.lo, y.lo))
}

// Mul returns x * y.
func (c *Context) Mul(x, y Num) Num {
	a, negA := x.magnitude()
	b, negB := y.magnitude()
	if a.hi != 0 {
		a, b = b, a
	}
	// Now a.hi is 0 wherever the product can fit.
	if a.hi != 0 {
		return c.fail(ErrWidth, "product", x, y)
	}
	h, l := bits.Mul64(a.lo, b.lo)
	over, hi := bits.Mul64(a.lo, b.hi)
	hi, carry := bits.Add64(hi, h, 0)
	z, ok := signed(word{hi, l}, negA != negB, x.frac+y.frac)
	if !ok || over != 0 || carry != 0 {
		return c.fail(ErrWidth, "product", x, y)
	}
	return z
}

// divide returns the quotient and the remainder of two whole numbers; the divisor is not 0.
func divide(n, d word) (q, r word) {
	if d.hi == 0 {
		q.hi, r.lo = n.hi/d.lo, n.hi%d.lo
		q.lo, r.lo = bits.Div64(r.lo, n.lo, d.lo)
		return q, r
	}
	a, b := bigOf(n), bigOf(d)
	a.QuoRem(a, b, b)
	return wordOf(a), wordOf(b)
}

func bigOf(w word) *big.Int {
	n := new(big.Int).SetUint64(w.hi)
	return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(w.lo))
}

func wordOf(n *big.Int) word {
	return word{new(big.Int).Rsh(n, 64).Uint64(), n.Uint64()}
}
