package run_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/golden/exact"
	rtlccc "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/rtlmodel/fxp"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// Different authors wrote the two arithmetics, which meet only here.
func TestFixedPointAgreesWithExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.Uint64().Draw(t, "x"), rapid.Uint64().Draw(t, "y")
		frac := rapid.UintRange(0, 63).Draw(t, "frac")
		width := rapid.UintRange(1, 64).Draw(t, "width")
		ex, ey := exact.Uint(x), exact.Uint(y)
		check := func(op string, raw uint64, fl fxp.Flags, value exact.Number, f exact.Format) {
			want, err := exact.Quantise(value, f, exact.Floor)
			require.NoError(t, err, op)
			require.Equal(t, want.Raw, raw, "%s of %d and %d in %v", op, x, y, f)
			require.Equal(t, want.Saturated, fl == fxp.Saturated, "%s saturated", op)
		}
		got, fl := fxp.AddSat(x, y, width)
		check("sum", got, fl, exact.Add(ex, ey), exact.UQ(width, 0))
		got, fl = fxp.SubSat(x, y)
		check("difference", got, fl, exact.Sub(ex, ey), exact.UQ(64, 0))
		s, fl := fxp.Clamp(int64(x), width)
		check("conversion", uint64(s), fl, exact.Int(int64(x)), exact.SQ(width-1, 0))
		got, fl = fxp.MulShift(x, y, frac)
		check("product", got, fl, exact.Mul(ex, exact.UFixed(y, frac)), exact.UQ(64, 0))
		gain, diff, shift := x>>40, int64(y)>>15, rapid.UintRange(10, 40).Draw(t, "shift") // as wide as the average's
		step := fxp.MulShiftSigned(gain, diff, shift)
		check("signed product", uint64(step), 0, exact.Mul(exact.Uint(gain), exact.Fixed(diff, shift)), exact.SQ(63, 0))
		if y != 0 {
			q, err := exact.Quo(ex, ey)
			require.NoError(t, err)
			got, fl = fxp.Ratio(x, y, frac)
			check("quotient", got, fl, q, exact.UQ(64-frac, frac))
		}
	})
}

// The block's reset values are the reference network's constants.
func TestResetValuesComeFromSIUnits(t *testing.T) {
	t.Parallel()
	r, err := exact.Constants(exact.DefaultSI())
	require.NoError(t, err)
	require.Len(t, r.Quantised, ccc.NumRegs)
	for _, reg := range ccc.RegInfo {
		require.Equal(t, r.Raw(reg.Name), reg.Reset, reg.Name)
	}
}

// The average of one ACK and the factor of one decrease, against arbitrary precision.
func TestAverageAndDecreaseAgainstExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cfg := rtlccc.DefaultConfig()
		gain := rapid.Uint64Range(1, 1<<24-1).Draw(t, "gain")
		gamma := rapid.Uint64Range(0, 1<<16-1).Draw(t, "gamma")
		floor := rapid.Uint64Range(0, 1<<16-1).Draw(t, "floor")
		target := rapid.Uint64Range(0, 1<<20).Draw(t, "target")
		for addr, v := range map[uint8]uint64{
			ccc.RegEWMAGain: gain, ccc.RegGamma: gamma, ccc.RegMaxMDJump: floor, ccc.RegTargetQDelay: target,
			ccc.RegMTU: 1, ccc.RegCtrl: 1, // no quick adapt
		} {
			require.True(t, cfg.Write(0, addr, v))
		}
		st := rtlccc.State{Valid: true, Words: ccc.Words{
			Cwnd: rapid.Uint32Range(1, 1<<32-1).Draw(t, "cwnd"), MaxWnd: 1<<32 - 1, BaseRTT: 1000,
			AvgDelay: rapid.Uint64Range(0, 1<<40).Draw(t, "avg"), LastDecTime: 0, LastAdjustTime: 1 << 30,
		}}
		delay := rapid.Uint64Range(target, target+1<<20).Draw(t, "delay")
		ev := ccc.Event{Kind: ccc.KindAck, Now: 1 << 30, TxTime: 1<<30 - 128 - 1000 - delay, TxValid: true, ServiceTime: 1,
			M: true}
		before := st
		var rsp ccc.Response
		rtlccc.Apply(&cfg, &st, &ev, &rsp)
		require.Equal(t, ccc.ActionMD, rsp.Action)

		avg, err := exact.EWMA(exact.UFixed(before.AvgDelay, 16), exact.UFixed(gain, 24), exact.Uint(delay), exact.UQ(32, 16),
			exact.Floor)
		require.NoError(t, err)
		require.Equal(t, avg.Raw, st.AvgDelay)
		if !rsp.MDApplied {
			require.LessOrEqual(t, st.AvgDelay, target<<16)
			return
		}
		f, err := exact.DecreaseFactor(exact.UFixed(st.AvgDelay, 16), exact.Uint(target), exact.UFixed(gamma, 16),
			exact.UFixed(floor, 16))
		require.NoError(t, err)
		want := exact.Mul(exact.Uint(uint64(before.Cwnd)), f).Float64()
		// contract.md, Error bounds: the ratio is floored to 2^-16, so the window falls at most that much less far.
		slack := float64(before.Cwnd)/65536 + 1
		require.InDelta(t, want, float64(st.Cwnd), slack)
		require.GreaterOrEqual(t, float64(st.Cwnd)+1, want, "never below the exact window")
	})
}
