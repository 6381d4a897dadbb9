package newreno

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGrowth: the worked examples. Ten ACKs double a window of 10 in slow start; twenty at the threshold of 20 give
// 20.977316; growth is by packets, not ACKs.
func TestGrowth(t *testing.T) {
	s := DefaultSpec()
	f := NewState(&s, 0)
	for range 10 {
		require.Equal(t, SlowStart, f.OnAck(&s, 1, 1))
	}
	require.Equal(t, 20.0, f.Cwnd)
	f.Ssthresh = 20
	for range 20 {
		require.Equal(t, Avoid, f.OnAck(&s, 1, 1))
	}
	require.InDelta(t, 20.977316, f.Cwnd, 1e-6)
	g := State{Cwnd: 20, Ssthresh: 20}
	g.OnAck(&s, 5, 5)
	require.Equal(t, 20.25, g.Cwnd)
}

// TestRecovery: one cut per window; no growth until the packet after the last one sent is reached; numbers wrap.
func TestRecovery(t *testing.T) {
	s := DefaultSpec()
	wrap := ^uint32(0)
	f := NewState(&s, wrap-20)
	f.Cwnd = 15
	require.Equal(t, Halve, f.OnHole(&s, wrap-5, 3))
	require.Equal(t, State{Cwnd: 7.5, Ssthresh: 7.5, Recovering: true, Recover: 3}, f)
	require.Equal(t, None, f.OnHole(&s, wrap-3, 8))
	require.Equal(t, Recovery, f.OnAck(&s, 4, 2))
	require.Equal(t, Exit, f.OnAck(&s, 4, 3))
	require.Equal(t, 7.5, f.Cwnd)
	require.Equal(t, Avoid, f.OnAck(&s, 1, 4))
	require.Equal(t, None, f.OnHole(&s, 2, 9), "from before the recovery")
	require.Equal(t, Halve, f.OnHole(&s, 3, 9))
}

// TestTimeout: one packet, half the window as threshold, and no recovery for what was sent before.
func TestTimeout(t *testing.T) {
	s := DefaultSpec()
	f := State{Cwnd: 15, Ssthresh: math.Inf(1), Recovering: true, Recover: 9}
	require.Equal(t, Timeout, f.OnTimeout(&s, 20))
	require.Equal(t, State{Cwnd: 1, Ssthresh: 7.5, Recover: 20}, f)
	require.Equal(t, None, f.OnHole(&s, 19, 30))
	require.Equal(t, SlowStart, f.OnAck(&s, 1, 10))
	require.Equal(t, Halve, f.OnHole(&s, 20, 30))
	require.Equal(t, 2.0, f.Cwnd, "the least")
}

// TestLossRate: a loss every 1/q packets gives 1.22/sqrt(q) packets per round trip, less the round trip without growth
// in recovery: 0.875 of it at q 0.01.
func TestLossRate(t *testing.T) {
	s := DefaultSpec()
	f := State{Cwnd: 12, Ssthresh: 12}
	sent, rounds, psn := 0.0, 0.0, uint32(0)
	for range 1_000_000 {
		psn++
		sent++
		rounds += 1 / f.Cwnd
		f.OnAck(&s, 1, psn)
		if psn%100 == 0 {
			f.OnHole(&s, psn, psn+uint32(f.Cwnd))
		}
	}
	require.InDelta(t, 0.875, sent/rounds/(math.Sqrt(1.5)*10), 0.05)
}

func TestSpec(t *testing.T) {
	s := DefaultSpec()
	require.NoError(t, s.Validate())
	s.First = 0
	require.EqualError(t, s.Validate(), "newreno spec: first_window = 0: want from 1 to 1e+15 packets")
	require.Equal(t, "EXIT", Exit)
}
