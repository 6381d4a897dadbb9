package dcqcn

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/units"
)

const us = units.Microsecond

// timers runs the rate timer n times, and with it the alpha timer.
func timers(f *State, s *Spec, n int) (last Action) {
	for range n {
		last = f.OnTimer(s, f.Next())
	}
	return last
}

// TestSettledExamples are the examples of congestion-control.md, section 5, at 100 Gb/s.
func TestSettledExamples(t *testing.T) {
	s := DefaultSpec(100)
	for _, c := range []struct {
		name                string
		alpha               float64
		cnps, timers        int
		rate, target, after float64
	}{
		{"two CNPs", 1, 2, 0, 25, 50, 1},
		{"CNP and 4 timers", 1, 1, 4, 96.875, 100, 0}, // alpha below
		{"alpha 0.5, two CNPs, 6 timers", 0.5, 2, 6, 74.830887, 75.2, 0},
	} {
		f := NewState(&s)
		f.Alpha = c.alpha
		for range c.cnps {
			require.Equal(t, Cut, f.OnCNP(&s, 0), c.name)
		}
		if c.timers == 6 {
			require.InDelta(t, 0.503899, f.Alpha, 1e-6, c.name) // by then the alpha timer has not run
		}
		timers(&f, &s, c.timers)
		require.InDelta(t, c.rate, f.Rate, 1e-6, c.name)
		require.InDelta(t, c.target, f.Target, 1e-6, c.name)
		if c.after > 0 {
			require.InDelta(t, c.after, f.Alpha, 1e-6, c.name)
		}
	}
}

// TestCut: the cut takes alpha as it was, then alpha rises; the floor holds; counters and both
// timers begin anew.
func TestCut(t *testing.T) {
	s := DefaultSpec(40)
	f := NewState(&s)
	f.Alpha, f.TimerSteps, f.ByteSteps, f.Sent = 0.25, 3, 7, 9_000_000
	f.OnCNP(&s, 10*us)
	require.Equal(t, 40*(1-0.125), f.Rate)
	require.Equal(t, 40.0, f.Target)
	require.InDelta(t, 0.25*255/256+1./256, f.Alpha, 1e-15)
	require.Equal(t, State{Rate: f.Rate, Target: 40, Alpha: f.Alpha, RateDue: 65 * us, AlphaDue: 65 * us}, f)

	for range 100 {
		f.OnCNP(&s, 20*us)
	}
	require.Equal(t, 0.1, f.Rate, "100 Mb/s")
}

// TestAlphaTimer: alpha falls by the gain every 55 us without a CNP, which puts the timer off.
func TestAlphaTimer(t *testing.T) {
	s := DefaultSpec(100)
	s.Timer = 1 << 60 // out of the way
	f := NewState(&s)
	require.Negative(t, f.Next(), "no timer before the first CNP")
	require.Equal(t, None, f.OnTimer(&s, 1000*us))
	require.Equal(t, 1.0, f.Alpha)
	f.OnCNP(&s, 0)
	require.Equal(t, None, f.OnTimer(&s, 54*us))
	require.Equal(t, Decay, f.OnTimer(&s, 55*us))
	require.Equal(t, Decay, f.OnTimer(&s, 110*us))
	require.InDelta(t, 255./256*255/256, f.Alpha, 1e-15)
	f.OnCNP(&s, 120*us)
	require.Equal(t, 175*us, f.AlphaDue)
}

// TestPhases: four fast steps by the timer alone, the fifth is additive; with both counters above
// F the step is hyper; at F itself it is not.
func TestPhases(t *testing.T) {
	s := DefaultSpec(100)
	f := NewState(&s)
	f.OnCNP(&s, 0)
	f.OnCNP(&s, 0) // rate 25, target 50
	for i, want := range []Action{Fast, Fast, Fast, Fast, Additive, Additive} {
		require.Equal(t, want, timers(&f, &s, 1), i)
	}
	// 25 -> 37.5, 43.75, 46.875, 48.4375; target 50.1 -> 49.26875; 50.2 -> 49.734375
	require.InDelta(t, 49.734375, f.Rate, 1e-12)
	require.InDelta(t, 50.2, f.Target, 1e-12)
	for range 5 {
		require.Equal(t, Additive, f.OnSend(&s, s.Bytes)) // T 6, BC 1 to 5: min is not above F
	}
	require.InDelta(t, 50.7, f.Target, 1e-12)
	require.Equal(t, Hyper, f.OnSend(&s, s.Bytes)) // BC 6
	require.InDelta(t, 51.2, f.Target, 1e-12)
	require.Equal(t, Hyper, timers(&f, &s, 1))

	s.FastToF = true
	f = NewState(&s)
	f.OnCNP(&s, 0)
	for i, want := range []Action{Fast, Fast, Fast, Fast, Fast, Additive} {
		require.Equal(t, want, timers(&f, &s, 1), i)
	}
}

