package stim

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTurns(t *testing.T) {
	play := func(turns Turns, length, most int) (numbers []int, events int) {
		for len(numbers) < most {
			n, ok := turns.Next()
			if !ok {
				break
			}
			numbers = append(numbers, n)
			some := min(length, turns.Room())
			turns.Take(some)
			events += some
		}
		return numbers, events
	}
	for _, c := range []struct {
		events, only int
		numbers      []int
		given        int
	}{
		{0, -1, []int{0, 1, 2, 3, 4}, 50},
		{0, 0, []int{0}, 10},
		{0, 7, []int{7}, 10},
		{25, -1, []int{0, 1, 2}, 25},
		{20, -1, []int{0, 1}, 20},
		{3, 7, []int{7}, 3},
	} {
		numbers, events := play(NewTurns(c.events, c.only), 10, 5)
		require.Equal(t, c.numbers, numbers, "%+v", c)
		require.Equal(t, c.given, events, "%+v", c)
	}
	endless := NewTurns(0, -1)
	endless.Take(1 << 40)
	require.Equal(t, math.MaxInt, endless.Room())
	over := NewTurns(5, -1)
	over.Take(9) // a script may exceed the room to complete its packets
	_, ok := over.Next()
	require.False(t, ok)
}
