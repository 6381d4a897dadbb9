package cubic

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc/newreno"
)

// TestDefaults are those of congestion-control.md, section 4.
func TestDefaults(t *testing.T) {
	s := DefaultSpec(12.5)
	require.Equal(t, Spec{
		Spec: newreno.Spec{First: 10, Least: 2, RTOMin: 1000}, RTT: 12.5, C: 0.4, Beta: 0.7,
		HyStart: true, HyStartLow: 4000, HyStartTop: 16000,
	}, s)
	inf := math.Inf(1)
	require.Equal(t, State{
		State: newreno.State{Cwnd: 10, Ssthresh: inf, Recover: 7}, RoundEnd: 7, RoundLeast: inf, Least: inf,
	}, NewState(&s, 7))
}

// TestThreshold: an eighth of the least round trip, from 4 to 16 ms; in a data centre from T/8 to T.
func TestThreshold(t *testing.T) {
	s := DefaultSpec(12)
	for least, want := range map[float64]float64{8: 4000, 80_000: 10_000, 1e6: 16_000} {
		require.Equal(t, want, s.threshold(least))
	}
	s.DataCentre = true
	for least, want := range map[float64]float64{8: 1.5, 40: 5, 1000: 12} {
		require.Equal(t, want, s.threshold(least))
	}
}

// TestEvents: a hole and a timeout end the epoch, note what they were, and leave two packets at least.
func TestEvents(t *testing.T) {
	s := DefaultSpec(10)
	f := NewState(&s, 0)
	f.Cwnd, f.Growing, f.Expired = 2, true, true
	require.Equal(t, Cut, f.OnHole(&s, 1, 9))
	require.False(t, f.Growing || f.Expired)
	require.Equal(t, []float64{2, 2, 2, 2}, []float64{f.Cwnd, f.Ssthresh, f.Prior, f.WMax})
	require.Equal(t, "RECOVERY", f.OnAck(&s, Ack{N: 1, Una: 8, Nxt: 9}))
	require.Equal(t, "EXIT", f.OnAck(&s, Ack{N: 1, Una: 9, Nxt: 9}))
	f.Growing = true
	f.OnTimeout(&s, 9)
	require.True(t, f.Expired)
	require.False(t, f.Growing)
}

// TestEpoch: after a timeout, or at the old window and above, an epoch begins at its window with K 0.
func TestEpoch(t *testing.T) {
	s := DefaultSpec(10)
	for name, f := range map[string]State{
		"timeout":          {WMax: 100, K: 3, Expired: true},
		"above the window": {WMax: 30, K: 3},
	} {
		f.Cwnd = 40
		f.begin(&s, 7)
		require.Equal(t, State{
			State: newreno.State{Cwnd: 40}, WMax: 40, WEst: 40, Epoch: 7, Growing: true,
		}, f, name)
	}
	f := State{State: newreno.State{Cwnd: 92}, WMax: 100}
	f.begin(&s, 7)
	require.InDelta(t, math.Cbrt(20), f.K, 1e-12) // (100 - 92)/0.4
	require.Equal(t, 100.0, f.WMax)
}

// TestTimeOfTheEpoch: 2 s after its start, with K 1 s and a round trip of 0.1 s, the function aims at 100 + 0.4 1.1^3.
func TestTimeOfTheEpoch(t *testing.T) {
	s := DefaultSpec(1e5)
	f := State{State: newreno.State{Cwnd: 100}, WMax: 100, K: 1, WEst: 10, Growing: true, Epoch: 1e6}
	require.Equal(t, Cubic, f.OnAck(&s, Ack{Now: 3e6, N: 1, Srtt: 1e5, Una: 9, Nxt: 9}))
	require.InDelta(t, 100+0.4*1.331/100, f.Cwnd, 1e-12)
}

// TestNeverDown: neither the function nor the estimate lowers the window; where they are equal the function rules.
func TestNeverDown(t *testing.T) {
	s := DefaultSpec(10)
	for _, c := range []struct {
		wmax, west, n float64
		want          string
	}{{80, 10, 1, Cubic}, {20, 50, 1, Reno}, {50, 50, 0, Cubic}} {
		f := State{State: newreno.State{Cwnd: 100}, WMax: c.wmax, WEst: c.west, Growing: true}
		require.Equal(t, c.want, f.OnAck(&s, Ack{N: c.n, Srtt: 10, Una: 9, Nxt: 9}), c)
		require.Equal(t, 100.0, f.Cwnd, c)
	}
}

