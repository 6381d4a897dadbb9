package net

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// TestDRRShares: two classes that both have enough to send share a link by their
// quanta, packet sizes aside, and a strict class goes before both.
func TestDRRShares(t *testing.T) {
	for _, quanta := range [][3]int{{0, 4096, 4096}, {0, 1024, 3072}, {0, 9000, 1000}} {
		b := newBench(t, false, func(s *settings.Spec) { s.DRR, s.CtlDropAt = quanta, 1000 })
		b.p.Limit[ClassLow] = 1 << 40
		for range 3000 {
			b.put(ClassMedium, 1000)
			b.put(ClassMedium, 200)
			b.put(ClassLow, 4096)
		}
		b.put(ClassHigh, 64)
		require.Equal(t, ClassHigh, b.choose(b.p))
		b.p.Q[ClassHigh].Pop(&b.Pool)
		got := [Classes]float64{}
		for range 3000 {
			c := b.choose(b.p)
			i := b.p.Q[c].Pop(&b.Pool)
			got[c] += float64(b.Pool.At(i).Size)
		}
		require.InEpsilon(t, float64(quanta[1])/float64(quanta[2]), got[ClassMedium]/got[ClassLow], 0.03, "%v", quanta)
	}
}

// TestSpecifiedSwitch: the presets of the specification's switch have its thresholds
// at every port, and a busy port gives the medium queue a quarter of its bytes.
func TestSpecifiedSwitch(t *testing.T) {
	for _, name := range []string{"spec128/permutation", "spec128/incast32"} {
		p, err := presets.Lookup(name)
		require.NoError(t, err)
		s := laid(t, p.Spec)
		bdp := p.Spec.BDP()
		last := 0
		for i := s.hosts; i < len(s.Ports); i++ {
			p := &s.Ports[i]
			low := bdp
			if p.lastHop {
				low = bdp * 3 / 2
				last++
			}
			require.Equal(t, [Classes]int64{bdp, bdp, low}, p.Limit)
		}
		require.Equal(t, 128, last)
	}
	incast, err := presets.Lookup("spec128/incast32")
	require.NoError(t, err)
	require.Equal(t, settings.Incast, incast.Spec.Workload)

	b := newBench(t, false, func(s *settings.Spec) { s.DRR = incast.Spec.DRR })
	for range 75 {
		b.put(ClassLow, 4096)
	}
	for range 4000 {
		b.put(ClassMedium, 64)
	}
	got := map[uint8]int64{}
	for got[ClassMedium]+got[ClassLow] < 300_000 {
		c := b.choose(b.p)
		k := b.Pool.At(b.p.Q[c].Pop(&b.Pool))
		got[k.Class] += int64(k.Size)
	}
	require.InDelta(t, 0.25, float64(got[ClassMedium])/float64(got[ClassMedium]+got[ClassLow]), 0.02)
}

// TestDRRKeepsTheOrder: a class without a quantum goes before those below it and
// after those above it, which have one.
func TestDRRKeepsTheOrder(t *testing.T) {
	for _, c := range []struct {
		quanta [Classes]int
		order  []int
	}{
		{[Classes]int{1024, 0, 1024}, []int{ClassHigh, ClassHigh, ClassMedium, ClassMedium, ClassLow, ClassLow}},
		{[Classes]int{0, 1024, 0}, []int{ClassHigh, ClassHigh, ClassMedium, ClassMedium, ClassLow, ClassLow}},
		{[Classes]int{1024, 1024, 0}, []int{ClassHigh, ClassMedium, ClassHigh, ClassMedium, ClassLow, ClassLow}},
		{[Classes]int{0, 1024, 1024}, []int{ClassHigh, ClassHigh, ClassMedium, ClassLow, ClassMedium, ClassLow}},
	} {
		b := newBench(t, false, func(s *settings.Spec) { s.DRR, s.CtlDropAt = c.quanta, 1000 })
		for range 2 {
			for class := range uint8(Classes) {
				b.put(class, 1024)
			}
		}
		var got []int
		for range c.order {
			class := b.choose(b.p)
			b.p.Q[class].Pop(&b.Pool)
			got = append(got, class)
		}
		require.Equal(t, c.order, got, "%v", c.quanta)
		require.Equal(t, -1, b.choose(b.p))
	}
	// A paused class is passed over, alone or among others.
	for _, quanta := range [][Classes]int{{0, 0, 1024}, {0, 1024, 1024}, {1, 1, 1}} {
		b := newBench(t, false, func(s *settings.Spec) { s.DRR = quanta })
		b.put(ClassLow, 1024)
		b.p.Paused = true
		require.Equal(t, -1, b.choose(b.p))
		b.put(ClassMedium, 1024)
		require.Equal(t, ClassMedium, b.choose(b.p))
	}
}
