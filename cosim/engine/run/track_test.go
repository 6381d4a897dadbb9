package run

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/explain/vcd"
)

// Track returns the values of signals of a wave by cycle, after they have settled.
func Track(t *testing.T, path string, names ...string) map[uint64][]string {
	t.Helper()
	r, done, err := vcd.Open(path)
	require.NoError(t, err)
	defer done()
	ids := make([]string, len(names))
	for _, s := range r.Signals() {
		for i, name := range names {
			if s.Name == name {
				ids[i] = s.ID
			}
		}
	}
	require.NotContains(t, ids, "", names)
	out := map[uint64][]string{}
	for {
		at, ok, err := r.Next()
		require.NoError(t, err)
		if !ok {
			return out
		}
		if at%vcd.CycleTime == 0 {
			var all []string
			for _, id := range ids {
				all = append(all, r.Value(id))
			}
			out[at/vcd.CycleTime] = all
		}
	}
}

// Same reports whether two values of a dump are the same number.
func Same(a, b string) bool {
	return strings.TrimLeft(strings.TrimPrefix(a, "b"), "0") == strings.TrimLeft(strings.TrimPrefix(b, "b"), "0")
}
