package device

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Lines are counted in the first episode and in a small share of all cycles, or in every one.
func TestTurnsOfCounting(t *testing.T) {
	c := &Counting{Lines: &Device{}, Toggles: &Device{}}
	require.Same(t, c.Lines, c.Next(false))
	for range 1000 {
		c.Played(c.Next(false), 100)
	}
	lines, toggles := c.Cycles()
	require.Equal(t, uint64(100_000), lines+toggles)
	require.InDelta(t, 100_000/linesShare, lines, 200)
	require.Same(t, c.Lines, c.Next(true))
	// One long episode counts lines alone.
	c = &Counting{Lines: &Device{}, Toggles: &Device{}}
	c.Played(c.Next(false), 1<<40)
	require.Same(t, c.Toggles, c.Next(false))
}
