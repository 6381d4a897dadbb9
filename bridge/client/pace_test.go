package client

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// play takes n steps, which wait as asked while they spin and for 30 us asleep, and returns how many slept.
func (p *pace) play(n int, spinning func(i int) time.Duration) (slept int) {
	for i := range n {
		if p.spin() == 0 {
			slept++
			p.waited(30 * time.Microsecond)
		} else {
			p.waited(spinning(i))
		}
	}
	return slept
}

func TestPace(t *testing.T) {
	never := func(int) time.Duration { return 0 }
	always := func(int) time.Duration { return 4 * time.Millisecond }
	often := func(i int) time.Duration { // as beside one busy process
		if i%300 == 0 {
			return 4 * time.Millisecond
		}
		return time.Microsecond
	}
	p := newPace(4 * time.Millisecond)
	p.longest = 4 * time.Millisecond // on one processor too
	require.Zero(t, p.play(100_000, never))
	require.Zero(t, p.play(100_000, often))

	// Where spins always fail, nearly all steps sleep, and spinning is tried ever more rarely.
	require.Greater(t, p.play(1_000_000, always), 999_000)
	require.Equal(t, longStretch, p.stretch)

	// Once the machine is quiet, steps spin again, and the next stretch is short again.
	p.play(longStretch, never)
	require.Zero(t, p.play(100_000, never))
	require.Equal(t, shortStretch, p.stretch)

	p = newPace(0)
	require.Equal(t, 1000, p.play(1000, never), "without spins all steps sleep")
}
