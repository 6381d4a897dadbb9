package fixed

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event/formats"
)

var roundings = []formats.Rounding{formats.None, formats.Floor, formats.Truncate, formats.Ceiling, formats.NearestEven,
	formats.NearestAway}

// roundRat rounds x to steps of 2^-frac, in the plainest way.
func roundRat(x *big.Rat, frac uint8, r formats.Rounding) *big.Rat {
	scale := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(frac)))
	y := new(big.Rat).Mul(x, scale)
	floor := new(big.Int).Div(y.Num(), y.Denom()) // Euclidean: floor for a divisor above 0
	rest := new(big.Rat).Sub(y, new(big.Rat).SetInt(floor))
	up := false
	half := rest.Cmp(big.NewRat(1, 2))
	switch {
	case rest.Sign() == 0:
	case r == formats.Ceiling:
		up = true
	case r == formats.Truncate:
		up = y.Sign() < 0
	case r == formats.NearestEven:
		up = half > 0 || half == 0 && floor.Bit(0) == 1
	case r == formats.NearestAway:
		up = half > 0 || half == 0 && y.Sign() > 0
	}
	if up {
		floor.Add(floor, big.NewInt(1))
	}
	return new(big.Rat).Quo(new(big.Rat).SetInt(floor), scale)
}

func quantiseRat(x *big.Rat, f formats.Format, r formats.Rounding, o formats.Overflow) *big.Rat {
	x = roundRat(x, f.Frac, r)
	scale := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(f.Frac)))
	steps := new(big.Int).Set(new(big.Rat).Mul(x, scale).Num())
	hi := new(big.Int).Lsh(big.NewInt(1), uint(f.Int)+uint(f.Frac))
	lo := new(big.Int)
	if f.Signed {
		lo.Neg(hi)
	}
	top := new(big.Int).Sub(hi, big.NewInt(1))
	if o == formats.Wrap {
		span := new(big.Int).Sub(hi, lo)
		steps.Sub(steps, lo)
		steps.Mod(steps, span)
		steps.Add(steps, lo)
	} else if steps.Cmp(top) > 0 {
		steps = top
	} else if steps.Cmp(lo) < 0 {
		steps = lo
	}
	return new(big.Rat).Quo(new(big.Rat).SetInt(steps), scale)
}

// draw returns a number of up to so many bits, often near the ends of a power of two.
func draw(r *rand.Rand, bits int) Num {
	v := int64(r.Uint64() >> (64 - uint(1+r.IntN(bits))) >> 1)
	switch r.IntN(6) {
	case 0:
		v = int64(r.IntN(5))
	case 1:
		v = int64(1)<<r.IntN(bits) - int64(r.IntN(2))
	}
	if r.IntN(2) == 0 {
		v = -v
	}
	return Of(v, uint8(r.IntN(40)))
}

func TestAgainstRatios(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	same := func(want *big.Rat, got Num, what ...any) {
		t.Helper()
		if want.Cmp(got.Rat()) != 0 {
			t.Fatalf("%v: want %v, got %v", what, want, got.Rat())
		}
	}
	for range 40_000 {
		var c Context
		x, y := draw(r, 50), draw(r, 50)
		a, b := x.Rat(), y.Rat()
		same(new(big.Rat).Add(a, b), c.Add(x, y), "sum", a, b)
		same(new(big.Rat).Sub(a, b), c.Sub(x, y), "difference", a, b)
		same(new(big.Rat).Mul(a, b), c.Mul(x, y), "product", a, b)
		require.Equal(t, a.Cmp(b), c.Cmp(x, y))
		require.Equal(t, a.Sign(), x.Sign())
		mode, frac := roundings[r.IntN(len(roundings))], uint8(r.IntN(30))
		got, flags := c.Round(x, frac, mode)
		want := roundRat(a, frac, mode)
		same(want, got, "round", a, frac, mode)
		require.Equal(t, want.Cmp(a) != 0, flags&Inexact != 0)
		if y.Sign() != 0 {
			got, flags = c.Quo(x, y, frac, mode)
			exact := new(big.Rat).Quo(a, b)
			same(roundRat(exact, frac, mode), got, "quotient", a, b, frac, mode)
			require.Equal(t, got.Rat().Cmp(exact) != 0, flags&Inexact != 0)
		}
		f := formats.Format{Signed: r.IntN(2) == 0, Int: uint8(r.IntN(35)), Frac: uint8(1 + r.IntN(28))}
		over := formats.Overflow(r.IntN(3))
		got, flags = c.Quantise(x, f, mode, over)
		same(quantiseRat(a, f, mode, over), got, "quantise", a, f, mode, over)
		same(quantiseRat(a, f, mode, over), Of(int64(got.Bits(f.Frac)), f.Frac), "bits")
		require.Equal(t, flags&(Saturated|Wrapped) != 0, roundRat(a, f.Frac, mode).Cmp(got.Rat()) != 0)
		require.NoError(t, c.Err())
	}
}

// The widest products and quotients of the table's formats fit; wider ones are an error and never a wrong number.
func TestWidth(t *testing.T) {
	top := OfUnsigned(1<<64-1, 32)
	half := OfUnsigned(1<<63-1, 0)
	var c Context
	p := c.Mul(top, half)
	require.NoError(t, c.Err())
	require.Zero(t, p.Rat().Cmp(new(big.Rat).Mul(top.Rat(), half.Rat())))
	c.Add(p, p)
	require.ErrorIs(t, c.Err(), ErrWidth)
	require.ErrorContains(t, c.Err(), "fixed point: sum of")
	for _, do := range []func(*Context){
		func(c *Context) { c.Mul(p, half) }, func(c *Context) { c.Mul(p, p) }, func(c *Context) { c.Mul(top, top) },
		func(c *Context) { c.Quo(p, half, 60, formats.Floor) }, func(c *Context) { c.Cmp(p, Of(1, 200)) },
		func(c *Context) { c.Add(p, Of(1, 200)) }, func(c *Context) { c.Sub(c.Sub(Num{}, p), p) },
	} {
		c = Context{}
		do(&c)
		require.ErrorIs(t, c.Err(), ErrWidth)
	}
	c = Context{}
	c.Quo(top, Num{}, 3, formats.Floor)
	require.ErrorIs(t, c.Err(), ErrDivideByZero)
	c = Context{}
	q, flags := c.Quantise(p, formats.Format{Int: 64}, formats.Floor, formats.Saturate)
	require.NoError(t, c.Err())
	require.Equal(t, uint64(1<<64-1), q.Bits(0))
	require.Equal(t, Saturated|Inexact, flags)
	big1 := c.Mul(OfUnsigned(1<<63, 0), OfUnsigned(1<<62, 0))
	q, _ = c.Quo(big1, c.Mul(OfUnsigned(1<<62, 0), OfUnsigned(8, 0)), 0, formats.NearestEven)
	require.Equal(t, uint64(1<<60), q.Bits(0), "a divisor of more than 64 bits")
	require.NoError(t, c.Err())
}
