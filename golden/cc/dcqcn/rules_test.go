package dcqcn

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDefaults are those of congestion-control.md, section 5, at 100 Gb/s.
func TestDefaults(t *testing.T) {
	require.Equal(t, Spec{
		LineGbps: 100, MinGbps: 0.1, AIGbps: 0.1, HAIGbps: 0.5, Gain: 1. / 256, FastSteps: 5, Bytes: 10_000_000,
		Timer: 55 * us, AlphaTimer: 55 * us,
	}, DefaultSpec(100))
}

// TestTwoTimers: each runs by its own time and starts again when it expires, the earlier first.
func TestTwoTimers(t *testing.T) {
	s := DefaultSpec(100)
	s.Timer, s.AlphaTimer = 10*us, 25*us
	f := NewState(&s)
	require.EqualValues(t, -1, f.Next())
	f.OnCNP(&s, 0)
	require.Equal(t, 10*us, f.Next())
	require.Equal(t, Fast, f.OnTimer(&s, 10*us))
	require.Equal(t, 1.0, f.Alpha)
	require.Equal(t, None, f.OnTimer(&s, 19*us))
	require.Equal(t, Fast, f.OnTimer(&s, 20*us))
	require.Equal(t, 25*us, f.Next())
	require.Equal(t, Decay, f.OnTimer(&s, 25*us))
	require.Equal(t, 255./256, f.Alpha)
	require.Equal(t, 30*us, f.Next())
	s.Timer, s.AlphaTimer = 25*us, 10*us
	f.OnCNP(&s, 0)
	require.Equal(t, 10*us, f.Next())
}

// TestByteStepsAlone: by the byte counter alone four steps are fast and the others additive, however many there are.
func TestByteStepsAlone(t *testing.T) {
	s := DefaultSpec(100)
	f := NewState(&s)
	f.OnCNP(&s, 0)
	for i, want := range []Action{Fast, Fast, Fast, Fast, Additive, Additive, Additive, Additive} {
		require.Equal(t, want, f.OnSend(&s, s.Bytes), i)
	}
}

// TestTargetIsBoundFirst: the rate goes half way to the bounded target, and never above the link.
func TestTargetIsBoundFirst(t *testing.T) {
	s := DefaultSpec(100)
	f := State{Rate: 90, Target: 100, ByteSteps: 7}
	require.Equal(t, Additive, f.OnSend(&s, s.Bytes))
	require.Equal(t, 100.0, f.Target)
	require.Equal(t, 95.0, f.Rate)
	f = State{Rate: 120, Target: 100}
	require.Equal(t, Fast, f.OnSend(&s, s.Bytes))
	require.Equal(t, 100.0, f.Rate)
}
