package net

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// TestTrimEitherTakesWhatCanBeCut: the packet at the tail is exchanged only when
// it is data that has its payload: no header is cut again, no probe is cut.
func TestTrimEitherTakesWhatCanBeCut(t *testing.T) {
	for _, tail := range []Packet{
		{Kind: PacketData, Class: ClassLow, Size: 64, Nominal: 4096, Flags: FlagTrimmed},
		{Kind: PacketProbe, Class: ClassLow, Size: 64, Nominal: 64, Flags: FlagProbe},
	} {
		b := newBench(t, false, func(s *settings.Spec) { s.TrimRule = settings.TrimEither })
		b.p.Limit[ClassLow] = 10 * 4096
		for range 9 {
			b.put(ClassLow, 4096)
		}
		i := b.Pool.Alloc()
		*b.Pool.At(i) = tail
		b.p.Q[ClassLow].push(&b.Pool, i)
		for range 40 {
			j := b.Pool.Alloc()
			*b.Pool.At(j) = Packet{Kind: PacketData, Class: ClassLow, Size: 4096, Nominal: 4096}
			require.Equal(t, j, b.trimEither(&b.p.Q[ClassLow], 1<<40, j))
			require.Equal(t, tail.Size, b.Pool.At(i).Size)
		}
	}
	b := newBench(t, false, func(s *settings.Spec) { s.TrimRule = settings.TrimEither })
	b.fill(ClassLow)
	for range 100 {
		b.put(ClassLow, 4096)
	}
	require.Equal(t, uint64(100), b.count.Trims)
}

// TestECNCountsPackets: a packet that two queues mark counts once.
func TestECNCountsPackets(t *testing.T) {
	b := newBench(t, false, func(s *settings.Spec) { s.ECN = settings.ECNDeterministic })
	b.p.Q[ClassLow].bytes = 1 << 30
	k := Packet{Class: ClassLow}
	b.mark(b.p, &k)
	b.mark(b.p, &k)
	require.Equal(t, uint64(1), b.count.ECN)
	require.Equal(t, uint64(2), b.count.ECNMarks)
}

// TestMarkOfDeepQueues: the probability holds for thresholds of any size.
func TestMarkOfDeepQueues(t *testing.T) {
	for _, kin := range []int64{1 << 20, 1<<33 + 5, 1 << 45} {
		b := newBench(t, false, nil)
		b.p.kmin, b.p.kin, b.p.draw = 1<<40, kin, kin
		b.p.Q[ClassLow].bytes = 1<<40 + kin/4
		for range 10_000 {
			b.mark(b.p, &Packet{Class: ClassLow})
		}
		require.InDelta(t, 2500, b.count.ECNMarks, 150, "kin %d", kin)
	}
}

// TestDepthCountsEveryClass: a sample is the sum of the three classes.
func TestDepthCountsEveryClass(t *testing.T) {
	b := newBench(t, false, nil)
	d := &Depth{net: b.Network, ports: []int32{b.pi, b.pi + 1}}
	b.put(ClassHigh, 100)
	b.put(ClassMedium, 64)
	b.put(ClassLow, 4096)
	d.Sample(5)
	require.Equal(t, []DepthPoint{{Time: 5, Sum: 4260, Max: 4260, Ports: []int64{4260, 0}}}, d.Series.Points)
}
