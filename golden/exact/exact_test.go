package exact

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestRoundingAtHalvesAndBetween(t *testing.T) {
	f := SQ(8, 0)
	for _, c := range []struct {
		x                              string
		trunc, floor, ceil, even, away int64
		inexact                        bool
	}{
		{"2", 2, 2, 2, 2, 2, false},
		{"2.25", 2, 2, 3, 2, 2, true},
		{"2.5", 2, 2, 3, 2, 3, true},
		{"3.5", 3, 3, 4, 4, 4, true},
		{"2.75", 2, 2, 3, 3, 3, true},
		{"-2.25", -2, -3, -2, -2, -2, true},
		{"-2.5", -2, -3, -2, -2, -3, true},
		{"-3.5", -3, -4, -3, -4, -4, true},
		{"0.0000000000000000000001", 0, 0, 1, 0, 0, true},
		{"-1/3", 0, -1, 0, 0, 0, true},
	} {
		for r, want := range map[Rounding]int64{Truncate: c.trunc, Floor: c.floor, Ceiling: c.ceil, NearestEven: c.even,
			NearestAway: c.away} {
			w, err := Quantise(MustParse(c.x), f, r)
			require.NoError(t, err)
			require.Equal(t, want, w.Signed(), "%s %v", c.x, r)
			require.Equal(t, c.inexact, w.Inexact, "%s %v", c.x, r)
			require.False(t, w.Saturated)
		}
	}
}

func TestSaturationAtBothEnds(t *testing.T) {
	for _, c := range []struct {
		x    string
		f    Format
		want int64
		sat  bool
	}{
		{"255", UQ(8, 0), 255, false},
		{"256", UQ(8, 0), 255, true},
		{"255.4", UQ(8, 0), 255, false},
		{"255.5", UQ(8, 0), 255, true}, // rounds to 256
		{"-0.4", UQ(8, 0), 0, false},
		{"-1", UQ(8, 0), 0, true},
		{"127", SQ(7, 0), 127, false},
		{"-128", SQ(7, 0), -128, false},
		{"-129", SQ(7, 0), -128, true},
		{"1", UQ(0, 16), 65535, true},
		{"18446744073709551615", UQ(64, 0), -1, false},
		{"18446744073709551616", UQ(64, 0), -1, true},
		{"-9223372036854775808", SQ(63, 0), math.MinInt64, false},
	} {
		w, err := Quantise(MustParse(c.x), c.f, NearestEven)
		require.NoError(t, err)
		require.Equal(t, c.want, w.Signed(), "%s %v", c.x, c.f)
		require.Equal(t, c.sat, w.Saturated, "%s %v", c.x, c.f)
	}
	for _, f := range []Format{{}, UQ(64, 1), SQ(64, 0), UQ(1<<40, 0)} {
		_, err := Quantise(Int(1), f, Floor)
		require.Error(t, err)
	}
	_, err := Quantise(MustParse("0.5"), UQ(8, 0), Rounding(9))
	require.ErrorContains(t, err, "rounding 9")
}

// ratQuantise is a second implementation on math/big that shares no step with Quantise: it uses the floor and the
// distance to it.
func ratQuantise(x *big.Rat, f Format, r Rounding) (*big.Int, bool) {
	y := new(big.Rat).Mul(x, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), f.Frac)))
	fl, rem := new(big.Int).DivMod(y.Num(), y.Denom(), new(big.Int)) // Euclidean division floors
	up := false
	if rem.Sign() != 0 {
		half := new(big.Int).Lsh(rem, 1).Cmp(y.Denom())
		switch r {
		case Truncate:
			up = y.Sign() < 0
		case Ceiling:
			up = true
		case NearestEven:
			up = half > 0 || half == 0 && fl.Bit(0) == 1
		case NearestAway:
			up = half > 0 || half == 0 && y.Sign() > 0
		}
	}
	if up {
		fl.Add(fl, big.NewInt(1))
	}
	return fl, rem.Sign() != 0
}

func clampTo(v *big.Int, f Format) (*big.Int, bool) {
	hi := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), f.Int+f.Frac), big.NewInt(1))
	lo := new(big.Int)
	if f.Signed {
		lo.Not(hi)
	}
	switch {
	case v.Cmp(lo) < 0:
		return lo, true
	case v.Cmp(hi) > 0:
		return hi, true
	}
	return v, false
}

func rat(raw int64, frac uint) *big.Rat {
	return new(big.Rat).SetFrac(big.NewInt(raw), new(big.Int).Lsh(big.NewInt(1), frac))
}

func TestOperationsAgreeWithRationalTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		af, bf := rapid.UintRange(0, 24).Draw(t, "af"), rapid.UintRange(0, 24).Draw(t, "bf")
		ar := rapid.Int64Range(-1<<40, 1<<40).Draw(t, "a")
		br := rapid.Int64Range(-1<<30, 1<<30).Draw(t, "b")
		f := Format{Signed: rapid.Bool().Draw(t, "signed"), Int: rapid.UintRange(1, 32).Draw(t, "int"),
			Frac: rapid.UintRange(0, 24).Draw(t, "frac")}
		r := Rounding(rapid.IntRange(0, 4).Draw(t, "rounding"))
		a, b := Fixed(ar, af), Fixed(br, bf)

		check := func(w Word, err error, x *big.Rat) {
			if err != nil {
				t.Fatal(err)
			}
			v, inexact := ratQuantise(x, f, r)
			v, sat := clampTo(v, f)
			if got := w.Signed(); got != v.Int64() || w.Saturated != sat || w.Inexact != (inexact || sat) {
				t.Fatalf("got %d inexact %v saturated %v, want %v %v %v", got, w.Inexact, w.Saturated, v, inexact || sat, sat)
			}
		}
		w, err := Quantise(Mul(a, b), f, r)
		check(w, err, new(big.Rat).Mul(rat(ar, af), rat(br, bf)))
		q, err := Quo(a, b)
		if br == 0 {
			if err == nil {
				t.Fatal("divided by zero")
			}
			return
		}
		w, err = Quantise(q, f, r)
		check(w, err, new(big.Rat).Quo(rat(ar, af), rat(br, bf)))
	})
}

func TestEWMAStep(t *testing.T) {
	gain := UFixed(209715, 24) // 1/80 in UQ0.24
	f := UQ(32, 16)
	rapid.Check(t, func(t *rapid.T) {
		avg := rapid.Int64Range(0, 1<<40).Draw(t, "avg")
		sample := rapid.Int64Range(0, 1<<24).Draw(t, "sample")
		w, err := EWMA(Fixed(avg, 16), gain, Int(sample), f, Floor)
		if err != nil {
			t.Fatal(err)
		}
		// The settled form in integers: avg += floor(gain * (sample - avg)).
		p := new(big.Int).Mul(big.NewInt(sample<<16-avg), big.NewInt(209715))
		p.Rsh(p, 24) // arithmetic shift of big.Int floors
		if want := avg + p.Int64(); w.Raw != uint64(want) {
			t.Fatalf("avg %d sample %d: got %d want %d", avg, sample, w.Raw, want)
		}
	})
	w, err := EWMA(Int(0), MustParse("1/80"), Int(80), UQ(32, 16), NearestEven)
	require.NoError(t, err)
	require.Equal(t, Word{Raw: 1 << 16}, w)
	w, err = EWMA(Int(0), MustParse("1/80"), Int(1), UQ(32, 4), Floor)
	require.NoError(t, err)
	require.Equal(t, Word{Raw: 0, Inexact: true}, w, "the dead band of a coarse average")
	_, err = EWMA(Int(0), Int(1), Int(1), UQ(0, 0), Floor)
	require.Error(t, err)
}

func TestDecreaseFactor(t *testing.T) {
	g, least := MustParse("0.8"), MustParse("0.5")
	for _, c := range []struct{ avg, target, want string }{
		{"9000", "9000", "1"}, // at the target: no decrease
		{"8999", "9000", "1"},
		{"12000", "9000", "0.8"}, // 1 - 0.8/4
		{"24000", "9000", "0.5"}, // 1 - 0.8*0.625: exactly the floor
		{"24001", "9000", "0.5"}, // below the floor
		{"90000", "9000", "0.5"}, // far below
		{"9001", "9000", "0.99991112098"},
	} {
		f, err := DecreaseFactor(MustParse(c.avg), MustParse(c.target), g, least)
		require.NoError(t, err)
		require.InDelta(t, MustParse(c.want).Float64(), f.Float64(), 1e-10, "avg %s", c.avg)
	}
	f, err := DecreaseFactor(MustParse("23999"), MustParse("9000"), g, least)
	require.NoError(t, err)
	require.Equal(t, 1, Cmp(f, least), "one tick short of the floor stays above it")
	_, err = DecreaseFactor(Int(0), Int(-1), g, least)
	require.ErrorIs(t, err, ErrDivideByZero)
}

func TestParse(t *testing.T) {
	x, err := Parse("1/80")
	require.NoError(t, err)
	require.Equal(t, "0.0125", x.Text(20))
	for _, s := range []string{"", "x", "1/", "1/0", "NaN", "Infinity", "1e900"} {
		_, err := Parse(s)
		require.Error(t, err, s)
	}
	require.Equal(t, 0, Number{}.Sign())
	require.Equal(t, "3", Max(Int(3), Int(2)).Text(5))
}

// A ratio is the number itself, whatever the exponents of its decimals.
func TestRat(t *testing.T) {
	for text, want := range map[string]string{"0.8": "4/5", "1/80": "1/80", "-2.5e3": "-2500/1", "1e-3/-7": "-1/7000",
		"0": "0/1", "123456789012345678901234567890": "123456789012345678901234567890/1"} {
		require.Equal(t, want, MustParse(text).Rat().String(), text)
	}
	require.Equal(t, "3/8", Fixed(3, 3).Rat().String())
	require.Equal(t, "0/1", Number{}.Rat().String())
}
