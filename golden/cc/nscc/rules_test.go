package nscc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const t0 = 1e6 // ticks of 1 ns, far from 0

// bench is a context in mid-flight at the reference network with ticks of 1 ns:
// base_rtt 12000, target 9000, max_wnd 225000, cwnd 100000, a QA window and an
// adjust period that are far from their ends.
func bench(t testing.TB, edit func(*Spec)) (Params, State) {
	c := DefaultSpec()
	if edit != nil {
		edit(&c)
	}
	p := params(t, c, Unit{Ps: 1000, Whole: true})
	s := NewState(&p, t0)
	s.Cwnd, s.Inflight = 100000, 80000
	s.Backlog, s.CCC, s.InflightPkts = 1e6, Ready, 20
	s.QAValid, s.QAEnd = true, t0+20000
	return p, s
}

// ack is one acknowledgement of 4096 new bytes with a given queueing delay.
func ack(delay float64, marked bool) *Ack {
	return &Ack{Time: t0 + 5, Tx: Tx{Sample: Given, RawRTT: 12000 + delay}, Service: 1,
		RcvdBytes: 16, Marked: marked, AckedPkts: 1}
}

func TestQuadrants(t *testing.T) {
	for _, c := range []struct {
		name   string
		delay  float64
		marked bool
		limit  bool
		want   Action
	}{
		{"unmarked at the target", 9000, false, false, FAIR},
		{"unmarked below the target", 8999, false, false, PROP},
		{"marked at the target", 9000, true, false, MD},
		{"marked below the target", 8999, true, false, NOOP},
		{"limited unmarked at the target", 9000, false, true, RcvLimit},
		{"limited unmarked below", 8999, false, true, RcvLimit},
		{"limited marked at the target", 9000, true, true, MD},
		{"limited marked below", 8999, true, true, NOOP},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, s := bench(t, nil)
			a := ack(c.delay, c.marked)
			if c.limit {
				a.Pend = 1
			}
			r := s.OnACK(&p, &PDC{}, a)
			require.Equal(t, c.want, r.Action)
			require.Equal(t, c.limit, r.RcvLimited)
			m, ok := r.Margin(DelayTarget)
			require.True(t, ok)
			require.Equal(t, c.delay-9000, m)
			switch c.want {
			case FAIR:
				require.Equal(t, 20480*4096.0, s.IncBytes)
			case PROP: // alpha * delta * (target - delay), floored
				require.Equal(t, 5592.0, s.IncBytes)
			default:
				require.Zero(t, s.IncBytes)
			}
			require.Equal(t, map[bool]Feedback{false: NoECN, true: ECN}[c.marked], r.LB)
			require.Equal(t, 80000.0-4096, r.Inflight)
			require.Equal(t, 19.0, s.InflightPkts)
		})
	}
}

func TestFastIncrease(t *testing.T) {
	for _, c := range []struct {
		name    string
		delay   float64
		count   float64
		on      bool
		want    Action
		count2  float64
		cwnd    float64
		stillOn bool
	}{
		{"count reaches cwnd exactly", 0, 100000 - 4096, false, PROP, 100000, 100000, false},
		{"count one over cwnd", 0, 100001 - 4096, false, FAST, 100001, 101024, true},
		{"on already", 999, 0, true, FAST, 4096, 101024, true},
		{"delay at the bound ends it", 1000, 90000, true, PROP, 0, 100000, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, s := bench(t, nil)
			s.FiCount, s.Increase = c.count, c.on
			r := s.OnACK(&p, &PDC{}, ack(c.delay, false))
			require.Equal(t, c.want, r.Action)
			require.Equal(t, c.count2, s.FiCount)
			require.Equal(t, c.cwnd, s.Cwnd)
			require.Equal(t, c.stillOn, s.Increase)
		})
	}
	t.Run("clamped to max_wnd", func(t *testing.T) {
		p, s := bench(t, nil)
		s.Cwnd, s.Increase = 224999, true
		s.OnACK(&p, &PDC{}, ack(0, false))
		require.Equal(t, 225000.0, s.Cwnd)
	})
	t.Run("only fast increase and decrease end it", func(t *testing.T) {
		for _, a := range []*Ack{ack(9000, false), ack(8999, true)} { // FAIR, NOOP
			p, s := bench(t, nil)
			s.Increase, s.FiCount = true, 77
			s.OnACK(&p, &PDC{}, a)
			require.True(t, s.Increase)
			require.Equal(t, 77.0, s.FiCount)
		}
		p, s := bench(t, nil)
		s.Increase, s.FiCount = true, 77
		s.OnACK(&p, &PDC{}, ack(9000, true)) // MD, although not applied
		require.False(t, s.Increase)
		require.Zero(t, s.FiCount)
	})
}

