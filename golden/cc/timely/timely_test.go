package timely

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/units"
)

const us = units.Microsecond

// at50 returns a flow at 50 of 100 Gb/s.
func at50() (State, Spec) {
	s := DefaultSpec(100)
	s.FirstGbps = 50
	return NewState(&s), s
}

// samples gives a flow one segment for each RTT in us, and returns what the last one did.
func samples(f *State, s *Spec, rtts ...units.Picos) (last Action) {
	for _, r := range rtts {
		last = f.OnAck(s, s.Segment, r*us)
	}
	return last
}

// TestSettledExamples are the examples of congestion-control.md, section 8, at 100 Gb/s.
func TestSettledExamples(t *testing.T) {
	for _, c := range []struct {
		rtts     []units.Picos
		rate     float64
		gradient float64
		last     Action
	}{
		{[]units.Picos{60, 70}, 32.5, 0.4375, Gradient},
		{[]units.Picos{60, 40}, 50.1, -0.875, Low},
		{[]units.Picos{100, 99, 99, 99, 99, 99, 99}, 51.4, -0.04375 / 32768, Hyper},
	} {
		f, s := at50()
		require.Equal(t, c.last, samples(&f, &s, c.rtts...), c.rtts)
		require.InDelta(t, c.rate, f.Rate, 1e-6, c.rtts)
		require.InDelta(t, c.gradient, f.Gradient(&s), 1e-9, c.rtts)
	}
}

// TestFirstSample: it is taken down and moves nothing, wherever it lies.
func TestFirstSample(t *testing.T) {
	for _, rtt := range []units.Picos{1, 49, 50, 500, 501, 5000} {
		f, s := at50()
		require.Equal(t, First, samples(&f, &s, rtt))
		require.Equal(t, State{Rate: 50, Prev: rtt * us}, f)
	}
}

// TestThresholds: below the lower and above the upper one the gradient has no say; on them it has. It is kept up to
// date everywhere.
func TestThresholds(t *testing.T) {
	for _, c := range []struct {
		first, then units.Picos
		want        Action
		rate        float64
	}{
		{10, 49, Low, 50.1},              // the gradient is positive
		{10, 50, Gradient, 0.1},          // ... 1.75: more than all of the rate
		{60, 50, Additive, 50.1},         // ... negative
		{499, 500, Gradient, 48.25},      // 1 - 0.8 * 0.875 / 20
		{1000, 500, Additive, 50.1},      //
		{2000, 1000, High, 50 * 0.6},     // 1 - 0.8 * (1 - 0.5), although the RTT falls
		{400, 1000, High, 50 * 0.6},      // the same when it rises
		{60, 60, Additive, 50.1},         // a gradient of 0 counts as not positive
		{500, 625, High, 50 * (1 - .16)}, //
	} {
		f, s := at50()
		require.Equal(t, c.want, samples(&f, &s, c.first, c.then), "%v", c)
		require.InDelta(t, c.rate, f.Rate, 1e-9, "%v", c)
		require.InDelta(t, 0.875*float64((c.then-c.first)*us), f.Diff, 1e-3, "%v", c)
		require.Equal(t, c.then*us, f.Prev)
	}
}

// TestSmoothing: each difference enters by seven eighths.
func TestSmoothing(t *testing.T) {
	f, s := at50()
	samples(&f, &s, 100, 108, 100)
	require.InDelta(t, (0.125*7-7)*float64(us), f.Diff, 1e-3)
}

// TestHyper: five rises in a row by the gradient are needed, and each of the other rules restarts the count.
func TestHyper(t *testing.T) {
	for name, between := range map[string]units.Picos{"low": 40, "high": 600, "gradient": 400} {
		f, s := at50()
		require.Equal(t, Additive, samples(&f, &s, 100, 99, 98, 97, 96), name)
		require.Equal(t, 4, f.Rises, name)
		samples(&f, &s, between)
		require.Zero(t, f.Rises, name)
		f.Prev, f.Diff = 95*us, 0
		for range 4 {
			require.Equal(t, Additive, samples(&f, &s, 94), name)
		}
		rate := f.Rate
		require.Equal(t, Hyper, samples(&f, &s, 94), name)
		require.InDelta(t, rate+0.5, f.Rate, 1e-12, name)
		require.Equal(t, Hyper, samples(&f, &s, 94), name)
	}
}

// TestEnds: the rate stays between the least one and that of the link.
func TestEnds(t *testing.T) {
	s := DefaultSpec(100)
	f := NewState(&s)
	require.Equal(t, 100.0, f.Rate)
	for range 20 {
		samples(&f, &s, 20)
		require.Equal(t, 100.0, f.Rate)
	}
	for range 100 {
		samples(&f, &s, 5000)
		require.GreaterOrEqual(t, f.Rate, 0.1)
	}
	require.Equal(t, 0.1, f.Rate)
}

