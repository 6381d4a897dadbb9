package exact

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// ErrDivideByZero is returned when a divisor is 0.
var ErrDivideByZero = errors.New("divide by zero")

// ctx is wide enough that no operation here ever rounds; an operation that would round fails.
var ctx = apd.Context{
	Precision:   20000,
	MaxExponent: apd.MaxExponent,
	MinExponent: apd.MinExponent,
	Traps:       apd.DefaultTraps | apd.Inexact | apd.Rounded,
	Rounding:    apd.RoundDown,
}

// Number is an exact rational: a ratio of two decimals with a positive denominator. The zero Number is 0. Numbers are
// immutable.
type Number struct{ num, den *apd.Decimal }

var (
	decZero = apd.New(0, 0)
	decOne  = apd.New(1, 0)
)

func (x Number) parts() (num, den *apd.Decimal) {
	if x.num == nil {
		return decZero, decOne
	}
	return x.num, x.den
}

// Int returns a whole number.
func Int(v int64) Number { return Number{apd.New(v, 0), decOne} }

// Uint returns a whole number.
func Uint(v uint64) Number {
	var c apd.BigInt
	c.SetUint64(v)
	return Number{apd.NewWithBigInt(&c, 0), decOne}
}

// Fixed returns the value of a signed fixed-point word with frac fraction bits.
func Fixed(raw int64, frac uint) Number { return Number{apd.New(raw, 0), pow2(frac)} }

// UFixed is Fixed for an unsigned word.
func UFixed(raw uint64, frac uint) Number { return Number{Uint(raw).num, pow2(frac)} }

// Parse returns the value of a decimal, such as "0.8", or of a ratio of two, such as "1/80". It returns an error for
// any other text and for a divisor of 0.
func Parse(s string) (Number, error) {
	if before, after, ok := strings.Cut(s, "/"); ok {
		a, err := Parse(before)
		if err != nil {
			return Number{}, err
		}
		b, err := Parse(after)
		if err != nil {
			return Number{}, err
		}
		return Quo(a, b)
	}
	d, _, err := apd.NewFromString(s)
	if err != nil || d.Form != apd.Finite || d.Exponent > 64 || d.Exponent < -64 {
		return Number{}, fmt.Errorf("number %q: give a decimal such as 0.8 or a ratio such as 1/80", s)
	}
	return Number{d, decOne}, nil
}

// MustParse is Parse for constants in source code; it panics on an error.
func MustParse(s string) Number {
	x, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return x
}

func pow2(n uint) *apd.Decimal {
	var c apd.BigInt
	c.SetInt64(1)
	c.Lsh(&c, n)
	return apd.NewWithBigInt(&c, 0)
}

// must panics on an error of add, subtract or multiply, which fail only when they need more digits than ctx has. That
// is a programming error of the caller.
func must(_ apd.Condition, err error) {
	if err != nil {
		panic(fmt.Errorf("exact arithmetic left its %d digits: %w", ctx.Precision, err))
	}
}

func mulDec(a, b *apd.Decimal) *apd.Decimal {
	var d apd.Decimal
	must(ctx.Mul(&d, a, b))
	return &d
}

// Add returns x + y.
func Add(x, y Number) Number {
	xn, xd := x.parts()
	yn, yd := y.parts()
	var d apd.Decimal
	must(ctx.Add(&d, mulDec(xn, yd), mulDec(yn, xd)))
	return Number{&d, mulDec(xd, yd)}
}

// Neg returns -x.
func Neg(x Number) Number {
	xn, xd := x.parts()
	var d apd.Decimal
	must(ctx.Neg(&d, xn))
	return Number{&d, xd}
}

// Sub returns x - y.
func Sub(x, y Number) Number { return Add(x, Neg(y)) }

// Mul returns x * y.
func Mul(x, y Number) Number {
	xn, xd := x.parts()
	yn, yd := y.parts()
	return Number{mulDec(xn, yn), mulDec(xd, yd)}
}

// Quo returns x / y, or ErrDivideByZero.
func Quo(x, y Number) (Number, error) {
	xn, xd := x.parts()
	yn, yd := y.parts()
	switch yn.Sign() {
	case 0:
		return Number{}, ErrDivideByZero
	case -1:
		return Quo(Neg(x), Neg(y))
	}
	return Number{mulDec(xn, yd), mulDec(xd, yn)}, nil
}

// Cmp returns -1, 0 or 1 as x is less than, equal to or greater than y.
func Cmp(x, y Number) int { return Sub(x, y).Sign() }

// Max returns the larger.
func Max(x, y Number) Number {
	if Cmp(x, y) < 0 {
		return y
	}
	return x
}

// Sign returns -1, 0 or 1.
func (x Number) Sign() int {
	n, _ := x.parts()
	return n.Sign()
}

// Text returns the number with digits significant digits, truncated.
func (x Number) Text(digits uint32) string {
	q, err := x.decimal(digits, apd.RoundDown)
	if err != nil {
		return "NaN"
	}
	q.Reduce(q)
	return q.Text('f')
}

// Rat returns the number as a ratio of whole numbers.
func (x Number) Rat() *big.Rat {
	n, d := x.parts()
	return new(big.Rat).Quo(ratOf(n), ratOf(d))
}

func ratOf(d *apd.Decimal) *big.Rat {
	r := new(big.Rat).SetInt(d.Coeff.MathBigInt())
	if d.Negative {
		r.Neg(r)
	}
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(d.Exponent, -d.Exponent))), nil)
	if d.Exponent < 0 {
		return r.Quo(r, new(big.Rat).SetInt(ten))
	}
	return r.Mul(r, new(big.Rat).SetInt(ten))
}

// Float64 returns the nearest float64, to within one unit in its last place.
func (x Number) Float64() float64 {
	q, err := x.decimal(40, apd.RoundHalfEven)
	if err != nil {
		return 0
	}
	f, err := q.Float64()
	if err != nil {
		return 0
	}
	return f
}

// decimal returns the number with so many significant digits.
func (x Number) decimal(digits uint32, r apd.Rounder) (*apd.Decimal, error) {
	n, d := x.parts()
	c := apd.Context{Precision: digits, MaxExponent: apd.MaxExponent, MinExponent: apd.MinExponent, Rounding: r}
	q := new(apd.Decimal)
	_, err := c.Quo(q, n, d)
	return q, err
}
