package exact

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func at(bps, basePs uint64) SI {
	si := DefaultSI()
	si.SenderBps, si.ConfigBaseRTTPs = bps, basePs
	return si
}

func (r Registers) find(t *testing.T, name string) Quantised {
	for _, q := range r.Quantised {
		if q.Name == name {
			return q
		}
	}
	t.Fatalf("no register %s", name)
	return Quantised{}
}

// The worked values for an MTU of 4096: alpha in bytes per us, fi, eta, fi_scale,
// target in us, MaxWnd.
func TestWorkedValues(t *testing.T) {
	for _, c := range []struct {
		name                      string
		bps, base                 uint64
		alpha, fi, eta, scale, us float64
		maxWnd                    uint64
	}{
		{"100G 12us", 100e9, 12e6, 4096.0 / 3, 20480, 614.4, 0.25, 9, 225000},
		{"400G 12us", 400e9, 12e6, 16384.0 / 3, 81920, 2457.6, 1, 9, 900000},
		{"800G 6us", 800e9, 6e6, 16384.0 / 3, 81920, 2457.6, 1, 4.5, 900000},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Constants(at(c.bps, c.base))
			require.NoError(t, err)
			require.InEpsilon(t, c.alpha, float64(r.Raw("ALPHA"))/65536*1000, 1e-5)
			require.InEpsilon(t, c.fi, float64(r.Raw("FI"))/256, 1e-9)
			require.InEpsilon(t, c.eta, float64(r.Raw("ETA"))/256, 1e-5)
			require.InEpsilon(t, c.scale, float64(r.Raw("FI_SCALE"))/65536, 1e-9)
			require.Equal(t, uint64(c.us*1000), r.Raw("TARGET_QDELAY"))
			require.Equal(t, c.maxWnd, r.Raw("MAX_WND"))
			require.Equal(t, c.base/1000, r.Raw("CONFIG_BASE_RTT"))
			require.Equal(t, c.base/1000, r.Raw("ADJUST_PERIOD"))
			require.Equal(t, uint64(Never), r.Raw("QA_THRESHOLD"))
			require.InEpsilon(t, 1.5*float64(c.bps)/8e9, float64(r.Raw("MWND_RATE"))/65536, 1e-5)
		})
	}
}

func TestRegistersOfTheReferenceNetwork(t *testing.T) {
	r, err := Constants(DefaultSI())
	require.NoError(t, err)
	require.Equal(t, uint64(4096), r.Raw("MTU"))
	require.Equal(t, uint64(89478), r.Raw("ALPHA")) // 4096/3000 * 65536 = 89478.485
	require.Equal(t, uint64(157286), r.Raw("ETA"))  // 614.4 * 256 = 157286.4
	require.Equal(t, uint64(52429), r.Raw("GAMMA")) // 0.8 * 65536 = 52428.8
	require.Equal(t, uint64(32768), r.Raw("MAX_MD_JUMP"))
	require.Equal(t, uint64(209715), r.Raw("EWMA_GAIN")) // 2^24/80 = 209715.2
	require.Equal(t, uint64(3), r.Raw("QA_GATE"))
	require.Equal(t, uint64(32768), r.Raw("ADJUST_BYTES"))
	require.Equal(t, uint64(1000), r.Raw("FAST_DELAY"))
	require.Equal(t, uint64(16384), r.Raw("ACK_GEN_TRIGGER"))
	require.Equal(t, uint64(7), r.Raw("TIME_SHIFT"))

	q := r.find(t, "ALPHA")
	require.True(t, q.Inexact)
	require.Equal(t, "1.36533333333333333333333", q.Exact)
	require.InEpsilon(t, -5.4243e-6, q.RelErr, 1e-3) // (89478 - 89478.4853) / 89478.4853
	require.Zero(t, r.find(t, "FI").RelErr)
	require.Equal(t, "UQ24.8", r.find(t, "FI").Format.String())
	require.Len(t, r.Quantised, 20)
	require.Zero(t, r.Raw("CTRL"))
	for want, set := range map[uint64]func(*SI){
		2: func(si *SI) { si.Credit = true }, 4: func(si *SI) { si.AvgWithoutSample = true },
		10: func(si *SI) { si.CreditAlone = true },
	} {
		si := DefaultSI()
		set(&si)
		r, err = Constants(si)
		require.NoError(t, err)
		require.Equal(t, want, r.Raw("CTRL"))
	}
}

func TestTicksRoundHalfToEven(t *testing.T) {
	si := DefaultSI()
	si.TickPs = 128000
	r, err := Constants(si)
	require.NoError(t, err)
	require.Equal(t, uint64(94), r.Raw("CONFIG_BASE_RTT")) // 93.75
	require.Equal(t, uint64(70), r.Raw("TARGET_QDELAY"))   // 70.3125
	require.Equal(t, uint64(8), r.Raw("FAST_DELAY"))       // 7.8125
	require.Zero(t, r.Raw("TIME_SHIFT"))

	for _, c := range []struct{ ps, ticks uint64 }{{12000500, 12000}, {12001500, 12002}, {12001499, 12001},
		{12001501, 12002}} {
		r, err := Constants(at(100e9, c.ps))
		require.NoError(t, err)
		require.Equal(t, c.ticks, r.Raw("CONFIG_BASE_RTT"), "%d ps", c.ps)
	}
}

func TestWithoutTrimming(t *testing.T) {
	si := DefaultSI()
	si.Trimming = false
	r, err := Constants(si)
	require.NoError(t, err)
	require.Equal(t, uint64(12000), r.Raw("TARGET_QDELAY"))
	require.Equal(t, 4*r.Raw("TARGET_QDELAY"), r.Raw("QA_THRESHOLD"))
	require.Equal(t, uint64(89478), r.Raw("ALPHA"), "alpha does not depend on the target")
}

func TestSlowerEndCounts(t *testing.T) {
	si := at(400e9, 12e6)
	si.ReceiverBps = 100e9
	r, err := Constants(si)
	require.NoError(t, err)
	require.Equal(t, uint64(225000), r.Raw("MAX_WND"))
	si.SenderBps, si.ReceiverBps = 100e9, 400e9
	r2, err := Constants(si)
	require.NoError(t, err)
	require.Equal(t, r, r2)
}

func TestConstantsRefuse(t *testing.T) {
	for want, edit := range map[string]func(*SI){
		"tick is 100 ps":        func(s *SI) { s.TickPs = 100 },
		"tick is 500 ps":        func(s *SI) { s.TickPs = 500 },
		"tick is 0 ps":          func(s *SI) { s.TickPs = 0 },
		"sender link rate is 0": func(s *SI) { s.SenderBps = 0 },
		"mtu is 0":              func(s *SI) { s.MTU = 0 },
		"config_base_rtt is 0":  func(s *SI) { s.ConfigBaseRTTPs = 0 },
		"gamma 1.5":             func(s *SI) { s.Gamma = "1.5" },
		"gamma: number":         func(s *SI) { s.Gamma = "" },
		"register GAMMA":        func(s *SI) { s.Gamma = "1" },
		"register QA_THRESHOLD": func(s *SI) { s.Trimming = false; s.DropThreshold = "0.5" },
		"register MAX_WND":      func(s *SI) { s.SenderBps = 1e15; s.ConfigBaseRTTPs = 1e9 },
	} {
		si := DefaultSI()
		edit(&si)
		_, err := Constants(si)
		require.ErrorContains(t, err, want)
	}
}
