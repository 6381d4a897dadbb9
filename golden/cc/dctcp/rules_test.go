package dctcp

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc/newreno"
)

// TestDefaults are those of congestion-control.md, section 4.
func TestDefaults(t *testing.T) {
	require.Equal(t, Spec{Spec: newreno.Spec{First: 10, Least: 2, RTOMin: 1000}, Gain: 0.0625, Alpha: 1}, DefaultSpec())
}

// TestNextCut: CWR ends before the mark of the same ACK is judged.
func TestNextCut(t *testing.T) {
	s := DefaultSpec()
	f := NewState(&s, 0)
	f.Cwnd, f.Ssthresh, f.Alpha, f.WindowEnd, f.CWR, f.CWREnd = 16, 16, 0.5, 100, true, 23
	require.Equal(t, "AVOID", f.OnAck(&s, 1, true, 23, 40))
	require.Equal(t, Cut, f.OnAck(&s, 1, true, 24, 41))
	require.Equal(t, (16+1./16)*0.75, f.Cwnd)
	require.Equal(t, uint32(41), f.CWREnd)
}

// TestEmptyWindow: a window in which nothing was acknowledged leaves the average.
func TestEmptyWindow(t *testing.T) {
	s := DefaultSpec()
	f := NewState(&s, 0)
	f.Alpha, f.WindowEnd = 0.5, 7
	f.OnAck(&s, 0, false, 8, 20)
	require.Equal(t, 0.5, f.Alpha)
	require.Equal(t, uint32(20), f.WindowEnd)
}
