package newreno

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDefaults are those of congestion-control.md, sections 0 and 4.
func TestDefaults(t *testing.T) {
	require.Equal(t, Spec{First: 10, Least: 2, RTOMin: 1000}, DefaultSpec())
}

// TestLeastThreshold: two packets, after a timeout too.
func TestLeastThreshold(t *testing.T) {
	s := DefaultSpec()
	f := State{Cwnd: 3, Ssthresh: 3}
	f.OnTimeout(&s, 9)
	require.Equal(t, State{Cwnd: 1, Ssthresh: 2, Recover: 9}, f)
}
