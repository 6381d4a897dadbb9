package htsim

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// recorded is the configuration of the public recorded runs.
var recorded = Config{LinkGbps: 100, NetworkRTT: 14022720, Target: 10517040, MTU: 4150, MSS: 4086}

func params(t testing.TB) Params {
	t.Helper()
	p, err := recorded.Params()
	require.NoError(t, err)
	return p
}

func TestDerivedConstants(t *testing.T) {
	p := params(t)
	require.Equal(t, 175284.0, p.InitBDP)
	require.InEpsilon(t, 0.00159158, p.Alpha, 1e-6)
	require.InEpsilon(t, 23873.7, p.Fi, 1e-6)
	require.InEpsilon(t, 716.21, p.Eta, 1e-5)
	require.InEpsilon(t, 0.29214, p.FiScale, 1e-6)
	require.Equal(t, int64(33200), p.AdjustBytes)
	require.Equal(t, 4*recorded.Target, p.QAThreshold)
	require.Equal(t, int64(262926), NewIntState(&p).Cwnd)
}

func TestConfigRefuses(t *testing.T) {
	for want, edit := range map[string]func(*Config){
		"link rate 0":             func(c *Config) { c.LinkGbps = 0 },
		"link rate NaN":           func(c *Config) { c.LinkGbps = math.NaN() },
		"network rtt 0":           func(c *Config) { c.NetworkRTT = 0 },
		"target delay -1":         func(c *Config) { c.Target = -1 },
		"mtu 70000":               func(c *Config) { c.MTU = 70000 },
		"mss 4151":                func(c *Config) { c.MSS = 4151 },
		"bandwidth-delay product": func(c *Config) { c.LinkGbps, c.NetworkRTT = 1e-3, 1 },
	} {
		c := recorded
		edit(&c)
		_, err := c.Params()
		require.ErrorContains(t, err, want)
	}
}

// mid is a sender in mid-flight: the QA window and the adjust period end in the
// far future and the window is 200000.
func mid(t testing.TB) (*Params, *IntState) {
	p := params(t)
	s := NewIntState(&p)
	s.Cwnd, s.QAEnd, s.LastAdjust = 200000, 1e12, 1e9
	return &p, s
}

func event(delay int64, ecn bool) *Event {
	return &Event{Kind: ACK, Time: 1e9 + 1, RTT: DataSample, RawRTT: 14022720 + delay, ECN: ecn, Newly: 4150,
		InFlight: 100000}
}

func TestQuadrants(t *testing.T) {
	p, _ := mid(t)
	for _, c := range []struct {
		delay int64
		ecn   bool
		want  Action
	}{{p.Target, false, FAIR}, {p.Target - 1, false, PROP}, {p.Target, true, MD}, {p.Target - 1, true, NOOP}} {
		_, s := mid(t)
		require.Equal(t, c.want, s.Step(p, event(c.delay, c.ecn)).Action)
	}
}

func TestFastIncrease(t *testing.T) {
	for _, c := range []struct {
		delay, count int64
		on           bool
		want         Action
		cwnd         int64
	}{
		{999_999, 200000 - 4150, false, PROP, 200000},
		{999_999, 200001 - 4150, false, FAST, 201212}, // 4150 * 0.29214 = 1212.381, truncated
		{0, 0, true, FAST, 201212},
		{1_000_000, 300000, true, PROP, 200000},
	} {
		p, s := mid(t)
		s.FiCount, s.FiMode = c.count, c.on
		o := s.Step(p, event(c.delay, false))
		require.Equal(t, c.want, o.Action)
		require.Equal(t, c.cwnd, s.Cwnd)
		require.Equal(t, c.want == FAST, s.FiMode)
	}
}

