package nscc

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestResponseNamesWhatHappened: each flag of a response is set by its own rule and by no other.
func TestResponseNamesWhatHappened(t *testing.T) {
	for name, c := range map[string]struct {
		edit                                   func(*State, *Ack)
		stepped, fell, saved, restored, filled bool
	}{
		"sample":    {func(*State, *Ack) {}, true, false, false, false, false},
		"no sample": {func(_ *State, a *Ack) { a.Sample = None }, false, false, false, false, false},
		"shorter":   {func(_ *State, a *Ack) { a.RawRTT = 11_999 }, true, true, false, false, false},
		"limited":   {func(_ *State, a *Ack) { a.Pend = 64 }, true, false, true, false, false},
		"still limited": {func(s *State, a *Ack) { a.Pend, s.SavedCwnd = 64, 150_000 }, true, false, false, false,
			false},
		"restored": {func(s *State, a *Ack) { a.Restore, s.SavedCwnd = true, 150_000 }, true, false, false, true,
			false},
		"nothing restored": {func(_ *State, a *Ack) { a.Restore = true }, true, false, false, false, false},
		"fulfilled":        {func(s *State, _ *Ack) { s.LastAdjust = 0 }, true, false, false, false, true},
	} {
		p, s := bench(t, nil)
		a := ack(8999, true)
		c.edit(&s, a)
		r := s.OnACK(&p, &PDC{}, a)
		require.Equal(t, []bool{c.stepped, c.fell, c.saved, c.restored, c.filled},
			[]bool{r.AvgStepped, r.BaseFell, r.Saved, r.Restored, r.Fulfilled}, name)
	}
	p, s := bench(t, nil)
	require.True(t, s.OnNACK(&p, &Nack{Time: t0, Tx: Tx{Sample: None}, Reason: Trimmed, Size: 1}).AvgStepped)
	require.False(t, s.OnInferredLoss(&p, &Loss{Time: t0, Size: 1}).AvgStepped)
}

// TestWhatWasFulfilled: the increase that was applied, and the window that divided it.
func TestWhatWasFulfilled(t *testing.T) {
	p, s := bench(t, nil)
	s.LastAdjust, s.IncBytes = 0, 250_050
	r := s.OnACK(&p, &PDC{}, ack(8999, true))
	require.Equal(t, []float64{250_050, 100_000}, []float64{r.Fulfilling, r.FulfillingBy})
	require.Equal(t, 100_000.0+2+614, s.Cwnd, "2.5005 and 0.15 * 4096 = 614.4, both floored")
}

// TestRealRatesAreNotFloored: without roundings 1.5 * 12.5 * 11999 is 224981.25.
func TestRealRatesAreNotFloored(t *testing.T) {
	p, s := bench(t, func(c *Spec) { c.Real = true })
	s.OnACK(&p, &PDC{}, ack(-1, false))
	require.InDelta(t, 224_981.25, s.MaxWnd, 1e-9)
}

// TestGivenThreshold: a threshold that is given counts, with trimming too, and may be a picosecond.
func TestGivenThreshold(t *testing.T) {
	c := DefaultSpec()
	for _, trimming := range []bool{true, false} {
		for _, ps := range []float64{1, 40e6} {
			c.Trimming, c.QAThresholdPs = trimming, ps
			p, err := c.Params(Picosecond)
			require.NoError(t, err)
			require.Equal(t, ps, p.QAThreshold)
		}
	}
	c.Trimming, c.QAThresholdPs = true, 0
	p, err := c.Params(Picosecond)
	require.NoError(t, err)
	require.True(t, math.IsInf(p.QAThreshold, 1))
}

// TestLargestWindow: a shorter round trip never raises max_wnd above that of the configured one: 1.5 * 12.5 * 13000 is
// 243750, and the first window is 225000.
func TestLargestWindow(t *testing.T) {
	p, s := bench(t, nil)
	s.BaseRTT, s.MaxWnd = 20_000, 100_000
	s.OnACK(&p, &PDC{}, ack(1000, false))
	require.Equal(t, 13_000.0, s.BaseRTT)
	require.Equal(t, 225_000.0, s.MaxWnd)
}