func TestMultiplicativeDecrease(t *testing.T) {
	for _, c := range []struct {
		name    string
		avg     float64 // after this event's update: the sample equals it
		since   float64
		applied bool
		cwnd    float64
	}{
		{"average at the target", 9000, 20000, false, 100000},
		{"a quarter above", 12000, 20000, true, 80000},
		{"exactly the floor", 24000, 20000, true, 50000},
		{"beyond the floor", 90000, 20000, true, 50000},
		{"rest of exactly base_rtt", 12000, 12000, false, 100000},
		{"one tick more", 12000, 12001, true, 80000},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, s := bench(t, nil)
			s.AvgDelay = c.avg
			a := ack(c.avg, true)
			s.LastDec = a.Time - c.since
			r := s.OnACK(&p, &PDC{}, a)
			require.Equal(t, MD, r.Action)
			require.Equal(t, c.applied, r.MDApplied)
			require.InDelta(t, c.cwnd, s.Cwnd, 1)
			if c.applied {
				require.Equal(t, a.Time, s.LastDec)
			}
		})
	}
	t.Run("never below one MTU", func(t *testing.T) {
		p, s := bench(t, nil)
		s.Cwnd, s.AvgDelay, s.LastDec = 5000, 90000, t0-20000
		s.OnACK(&p, &PDC{}, ack(90000, true))
		require.Equal(t, 4096.0, s.Cwnd)
	})
}

func TestAverageDelay(t *testing.T) {
	for _, c := range []struct {
		name   string
		delay  float64
		marked bool
		sample float64
	}{
		{"delay as it is", 5000, false, 5000},
		{"unmarked at the target", 9000, false, 9000},
		{"unmarked beyond the target", 9001, false, 3000}, // base_rtt / 4
		{"marked beyond the target", 9001, true, 9001},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, s := bench(t, nil)
			s.AvgDelay = 800
			s.OnACK(&p, &PDC{}, ack(c.delay, c.marked))
			require.InDelta(t, 800+(c.sample-800)/80, s.AvgDelay, 1e-9)
		})
	}
	t.Run("the quarter is truncated", func(t *testing.T) {
		p, s := bench(t, nil)
		s.BaseRTT = 11999
		s.OnACK(&p, &PDC{}, ack(9001, false))
		require.InDelta(t, 2999.0/80, s.AvgDelay, 1e-9)
	})
	t.Run("a trim samples config_base_rtt", func(t *testing.T) {
		p, s := bench(t, nil)
		s.BaseRTT = 8000
		s.OnNACK(&p, &Nack{Time: t0 + 5, Tx: Tx{Sample: None}, Reason: Trimmed, Size: 4096})
		require.InDelta(t, 12000.0/80, s.AvgDelay, 1e-9)
	})
}