func TestDecrease(t *testing.T) {
	for _, c := range []struct {
		rest    int64
		applied bool
	}{{14022720, false}, {14022721, true}} {
		p, s := mid(t)
		s.AvgDelay = 2 * p.Target
		e := event(2*p.Target, true)
		s.LastDec = e.Time - c.rest
		o := s.Step(p, e)
		require.Equal(t, MD, o.Action)
		require.Equal(t, c.applied, o.MDApplied)
		if c.applied {
			require.Equal(t, int64(120000), s.Cwnd) // 1 - 0.8/2
			require.Equal(t, e.Time, s.LastDec)
		}
	}
	p, s := mid(t)
	s.AvgDelay = p.Target
	require.False(t, s.Step(p, event(p.Target, true)).MDApplied, "the average must be above the target")
	p, s = mid(t)
	s.AvgDelay, s.Cwnd = 100*p.Target, 5000
	s.Step(p, event(100*p.Target, true))
	require.Equal(t, int64(4150), s.Cwnd)
}

func TestQuickAdapt(t *testing.T) {
	run := func(edit func(*Params, *IntState, *Event)) (Outcome[int64], *IntState) {
		p, s := mid(t)
		e := event(p.QAThreshold+1, true)
		s.QAEnd, s.Achieved, s.IncBytes, s.Received = e.Time-1, 10000, 5, 6
		edit(p, s, e)
		return s.Step(p, e), s
	}
	o, s := run(func(*Params, *IntState, *Event) {})
	require.Equal(t, QA, o.Action)
	require.Equal(t, int64(14150), s.Cwnd)
	require.Equal(t, int64(14150), o.AchievedAtQA)
	require.Equal(t, int64(100000), s.BytesToIgnore)
	require.Zero(t, s.IncBytes+s.Received+s.BytesIgnored+s.Achieved)

	o, _ = run(func(_ *Params, s *IntState, _ *Event) { s.QAEnd++ })
	require.False(t, o.QAWindow, "the window's last instant is still inside")
	o, _ = run(func(_ *Params, _ *IntState, e *Event) { e.RawRTT-- })
	require.Equal(t, MD, o.Action)
	o, _ = run(func(_ *Params, s *IntState, _ *Event) { s.QAEnd = 0 })
	require.Equal(t, MD, o.Action, "the first window only begins")
	o, _ = run(func(_ *Params, s *IntState, _ *Event) { s.Achieved = 262926>>3 - 4150 })
	require.Equal(t, MD, o.Action)
	o, _ = run(func(_ *Params, s *IntState, _ *Event) { s.Achieved = 262926>>3 - 4151 })
	require.Equal(t, QA, o.Action)
	o, s = run(func(_ *Params, s *IntState, e *Event) { s.TriggerQA = true; e.RawRTT = 14022720 })
	require.Equal(t, QA, o.Action)
	require.False(t, s.TriggerQA)
	o, _ = run(func(_ *Params, s *IntState, _ *Event) { s.BytesToIgnore = 4151 })
	require.Equal(t, IGNORE, o.Action)
	o, _ = run(func(_ *Params, s *IntState, _ *Event) { s.BytesToIgnore = 4150 })
	require.Equal(t, QA, o.Action)
	o, _ = run(func(_ *Params, s *IntState, e *Event) { s.BytesToIgnore = 4151; e.ECN = false })
	require.Equal(t, QA, o.Action, "an unmarked ACK is not ignored")
}

