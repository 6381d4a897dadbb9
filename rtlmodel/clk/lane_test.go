package clk

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLane(t *testing.T) {
	var l Lane[int, int]
	l.Init(2, 4, 3)
	require.False(t, l.CanIssue())
	*l.Accept() = 7
	require.False(t, l.CanIssue(), "accepted in this cycle, in the FIFO from the next on")
	l.Tick()
	require.True(t, l.CanIssue())
	require.Equal(t, 7, *l.Head())
	*l.Issue() = 70
	l.Tick()
	for range 2 {
		require.False(t, l.Valid())
		l.Tick()
	}
	require.True(t, l.Valid(), "latency 3")
	require.Equal(t, 70, *l.Response())
	credits, queued := l.InUse()
	require.Equal(t, [2]int{1, 0}, [2]int{credits, queued}, "the credit is in use up to the take")
	l.Take()
	l.Tick()
	require.False(t, l.Valid())

	taken := 0
	for range 20 { // nothing is taken: four are in flight, two in the FIFO
		if l.CanIssue() {
			l.Issue()
		}
		if !l.Full() {
			l.Accept()
			taken++
		}
		l.Tick()
	}
	require.Equal(t, 6, taken)
	l.Reset()
	require.False(t, l.Full() || l.Valid() || l.CanIssue())
}
