package fabric

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
)

// TestFatTreeRoutes walks every pair of hosts over several entropies: each path
// ends at its destination after 2, 4 or 6 links, and the entropies of a pair in
// different pods use every up-link of their switches.
func TestFatTreeRoutes(t *testing.T) {
	for _, c := range []struct{ k, oversub int }{{4, 1}, {8, 1}, {8, 4}, {6, 3}} {
		t.Run(fmt.Sprintf("k%d-os%d", c.k, c.oversub), func(t *testing.T) {
			spec := DefaultSpec()
			spec.K, spec.Oversub = c.k, c.oversub
			s, err := build(spec, cc.FixedWindow(0))
			require.NoError(t, err)
			half := c.k / 2
			require.Len(t, s.hosts, c.k*c.k*c.k/4)
			require.Len(t, s.switches, c.k*half+c.k*half/c.oversub+half/c.oversub*half)
			paths := map[string]bool{}
			for src := range len(s.hosts) {
				for dst := range len(s.hosts) {
					if src == dst {
						continue
					}
					want := 6
					if src/half == dst/half {
						want = 2
					} else if src/half/half == dst/half/half {
						want = 4
					}
					entropies := 4
					if src == 0 && want == 6 {
						entropies = 256
					}
					for e := range entropies {
						k := packet{dst: int32(dst), pdc: int32(src), entropy: uint16(e)}
						at, path := int32(src), ""
						for hop := 1; ; hop++ {
							p := &s.ports[at]
							path = fmt.Sprint(path, "-", at)
							if int(p.to) < len(s.hosts) {
								require.Equal(t, int32(dst), p.to)
								require.Equal(t, want, hop)
								require.True(t, p.lastHop)
								break
							}
							require.Less(t, hop, 6)
							at = s.route(&s.switches[int(p.to)-len(s.hosts)], &k)
						}
						if src == 0 && dst == len(s.hosts)-1 {
							paths[path] = true
						}
					}
				}
			}
			require.Len(t, paths, half/c.oversub*half)
		})
	}
}

// TestPairs: a permutation gives every host one sender per context rank and
// never itself; an incast has its number of distinct senders.
func TestPairs(t *testing.T) {
	spec := DefaultSpec()
	spec.CCCsPerNIC = 3
	s, err := build(spec, cc.FixedWindow(0))
	require.NoError(t, err)
	in := make([]int, len(s.hosts))
	for _, p := range s.pairs() {
		require.NotEqual(t, p[0], p[1])
		in[p[1]]++
	}
	for h, n := range in {
		require.Equal(t, 3, n, "host %d", h)
	}

	spec.Workload, spec.CCCsPerNIC = Incast, 1
	s, err = build(spec, cc.FixedWindow(0))
	require.NoError(t, err)
	seen := map[int32]bool{}
	for _, p := range s.pairs() {
		require.Zero(t, p[1])
		require.NotZero(t, p[0])
		seen[p[0]] = true
	}
	require.Len(t, seen, 32)
}