func TestQuickAdapt(t *testing.T) {
	fire := func(edit func(*Params, *State, *Ack)) (Response, State) {
		p, s := bench(t, func(c *Spec) { c.Trimming = false; c.TargetPs = 9e6; c.QAThresholdPs = 40e6 })
		s.QAEnd = t0 + 5 // now
		s.AchievedBytes, s.IncBytes, s.ReceivedBytes = 10000-4096, 5, 7
		a := ack(40001, true)
		edit(&p, &s, a)
		return s.OnACK(&p, &PDC{}, a), s
	}
	t.Run("fires on a long delay at the window's end", func(t *testing.T) {
		r, s := fire(func(*Params, *State, *Ack) {})
		require.Equal(t, QA, r.Action)
		require.True(t, r.QAFired)
		require.Equal(t, 10000.0, s.Cwnd)
		require.Equal(t, 80000.0-4096, s.BytesToIgnore)
		require.Zero(t, s.BytesIgnored)
		require.Zero(t, s.AchievedBytes)
		require.Zero(t, s.IncBytes)
		require.Zero(t, s.ReceivedBytes)
		require.Equal(t, t0+5+12000+9000, s.QAEnd)
	})
	t.Run("delay at the threshold", func(t *testing.T) {
		r, s := fire(func(_ *Params, _ *State, a *Ack) { a.RawRTT-- })
		require.Equal(t, MD, r.Action)
		require.True(t, r.QAWindow)
		require.Zero(t, s.AchievedBytes, "a window that ends without a fire starts anew")
	})
	t.Run("a tick before the window's end", func(t *testing.T) {
		r, s := fire(func(_ *Params, s *State, _ *Ack) { s.QAEnd++ })
		require.Equal(t, MD, r.Action)
		require.False(t, r.QAWindow)
		require.Equal(t, 10000.0, s.AchievedBytes)
	})
	t.Run("triggered by an earlier trim", func(t *testing.T) {
		r, s := fire(func(_ *Params, s *State, a *Ack) { s.TriggerQA = true; a.RawRTT = 12000 })
		require.Equal(t, QA, r.Action)
		require.False(t, s.TriggerQA)
	})
	t.Run("trigger stays when nothing fires", func(t *testing.T) {
		_, s := fire(func(_ *Params, s *State, _ *Ack) { s.TriggerQA = true; s.AchievedBytes = 1e6 })
		require.True(t, s.TriggerQA)
	})
	t.Run("achieved at max_wnd >> gate", func(t *testing.T) { // floor(225000 / 8)
		r, _ := fire(func(_ *Params, s *State, _ *Ack) { s.AchievedBytes = 28125 - 4096 })
		require.Equal(t, MD, r.Action)
		r, s := fire(func(_ *Params, s *State, _ *Ack) { s.AchievedBytes = 28124 - 4096 })
		require.Equal(t, QA, r.Action)
		require.Equal(t, 28124.0, s.Cwnd)
	})
	t.Run("the gate is a shift", func(t *testing.T) {
		r, _ := fire(func(_ *Params, s *State, _ *Ack) { s.MaxWnd = 80007; s.AchievedBytes = 10000 - 4096 })
		require.Equal(t, MD, r.Action, "80007 >> 3 is 10000, which is not above 10000")
	})
	t.Run("no window yet", func(t *testing.T) {
		r, s := fire(func(_ *Params, s *State, _ *Ack) { s.QAValid = false; s.QAEnd = 0 })
		require.Equal(t, MD, r.Action)
		require.True(t, s.QAValid)
		require.Equal(t, t0+5+12000+9000, s.QAEnd)
	})
	t.Run("may raise the window, and never sets it below one MTU", func(t *testing.T) {
		_, s := fire(func(_ *Params, s *State, _ *Ack) { s.Cwnd = 5000 })
		require.Equal(t, 10000.0, s.Cwnd)
		_, s = fire(func(_ *Params, s *State, a *Ack) { s.AchievedBytes = 0; a.RcvdBytes = 1 })
		require.Equal(t, 4096.0, s.Cwnd)
	})
	t.Run("negative inflight ignores nothing", func(t *testing.T) {
		_, s := fire(func(_ *Params, s *State, _ *Ack) { s.Inflight = 100 })
		require.Zero(t, s.BytesToIgnore)
		require.Equal(t, -3996.0, s.Inflight)
	})
	t.Run("disabled", func(t *testing.T) {
		r, s := fire(func(p *Params, s *State, _ *Ack) { p.QADisabled = true; s.BytesToIgnore = 1e6 })
		require.Equal(t, MD, r.Action)
		require.Equal(t, t0+5, s.QAEnd)
	})
}

func TestIgnorePhase(t *testing.T) {
	for _, c := range []struct {
		name    string
		ignored float64
		marked  bool
		want    Action
	}{
		{"one byte short", 49999 - 4096, true, IGNORE},
		{"all ignored", 50000 - 4096, true, MD},
		{"unmarked ends nothing but is heard", 0, false, FAIR},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, s := bench(t, nil)
			s.BytesToIgnore, s.BytesIgnored, s.IncBytes = 50000, c.ignored, 99
			r := s.OnACK(&p, &PDC{}, ack(9000, c.marked))
			require.Equal(t, c.want, r.Action)
			require.Equal(t, c.want == IGNORE, r.Ignored)
			if r.Ignored {
				require.Zero(t, s.IncBytes)
				require.Zero(t, s.ReceivedBytes)
				require.False(t, r.Fulfilled)
			}
		})
	}
}