// round is a flow in the middle of a round of HyStart, at a base round trip of 12 us.
func round(edit func(*State)) (Spec, State) {
	s := DefaultSpec(12)
	s.DataCentre = true
	f := NewState(&s, 0)
	f.Cwnd, f.RoundEnd, f.RoundStart, f.LastAck, f.Least, f.RoundLeast = 16, 100, 10, 10, 12, 13
	if edit != nil {
		edit(&f)
	}
	return s, f
}

// TestRounds: what a round keeps: the least of its first eight samples, the least ever, and whether a gap of more than
// a quarter of the base round trip broke its train. A new round begins all but the least anew, with its first ACK.
func TestRounds(t *testing.T) {
	for name, c := range map[string]struct {
		edit           func(*State)
		ack            Ack
		samples        int
		round, least   float64
		noTrain        bool
		lastAck, start float64
	}{
		"no sample": {nil, Ack{Now: 11, Una: 1}, 0, 13, 12, false, 11, 10},
		"short":     {nil, Ack{Now: 11, Una: 1, RTT: 0.5}, 1, 0.5, 0.5, false, 11, 10},
		"longer":    {nil, Ack{Now: 11, Una: 1, RTT: 20}, 1, 13, 12, false, 11, 10},
		"eighth":    {func(f *State) { f.Samples = 7 }, Ack{Now: 11, Una: 1, RTT: 12.5}, 8, 12.5, 12, false, 11, 10},
		"ninth":     {func(f *State) { f.Samples = 8 }, Ack{Now: 11, Una: 1, RTT: 5}, 9, 13, 5, false, 11, 10},
		"quarter":   {nil, Ack{Now: 13, Una: 1}, 0, 13, 12, false, 13, 10},
		"gap":       {nil, Ack{Now: 13.01, Una: 1}, 0, 13, 12, true, 13.01, 10},
		"next round": {
			func(f *State) { f.NoTrain, f.Samples = true, 5 }, Ack{Now: 90, Una: 100, Nxt: 7, RTT: 14}, 1, 14, 12, false,
			90, 90,
		},
		"no sample 2": {func(f *State) { f.Samples = 5 }, Ack{Now: 90, Una: 100}, 0, math.Inf(1), 12, false, 90, 90},
	} {
		s, f := round(c.edit)
		s.HyStart = false
		require.False(t, f.observe(&s, c.ack), name)
		require.Equal(t, c.samples, f.Samples, name)
		require.Equal(t, []float64{c.round, c.least, c.lastAck, c.start},
			[]float64{f.RoundLeast, f.Least, f.LastAck, f.RoundStart}, name)
		require.Equal(t, c.noTrain, f.NoTrain, name)
	}
}

// TestFires: from 16 packets on, out of recovery, when the delay has grown by more than 1.5 us of 12, or a train has
// lasted more than 6 us.
func TestFires(t *testing.T) {
	grown := func(least float64) func(*State) {
		return func(f *State) { f.NoTrain, f.Samples, f.RoundLeast = true, 8, least }
	}
	for name, c := range map[string]struct {
		edit func(*State)
		now  float64
		want bool
	}{
		"grown":     {grown(13.6), 11, true},
		"not more":  {grown(13.5), 11, false},
		"seven":     {func(f *State) { grown(20)(f); f.Samples = 7 }, 11, false},
		"small":     {func(f *State) { grown(20)(f); f.Cwnd = 15.999 }, 11, false},
		"recovery":  {func(f *State) { grown(20)(f); f.Recovering = true }, 11, false},
		"train":     {func(f *State) { f.LastAck = 14 }, 16.01, true},
		"too short": {func(f *State) { f.LastAck = 14 }, 16, false},
	} {
		s, f := round(c.edit)
		require.Equal(t, c.want, f.observe(&s, Ack{Now: c.now, Una: 1}), name)
	}
	s, f := round(grown(13.6))
	require.Equal(t, HyStart, f.OnAck(&s, Ack{Now: 11, N: 1, Una: 1}))
	require.Equal(t, []float64{17, 17}, []float64{f.Cwnd, f.Ssthresh}, "with the packet of this ACK")
}