// TestByteCounter: a step for each 10 MB, what is over counts towards the next, and a CNP empties
// the counter.
func TestByteCounter(t *testing.T) {
	s := DefaultSpec(100)
	f := NewState(&s)
	f.OnCNP(&s, 0)
	require.Equal(t, None, f.OnSend(&s, 9_999_999))
	require.Equal(t, Fast, f.OnSend(&s, 2))
	require.Equal(t, int64(1), f.Sent)
	require.Equal(t, 1, f.ByteSteps)
	require.Equal(t, 75.0, f.Rate) // half way from 50 to 100
	f.OnCNP(&s, 0)
	require.Zero(t, f.Sent)
	require.Equal(t, Fast, f.OnSend(&s, 30_000_000))
	require.Equal(t, 3, f.ByteSteps, "a large packet may be worth several steps")
}

// TestLineRate: neither rate nor target exceeds the link.
func TestLineRate(t *testing.T) {
	s := DefaultSpec(100)
	f := NewState(&s)
	f.Alpha = 0.001
	f.OnCNP(&s, 0)
	for range 40 {
		timers(&f, &s, 1)
		f.OnSend(&s, s.Bytes)
		require.LessOrEqual(t, f.Target, 100.0)
		require.LessOrEqual(t, f.Rate, 100.0)
	}
	require.InDelta(t, 100, f.Rate, 1e-9)
}

func TestDefaultsScaleWithTheLink(t *testing.T) {
	s := DefaultSpec(40)
	require.InDelta(t, 0.04, s.AIGbps, 1e-15)
	require.InDelta(t, 0.2, s.HAIGbps, 1e-15)
	require.NoError(t, s.Validate())
}

// TestBadSpec: each bad value is refused under the name by which it is set.
func TestBadSpec(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		edit func(*Spec)
		want string
	}{
		{func(s *Spec) { s.LineGbps = 0 }, "line_gbps = 0: want from 0.001 to 1e+06 Gb/s"},
		{func(s *Spec) { s.LineGbps = nan }, "line_gbps = NaN: want a number, from 0.001 to 1e+06 Gb/s"},
		{func(s *Spec) { s.MinGbps = 0 }, "min_gbps = 0: want from 1e-09 to 1e+06 Gb/s"},
		{func(s *Spec) { s.MinGbps = 41 }, "min_gbps = 41: want from 1e-09 to 40 Gb/s"},
		{func(s *Spec) { s.AIGbps = -1 }, "ai_gbps = -1: want from 0 to 1e+06 Gb/s"},
		{func(s *Spec) { s.AIGbps = inf }, "ai_gbps = +Inf: want from 0 to 1e+06 Gb/s"},
		{func(s *Spec) { s.HAIGbps = -1 }, "hai_gbps = -1: want from 0 to 1e+06 Gb/s"},
		{func(s *Spec) { s.HAIGbps = inf }, "hai_gbps = +Inf: want from 0 to 1e+06 Gb/s"},
		{func(s *Spec) { s.Gain = 0 }, "gain = 0: want from 1e-09 to 0.999999"},
		{func(s *Spec) { s.Gain = 1 }, "gain = 1: want from 1e-09 to 0.999999"},
		{func(s *Spec) { s.FastSteps = 0 }, "fast_steps = 0: want from 1 to 1e+06"},
		{func(s *Spec) { s.Bytes = 0 }, "bytes = 0: want from 1 to 1e+15 bytes"},
		{func(s *Spec) { s.Timer = 0 }, "rate_timer = 0: want from 1e-06 to 1e+09 us"},
		{func(s *Spec) { s.AlphaTimer = 0 }, "alpha_timer = 0: want from 1e-06 to 1e+09 us"},
	} {
		s := DefaultSpec(40)
		c.edit(&s)
		require.EqualError(t, s.Validate(), "dcqcn spec: "+c.want)
	}
}

func TestActionNames(t *testing.T) {
	require.Equal(t, "CUT", Cut)
	require.Equal(t, "", None)
	require.Equal(t, "HYPER", Hyper)
}
