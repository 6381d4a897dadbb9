package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
)

// TestSpecifiedSwitch: the presets of the specification's switch have its thresholds
// at every port, and a busy port gives the medium queue a quarter of its bytes.
func TestSpecifiedSwitch(t *testing.T) {
	for _, name := range []string{"spec128/permutation", "spec128/incast32"} {
		p, err := Lookup(name)
		require.NoError(t, err)
		s, err := build(p.Spec, cc.FixedWindow(0))
		require.NoError(t, err)
		bdp := p.Spec.BDP()
		last := 0
		for i := len(s.hosts); i < len(s.ports); i++ {
			p := &s.ports[i]
			low := bdp
			if p.lastHop {
				low = bdp * 3 / 2
				last++
			}
			require.Equal(t, [classes]int64{bdp, bdp, low}, p.limit)
		}
		require.Equal(t, 128, last)
	}
	incast, err := Lookup("spec128/incast32")
	require.NoError(t, err)
	require.Equal(t, Incast, incast.Spec.Workload)

	b := newBench(t, false, func(s *Spec) { s.DRR = incast.Spec.DRR })
	for range 75 {
		b.put(classLow, 4096)
	}
	for range 4000 {
		b.put(classMedium, 64)
	}
	got := map[uint8]int64{}
	for got[classMedium]+got[classLow] < 300_000 {
		c := b.choose(b.p)
		k := &b.pool.pkts[b.p.q[c].pop(&b.pool)]
		got[k.class] += int64(k.size)
	}
	require.InDelta(t, 0.25, float64(got[classMedium])/float64(got[classMedium]+got[classLow]), 0.02)
}
