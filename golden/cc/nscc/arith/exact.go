package arith

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/fixed"
)

// Real is an exact number: a whole one of 64 bits, or a ratio. The zero Real is 0. Reals are immutable.
type Real struct {
	n int64
	r *big.Rat // if not nil, the number, which does not fit n
}

// Exact is arithmetic without any rounding. Over many events the ratios of a state grow without end; with Steps set,
// what an event stores is rounded to the nearest multiple of 2^-Steps unless its denominator is smaller than that.
// Nothing else is rounded.
type Exact struct{ Steps uint }

func real(r *big.Rat) Real {
	if r.IsInt() && r.Num().IsInt64() {
		return Real{n: r.Num().Int64()}
	}
	return Real{r: r}
}

func (x Real) rat() *big.Rat {
	if x.r != nil {
		return x.r
	}
	return new(big.Rat).SetInt64(x.n)
}

// Whole implements nscc.Arith, as do the others.
func (Exact) Whole(v int64) Real { return Real{n: v} }

// Add returns x + y.
func (Exact) Add(x, y Real) Real {
	if x.r == nil && y.r == nil {
		if z := x.n + y.n; (z > x.n) == (y.n > 0) {
			return Real{n: z}
		}
	}
	return real(new(big.Rat).Add(x.rat(), y.rat()))
}

// Sub returns x - y.
func (Exact) Sub(x, y Real) Real {
	if x.r == nil && y.r == nil {
		if z := x.n - y.n; (z < x.n) == (y.n > 0) {
			return Real{n: z}
		}
	}
	return real(new(big.Rat).Sub(x.rat(), y.rat()))
}

// Mul returns x * y.
func (Exact) Mul(x, y Real) Real {
	if x.r == nil && y.r == nil && x.n >= 0 && y.n >= 0 {
		if hi, lo := bits.Mul64(uint64(x.n), uint64(y.n)); hi == 0 && lo <= math.MaxInt64 {
			return Real{n: int64(lo)}
		}
	}
	return real(new(big.Rat).Mul(x.rat(), y.rat()))
}

// Cmp compares x and y.
func (Exact) Cmp(x, y Real) int {
	if x.r == nil && y.r == nil {
		switch {
		case x.n < y.n:
			return -1
		case x.n > y.n:
			return 1
		}
		return 0
	}
	return x.rat().Cmp(y.rat())
}

// Sign returns the sign of x.
func (a Exact) Sign(x Real) int {
	if x.r != nil {
		return x.r.Sign()
	}
	return a.Cmp(x, Real{})
}

// Quo returns x / y; y is not 0.
func (Exact) Quo(_ nscc.Value, x, y Real) Real {
	if x.r == nil && y.r == nil && y.n > 0 && x.n%y.n == 0 {
		return Real{n: x.n / y.n}
	}
	return real(new(big.Rat).Quo(x.rat(), y.rat()))
}

// Share returns k * x / y.
func (a Exact) Share(at nscc.Value, k, x, y Real) Real { return a.Mul(k, a.Quo(at, x, y)) }

// Quantise returns x, rounded as described at Exact if x is stored and Steps is set.
func (a Exact) Quantise(at nscc.Value, x Real) Real {
	if a.Steps == 0 || x.r == nil || at > nscc.ValInflightPkts || uint(x.r.Denom().BitLen()) <= a.Steps {
		return x
	}
	n := new(big.Int).Lsh(x.r.Num(), a.Steps+1)
	n.Div(n, x.r.Denom())             // floor of twice the steps
	n.Add(n, big.NewInt(1)).Rsh(n, 1) // to nearest
	return real(new(big.Rat).SetFrac(n, new(big.Int).Lsh(big.NewInt(1), a.Steps)))
}

// Fit clamps x to the ends of the value.
func (a Exact) Fit(at nscc.Value, x Real) (Real, bool) {
	lo, hi := at.Limits()
	if !math.IsInf(lo, 0) && a.Cmp(x, Real{n: int64(lo)}) < 0 {
		return Real{n: int64(lo)}, true
	}
	if !math.IsInf(hi, 0) && a.Cmp(Real{n: int64(hi)}, x) < 0 {
		return Real{n: int64(hi)}, true
	}
	return x, false
}

// Mod returns x modulo m.
func (a Exact) Mod(_ nscc.Value, x, m Real) Real {
	if x.r == nil && m.r == nil {
		if x.n %= m.n; x.n < 0 {
			x.n += m.n
		}
		return x
	}
	q := new(big.Rat).Quo(x.rat(), m.rat())
	n := new(big.Int).Div(q.Num(), q.Denom())
	return a.Sub(x, a.Mul(real(new(big.Rat).SetInt(n)), m))
}

// Of returns raw / 2^frac.
func (Exact) Of(raw int64, frac uint8) Real {
	if frac == 0 {
		return Real{n: raw}
	}
	return real(new(big.Rat).SetFrac(big.NewInt(raw), new(big.Int).Lsh(big.NewInt(1), uint(frac))))
}

// Register returns the number of a register's word.
func (a Exact) Register(addr int, raw uint64) Real { return a.Of(int64(raw), regFrac[addr]) }

// Bits returns the low 64 bits of floor(x * 2^frac).
func (Exact) Bits(x Real, frac uint8) uint64 {
	if x.r == nil {
		return uint64(x.n) << frac
	}
	n := new(big.Int).Lsh(x.r.Num(), uint(frac))
	return lowBits(n.Div(n, x.r.Denom()))
}

// Rat returns the number as a ratio.
func (Exact) Rat(x Real) *big.Rat { return x.rat() }

// Float returns the nearest float64.
func (Exact) Float(x Real) float64 {
	if x.r == nil {
		return float64(x.n)
	}
	f, _ := x.r.Float64()
	return f
}

// Err returns nil.
func (Exact) Err() error { return nil }

// OfFixed returns a fixed-point number as it is.
func (Exact) OfFixed(x fixed.Num) Real {
	if n, ok := x.Int64(); ok {
		return Real{n: n}
	}
	return real(x.Rat())
}

// OfFloat returns a float64, which must be finite, as it is.
func (Exact) OfFloat(x float64) Real {
	if n := int64(x); math.Abs(x) < 1<<62 && float64(n) == x {
		return Real{n: n}
	}
	return real(new(big.Rat).SetFloat64(x))
}
