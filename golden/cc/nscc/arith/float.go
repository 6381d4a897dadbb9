package arith

import (
	"math"
	"math/big"

	"github.com/goldwire/goldwire/golden/cc/nscc"
)

// Float is float64 without any rounding to whole units: what nscc.Params does with Real set.
type Float struct{}

// Whole implements nscc.Arith, as do the others.
func (Float) Whole(v int64) float64 { return float64(v) }

// Add returns x + y.
func (Float) Add(x, y float64) float64 { return x + y }

// Sub returns x - y.
func (Float) Sub(x, y float64) float64 { return x - y }

// Mul returns x * y.
func (Float) Mul(x, y float64) float64 { return float64(x * y) }

// Cmp compares x and y.
func (Float) Cmp(x, y float64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// Sign returns the sign of x.
func (f Float) Sign(x float64) int { return f.Cmp(x, 0) }

// Quo returns x / y.
func (Float) Quo(_ nscc.Value, x, y float64) float64 { return x / y }

// Share returns k * x / y.
func (Float) Share(_ nscc.Value, k, x, y float64) float64 { return float64(k*x) / y }

// Quantise returns x.
func (Float) Quantise(_ nscc.Value, x float64) float64 { return x }

// Fit clamps x to the ends of the value.
func (Float) Fit(at nscc.Value, x float64) (float64, bool) {
	lo, hi := at.Limits()
	y := min(max(x, lo), hi)
	return y, y != x
}

// Mod returns x modulo m.
func (Float) Mod(_ nscc.Value, x, m float64) float64 {
	if x = math.Mod(x, m); x < 0 {
		x += m
	}
	return x
}

// Of returns raw / 2^frac.
func (Float) Of(raw int64, frac uint8) float64 { return math.Ldexp(float64(raw), -int(frac)) }

// Register returns the number of a register's word.
func (Float) Register(addr int, raw uint64) float64 {
	return math.Ldexp(float64(raw), -int(regFrac[addr]))
}

// Bits returns the low 64 bits of floor(x * 2^frac).
func (Float) Bits(x float64, frac uint8) uint64 {
	f := math.Floor(math.Ldexp(x, int(frac)))
	if math.Abs(f) < 1<<63 {
		return uint64(int64(f))
	}
	n, _ := big.NewFloat(f).Int(nil)
	return lowBits(n)
}

// Rat returns the number as a ratio.
func (Float) Rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// Float returns x.
func (Float) Float(x float64) float64 { return x }

// Err returns nil.
func (Float) Err() error { return nil }

// lowBits returns the low 64 bits of a number in two's complement.
func lowBits(n *big.Int) uint64 {
	if n.IsInt64() {
		return uint64(n.Int64())
	}
	return new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
}
