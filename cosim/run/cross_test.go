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

// The two arithmetics were written by different hands and meet only here.

var roundings = []struct {
	exact exact.Rounding
	fxp   fxp.Rounding
}{
	{exact.Floor, fxp.Floor}, {exact.Ceiling, fxp.Ceiling},
	{exact.NearestEven, fxp.NearestEven}, {exact.NearestAway, fxp.NearestAway},
}

func drawNum(t *rapid.T, label string) (fxp.Num, exact.Number) {
	bits := rapid.IntRange(1, 62).Draw(t, label+" bits")
	frac := rapid.IntRange(0, bits).Draw(t, label+" frac")
	if rapid.Bool().Draw(t, label+" signed") {
		raw := rapid.Int64Range(-1<<bits, 1<<bits-1).Draw(t, label)
		f := fxp.Q(uint8(bits-frac), uint8(frac))
		return fxp.Num{Format: f, Raw: uint64(raw)}, exact.Fixed(raw, uint(frac))
	}
	raw := rapid.Int64Range(0, 1<<bits-1).Draw(t, label)
	f := fxp.UQ(uint8(bits-frac), uint8(frac))
	return fxp.Num{Format: f, Raw: uint64(raw)}, exact.Fixed(raw, uint(frac))
}

func TestFixedPointAgreesWithExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, ex := drawNum(t, "x")
		y, ey := drawNum(t, "y")
		r := rapid.SampledFrom(roundings).Draw(t, "rounding")
		bits := rapid.IntRange(1, 63).Draw(t, "result bits")
		frac := rapid.IntRange(0, bits).Draw(t, "result frac")
		signed := rapid.Bool().Draw(t, "result signed")
		c := fxp.Context{Format: fxp.UQ(uint8(bits-frac), uint8(frac)), Rounding: r.fxp}
		f := exact.UQ(uint(bits-frac), uint(frac))
		if signed {
			c.Format, f = fxp.Q(uint8(bits-frac), uint8(frac)), exact.SQ(uint(bits-frac), uint(frac))
		}
		check := func(op string, got fxp.Num, fl fxp.Flags, want exact.Word, err error) {
			require.NoError(t, err, op)
			require.Equal(t, want.Raw, got.Raw, "%s of %v and %v in %v, %v", op, x, y, c.Format, r.fxp)
			require.Equal(t, want.Saturated, fl.Has(fxp.Saturated), "%s saturated", op)
			if !want.Saturated {
				require.Equal(t, want.Inexact, fl.Has(fxp.Inexact), "%s inexact", op)
			}
		}
		got, fl := c.Mul(x, y)
		want, err := exact.Multiply(ex, ey, f, r.exact)
		check("product", got, fl, want, err)
		if y.Raw != 0 {
			got, fl = c.Div(x, y)
			want, err = exact.Divide(ex, ey, f, r.exact)
			check("quotient", got, fl, want, err)
		}
		got, fl = c.Add(x, y)
		want, err = exact.Quantise(exact.Add(ex, ey), f, r.exact)
		check("sum", got, fl, want, err)
		got, fl = c.Convert(x)
		want, err = exact.Quantise(ex, f, r.exact)
		check("conversion", got, fl, want, err)
	})
}

// The block's reset values are the reference network's constants.
func TestResetValuesComeFromSIUnits(t *testing.T) {
	r, err := exact.Constants(exact.DefaultSI())
	require.NoError(t, err)
	want := map[int]uint64{
		ccc.RegMTU: r.MTU, ccc.RegMaxWnd: r.MaxWnd, ccc.RegConfigBaseRTT: r.ConfigBaseRTT,
		ccc.RegTargetQDelay: r.TargetQDelay,
		ccc.RegAlpha:        r.Alpha, ccc.RegFI: r.Fi, ccc.RegEta: r.Eta, ccc.RegFIScale: r.FiScale, ccc.RegGamma: r.Gamma,
		ccc.RegMaxMDJump: r.MaxMDJump, ccc.RegQAGate: r.QAGate, ccc.RegQAThreshold: r.QAThreshold,
		ccc.RegAdjustBytes: r.AdjustBytes, ccc.RegAdjustPeriod: r.AdjustPeriod, ccc.RegEWMAGain: r.EWMAGain,
		ccc.RegFastDelay: r.FastDelay, ccc.RegMwndRate: r.MwndRate, ccc.RegAckGenTrigger: r.AckGenTrigger,
		ccc.RegTimeShift: r.TimeShift, ccc.RegCtrl: r.Ctrl,
	}
	require.Len(t, want, ccc.NumRegs)
	for addr, v := range want {
		require.Equal(t, v, ccc.RegInfo[addr].Reset, ccc.RegInfo[addr].Name)
	}
}

// The average of one ACK and the factor of one decrease, against arbitrary precision.
func TestAverageAndDecreaseAgainstExact(t *testing.T) {
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
