package arith

import (
	"math"
	"math/big"

	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/fixed"
)

// Real is an exact number: one of 128 bits with a binary point, or a ratio. The zero Real is 0. Reals are immutable.
type Real struct {
	d dyadic
	r *big.Rat // if not nil, the number, which d does not hold
}

// Exact is arithmetic without any rounding. Over many events the ratios of a state grow without end; with Steps set,
// what an event stores is rounded to the nearest multiple of 2^-Steps unless its denominator is smaller than that.
// Nothing else is rounded. Its methods are those of Numbers, and the ways to bring a number in.
type Exact struct{ Steps uint }

func real(r *big.Rat) Real {
	if d, ok := dyadicRat(r); ok {
		return Real{d: d}
	}
	return Real{r: r}
}

func whole(n int64) Real { return Real{d: dyadic{hi: n >> 63, lo: uint64(n)}} }

func (x Real) rat() *big.Rat {
	if x.r != nil {
		return x.r
	}
	return x.d.rat()
}

// both returns the result of an operation, fast where that gives one.
func both(x, y Real, fast func(x, y dyadic) (dyadic, bool), slow func(z, x, y *big.Rat) *big.Rat) Real {
	if x.r == nil && y.r == nil {
		if z, ok := fast(x.d, y.d); ok {
			return Real{d: z}
		}
	}
	return real(slow(new(big.Rat), x.rat(), y.rat()))
}

func (Exact) Whole(v int64) Real               { return whole(v) }
func (Exact) Add(x, y Real) Real               { return both(x, y, dyadic.add, (*big.Rat).Add) }
func (Exact) Sub(x, y Real) Real               { return both(x, y, dyadic.sub, (*big.Rat).Sub) }
func (Exact) Mul(x, y Real) Real               { return both(x, y, dyadic.mul, (*big.Rat).Mul) }
func (Exact) Quo(_ nscc.Value, x, y Real) Real { return both(x, y, dyadic.quo, (*big.Rat).Quo) }

func (Exact) Cmp(x, y Real) int {
	if x.r == nil && y.r == nil {
		if c, ok := x.d.cmp(y.d); ok {
			return c
		}
	}
	return x.rat().Cmp(y.rat())
}

func (Exact) Sign(x Real) int {
	if x.r != nil {
		return x.r.Sign()
	}
	return x.d.sign()
}

func (a Exact) Share(at nscc.Value, k, x, y Real) Real { return a.Mul(k, a.Quo(at, x, y)) }
func (a Exact) Register(addr int, raw uint64) Real     { return a.Of(int64(raw), regFrac[addr]) }
func (Exact) RegisterWord(_ int, raw uint64) uint64    { return raw }
func (Exact) Rat(x Real) *big.Rat                      { return x.rat() }
func (Exact) Err() error                               { return nil }

// Quantise returns x, rounded as described at Exact if x is stored and Steps is set.
func (a Exact) Quantise(at nscc.Value, x Real) Real {
	if a.Steps == 0 || at > nscc.ValInflightPkts || x.r == nil && uint(x.d.frac) < a.Steps {
		return x
	}
	r := x.rat()
	if uint(r.Denom().BitLen()) <= a.Steps {
		return x
	}
	n := new(big.Int).Lsh(r.Num(), a.Steps+1)
	n.Div(n, r.Denom())               // floor of twice the steps
	n.Add(n, big.NewInt(1)).Rsh(n, 1) // to nearest
	return real(new(big.Rat).SetFrac(n, new(big.Int).Lsh(big.NewInt(1), a.Steps)))
}

func (a Exact) Fit(at nscc.Value, x Real) (Real, bool) {
	lo, hi := at.Limits()
	if !math.IsInf(lo, 0) && a.Cmp(x, whole(int64(lo))) < 0 {
		return whole(int64(lo)), true
	}
	if !math.IsInf(hi, 0) && a.Cmp(whole(int64(hi)), x) < 0 {
		return whole(int64(hi)), true
	}
	return x, false
}

func (a Exact) Mod(_ nscc.Value, x, m Real) Real {
	if x.r == nil && m.r == nil {
		if z, ok := x.d.mod(m.d); ok {
			return Real{d: z}
		}
	}
	q := new(big.Rat).Quo(x.rat(), m.rat())
	n := new(big.Int).Div(q.Num(), q.Denom())
	return a.Sub(x, a.Mul(real(new(big.Rat).SetInt(n)), m))
}

func (Exact) Of(raw int64, frac uint8) Real {
	if frac == 0 {
		return whole(raw)
	}
	d, _ := whole(raw).d.over(int(frac))
	return Real{d: d}
}

func (Exact) Bits(x Real, frac uint8) uint64 {
	if x.r == nil {
		return x.d.floor(frac)
	}
	n := new(big.Int).Lsh(x.r.Num(), uint(frac))
	return lowBits(n.Div(n, x.r.Denom()))
}

func (Exact) Float(x Real) float64 {
	if x.r == nil {
		return x.d.float64()
	}
	f, _ := x.r.Float64()
	return f
}

// OfFixed returns a fixed-point number as it is.
func (Exact) OfFixed(x fixed.Num) Real {
	if raw, ok := x.Int64(); ok {
		return whole(raw)
	}
	if hi, lo, frac := x.Parts(); frac <= math.MaxUint8 {
		if d, ok := (dyadic{hi: hi, lo: lo}).over(int(frac)); ok {
			return Real{d: d}
		}
	}
	return real(x.Rat())
}

// OfRat returns a ratio as it is; it is not to be changed afterwards.
func (Exact) OfRat(x *big.Rat) Real { return real(x) }

// OfFloat returns a float64, which must be finite, as it is.
func (a Exact) OfFloat(x float64) Real {
	if f, e := math.Frexp(x); e > -100 && e < 62 && !math.IsNaN(f) && !math.IsInf(f, 0) {
		// Of 53 bits: x is n / 2^(53-e).
		if d, ok := whole(int64(f * (1 << 53))).d.over(53 - e); ok {
			return Real{d: d}
		}
	}
	return real(new(big.Rat).SetFloat64(x))
}
