package fxp

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Each fast function equals the Context operation that it replaces.
func TestFastMatchesContext(t *testing.T) {
	u := UQ(64, 0)
	num := func(v uint64) Num { return Num{v, u} }
	edge := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 9),
		rapid.SampledFrom([]uint64{math.MaxUint64, 1 << 63, 1<<48 - 1, 1<<32 - 1}))
	rapid.Check(t, func(t *rapid.T) {
		x, y := edge.Draw(t, "x"), edge.Draw(t, "y")
		width := rapid.UintRange(2, 64).Draw(t, "width")
		n := rapid.UintRange(0, 63).Draw(t, "n")
		same := func(name string, got uint64, gfl Flags, want Num, wfl Flags) {
			require.Equal(t, want.Raw, got, name)
			require.Equal(t, wfl&^Inexact, gfl, name)
		}
		to := Context{Format: UQ(uint8(width), 0)}

		got, fl := AddSat(x, y, width)
		want, wfl := to.Add(num(x), num(y))
		same("add", got, fl, want, wfl)

		got, fl = SubSat(x, y)
		want, wfl = Context{Format: u}.Sub(num(x), num(y))
		same("sub", got, fl, want, wfl)

		s, fl := Clamp(int64(x), width)
		want, wfl = Context{Format: Q(uint8(width-1), 0)}.Convert(FromRaw(Q(63, 0), x))
		same("clamp", uint64(s), fl, want, wfl)

		got, fl = MulShift(x, y, n)
		want, wfl = Context{Format: u}.Mul(num(x), FromRaw(UQ(uint8(64-n), uint8(n)), y))
		same("mulshift", got, fl, want, wfl)

		if y != 0 {
			got, fl = Ratio(x, y, n)
			want, wfl = Context{Format: UQ(uint8(64-n), uint8(n))}.Div(num(x), num(y))
			same("ratio", got, fl, want, wfl)
		}

		wrap := Context{Format: UQ(uint8(width), 0), Overflow: Wrap}
		want, _ = wrap.Add(num(x), num(y))
		require.Equal(t, want.Raw, WrapAdd(x, y, width))
		want, _ = wrap.Sub(num(x), num(y))
		require.Equal(t, want.Raw, WrapSub(x, y, width))
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

func TestFastAllocatesNothing(t *testing.T) {
	var sink uint64
	require.Zero(t, testing.AllocsPerRun(100, func() {
		v, _ := MulShift(sink|3, 5, 1)
		n, _ := Context{Format: UQ(8, 8)}.Mul(FromRaw(UQ(8, 8), v), FromRaw(UQ(8, 8), 300))
		sink += n.Raw
	}))
}

func TestFastAtTheEnds(t *testing.T) {
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
