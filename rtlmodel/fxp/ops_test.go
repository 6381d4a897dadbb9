package fxp

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Each function against unbounded integers.
func TestAgainstBig(t *testing.T) {
	edge := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 9),
		rapid.SampledFrom([]uint64{math.MaxUint64, 1 << 63, 1<<48 - 1, 1<<32 - 1}))
	unsigned := func(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
	pow2 := func(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }
	below := func(x *big.Int) *big.Int { return new(big.Int).Sub(x, big.NewInt(1)) }
	rapid.Check(t, func(t *rapid.T) {
		x, y := edge.Draw(t, "x"), edge.Draw(t, "y")
		width := rapid.UintRange(1, 64).Draw(t, "width")
		n := rapid.UintRange(0, 63).Draw(t, "n")
		p, q := unsigned(x), unsigned(y)
		clamped := func(name string, lo, exact, hi *big.Int, got *big.Int, fl Flags) {
			want, saturated := exact, Flags(0)
			if exact.Cmp(lo) < 0 {
				want, saturated = lo, Saturated
			} else if exact.Cmp(hi) > 0 {
				want, saturated = hi, Saturated
			}
			require.Equal(t, want.String(), got.String(), name)
			require.Equal(t, saturated, fl, name)
		}
		zero, top := new(big.Int), below(pow2(64))

		got, fl := AddSat(x, y, width)
		clamped("add", zero, new(big.Int).Add(p, q), below(pow2(width)), unsigned(got), fl)

		got, fl = SubSat(x, y)
		clamped("sub", zero, new(big.Int).Sub(p, q), top, unsigned(got), fl)

		s, fl := Clamp(int64(x), width)
		end := pow2(width - 1)
		clamped("clamp", new(big.Int).Neg(end), big.NewInt(int64(x)), below(end), big.NewInt(s), fl)

		got, fl = MulShift(x, y, n)
		product := new(big.Int).Mul(p, q)
		clamped("mulshift", zero, product.Rsh(product, n), top, unsigned(got), fl)

		if y != 0 {
			got, fl = Ratio(x, y, n)
			shifted := new(big.Int).Lsh(p, n)
			clamped("ratio", zero, shifted.Quo(shifted, q), top, unsigned(got), fl)
		}

		sum, diff := new(big.Int).Add(p, q), new(big.Int).Sub(p, q) // Mod is never negative
		require.Equal(t, sum.Mod(sum, pow2(width)).Uint64(), WrapAdd(x, y, width))
		require.Equal(t, diff.Mod(diff, pow2(width)).Uint64(), WrapSub(x, y, width))
	})
}

func TestMulShiftSigned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// The widths of the average: a 24-bit gain and a 49-bit signed difference.
		x := rapid.Uint64Range(0, 1<<24-1).Draw(t, "x")
		y := rapid.Int64Range(-(1<<48)+1, 1<<48-1).Draw(t, "y")
		n := rapid.UintRange(10, 40).Draw(t, "n")
		p := new(big.Int).Mul(new(big.Int).SetUint64(x), big.NewInt(y))
		require.Equal(t, p.Rsh(p, n).Int64(), MulShiftSigned(x, y, n)) // big.Int shifts as two's complement: floor
	})
	require.Equal(t, int64(-1), MulShiftSigned(1, -1, 24))
	require.Equal(t, int64(0), MulShiftSigned(1, 1, 24))
	require.Equal(t, int64(-1), MulShiftSigned(1<<24, -1, 24))
	require.Equal(t, int64(-2), MulShiftSigned(1<<24+1, -1, 24))
}

func TestAtTheEnds(t *testing.T) {
	for _, tc := range []struct {
		x, y  uint64
		width uint
		want  uint64
		fl    Flags
	}{
		{250, 5, 8, 255, 0}, {250, 6, 8, 255, Saturated},
		{math.MaxUint64, 0, 64, math.MaxUint64, 0}, {math.MaxUint64, 1, 64, math.MaxUint64, Saturated},
	} {
		got, fl := AddSat(tc.x, tc.y, tc.width)
		require.Equal(t, tc.want, got)
		require.Equal(t, tc.fl, fl)
	}
	for v, sat := range map[int64]bool{127: false, 128: true, -128: false, -129: true} {
		_, fl := Clamp(v, 8)
		require.Equal(t, sat, fl == Saturated, "%d", v)
	}
	_, fl := SubSat(5, 5)
	require.Zero(t, fl)
	q, fl := Ratio(1, 1, 63)
	require.Equal(t, uint64(1)<<63, q)
	require.Zero(t, fl)
	_, fl = Ratio(2, 1, 63)
	require.Equal(t, Saturated, fl)
}
