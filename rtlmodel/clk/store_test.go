package clk

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStore(t *testing.T) {
	var s Store[int]
	s.Init(2, 4, 3)
	var left []int
	accepted := 0
	step := func(offer, pop bool) {
		if offer && !s.Full() {
			*s.Accept() = accepted
			accepted++
		}
		if s.CanIssue() { // every second beat releases two
			s.Issue(2 * (*s.Issued(0) % 2))
		}
		if pop && s.Avail() {
			left = append(left, *s.Front())
			s.Pop()
		}
		s.Tick()
	}
	for c := range 8 {
		step(true, true)
		// beat 1 is accepted at 1 and issued at 2; two beats may leave from cycle 5
		require.Equal(t, max(0, c-4), len(left), "cycle %d", c)
	}
	for range 10 {
		step(true, false)
	}
	fifo, store := s.InUse()
	require.Equal(t, [2]int{2, 4}, [2]int{fifo, store})
	for range 12 {
		step(false, true)
	}
	for i, v := range left {
		require.Equal(t, i, v)
	}
	require.Len(t, left, accepted-accepted%2)
	step(true, true)
	s.Reset()
	for range 10 {
		require.False(t, s.Avail() || s.CanIssue() || s.Full())
		s.Tick()
	}
	require.Panics(t, func() { s.Init(2, 4, 0) })
	require.Panics(t, func() { s.Init(2, 4, 17) })
}

func TestEmitter(t *testing.T) {
	var e Emitter[int]
	e.Init(2, 2)
	*e.Push() = 5
	e.Tick()
	require.False(t, e.Valid())
	*e.Push() = 6
	e.Tick()
	require.True(t, e.Valid() && e.Full())
	require.Equal(t, 5, *e.Front())
	e.Take()
	require.True(t, e.Full(), "a take makes room in the next cycle")
	e.Tick()
	require.True(t, e.Valid())
	require.Equal(t, 1, e.Len())
	e.Reset()
	require.False(t, e.Valid())
}