func TestSamples(t *testing.T) {
	t.Run("none: the average stands in", func(t *testing.T) {
		p, s := mid(t)
		s.AvgDelay = p.Target
		o := s.Step(p, &Event{Kind: ACK, Time: 1e9 + 1, Newly: 1})
		require.Equal(t, FAIR, o.Action)
		require.Equal(t, p.Target, o.Delay)
		require.Equal(t, p.Target, s.AvgDelay)
	})
	t.Run("lower sample moves base and max_wnd", func(t *testing.T) {
		p, s := mid(t)
		o := s.Step(p, event(-4022720, false))
		require.Equal(t, int64(10000000), s.BaseRTT)
		require.Equal(t, int64(187500), s.MaxWnd)
		require.Equal(t, int64(187500), s.Cwnd, "clamped at once")
		require.Zero(t, o.Delay)
	})
	t.Run("rts below the base", func(t *testing.T) {
		p, s := mid(t)
		s.AvgDelay = 77
		e := event(-5, false)
		e.IsRTS = true
		o := s.Step(p, e)
		require.Equal(t, int64(14022720), s.BaseRTT)
		require.Equal(t, int64(77), o.Delay)
		require.Equal(t, int64(77), s.AvgDelay)
	})
	t.Run("probe", func(t *testing.T) {
		p, s := mid(t)
		s.AvgDelay = 77
		e := event(-5, false)
		e.RTT = ProbeSample
		o := s.Step(p, e)
		require.Equal(t, int64(14022720), s.BaseRTT)
		require.Zero(t, o.Delay)
		e.RawRTT = 14022720 + 800
		o = s.Step(p, e)
		require.Equal(t, int64(800), o.Delay)
		require.Equal(t, int64(86), s.AvgDelay) // 10 + 76.04, truncated
	})
	t.Run("drained queue", func(t *testing.T) {
		p, s := mid(t)
		s.Step(p, event(p.Target, false))
		require.Equal(t, int64(131463), s.AvgDelay) // 0.0125 * target
		p, s = mid(t)
		s.Step(p, event(p.Target+1, false))
		require.Equal(t, int64(43821), s.AvgDelay) // 0.0125 * base / 4
	})
}

func TestFulfil(t *testing.T) {
	for _, c := range []struct {
		received, since int64
		fulfilled, eta  bool
		cwnd            int64
	}{
		{33200, 1, false, false, 200000},
		{33201, 1, true, false, 200002},
		{4150, 14022720, false, false, 200000},
		{33201, 14022720, true, true, 200718}, // 2 + 716.21
		{4150, 14022721, true, true, 200718},
	} {
		p, s := mid(t)
		e := event(p.Target-1, true) // NOOP
		s.Received, s.LastAdjust, s.IncBytes = c.received-4150, e.Time-c.since, 599999
		o := s.Step(p, e)
		require.Equal(t, c.fulfilled, o.Fulfilled, "%+v", c)
		require.Equal(t, c.eta, o.EtaApplied, "%+v", c)
		require.Equal(t, c.cwnd, s.Cwnd, "%+v", c)
		require.Equal(t, int64(599999), o.IncPeak)
	}
}

func TestNACKAndRTO(t *testing.T) {
	p, s := mid(t)
	s.IncBytes = 123
	o := s.Step(p, &Event{Kind: NACK, Time: 1e9 + 1, RTT: DataSample, RawRTT: 13000000, Lost: 4150, InFlight: 5})
	require.Equal(t, NACKDec, o.Action)
	require.Equal(t, int64(123), o.IncPeak)
	require.Equal(t, int64(200000-4150), s.Cwnd)
	require.Equal(t, int64(13000000), s.BaseRTT)
	require.Equal(t, int64(175284), s.AvgDelay) // 0.0125 * network_rtt
	require.True(t, s.TriggerQA)
	require.Equal(t, int64(4150), s.BytesIgnored)

	s.QAEnd = 1
	o = s.Step(p, &Event{Kind: NACK, Time: 1e9 + 2, Lost: 4150, InFlight: 777})
	require.Equal(t, QA, o.Action)
	require.Equal(t, int64(777), s.BytesToIgnore)
	require.Equal(t, int64(4150), s.Cwnd)

	p, s = mid(t)
	before := s.Values
	o = s.Step(p, &Event{Kind: RTO, Time: 1e9 + 1, Lost: 4150})
	require.Equal(t, RTODec, o.Action)
	before.Cwnd -= 4150
	require.Equal(t, before, s.Values, "a timeout touches the window alone")
	s.Cwnd = 5000
	s.Step(p, &Event{Kind: RTO, Time: 1e9 + 1, Lost: 4150})
	require.Equal(t, int64(4150), s.Cwnd)
}