func TestFulfil(t *testing.T) {
	for _, c := range []struct {
		name      string
		since     float64
		received  float64
		inc       float64
		fulfilled bool
		cwnd      float64
	}{
		{"neither", 11999, 32768, 250050, false, 100000},
		{"bytes one above", 11999, 32769, 250050, true, 100002}, // 2.5005 floored
		{"period exactly over", 12000, 4096, 250050, true, 100616},
		{"quotient just whole", 11999, 32769, 300000, true, 100003},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, s := bench(t, nil)
			a := ack(8999, true) // NOOP adds nothing of its own
			s.LastAdjust = a.Time - c.since
			s.ReceivedBytes, s.IncBytes = c.received-4096, c.inc
			r := s.OnACK(&p, &PDC{}, a)
			require.Equal(t, c.fulfilled, r.Fulfilled)
			require.Equal(t, c.since >= 12000, r.EtaApplied)
			require.Equal(t, c.cwnd, s.Cwnd)
			if c.fulfilled {
				require.Zero(t, s.IncBytes)
				require.Zero(t, s.ReceivedBytes)
			}
			if r.EtaApplied {
				require.Equal(t, a.Time, s.LastAdjust)
			}
		})
	}
	t.Run("clamped to max_wnd", func(t *testing.T) {
		p, s := bench(t, nil)
		s.Cwnd, s.LastAdjust = 225000, t0-20000
		s.OnACK(&p, &PDC{}, ack(8999, true))
		require.Equal(t, 225000.0, s.Cwnd)
	})
	t.Run("runs while limited", func(t *testing.T) {
		p, s := bench(t, nil)
		s.LastAdjust = t0 - 20000
		a := ack(0, false)
		a.Pend = 1
		r := s.OnACK(&p, &PDC{}, a)
		require.Equal(t, RcvLimit, r.Action)
		require.True(t, r.EtaApplied)
	})
}

func TestDestinationFlowControl(t *testing.T) {
	limited := func(pend uint8, rc bool, edit func(*State)) State {
		p, s := bench(t, nil)
		if edit != nil {
			edit(&s)
		}
		a := ack(8999, true)
		a.Pend, a.Restore = pend, rc
		s.OnACK(&p, &PDC{}, a)
		return s
	}
	none := func(*State) {}
	s := limited(0, false, none)
	require.Equal(t, 100000.0, s.Cwnd)
	require.Zero(t, s.SavedCwnd)

	s = limited(64, false, none) // min(100000, 75904) - 64*4096/128
	require.Equal(t, 75904.0-2048, s.Cwnd)
	require.Equal(t, 100000.0, s.SavedCwnd, "saved whatever rc says")

	s = limited(127, true, func(s *State) { s.SavedCwnd = 150000 })
	require.Equal(t, 75904.0-4064, s.Cwnd)
	require.Equal(t, 150000.0, s.SavedCwnd, "saved once, and rc does not restore under a penalty")

	s = limited(127, false, func(s *State) { s.Inflight = 0 })
	require.Equal(t, 4096.0, s.Cwnd, "negative inflight counts as 0, one MTU stays")

	s = limited(0, false, func(s *State) { s.SavedCwnd = 150000 })
	require.Equal(t, 150000.0, s.SavedCwnd, "no restore without rc")

	s = limited(0, true, func(s *State) { s.SavedCwnd = 150000 })
	require.Equal(t, 150000.0, s.Cwnd)
	require.Zero(t, s.SavedCwnd)

	s = limited(0, true, func(s *State) { s.SavedCwnd = 150000; s.MaxWnd = 120000 })
	require.Equal(t, 120000.0, s.Cwnd, "clamped to max_wnd")

	s = limited(0, true, none)
	require.Equal(t, 100000.0, s.Cwnd, "nothing saved, nothing restored")

	p, s := bench(t, nil)
	a := ack(0, false)
	a.RcvdBytes, a.Pend = 1, 127 // 127*256/128 = 254
	s.OnACK(&p, &PDC{}, a)
	require.Equal(t, 79744.0-254, s.Cwnd)
	p, s = bench(t, nil)
	s.SavedCwnd, a.Pend, a.Restore = 225000, 0, true
	a.RawRTT = 6000 // halves max_wnd in this very event
	s.OnACK(&p, &PDC{}, a)
	require.Equal(t, 112500.0, s.MaxWnd)
	require.Equal(t, 225000.0, s.Cwnd, "restored under the max_wnd before this event's sample")
}