// TestSegments: a decision takes 16,000 acknowledged bytes. An ACK without a sample decides nothing and loses none of
// them.
func TestSegments(t *testing.T) {
	f, s := at50()
	require.Equal(t, None, f.OnAck(&s, 15_999, 60*us))
	require.Equal(t, First, f.OnAck(&s, 1, 61*us))
	require.Zero(t, f.Acked)
	require.Equal(t, 61*us, f.Prev, "the sample of the ACK that ends the segment")
	require.Equal(t, None, f.OnAck(&s, 15_000, 70*us))
	require.Equal(t, None, f.OnAck(&s, 1000, 0))
	require.Equal(t, State{Rate: 50, Prev: 61 * us, Acked: 16_000}, f)
	require.Equal(t, Gradient, f.OnAck(&s, 0, 62*us))
	require.Zero(t, f.Acked)
	require.Equal(t, First, new(State).OnAck(&s, 1_000_000, us), "a large ACK is one decision")
}

// TestSharesDependOnTheStart: two flows on a link of 100 Gb/s whose RTT between the thresholds both see. The gradient
// moves both rates by one factor, so flows that begin with different shares keep different shares. This is the known
// fault of TIMELY (no unique fixed point); an implementation that shared evenly would not be TIMELY.
func TestSharesDependOnTheStart(t *testing.T) {
	const step = 5 * us // between two decisions, of either flow
	share := func(first float64) (share, total float64) {
		s := DefaultSpec(100)
		a, b := NewState(&s), NewState(&s)
		a.Rate, b.Rate = first, 100-first
		queue := float64(100 * us) // as a delay
		sum, n := 0.0, 0
		for i := range 400 {
			queue = max(0, queue+(a.Rate+b.Rate-100)/100*float64(step))
			rtt := 20*us + units.Picos(queue)
			require.Greater(t, rtt, s.Low)
			require.Less(t, rtt, s.High)
			a.OnAck(&s, s.Segment, rtt)
			b.OnAck(&s, s.Segment, rtt)
			if i >= 200 {
				sum, n = sum+a.Rate+b.Rate, n+1
			}
		}
		return a.Rate / (a.Rate + b.Rate), sum / float64(n)
	}
	even, total := share(50)
	require.InDelta(t, 0.5, even, 1e-12)
	require.InDelta(t, 100, total, 10)
	uneven, total := share(80)
	t.Logf("share of the first after 2 ms: %.3f from 0.8; both together %.1f Gb/s", uneven, total)
	require.Greater(t, math.Abs(uneven-0.5), 0.1)
	require.InDelta(t, 100, total, 10)
}

func TestDefaultsScaleWithTheLink(t *testing.T) {
	s := DefaultSpec(40)
	require.InDelta(t, 0.04, s.StepGbps, 1e-15)
	require.Equal(t, 40.0, s.FirstGbps)
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
		{func(s *Spec) { s.MinGbps = 41 }, "min_gbps = 41: want from 1e-09 to 40 Gb/s"},
		{func(s *Spec) { s.FirstGbps = 41 }, "first_gbps = 41: want from 0.1 to 40 Gb/s"},
		{func(s *Spec) { s.FirstGbps = 0.01 }, "first_gbps = 0.01: want from 0.1 to 40 Gb/s"},
		{func(s *Spec) { s.StepGbps = -1 }, "step_gbps = -1: want from 0 to 1e+06 Gb/s"},
		{func(s *Spec) { s.StepGbps = inf }, "step_gbps = +Inf: want from 0 to 1e+06 Gb/s"},
		{func(s *Spec) { s.Gain = 0 }, "gain = 0: want from 1e-09 to 1"},
		{func(s *Spec) { s.Gain = nan }, "gain = NaN: want a number, from 1e-09 to 1"},
		{func(s *Spec) { s.Cut = 1.1 }, "cut = 1.1: want from 0 to 1"},
		{func(s *Spec) { s.Low = -4 * us }, "t_low = -4: want from 0 to 1e+09 us"},
		{func(s *Spec) { s.High = s.Low - us }, "t_high = 49: want from 50 to 1e+09 us"},
		{func(s *Spec) { s.Low, s.High = 0, 0 }, "t_high = 0: want from 1e-06 to 1e+09 us"},
		{func(s *Spec) { s.MinRTT = 0 }, "min_rtt = 0: want from 1e-06 to 1e+09 us"},
		{func(s *Spec) { s.Segment = 0 }, "segment = 0: want from 1 to 1e+15 bytes"},
		{func(s *Spec) { s.HyperAfter = 0 }, "hyper_after = 0: want from 1 to 1e+06"},
		{func(s *Spec) { s.HyperSteps = 0 }, "hyper_steps = 0: want from 1 to 1e+06"},
	} {
		s := DefaultSpec(40)
		c.edit(&s)
		require.EqualError(t, s.Validate(), "timely spec: "+c.want)
	}
	s := DefaultSpec(40)
	s.MinRTT, s.Low, s.High = 1, 1, 1
	require.NoError(t, s.Validate(), "a picosecond")
}

func TestActionNames(t *testing.T) {
	require.Equal(t, "LOW", Low)
	require.Equal(t, "", None)
	require.Equal(t, "GRADIENT", Gradient)
}
