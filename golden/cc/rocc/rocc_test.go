package rocc

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExamples are the worked examples of section 7 for the host.
func TestExamples(t *testing.T) {
	s := DefaultSpec(100)
	f := NewState(&s)
	require.Equal(t, State{Rate: 100, Due: math.Inf(1)}, f)
	require.Equal(t, Set, f.OnCNP(&s, 10, 1, 5000))
	require.Equal(t, Pass, f.OnCNP(&s, 20, 2, 6000))
	require.Equal(t, Set, f.OnCNP(&s, 30, 1, 5500))
	require.Equal(t, State{Rate: 55, Port: 1, Due: 230}, f)

	f = State{Rate: 30, Port: 1, Due: 50}
	require.Equal(t, None, f.OnTimer(&s, 49))
	require.Equal(t, Double, f.OnTimer(&s, 50))
	require.Equal(t, State{Rate: 60, Port: 1, Due: 250}, f)
	require.Equal(t, Double, f.OnTimer(&s, 250))
	require.Equal(t, State{Rate: 100, Due: math.Inf(1)}, f)
}

// TestPorts: a lower or equal rate of another port takes over; what is not of a switch counts for nothing; bounds.
func TestPorts(t *testing.T) {
	s := DefaultSpec(100)
	f := NewState(&s)
	f.OnCNP(&s, 0, 1, 5000)
	require.Equal(t, Set, f.OnCNP(&s, 5, 2, 5000))
	require.Equal(t, 2, f.Port)
	require.Equal(t, Pass, f.OnCNP(&s, 6, 1, 5001))
	require.Equal(t, 205.0, f.Due)
	before := f
	for _, c := range []struct {
		port int
		fair float64
	}{{0, 10}, {-1, 10}, {1, 0}, {1, -5}, {1, math.NaN()}} {
		require.Equal(t, None, f.OnCNP(&s, 7, c.port, c.fair))
		require.Equal(t, before, f)
	}
	f.OnCNP(&s, 8, 3, 1)
	require.Equal(t, 0.1, f.Rate)
	f.OnCNP(&s, 8, 3, 1e9)
	require.Equal(t, 100.0, f.Rate)
}

func TestSpec(t *testing.T) {
	s := DefaultSpec(100)
	require.NoError(t, s.Validate())
	s.MinGbps = 101
	require.ErrorContains(t, s.Validate(), "rocc spec: min_gbps = 101")
	s.Timer = 0
	require.ErrorContains(t, s.Validate(), "rocc spec: rate_timer = 0")
	require.Equal(t, "DOUBLE", Double)
}
