package cubic

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// cut returns a flow in congestion avoidance after a hole at a window, out of recovery.
func cut(s *Spec, cwnd, wmax float64) State {
	f := NewState(s, 0)
	f.Cwnd, f.Ssthresh, f.WMax = cwnd, cwnd, wmax
	if f.OnHole(s, 1, 100) != Cut {
		panic("no cut")
	}
	f.Recovering = false
	return f
}

// TestExamples are the worked examples: the first ACK after an event at 100, fast convergence, and 700 ACKs.
func TestExamples(t *testing.T) {
	s := DefaultSpec(10)
	f := cut(&s, 100, 0)
	require.Equal(t, 70.0, f.Cwnd)
	require.Equal(t, Reno, f.OnAck(&s, Ack{N: 1, RTT: 10, Srtt: 10, Una: 101, Nxt: 171}))
	require.InDelta(t, 70.007563, f.Cwnd, 1e-6)
	require.InDelta(t, 70.007563, f.WEst, 1e-6)
	require.InDelta(t, 4.217163, f.K, 1e-6)

	f = cut(&s, 80, 100)
	require.Equal(t, 68.0, f.WMax)
	require.Equal(t, 56.0, f.Cwnd)
	f = cut(&s, 100, 100)
	require.Equal(t, 100.0, f.WMax, "it had come back")

	f = cut(&s, 100, 0)
	for i := range 700 {
		f.OnAck(&s, Ack{Now: float64(i) * 10 / 70, N: 1, RTT: 10, Srtt: 10, Una: uint32(101 + i), Nxt: uint32(171 + i)})
	}
	require.InDelta(t, 75.108014, f.Cwnd, 1e-6)
}

// TestCubicTerm: at wide-area round trips the function rules: concave to W_max at K, convex after, at most half a
// window's growth aimed at.
func TestCubicTerm(t *testing.T) {
	s := DefaultSpec(100_000)
	f := cut(&s, 100, 0)
	now := 0.0
	for i := 0; now < 4.217163e6; i++ {
		f.OnAck(&s, Ack{Now: now, N: 1, RTT: 1e5, Srtt: 1e5, Una: uint32(101 + i), Nxt: uint32(300 + i)})
		now += 1e5 / f.Cwnd
	}
	require.InDelta(t, 100, f.Cwnd, 1)
	g := State{State: f.State, WMax: 100, K: 1, Growing: true, WEst: 10}
	g.Cwnd = 100
	require.Equal(t, Cubic, g.OnAck(&s, Ack{Now: 2e6, N: 1, Srtt: 1e5, Una: 900, Nxt: 901}))
	require.InDelta(t, 100+(0.4*1.331)/100, g.Cwnd, 1e-12)
	g.Cwnd = 100
	g.OnAck(&s, Ack{Now: 20e6, N: 1, Srtt: 1e5, Una: 900, Nxt: 901})
	require.Equal(t, 100.5, g.Cwnd)
}

// TestSlope: the estimate grows by alpha_c packets per round trip up to the window before the cut, by one above.
func TestSlope(t *testing.T) {
	s := DefaultSpec(10)
	require.InDelta(t, 0.529412, s.slope(), 1e-6)
	f := State{Growing: true, WMax: 1000, K: 100}
	f.Cwnd, f.Ssthresh, f.WEst, f.Prior = 50, 50, 99, 100
	f.OnAck(&s, Ack{N: 10, Una: 1, Nxt: 2})
	require.InDelta(t, 99+0.529412/5, f.WEst, 1e-6)
	f.Cwnd, f.WEst = 50, 100
	f.OnAck(&s, Ack{N: 10, Una: 1, Nxt: 2})
	require.InDelta(t, 100.2, f.WEst, 1e-12)
	s.S0Slope = true
	f.Cwnd, f.WEst = 50, 99
	f.OnAck(&s, Ack{N: 10, Una: 1, Nxt: 2})
	require.InDelta(t, 99.2, f.WEst, 1e-12)
}

// TestTimeout: one packet, and the next epoch begins at the window that slow start has reached.
func TestTimeout(t *testing.T) {
	s := DefaultSpec(10)
	f := NewState(&s, 0)
	f.Cwnd, f.Ssthresh = 10, 10
	require.Equal(t, "TIMEOUT", f.OnTimeout(&s, 20))
	require.Equal(t, 1.0, f.Cwnd)
	require.Equal(t, 7.0, f.Ssthresh)
	require.Equal(t, "SLOW_START", f.OnAck(&s, Ack{N: 6, Una: 6, Nxt: 20}))
	f.OnAck(&s, Ack{Now: 5, N: 1, Una: 7, Nxt: 20})
	require.Equal(t, 7.0, f.WMax)
	require.Zero(t, f.K)
	require.Empty(t, f.OnHole(&s, 19, 30))
}

// TestHyStart: never at data-centre round trips with the default bounds; with those of a data centre when the eighth
// sample shows a growth of more than an eighth, and not below 16 packets.
func TestHyStart(t *testing.T) {
	play := func(s Spec, cwnd, grown, gap float64) (string, State) {
		f := NewState(&s, 0)
		f.Cwnd = cwnd
		did, una, now := "", uint32(0), 0.0
		for i := range 28 {
			rtt := 12.5
			if i >= 10 {
				rtt = grown
			}
			una, now = una+1, now+gap
			nxt := una + 10
			if did = f.OnAck(&s, Ack{Now: now, N: 1, RTT: rtt, Srtt: rtt, Una: una, Nxt: nxt}); did == HyStart {
				return did, f
			}
		}
		return did, f
	}
	s := DefaultSpec(12.5)
	did, _ := play(s, 16, 400, 4)
	require.Equal(t, "SLOW_START", did)
	s.DataCentre = true
	did, f := play(s, 16, 14.07, 4)
	require.Equal(t, HyStart, did)
	require.Equal(t, f.Cwnd, f.Ssthresh)
	require.Equal(t, 8, f.Samples)
	did, _ = play(s, 16, 14.06, 4)
	require.Equal(t, "SLOW_START", did, "12.5 and an eighth are 14.0625")
	did, _ = play(s, -100, 20, 4)
	require.Equal(t, "SLOW_START", did, "small windows")
	did, f = play(s, 16, 12.5, 1)
	require.Equal(t, HyStart, did, "a train of more than 6.25 us")
	require.Equal(t, 8.0, f.LastAck)
	s.HyStart = false
	did, _ = play(s, 16, 20, 1)
	require.Equal(t, "SLOW_START", did)
}

func TestSpec(t *testing.T) {
	s := DefaultSpec(12.5)
	require.NoError(t, s.Validate())
	s.HyStartTop = 1
	require.EqualError(t, s.Validate(), "cubic spec: hystart_top = 1: want 4000 us or above")
	s.Beta = math.NaN()
	require.ErrorContains(t, s.Validate(), "cubic spec: beta = NaN")
}
