package nscc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Rules that the specification's text leaves open and a first contract got wrong.

const hour = 3600e9 // ticks of 1 ns

func settled(t testing.TB) (Params, State) {
	t.Helper()
	p := params(t, DefaultSpec(), Unit{Ps: 1000, Whole: true})
	return p, NewState(&p, 0)
}

func TestWindowIsOverAfterAnyIdleTime(t *testing.T) {
	for _, idle := range []float64{0.1, 1, 38, 39, 40, 60, 77, 78, 79, 200} {
		p, s := settled(t)
		s.OnNACK(&p, &Nack{Time: 0, Tx: Tx{Sample: None}, Reason: Trimmed, Size: 4096})
		require.True(t, s.QAValid)
		now := p.after(idle*hour, 0)
		r := s.OnNACK(&p, &Nack{Time: now, Tx: Tx{Sample: None}, Reason: Trimmed, Size: 4096})
		require.True(t, r.QAWindow, "%v hours", idle)
		require.True(t, r.QAFired, "%v hours", idle)
	}
}

func TestWindowIsNotEndedByAFallingBaseRTT(t *testing.T) {
	p, s := settled(t)
	s.OnNACK(&p, &Nack{Time: 0, Tx: Tx{Sample: None}, Reason: Trimmed, Size: 4096})
	require.Equal(t, 21000.0, s.QAEnd)
	s.OnSample(&p, &Sample{Time: 1, RTT: 5000})
	require.Equal(t, 5000.0, s.BaseRTT)
	// 20,000 ticks ahead is more than 5,000 + 9,000 and less than 12,000 + 9,000.
	r := s.OnNACK(&p, &Nack{Time: 1000, Tx: Tx{Sample: None}, Reason: Trimmed, Size: 4096})
	require.False(t, r.QAWindow)
	m, ok := r.Margin(WindowQA)
	require.True(t, ok)
	require.Equal(t, -20000.0, m)
}

func TestWindowEdges(t *testing.T) {
	for _, c := range []struct {
		end  float64
		over bool
	}{{0, true}, {1, false}, {21000, false}, {21001, true}, {1 << 47, true}} {
		p, s := settled(t)
		s.QAValid, s.QAEnd = true, p.after(p.TimeMod-5, c.end) // across the wrap
		var r Response
		require.Equal(t, c.over, s.windowOver(&p, p.TimeMod-5, &r), "end %v ahead", c.end)
	}
}

func TestEveryEventRaisesTheWindowsToTheMTU(t *testing.T) {
	p, _ := settled(t)
	small := State{Cwnd: 1500, MaxWnd: 1500, SavedCwnd: 1500, BaseRTT: 12000, Inflight: -100}
	for name, step := range map[string]func(*State) Response{
		"new data": func(s *State) Response { return s.OnNewData(&p, &NewData{Bytes: 1}) },
		"send":     func(s *State) Response { return s.OnSend(&p, &Send{Size: 64}) },
		"ack":      func(s *State) Response { return s.OnACK(&p, new(PDC), &Ack{Tx: Tx{Sample: None}}) },
		"nack":     func(s *State) Response { return s.OnNACK(&p, &Nack{Tx: Tx{Sample: None}, Reason: NoPDC}) },
		"loss":     func(s *State) Response { return s.OnInferredLoss(&p, &Loss{}) },
		"sample":   func(s *State) Response { return s.OnSample(&p, &Sample{}) },
		"bind":     func(s *State) Response { return s.OnBind(&p, new(PDC), &Bind{}) },
		"credit":   func(s *State) Response { return s.OnCreditUpdate(&p, false) },
	} {
		s := small
		r := step(&s)
		require.Equal(t, 4096.0, r.Cwnd, name)
		require.Equal(t, 4096.0, s.MaxWnd, name)
		require.Equal(t, 4096.0, s.SavedCwnd, name)
	}
	s := small
	s.SavedCwnd = 0
	s.OnSend(&p, &Send{})
	require.Zero(t, s.SavedCwnd, "none saved stays none")
}

func TestBindLeavesTheWindowAndTheNeighbours(t *testing.T) {
	p, s := settled(t)
	pdcs := [2]PDC{{LastRcvd: 1000}, {LastRcvd: 2000}}
	s.Inflight = -255
	before := s
	r := s.OnBind(&p, &pdcs[0], &Bind{RcvdBytes: 0, Surplus: 255})
	before.Inflight = 0
	require.Equal(t, before, s)
	require.Equal(t, 0.0, r.Inflight)
	require.Equal(t, [2]PDC{{0}, {2000}}, pdcs)
	r = s.OnACK(&p, &pdcs[0], &Ack{Tx: Tx{Sample: None}, RcvdBytes: 16})
	require.Equal(t, 4096.0, r.Delta)
	require.Zero(t, r.Flags&OldAck)
}

func TestSampleTouchesBaseRTTAndMaxWndOnly(t *testing.T) {
	p, s := settled(t)
	before := s
	for _, rtt := range []float64{0, -1, p.MaxSample, p.MaxSample + 1, 12000, 13000} {
		s.OnSample(&p, &Sample{RTT: rtt})
		require.Equal(t, before, s, "%v", rtt)
	}
	r := s.OnSample(&p, &Sample{RTT: 8000})
	require.True(t, r.HasRTT)
	before.BaseRTT, before.MaxWnd = 8000, 150000
	require.Equal(t, before, s)
}

func TestAverageInPlaceOfASample(t *testing.T) {
	p, s := settled(t)
	s.AvgDelay = 20000.75
	s.OnNACK(&p, &Nack{Time: 0, Tx: Tx{Sample: None}, Reason: NoPDC})
	ack := Ack{Time: 30000, Tx: Tx{Sample: None}, RcvdBytes: 16, Marked: true}

	plain := s
	r := plain.OnACK(&p, new(PDC), &ack)
	require.Equal(t, NoRTT, r.Action)
	require.Equal(t, 225000.0, r.Cwnd)

	p.AvgWithoutSample = true
	r = s.OnACK(&p, new(PDC), &ack)
	require.Equal(t, MD, r.Action)
	require.True(t, r.MDApplied)
	require.False(t, r.HasRTT)
	require.Equal(t, 20000.0, r.Delay, "whole ticks")
	require.Equal(t, 20000.75, s.AvgDelay, "the average takes no sample")
	// The eta of 614.4 bytes follows the decrease by 0.8 * (20000.75 - 9000) / 20000.75.
	require.InDelta(t, 225000*(1-0.8*11000.75/20000.75)+614, r.Cwnd, 1)
}

func TestBacklogHolds48Bits(t *testing.T) {
	p, s := settled(t)
	s.Backlog = 1<<48 - 2
	require.Zero(t, s.OnNewData(&p, &NewData{Bytes: 1}).Flags)
	require.Equal(t, float64(1<<48-1), s.Backlog)
	require.Equal(t, SatCounter, s.OnNewData(&p, &NewData{Bytes: 1}).Flags)
	require.Equal(t, float64(1<<48-1), s.Backlog)
}

func TestInflightIsClampedOnTheSum(t *testing.T) {
	p, s := settled(t)
	s.Inflight, s.RtxBacklog, s.WaitingRtx = maxInflight, 8192, 2
	r := s.OnACK(&p, new(PDC), &Ack{Tx: Tx{Sample: None}, RcvdBytes: 32, UnmarkedPkts: 2, UnmarkedBytes: 8192})
	require.Zero(t, r.Flags, "8192 put back and 8192 taken away never left the range")
	require.Equal(t, float64(maxInflight), s.Inflight)
}
