package transport

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// TestPairs: a permutation gives every host one sender per context rank and
// never itself; an incast has its number of distinct senders.
func TestPairs(t *testing.T) {
	spec := settings.DefaultSpec()
	spec.CCCsPerNIC = 3
	s, err := Build(spec, Options{Only: cc.FixedWindow(0)})
	require.NoError(t, err)
	in := make([]int, len(s.hosts))
	for _, p := range (loader{s.Hosts}).pairs() {
		require.NotEqual(t, p[0], p[1])
		in[p[1]]++
	}
	for h, n := range in {
		require.Equal(t, 3, n, "host %d", h)
	}

	spec.Workload, spec.CCCsPerNIC = settings.Incast, 1
	s, err = Build(spec, Options{Only: cc.FixedWindow(0)})
	require.NoError(t, err)
	seen := map[int32]bool{}
	for _, p := range (loader{s.Hosts}).pairs() {
		require.Zero(t, p[1])
		require.NotZero(t, p[0])
		seen[p[0]] = true
	}
	require.Len(t, seen, 32)
}
