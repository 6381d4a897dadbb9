package arith

import (
	"cmp"
	"math"
	"math/big"
	"reflect"

	"github.com/goldwire/goldwire/golden/cc/nscc"
)

// Float is float64 without any rounding to whole units: what nscc.Params does with Real set. Its methods are those of
// Numbers.
type Float struct{}

func (Float) Whole(v int64) float64                       { return float64(v) }
func (Float) Add(x, y float64) float64                    { return x + y }
func (Float) Sub(x, y float64) float64                    { return x - y }
func (Float) Mul(x, y float64) float64                    { return float64(x * y) }
func (Float) Cmp(x, y float64) int                        { return cmp.Compare(x, y) }
func (Float) Sign(x float64) int                          { return cmp.Compare(x, 0) }
func (Float) Quo(_ nscc.Value, x, y float64) float64      { return x / y }
func (Float) Share(_ nscc.Value, k, x, y float64) float64 { return float64(k*x) / y }
func (Float) Quantise(_ nscc.Value, x float64) float64    { return x }
func (Float) Of(raw int64, frac uint8) float64            { return math.Ldexp(float64(raw), -int(frac)) }
func (Float) RegisterWord(_ int, raw uint64) uint64       { return raw }
func (Float) Rat(x float64) *big.Rat                      { return new(big.Rat).SetFloat64(x) }
func (Float) Float(x float64) float64                     { return x }
func (Float) Err() error                                  { return nil }

func (Float) Register(addr int, raw uint64) float64 {
	return math.Ldexp(float64(raw), -int(regFrac[addr]))
}

func (Float) Fit(at nscc.Value, x float64) (float64, bool) {
	lo, hi := at.Limits()
	y := min(max(x, lo), hi)
	return y, y != x
}

func (Float) Mod(_ nscc.Value, x, m float64) float64 {
	if x = math.Mod(x, m); x < 0 {
		x += m
	}
	return x
}

func (Float) Bits(x float64, frac uint8) uint64 {
	whole := math.Floor(math.Ldexp(x, int(frac)))
	if math.Abs(whole) < 1<<63 {
		return uint64(int64(whole))
	}
	n, _ := big.NewFloat(whole).Int(nil)
	return lowBits(n)
}

// lowBits returns the low 64 bits of a number in two's complement.
func lowBits(n *big.Int) uint64 {
	if n.IsInt64() {
		return uint64(n.Int64())
	}
	return new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
}

// FloatParams returns the constants of the generated float rules, which round to whole units as the settled rules do.
func FloatParams(regs *Registers) (out nscc.Params) {
	p, to := Params(Float{}, regs), reflect.ValueOf(&out).Elem()
	from := reflect.ValueOf(p)
	for i := range to.NumField() {
		if f := from.FieldByName(to.Type().Field(i).Name); f.IsValid() {
			to.Field(i).Set(f)
		}
	}
	return out
}
