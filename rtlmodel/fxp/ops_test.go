package fxp

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestOperationsAreCorrectlyRounded(t *testing.T) {
	type op struct {
		name string
		fast func(Context, Num, Num) (Num, Flags)
		ref  func(z, x, y *big.Rat) *big.Rat
	}
	for _, o := range []op{
		{"add", Context.Add, (*big.Rat).Add},
		{"sub", Context.Sub, (*big.Rat).Sub},
		{"mul", Context.Mul, (*big.Rat).Mul},
		{"div", Context.Div, (*big.Rat).Quo},
	} {
		t.Run(o.name, rapid.MakeCheck(func(t *rapid.T) {
			c, x, y := drawContext(t), drawNum(t, "x"), drawNum(t, "y")
			if o.name == "div" && y.Raw == 0 {
				t.Skip("division by zero has its own test")
			}
			got, fl := o.fast(c, x, y)
			want, wfl := refFit(c, o.ref(new(big.Rat), x.Rat(), y.Rat()))
			require.Equal(t, want, got, "%s %v, %v in %+v", o.name, x, y, c)
			require.Equal(t, wfl, fl)
		}))
	}
	t.Run("shift", rapid.MakeCheck(func(t *rapid.T) {
		c, x, n := drawContext(t), drawNum(t, "x"), rapid.IntRange(-128, 128).Draw(t, "n")
		got, fl := c.Shift(x, n)
		scale := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(n, -n))))
		if n < 0 {
			scale.Inv(scale)
		}
		want, wfl := refFit(c, scale.Mul(scale, x.Rat()))
		require.Equal(t, want, got)
		require.Equal(t, wfl, fl)
	}))
	t.Run("cmp", rapid.MakeCheck(func(t *rapid.T) {
		x, y := drawNum(t, "x"), drawNum(t, "y")
		require.Equal(t, x.Rat().Cmp(y.Rat()), Cmp(x, y))
	}))
}

func TestDivisionByZero(t *testing.T) {
	c := Context{Format: Q(15, 16)}
	zero := FromRaw(UQ(8, 8), 0)
	for _, tc := range []struct{ x, want uint64 }{
		{0, 0}, {3, c.Format.MaxRaw()}, {^uint64(2), c.Format.MinRaw()},
	} {
		got, fl := c.Div(FromRaw(Q(31, 0), tc.x), zero)
		require.Equal(t, Num{tc.want, c.Format}, got)
		require.Equal(t, DivByZero, fl)
	}
}

func TestRoundingModes(t *testing.T) {
	cases := []struct {
		quarters int64
		want     [4]int64 // floor, nearest-even, nearest-away, ceiling
	}{
		{1, [4]int64{0, 0, 0, 1}}, {2, [4]int64{0, 0, 1, 1}}, {3, [4]int64{0, 1, 1, 1}},
		{4, [4]int64{1, 1, 1, 1}}, {6, [4]int64{1, 2, 2, 2}},
		{-1, [4]int64{-1, 0, 0, 0}}, {-2, [4]int64{-1, 0, -1, 0}}, {-3, [4]int64{-1, -1, -1, 0}},
		{-4, [4]int64{-1, -1, -1, -1}}, {-6, [4]int64{-2, -2, -2, -1}},
	}
	for _, tc := range cases {
		for m, want := range tc.want {
			c := Context{Format: Q(7, 0), Rounding: Rounding(m)}
			got, fl := c.Convert(FromRaw(Q(7, 2), uint64(tc.quarters)))
			require.Equal(t, want, int64(got.Raw), "%d/4 %s", tc.quarters, c.Rounding)
			require.Equal(t, tc.quarters%4 != 0, fl.Has(Inexact))
		}
	}
}

func TestOverflowRules(t *testing.T) {
	x := FromRaw(Q(15, 0), uint64(0xFFFF_FFFF_FFFF_FF00|0x7F)) // -129
	got, fl := Context{Format: Q(7, 0)}.Convert(x)
	require.Equal(t, int64(-128), int64(got.Raw))
	require.Equal(t, Saturated, fl)
	got, fl = Context{Format: Q(7, 0), Overflow: Wrap}.Convert(x)
	require.Equal(t, int64(127), int64(got.Raw))
	require.Equal(t, Wrapped, fl)
	got, fl = Context{Format: UQ(8, 0)}.Convert(x)
	require.Zero(t, got.Raw)
	require.Equal(t, Saturated, fl)
	got, fl = Context{Format: UQ(8, 0), Overflow: Wrap}.Convert(x)
	require.Equal(t, uint64(127), got.Raw)
	require.Equal(t, Wrapped, fl)
}

