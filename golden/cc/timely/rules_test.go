package timely

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDefaults are those of congestion-control.md, section 8, at 100 Gb/s.
func TestDefaults(t *testing.T) {
	require.Equal(t, Spec{
		LineGbps: 100, FirstGbps: 100, MinGbps: 0.1, StepGbps: 0.1, Gain: 0.875, Cut: 0.8, Low: 50 * us, High: 500 * us,
		MinRTT: 20 * us, Segment: 16_000, HyperAfter: 5, HyperSteps: 5,
	}, DefaultSpec(100))
}

// TestShortestSample: a round trip of a picosecond is a sample, none is not.
func TestShortestSample(t *testing.T) {
	f, s := at50()
	require.Equal(t, None, f.OnAck(&s, s.Segment, 0))
	require.Equal(t, First, f.OnAck(&s, 0, 1))
}
