package telemetry

import "github.com/goldwire/goldwire/golden/cc/nscc/arith"

// Numbers is an arithmetic.
type Numbers[N any] interface {
	Whole(v int64) N
	Add(x, y N) N
	Sub(x, y N) N
	Mul(x, y N) N
	// Quo returns x / y; y is not 0.
	Quo(x, y N) N
	Cmp(x, y N) int
	// Keep returns x as it is kept from one ACK to the next.
	Keep(x N) N
	Float(x N) float64
}

// Float is float64.
type Float struct{ number }

type number = arith.Float // whose name is that of one of its methods

// Quo returns x / y.
func (Float) Quo(x, y float64) float64 { return x / y }

// Keep returns x.
func (Float) Keep(x float64) float64 { return x }

// Real is an exact number.
type Real = arith.Real

// keptSteps is the fineness of exact numbers that are kept, 2^-keptSteps: their ratios would grow without end.
const keptSteps = 192

// Exact is arithmetic without rounding, but that an average that is kept is rounded to steps of 2^-192.
type Exact struct{ arith.Exact }

// Quo returns x / y.
func (e Exact) Quo(x, y Real) Real { return e.Exact.Quo(0, x, y) }

// Keep returns x to the nearest step of 2^-192.
func (Exact) Keep(x Real) Real { return arith.Exact{Steps: keptSteps}.Quantise(0, x) }
