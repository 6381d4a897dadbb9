package device

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Lines has its least share at once and then a part of all cycles, and never more.
func TestRoomToCountLines(t *testing.T) {
	c := &Counting{share: Share{Least: 100}}
	require.Equal(t, uint64(100), c.room())
	c.lines, c.all = 100, 100
	require.Equal(t, uint64(100/linesShare), c.room())
	c.all = 6400
	require.Equal(t, uint64(6400/linesShare), c.room())
	c.lines = 1000
	require.Zero(t, c.room())
}
