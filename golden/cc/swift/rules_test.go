package swift

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDefaults are the parameters of congestion-control.md, section 1: 100 Gb/s, 12.5 us, 4160 bytes make a BDP of
// 156250/4160 packets.
func TestDefaults(t *testing.T) {
	require.Equal(t, Spec{
		Kind: Median, RTT: 12.5, BDP: 156250. / 4160, Base: 13.5, FSRange: 5, FSMin: 0.1, FSMax: 100, AI: 1, Beta: 0.8,
		MaxMDF: 0.5, Least: 0.01, Most: 2 * 156250. / 4160, ResetAt: 5, RTOMin: 100, Adjacent: 5, Resend: 2,
		Percentile: 50, History: 128, Age: 2,
	}, DefaultSpec(Median, 100, 12.5, 4160))
}

// TestRowOfTimeouts: new data, a sample and a hole end a row of timeouts; an ACK with none of them does not.
func TestRowOfTimeouts(t *testing.T) {
	for name, c := range map[string]struct {
		kind Kind
		do   func(*State, *Spec) Action
		want int
		did  Action
	}{
		"nothing":      {Plain, func(f *State, s *Spec) Action { return f.OnAck(s, Ack{Now: 9}) }, 3, None},
		"new data":     {Plain, func(f *State, s *Spec) Action { return f.OnAck(s, Ack{Now: 9, N: 1}) }, 0, None},
		"short sample": {Plain, func(f *State, s *Spec) Action { return f.OnAck(s, Ack{Now: 9, Delay: 0.5}) }, 0, Grow},
		"LSwift hole":  {Loss, func(f *State, s *Spec) Action { return f.OnHole(s, 9, 7) }, 0, None},
		"holes": {Loss, func(f *State, s *Spec) Action {
			return f.OnHoles(s, 9, 7, []uint32{4}, func(p uint32) bool { return p == 4 })
		}, 0, None},
		"no holes": {Loss, func(f *State, s *Spec) Action {
			return f.OnHoles(s, 9, 7, nil, func(uint32) bool { return true })
		}, 3, None},
		"holes of Swift": {Plain, func(f *State, s *Spec) Action {
			return f.OnHoles(s, 9, 7, []uint32{1, 2, 3, 4, 5}, func(p uint32) bool { return p < 9 })
		}, 3, None},
	} {
		s := spec800(c.kind)
		f := State{W: 64, Timeouts: 3, LastCut: math.Inf(-1)}
		require.Equal(t, c.did, c.do(&f, &s), name)
		require.Equal(t, c.want, f.Timeouts, name)
		require.Equal(t, 64.0, f.W, name)
	}
}

// TestLastSample: the last sample stays when an ACK has none.
func TestLastSample(t *testing.T) {
	s := spec800(Plain)
	f := State{W: 64}
	f.OnAck(&s, Ack{Now: 9, Delay: 6.5, N: 1})
	f.OnAck(&s, Ack{Now: 10, N: 1})
	require.Equal(t, 6.5, f.Last)
	require.Equal(t, 6.5, f.Seen)
}

// TestEndsOfTheWindow: a cut stops at w_min; a window above w_max comes down with the next ACK, which counts as a cut;
// from 1.5 packets an ACK adds 1/1.5; a smoothed round trip below a microsecond is one.
func TestEndsOfTheWindow(t *testing.T) {
	s := spec800(Plain)
	f := State{W: 0.015, LastCut: math.Inf(-1)}
	require.Equal(t, Cut, f.OnAck(&s, Ack{Now: 20, Delay: 200, N: 1})) // half is 0.0075
	require.Equal(t, 0.01, f.W)
	f = State{W: 400, LastCut: math.Inf(-1)}
	require.Equal(t, Grow, f.OnAck(&s, Ack{Now: 20, Delay: 6.5, N: 1}))
	require.Equal(t, s.Most, f.W)
	require.Equal(t, 20.0, f.LastCut)
	f = State{W: 1.5}
	f.OnAck(&s, Ack{Now: 20, Delay: 6.5, N: 1})
	require.InDelta(t, 1.5+2./3, f.W, 1e-12)
	f = State{W: 64, LastCut: 19.4}
	require.Equal(t, Cut, f.OnAck(&s, Ack{Now: 20, Delay: 70, N: 1, Before: 0.5}))
}

// TestRunOfHoles: a sequence number that is not a hole does not join the holes on its two sides.
func TestRunOfHoles(t *testing.T) {
	s := spec800(Loss)
	f := State{W: 64, LastCut: math.Inf(-1)}
	holes := func(p uint32) bool { return p != 3 && p >= 1 && p <= 5 }
	require.Equal(t, None, f.OnHoles(&s, 10, 7, []uint32{3}, holes))
	require.Equal(t, 64.0, f.W)
}

// TestRankInIntegers: 1 % of 101 is the second, 100 % of 100 the last.
func TestRankInIntegers(t *testing.T) {
	require.Equal(t, 2, Rank(1, 101))
	require.Equal(t, 1, Rank(1, 100))
	require.Equal(t, 100, Rank(100, 100))
}

// TestSamplesKept: of a window below four packets one sample counts, at any rank, and no more than History are kept.
func TestSamplesKept(t *testing.T) {
	s := spec800(Median)
	s.Percentile, s.History = 90, 3
	f := State{W: 1}
	for i, want := range []float64{100, 99, 98, 97, 96} {
		require.Equal(t, want, f.rank(&s, Ack{Now: 1, Delay: want, Srtt: 7}))
		require.Equal(t, min(i+1, 3), f.seen.kept())
	}
	f.W = 3.9
	require.Equal(t, 95.0, f.rank(&s, Ack{Now: 1, Delay: 95, Srtt: 7}))
	f.W = 4
	require.Equal(t, 95.0, f.rank(&s, Ack{Now: 1, Delay: 94, Srtt: 7}), "two of them")
}