// TestPeakBeforeQuickAdapt: where quick adapt clears the increase, by a fire or while
// it ignores marks, the peak is what was there before, in both arithmetics.
func TestPeakBeforeQuickAdapt(t *testing.T) {
	for name, c := range map[string]struct {
		event Event
		edit  func(*Values[int64])
		want  Action
	}{
		"ack":    {*event(5*recorded.Target, true), func(v *Values[int64]) { v.QAEnd = 1 }, QA},
		"nack":   {Event{Kind: NACK, Time: 1e9 + 2, Lost: 4150, InFlight: 777}, func(v *Values[int64]) { v.QAEnd = 1 }, QA},
		"ignore": {*event(0, true), func(v *Values[int64]) { v.BytesToIgnore = 9000 }, IGNORE},
		"ignore, nack": {
			Event{Kind: NACK, Time: 1e9 + 2, Lost: 4150},
			func(v *Values[int64]) { v.BytesToIgnore = 9000 }, IGNORE,
		},
	} {
		p, s := mid(t)
		s.IncBytes = 321
		c.edit(&s.Values)
		r := NewRealState(p)
		r.Cwnd, r.LastAdjust, r.IncBytes = float64(s.Cwnd), float64(s.LastAdjust), 321
		r.QAEnd, r.BytesToIgnore = float64(s.QAEnd), float64(s.BytesToIgnore)
		e := c.event
		o := s.Step(p, &e)
		require.Equal(t, c.want, o.Action, name)
		require.Equal(t, int64(321), o.IncPeak, name)
		require.Zero(t, o.After.IncBytes, name)
		got := r.Step(p, &e)
		require.Equal(t, c.want, got.Action, name)
		require.Equal(t, 321.0, got.IncPeak, name)
		require.Zero(t, got.After.IncBytes, name)
	}
}

func TestStoresWrapAt32Bits(t *testing.T) {
	p, s := mid(t)
	s.IncBytes, s.FiCount, s.BytesIgnored = math.MaxUint32-9, math.MaxUint32, math.MaxUint32
	s.QAEnd = 1e12
	s.Step(p, event(0, false))
	require.Equal(t, int64(4149), s.FiCount)
	require.Equal(t, int64(4149), s.BytesIgnored)
	p, s = mid(t)
	s.IncBytes = math.MaxUint32 - 9
	o := s.Step(p, event(p.Target, false))
	require.Equal(t, int64(99075775-10), o.IncPeak) // 23873.6808 * 4150 = 99075775.32
}

// Both twins take the same path as long as no threshold lies within the
// truncation, which these bounds on one step express.
func TestRealTwinStaysClose(t *testing.T) {
	p := params(t)
	rapid.Check(t, func(t *rapid.T) {
		i, r := NewIntState(&p), NewRealState(&p)
		now := int64(0)
		for range 40 {
			now += rapid.Int64Range(1, 3_000_000).Draw(t, "dt")
			e := Event{Kind: Kind(rapid.IntRange(0, 2).Draw(t, "kind")), Time: now,
				RTT:    Sample(rapid.IntRange(0, 2).Draw(t, "rtt")),
				RawRTT: rapid.Int64Range(12e6, 80e6).Draw(t, "raw"), ECN: rapid.Bool().Draw(t, "ecn"),
				Newly: rapid.Int64Range(0, 20000).Draw(t, "newly"), Lost: 4150, InFlight: 50000}
			oi, or := i.Step(&p, &e), r.Step(&p, &e)
			if i.Cwnd < p.MTU || i.Cwnd > i.MaxWnd && oi.Before.Cwnd <= oi.Before.MaxWnd && e.Kind == ACK && !oi.QAIgnored {
				t.Fatalf("cwnd %d outside %d to %d", i.Cwnd, p.MTU, i.MaxWnd)
			}
			if oi.Action != or.Action || oi.MDApplied != or.MDApplied || oi.Fulfilled != or.Fulfilled {
				return // a threshold inside the truncation: histories part here
			}
			if d := math.Abs(float64(i.Cwnd) - r.Cwnd); d > 1e-3*r.Cwnd {
				t.Fatalf("cwnd %d and %v", i.Cwnd, r.Cwnd)
			}
		}
	})
}

func TestNoAllocations(t *testing.T) {
	p, s := mid(t)
	r := NewRealState(p)
	e := event(p.Target, false)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		e.Time++
		s.Step(p, e)
		r.Step(p, e)
	}))
}
