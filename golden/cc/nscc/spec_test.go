package nscc

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func network(gbps, basePs float64) Spec {
	c := DefaultSpec()
	c.SenderGbps, c.ConfigBaseRTTPs = gbps, basePs
	return c
}

func params(t testing.TB, c Spec, u Unit) Params {
	t.Helper()
	p, err := c.Params(u)
	require.NoError(t, err)
	return p
}

func TestDerivedDefaults(t *testing.T) {
	for _, c := range []struct {
		gbps, base                              float64
		alphaUs, fi, eta, scale, target, maxWnd float64
	}{
		{100, 12e6, 4096.0 / 3, 20480, 614.4, 0.25, 9e6, 225000},
		{400, 12e6, 16384.0 / 3, 81920, 2457.6, 1, 9e6, 900000},
		{800, 6e6, 16384.0 / 3, 81920, 2457.6, 1, 4.5e6, 900000},
	} {
		for _, ps := range []float64{1, 1000, 128000} {
			p := params(t, network(c.gbps, c.base), Unit{Ps: ps})
			require.InEpsilon(t, c.alphaUs, p.Alpha/ps*1e6, 1e-12)
			require.InEpsilon(t, c.fi, p.Fi, 1e-12)
			require.InEpsilon(t, c.eta, p.Eta, 1e-12)
			require.InEpsilon(t, c.scale, p.FiScale, 1e-12)
			require.InEpsilon(t, c.target/ps, p.Target, 1e-12)
			require.InEpsilon(t, c.base/ps, p.AdjustPeriod, 1e-12)
			require.InEpsilon(t, 1e6/ps, p.FastDelay, 1e-12)
			require.InEpsilon(t, 128000/ps, p.ServiceUnit, 1e-12)
			require.InEpsilon(t, c.maxWnd, p.WndRate*p.ConfigBaseRTT, 1e-12)
			require.Equal(t, c.maxWnd, p.InitWnd)
			require.Equal(t, 8*4096.0, p.AdjustBytes)
			require.Equal(t, 8.0, p.QAGateDiv)
			require.True(t, math.IsInf(p.QAThreshold, 1), "never with trimming")
		}
	}
}

func TestWithoutTrimming(t *testing.T) {
	c := DefaultSpec()
	c.Trimming = false
	p := params(t, c, Picosecond)
	require.Equal(t, 12e6, p.Target)
	require.Equal(t, 4*p.Target, p.QAThreshold)
	require.InEpsilon(t, 4096.0/3/1e6, p.Alpha, 1e-12, "alpha does not depend on the target")
}

func TestSlowerEndSetsTheWindow(t *testing.T) {
	c := DefaultSpec()
	c.SenderGbps, c.ReceiverGbps = 400, 100
	require.Equal(t, params(t, DefaultSpec(), Picosecond), params(t, c, Picosecond))
}

func TestTicksAreWhole(t *testing.T) {
	p := params(t, DefaultSpec(), Unit{Ps: 128000, Whole: true})
	require.Equal(t, 94.0, p.ConfigBaseRTT) // 93.75
	require.Equal(t, 70.0, p.Target)        // 70.3125
	require.Equal(t, 8.0, p.FastDelay)      // 7.8125
	require.Equal(t, 1.0, p.ServiceUnit)
	require.Equal(t, float64(1<<31), p.MaxSample)
	require.InEpsilon(t, 4096.0/3*0.128, p.Alpha, 1e-12, "gains are not rounded")
	require.Equal(t, float64(1<<31), params(t, DefaultSpec(), Unit{Ps: 1000, Whole: true}).MaxSample)
	require.Equal(t, 1000.0*(1<<31), params(t, DefaultSpec(), Picosecond).MaxSample)
}

func TestSpecRefuses(t *testing.T) {
	for want, edit := range map[string]func(*Spec){
		"mtu = 0":            func(c *Spec) { c.MTU = 0 },
		"mtu = 100.5":        func(c *Spec) { c.MTU = 100.5 },
		"mtu = NaN":          func(c *Spec) { c.MTU = math.NaN() },
		"sender link rate":   func(c *Spec) { c.SenderGbps = 0 },
		"receiver link rate": func(c *Spec) { c.ReceiverGbps = -1 },
		"config_base_rtt":    func(c *Spec) { c.ConfigBaseRTTPs = 0 },
		"gamma = 2":          func(c *Spec) { c.Gamma = 2 },
		"ewma gain":          func(c *Spec) { c.EWMAGain = math.Inf(1) },
		"qa_gate = 40":       func(c *Spec) { c.QAGate = 40 },
		"time bits = 64":     func(c *Spec) { c.TimeBits = 64 },
		"1.5 * link rate":    func(c *Spec) { c.SenderGbps, c.ConfigBaseRTTPs = 1e5, 1e12 },
		"drop threshold = 0": func(c *Spec) { c.DropThresholdBDP = 0 },
	} {
		c := DefaultSpec()
		edit(&c)
		_, err := c.Params(Picosecond)
		require.ErrorIs(t, err, ErrSpec)
		require.ErrorContains(t, err, want)
	}
	_, err := DefaultSpec().Params(Unit{})
	require.ErrorContains(t, err, "unit of time is 0 ps")
}

func TestClockWraps(t *testing.T) {
	p := params(t, DefaultSpec(), Unit{Ps: 1000, Whole: true})
	m := p.TimeMod
	require.Equal(t, float64(1<<48), m)
	require.Zero(t, p.elapsed(10, 10))
	require.Equal(t, 20.0, p.elapsed(m-10, 10))
	require.Equal(t, 20.0, p.since(m-10, 10))
	require.Equal(t, -20.0, p.since(10, m-10))
	require.Equal(t, -m/2, p.since(0, m/2), "half the range is before")
	require.Equal(t, m/2-1, p.since(0, m/2-1))
	require.Equal(t, 5.0, p.after(m-5, 10))
	require.Zero(t, p.after(m-5, 5))
}

func TestRcvdBytesDelta(t *testing.T) {
	for _, c := range []struct {
		name      string
		last, raw uint32
		bytes     int64
		old       bool
		next      uint32
	}{
		{"forward", 10, 26, 4096, false, 26},
		{"none", 10, 10, 0, false, 10},
		{"wraps", 1<<24 - 1, 1, 512, false, 1},
		{"one back is old", 10, 9, 0, true, 10},
		{"just below half counts", 0, 1<<23 - 1, 256 * (1<<23 - 1), false, 1<<23 - 1},
		{"half is old", 0, 1 << 23, 0, true, 0},
	} {
		d := PDC{LastRcvd: c.last}
		bytes, old := d.Delta(c.raw)
		require.Equal(t, c.bytes, bytes, c.name)
		require.Equal(t, c.old, old, c.name)
		require.Equal(t, c.next, d.LastRcvd, c.name)
	}
}
