package arith

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/exact"
	"github.com/goldwire/goldwire/golden/fixed"
)

// drawn returns a number of up to 127 bits and up to 255 fraction bits, often near an end of what 128 bits hold.
func drawn(r *rand.Rand) dyadic {
	m := mag{r.Uint64(), r.Uint64()}.right(uint(1 + r.IntN(127)))
	switch r.IntN(6) {
	case 0:
		m = mag{1<<63 - 1, math.MaxUint64}.right(uint(r.IntN(127))) // ones only
	case 1:
		m = mag{0, 1}.left(uint(r.IntN(127)))
	}
	d, ok := dyadicOf(m, r.IntN(2) == 0, r.IntN(1+r.IntN(256)))
	if !ok {
		panic("a number of 127 bits does not fit")
	}
	return d
}

func (x dyadic) lowest() bool { return x.frac == 0 || x.lo&1 == 1 }

// Every operation that gives a result gives that of ratios, in lowest terms.
func TestDyadic(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	check := func(what string, want *big.Rat, got dyadic, ok bool) {
		t.Helper()
		if !ok {
			return
		}
		require.True(t, got.lowest(), "%s: %+v", what, got)
		require.Zero(t, want.Cmp(got.rat()), "%s: want %v, got %v", what, want, got.rat())
	}
	given := 0
	for range 100_000 {
		x, y := drawn(r), drawn(r)
		p, q := x.rat(), y.rat()
		back, ok := dyadicRat(p)
		require.True(t, ok && back == x)
		z, ok := x.add(y)
		check("add", new(big.Rat).Add(p, q), z, ok)
		if ok {
			given++
		}
		z, ok = x.sub(y)
		check("sub", new(big.Rat).Sub(p, q), z, ok)
		z, ok = x.mul(y)
		check("mul", new(big.Rat).Mul(p, q), z, ok)
		if y.sign() != 0 {
			z, ok = x.quo(y)
			check("quo", new(big.Rat).Quo(p, q), z, ok)
		}
		if c, ok := x.cmp(y); ok {
			require.Equal(t, p.Cmp(q), c)
		}
		require.Equal(t, p.Sign(), x.sign())
		f, _ := p.Float64()
		require.Equal(t, f, x.float64(), "%+v", x)
		frac := uint8(r.IntN(70))
		n := new(big.Int).Lsh(p.Num(), uint(frac))
		require.Equal(t, lowBits(n.Div(n, p.Denom())), x.floor(frac))
		k := r.IntN(100)
		if z, ok := x.mod(dyadic{hi: int64(mag{0, 1}.left(uint(k)).hi), lo: mag{0, 1}.left(uint(k)).lo}); ok {
			m := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(k)))
			w := new(big.Rat).Quo(p, m)
			fl := new(big.Int).Div(w.Num(), w.Denom())
			check("mod", new(big.Rat).Sub(p, m.Mul(m, new(big.Rat).SetInt(fl))), z, true)
		}
	}
	require.Greater(t, given, 30_000)
}

// The numbers of the rules are computed without ratios: the shortcut is taken.
func TestDyadicIsUsed(t *testing.T) {
	var a Exact
	avg := a.Of(4660<<16|0x8001, 16)
	step := a.Mul(a.Of(209715, 24), a.Sub(a.Whole(12345), avg))
	for _, x := range []Real{avg, step, a.Add(avg, step), a.Quo(nscc.ValGate, a.Whole(225001), a.Whole(8)),
		a.Mod(nscc.ValSince, a.Whole(-5), a.Whole(1<<48)), a.Quo(nscc.ValQuotient, a.Whole(12288), a.Whole(4096)),
		a.OfFloat(0.1), a.OfFixed(fixed.Of(12345, 16))} {
		require.Nil(t, x.r)
	}
	require.NotNil(t, a.Quo(nscc.ValRatio, a.Whole(1), a.Whole(3)).r)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		x := a.Mul(a.Of(209715, 24), a.Sub(a.Whole(12345), avg))
		_ = a.Float(a.Add(avg, x))
	}))
}

// Against decimals of arbitrary precision, which share no code with it.
func TestExactIsTheDecimals(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	var a Exact
	for range 3000 {
		n, k, f, g := r.Int64()>>r.IntN(63)-1<<r.IntN(30), r.Int64()>>r.IntN(63)+1, uint8(r.IntN(48)), uint8(r.IntN(48))
		x, y := a.Of(n, f), a.Of(k, g)
		p, q := exact.Fixed(n, uint(f)), exact.Fixed(k, uint(g))
		quo, err := exact.Quo(p, q)
		require.NoError(t, err)
		for _, c := range []struct {
			want exact.Number
			got  Real
		}{{exact.Add(p, q), a.Add(x, y)}, {exact.Sub(p, q), a.Sub(x, y)}, {exact.Mul(p, q), a.Mul(x, y)},
			{quo, a.Quo(nscc.ValRatio, x, y)}, {exact.Mul(exact.Mul(p, q), exact.Sub(p, q)), a.Mul(a.Mul(x, y), a.Sub(x, y))}} {
			require.Zero(t, c.want.Rat().Cmp(a.Rat(c.got)), "%d/2^%d and %d/2^%d", n, f, k, g)
		}
		require.Equal(t, exact.Cmp(p, q), a.Cmp(x, y))
		require.Equal(t, p.Sign(), a.Sign(x))
	}
}

// A fixed-point number of any size and any float64 keep their value.
func TestWaysIn(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	var a Exact
	var c fixed.Context
	for range 20_000 {
		x := c.Mul(fixed.Of(r.Int64()>>r.IntN(63), uint8(r.IntN(64))), fixed.Of(r.Int64()>>r.IntN(63), uint8(r.IntN(64))))
		require.NoError(t, c.Err())
		require.Zero(t, x.Rat().Cmp(a.Rat(a.OfFixed(x))))
		f, _ := x.Rat().Float64()
		require.Equal(t, f, x.Float64())
		y := math.Ldexp(r.Float64()-0.5, r.IntN(400)-200)
		require.Zero(t, new(big.Rat).SetFloat64(y).Cmp(a.Rat(a.OfFloat(y))), "%v", y)
	}
	for _, y := range []float64{0, math.SmallestNonzeroFloat64, math.MaxFloat64, 1 << 53, -(1<<53 + 2), 0x1p62} {
		require.Zero(t, new(big.Rat).SetFloat64(y).Cmp(a.Rat(a.OfFloat(y))), "%v", y)
	}
	require.Panics(t, func() { a.OfFloat(math.Inf(1)) })
}
