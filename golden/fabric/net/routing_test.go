package net

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/kernel"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// TestAdaptiveRouting: the switch takes the shortest queue, and among equals any with
// the same chance, whatever flow and entropy the packet has. One path for each flow
// and entropy meets the same collisions as long as the queues are equal.
func TestAdaptiveRouting(t *testing.T) {
	b := newBench(t, false, func(s *settings.Spec) { s.K, s.ARLevels = 8, 10 })
	w := &b.Switches[0]
	require.Equal(t, int32(4), w.ups)
	for i := range w.ups {
		b.Ports[w.up+i].Q[ClassLow].bytes = 3 * b.Ports[w.up].step
	}
	k := Packet{Dst: int32(b.hosts - 1), Class: ClassLow, Flags: FlagSteer}
	count := map[int32]int{}
	for range 4000 {
		count[b.route(w, &k)]++
	}
	require.Len(t, count, 4, "one flow and entropy takes every way")
	for _, n := range count {
		require.InDelta(t, 1000, n, 120)
	}
	b.Ports[w.up+1].Q[ClassLow].bytes++
	b.Ports[w.up+3].Q[ClassLow].bytes += b.Ports[w.up].step
	clear(count)
	for range 3000 {
		count[b.route(w, &k)]++
	}
	require.Zero(t, count[w.up+3], "a band above the others")
	for i := range int32(3) {
		require.InDelta(t, 1000, count[w.up+i], 120, "a byte does not matter within a band")
	}
	b.Ports[w.up+2].Q[ClassLow].bytes -= 1
	for e := range uint16(20) {
		k.Entropy = e
		require.Equal(t, w.up+2, b.route(w, &k))
	}
	k.Flags = 0
	seen := map[int32]bool{}
	for e := range uint16(100) {
		k.Entropy = e
		seen[b.route(w, &k)] = true
	}
	require.Len(t, seen, 4, "a packet that is not steered is hashed")
}

// TestFatTreeRoutes walks every pair of hosts over several entropies: each path
// ends at its destination after 2, 4 or 6 links, and the entropies of a pair in
// different pods use every up-link of their switches.
func TestFatTreeRoutes(t *testing.T) {
	for _, c := range []struct{ k, oversub int }{{4, 1}, {8, 1}, {8, 4}, {6, 3}} {
		t.Run(fmt.Sprintf("k%d-os%d", c.k, c.oversub), func(t *testing.T) {
			spec := settings.DefaultSpec()
			spec.K, spec.Oversub = c.k, c.oversub
			s := laid(t, spec)
			half := c.k / 2
			require.Equal(t, s.hosts, c.k*c.k*c.k/4)
			require.Len(t, s.Switches, c.k*half+c.k*half/c.oversub+half/c.oversub*half)
			paths := map[string]bool{}
			for src := range s.hosts {
				for dst := range s.hosts {
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
						k := Packet{Dst: int32(dst), PDC: int32(src), Entropy: uint16(e)}
						at, path := int32(src), ""
						for hop := 1; ; hop++ {
							p := &s.Ports[at]
							path = fmt.Sprint(path, "-", at)
							if int(p.to) < s.hosts {
								require.Equal(t, int32(dst), p.to)
								require.Equal(t, want, hop)
								require.True(t, p.lastHop)
								break
							}
							require.Less(t, hop, 6)
							at = s.route(&s.Switches[int(p.to)-s.hosts], &k)
						}
						if src == 0 && dst == s.hosts-1 {
							paths[path] = true
						}
					}
				}
			}
			require.Len(t, paths, half/c.oversub*half)
		})
	}
}

// TestFailureShare: every link between switches fails with the given probability,
// no link of a host does.
func TestFailureShare(t *testing.T) {
	spec := settings.DefaultSpec()
	spec.K, spec.FailProb, spec.FailAt = 4, 0.2, units.Microsecond
	failed, links := 0, 0
	for spec.Seed = range 200 {
		s := laid(t, spec)
		for _, l := range s.Topo.Links {
			if int(l.A) >= s.hosts && int(l.B) >= s.hosts {
				links++
			}
		}
		for _, o := range s.outages {
			require.Equal(t, units.Microsecond, o.at)
			for _, l := range o.links {
				require.GreaterOrEqual(t, int(min(s.Topo.Links[l].A, s.Topo.Links[l].B)), s.hosts)
				failed++
			}
		}
	}
	require.Equal(t, 200*32, links)
	require.InDelta(t, 0.2, float64(failed)/float64(links), 0.02)
}

// TestAdaptiveDrawsItsOwn: adaptive routing draws from a stream of its own: marks and what the
// topology draws are as they are without it.
func TestAdaptiveDrawsItsOwn(t *testing.T) {
	b := newBench(t, false, nil)
	ecn, topology := *b.rngECN, *b.draw.Of(kernel.StreamTopo)
	w := &b.Switches[0]
	before := *b.rngRoute
	b.shortest(w.up, w.ups, nil, ClassLow)
	require.NotEqual(t, before, *b.rngRoute)
	require.Equal(t, ecn, *b.rngECN)
	require.Equal(t, topology, *b.draw.Of(kernel.StreamTopo))
	before = *b.rngRoute
	b.Ports[w.up].Q[ClassLow].bytes = b.Ports[w.up].step
	b.shortest(w.up, 2, nil, ClassLow)
	require.Equal(t, before, *b.rngRoute, "nothing is drawn where one is shortest")
}
