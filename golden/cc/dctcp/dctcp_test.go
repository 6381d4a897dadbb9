package dctcp

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc/newreno"
)

// TestWindow is the first worked example: cwnd = ssthresh 20, alpha 0.5, window end 20, ACKs 1 to 21, marks on 3, 9,
// 15 and 16, snd_nxt = una + 20.
func TestWindow(t *testing.T) {
	s := DefaultSpec()
	f := NewState(&s, 0)
	f.Cwnd, f.Ssthresh, f.Alpha, f.WindowEnd = 20, 20, 0.5, 20
	for a := uint32(1); a <= 21; a++ {
		f.OnAck(&s, 1, a == 3 || a == 9 || a == 15 || a == 16, a, a+20)
	}
	require.InDelta(t, 16.227342, f.Cwnd, 1e-6)
	require.InDelta(t, 0.480655, f.Alpha, 1e-6)
	require.True(t, f.CWR)
	require.Equal(t, uint32(23), f.CWREnd)
	require.Equal(t, uint32(41), f.WindowEnd)
	f.OnAck(&s, 1, false, 23, 43)
	require.True(t, f.CWR, "until above 23")
	f.OnAck(&s, 1, false, 24, 44)
	require.False(t, f.CWR)
}

// TestNewFlow is the second: the average moves before the cut of the same ACK.
func TestNewFlow(t *testing.T) {
	s := DefaultSpec()
	f := NewState(&s, 0)
	require.Equal(t, "SLOW_START", f.OnAck(&s, 1, false, 1, 11))
	require.Equal(t, 0.9375, f.Alpha)
	require.Equal(t, Cut, f.OnAck(&s, 1, true, 2, 13))
	require.Equal(t, "AVOID", f.OnAck(&s, 1, true, 3, 13))
	require.InDelta(t, 6.014873, f.Cwnd, 1e-6)
	require.Equal(t, 5.84375, f.Ssthresh)
	require.Equal(t, 0.9375, f.Alpha)
}

// TestAlpha: windows with a constant share F give alpha_k = F + (alpha_0 - F)(15/16)^k; 0.356074 after 16 of 0.
func TestAlpha(t *testing.T) {
	for _, every := range []uint32{0, 4, 2} {
		s := DefaultSpec()
		s.First = 1000 // far from the least window
		f := NewState(&s, 0)
		share := 0.0
		if every > 0 {
			share = 1 / float64(every)
		}
		una := uint32(0)
		f.WindowEnd = 7
		for k := 1; k <= 16; k++ {
			for range 8 {
				una++
				f.OnAck(&s, 1, every > 0 && una%every == 0, una, una+7)
			}
			require.InDelta(t, share+(1-share)*math.Pow(15./16, float64(k)), f.Alpha, 1e-12, "%d, share %v", k, share)
		}
		if every == 0 {
			require.InDelta(t, 0.356074, f.Alpha, 1e-6)
		}
	}
}

// TestLoss: half, as New Reno, and a mark in recovery cuts further without growth.
func TestLoss(t *testing.T) {
	s := DefaultSpec()
	f := NewState(&s, 0)
	f.Cwnd, f.Ssthresh, f.Alpha, f.WindowEnd = 20, 20, 0.5, 100
	require.Equal(t, newreno.Halve, f.OnHole(&s.Spec, 3, 30))
	require.Equal(t, "RECOVERY", f.OnAck(&s, 1, false, 5, 30))
	require.Equal(t, 10.0, f.Cwnd)
	require.Equal(t, Cut, f.OnAck(&s, 1, true, 6, 30))
	require.Equal(t, 7.5, f.Cwnd)
	require.True(t, f.Recovering)
	f.Alpha, f.CWR = 1, false
	f.OnAck(&s, 1, true, 30, 40)
	require.Equal(t, 3.75, f.Cwnd)
	require.False(t, f.Recovering)
	f.CWR = false
	f.OnAck(&s, 1, true, 31, 41)
	require.Equal(t, 2.0, f.Cwnd, "the least")
}

// TestSteadyState: with a step at K the average settles near sqrt(2/W), W = C RTT + K for one flow.
func TestSteadyState(t *testing.T) {
	s := DefaultSpec()
	f := NewState(&s, 0)
	const pipe, k = 150.0, 50.0
	f.Cwnd, f.Ssthresh = 150, 150
	una, sum, n := uint32(0), 0.0, 0.0
	var marks []bool // of the packets in flight
	for i := range 200_000 {
		for float64(len(marks)+1) <= f.Cwnd {
			marks = append(marks, float64(len(marks)) > pipe+k)
		}
		una++
		f.OnAck(&s, 1, marks[0], una, una+uint32(len(marks))-1)
		if marks = marks[1:]; i > 100_000 {
			sum, n = sum+f.Alpha, n+1
		}
	}
	require.InDelta(t, math.Sqrt(2/(pipe+k)), sum/n, 0.03)
}

func TestSpec(t *testing.T) {
	s := DefaultSpec()
	require.NoError(t, s.Validate())
	s.Gain = 0
	require.ErrorContains(t, s.Validate(), "dctcp spec: gain = 0")
}
