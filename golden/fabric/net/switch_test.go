package net

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// TestMarkAtDequeue: a packet is marked when it leaves, on the bytes it leaves
// behind, and not by what it met when it came; trimmed headers never are.
func TestMarkAtDequeue(t *testing.T) {
	marking := func(s *settings.Spec) { s.ECN = settings.ECNDeterministic }
	b := newBench(t, false, marking)
	b.p.kmin = 3 * 4096
	for range 5 {
		i := b.put(ClassLow, 4096)
		require.Zero(t, b.Pool.At(i).Flags&FlagCE, "not when it comes")
	}
	require.Zero(t, b.count.ECNMarks)
	require.NotZero(t, b.leave().Flags&FlagCE, "four behind it")
	for range 4 {
		require.Zero(t, b.leave().Flags&FlagCE, "three behind it or less")
	}
	require.Equal(t, uint64(1), b.count.ECNMarks)

	b = newBench(t, false, marking)
	b.p.kmin = 100
	for range 9 {
		b.Pool.At(b.put(ClassMedium, 64)).Flags = FlagTrimmed
	}
	for range 9 {
		require.Zero(t, b.leave().Flags&FlagCE)
	}
	require.Zero(t, b.count.ECNMarks)
}

// TestMarkingOfOwnRate: the thresholds are of each port's own bandwidth and delay.
func TestMarkingOfOwnRate(t *testing.T) {
	spec := settings.DefaultSpec()
	spec.K, spec.TierGbps[0] = 4, 100
	s := laid(t, spec)
	slow := 0
	for i := s.hosts; i < len(s.Ports); i++ {
		p := &s.Ports[i]
		bdp := PerByte(s.Network, p).Bytes(s.baseRTT)
		require.Equal(t, settings.Scaled(0.2, bdp), p.kmin)
		require.Equal(t, settings.Scaled(0.8, bdp)-settings.Scaled(0.2, bdp), p.kin)
		if p.whole == 80 {
			slow++
		}
	}
	require.NotZero(t, slow)
}

// TestTrimEither: the packet that comes and the one at the tail are cut about
// equally often.
func TestTrimEither(t *testing.T) {
	b := newBench(t, false, func(s *settings.Spec) { s.TrimRule = settings.TrimEither })
	for b.p.Q[ClassLow].bytes+4096 <= b.p.Limit[ClassLow] {
		b.put(ClassLow, 4096)
	}
	const n = 1000
	stays := 0
	for range n {
		i := b.put(ClassLow, 4096)
		if b.Pool.At(b.p.Q[ClassLow].Tail).PSN == uint32(i) {
			stays++
		}
	}
	require.Equal(t, uint64(n), b.count.Trims)
	require.InDelta(t, n/2, stays, n/10)
}

// TestEmptyClassKeepsNoDeficit: a class that has nothing to send when its turn
// comes begins anew.
func TestEmptyClassKeepsNoDeficit(t *testing.T) {
	b := newBench(t, false, func(s *settings.Spec) { s.DRR = [Classes]int{ClassMedium: 4096, ClassLow: 4096} })
	b.put(ClassMedium, 64)
	b.put(ClassLow, 4096)
	b.put(ClassLow, 4096)
	served := func() int {
		c := b.choose(b.p)
		b.p.Q[c].Pop(&b.Pool)
		return c
	}
	require.Equal(t, ClassMedium, served())
	require.Equal(t, int64(4032), b.p.deficit[ClassMedium])
	require.Equal(t, ClassLow, served())
	require.Zero(t, b.p.deficit[ClassMedium], "of 4032 nothing is left")
}

// TestWireOfAFailedLink: what is on the wire when a link fails does not arrive.
func TestWireOfAFailedLink(t *testing.T) {
	b := newBench(t, true, nil)
	for i, down := range []bool{false, true} {
		k := b.Pool.Alloc()
		*b.Pool.At(k) = Packet{Kind: PacketData, Class: ClassMedium, Flags: FlagTrimmed, Size: 64, Nominal: 4096,
			link: b.pi, Dst: b.p.to, PSN: 7}
		b.p.Down = down
		b.arrive(k)
		require.Equal(t, 1, b.ends.arrived)
		require.Equal(t, uint64(i), b.count.TrimLost)
	}
}

// TestTelemetryUnits: a record counts the queue in 80 bytes and what was sent in
// 128, both rounded down.
func TestTelemetryUnits(t *testing.T) {
	b := newBench(t, false, nil)
	i := b.Pool.Alloc()
	b.p.Q[ClassLow].bytes, b.p.Tx = 80*7+79, 128*5+127
	b.Ints.clear(i)
	b.stamp(i, b.p, 3999)
	require.Len(t, b.Ints.Of(i), 1)
	require.Equal(t, INTRecord{Rate: 4, TS: 3, TxBytes: 5, QLen: 7}, UnpackINT(b.Ints.Of(i)[0]))
}

// TestShortestCountsThePacketUnderWay: what is left of a packet under way counts to
// the queue that it came from.
func TestShortestCountsThePacketUnderWay(t *testing.T) {
	b := newBench(t, false, nil)
	w := &b.Switches[0]
	first := w.up
	require.GreaterOrEqual(t, w.ups, int32(2))
	b.wheel.Advance(units.Microsecond)
	p := &b.Ports[first]
	takes := func() (got [2]bool) {
		for range 64 {
			got[b.shortest(first, 2, nil, ClassLow)-first] = true
		}
		return got
	}
	both, second := [2]bool{true, true}, [2]bool{false, true}
	require.Equal(t, both, takes())
	p.Q[ClassLow].bytes = p.step - 100
	require.Equal(t, both, takes(), "the same band")
	p.FreeAt = b.wheel.Now() + 99*p.whole
	require.Equal(t, both, takes(), "99 bytes are left")
	p.FreeAt = b.wheel.Now() + 100*p.whole
	require.Equal(t, second, takes(), "100 bytes are left: the next band")
	b.Ports[first+1].Q[ClassLow].bytes = p.step
	require.Equal(t, both, takes())
}

// TestStepFollowsTheLimit: adaptive routing sees a queue in twentieths of what it can
// hold, also where pauses decide how much that is.
func TestStepFollowsTheLimit(t *testing.T) {
	p, err := presets.Lookup("fattree128/lossless")
	require.NoError(t, err)
	spec := p.Spec
	spec.LB = lb.AR
	s := laid(t, spec)
	for i := s.hosts; i < len(s.Ports); i++ {
		p := &s.Ports[i]
		require.Equal(t, p.Limit[ClassLow]/20, p.step)
	}
}