func TestFloat(t *testing.T) {
	t.Run("from", rapid.MakeCheck(func(t *rapid.T) {
		c := drawContext(t)
		v := rapid.OneOf(rapid.Float64Range(-1e25, 1e25), rapid.Float64Range(-300, 300), rapid.Float64()).Draw(t, "v")
		if math.IsInf(v, 0) {
			t.Skip("infinities have their own test")
		}
		got, fl := c.FromFloat(v)
		want, wfl := refFit(c, new(big.Rat).SetFloat64(v))
		require.Equal(t, want, got)
		require.Equal(t, wfl, fl)
	}))
	t.Run("to", rapid.MakeCheck(func(t *rapid.T) {
		x := drawNum(t, "x")
		want, _ := x.Rat().Float64()
		require.Equal(t, want, x.Float64())
	}))
	c := Context{Format: Q(7, 8)}
	for _, tc := range []struct {
		v    float64
		over Overflow
		raw  uint64
		fl   Flags
	}{
		{math.NaN(), Saturate, 0, Invalid},
		{math.Inf(1), Saturate, c.Format.MaxRaw(), Saturated},
		{math.Inf(-1), Saturate, c.Format.MinRaw(), Saturated},
		{math.Inf(1), Wrap, 0, Invalid},
	} {
		c.Overflow = tc.over
		got, fl := c.FromFloat(tc.v)
		require.Equal(t, tc.raw, got.Raw)
		require.Equal(t, tc.fl, fl)
	}
}

func TestParse(t *testing.T) {
	// The reset values of the ccc registers that are not integers.
	for _, tc := range []struct {
		f    Format
		s    string
		want uint64
		fl   Flags
	}{
		{UQ(16, 16), "1.365333333333333", 89478, Inexact}, // alpha at 100 Gb/s
		{UQ(24, 8), "20480", 5242880, 0},                  // fi
		{UQ(24, 8), "614.4", 157286, Inexact},             // eta
		{UQ(8, 16), "0.25", 16384, 0},                     // fi_scale
		{UQ(0, 16), "0.8", 52429, Inexact},                // gamma
		{UQ(0, 24), "0.0125", 209715, Inexact},            // EWMA gain
		{UQ(16, 16), "18.75", 1228800, 0},                 // max_wnd rate
		{UQ(0, 16), "1e300", 65535, Saturated},
		{Q(3, 4), "-9", 0xFFFF_FFFF_FFFF_FF80, Saturated},
	} {
		got, fl, err := Context{Format: tc.f, Rounding: NearestEven}.Parse(tc.s)
		require.NoError(t, err)
		require.Equal(t, tc.want, got.Raw, "%s %s", tc.f, tc.s)
		require.Equal(t, tc.fl, fl)
	}
	for _, bad := range []string{"", "x", "0x10", "1/3", "1e9999999", "1e", "1_000", "nan"} {
		_, _, err := Context{Format: UQ(8, 8)}.Parse(bad)
		require.ErrorContains(t, err, "number")
	}
	t.Run("round trip", rapid.MakeCheck(func(t *rapid.T) {
		c, x := drawContext(t), drawNum(t, "x")
		got, fl, err := c.Parse(x.Rat().FloatString(int(x.Format.Frac)))
		require.NoError(t, err)
		want, wfl := c.Convert(x)
		require.Equal(t, want, got)
		require.Equal(t, wfl, fl)
	}))
}

func TestFormats(t *testing.T) {
	for _, s := range []string{"UQ16.16", "UQ0.24", "Q31.0", "UQ0.64", "Q0.63"} {
		f, err := ParseFormat(s)
		require.NoError(t, err)
		require.Equal(t, s, f.String())
	}
	for _, s := range []string{"", "16.16", "UQ16", "UQ40.40", "Q32.32", "Q0.0", "UQ-1.2"} {
		_, err := ParseFormat(s)
		require.ErrorContains(t, err, "format", s)
	}
	for _, m := range []Rounding{Floor, NearestEven, NearestAway, Ceiling} {
		got, err := ParseRounding(m.String())
		require.NoError(t, err)
		require.Equal(t, m, got)
	}
	m, err := ParseRounding("truncate")
	require.NoError(t, err)
	require.Equal(t, Floor, m)
	_, err = ParseRounding("up")
	require.Error(t, err)
	require.Equal(t, "inexact|saturated", (Inexact | Saturated).String())
	require.Equal(t, "exact", Flags(0).String())
	require.Equal(t, "-0.75 (Q3.2)", FromRaw(Q(3, 2), ^uint64(2)).String())
}
