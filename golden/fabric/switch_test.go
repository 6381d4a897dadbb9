package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/units"
)

// leave lets a bench's port send one packet and returns it.
func (b *bench) leave() *packet {
	b.now = max(b.now, b.p.freeAt)
	for c := range b.p.q {
		if i := b.p.q[c].head; i >= 0 {
			b.wake(b.pi)
			return &b.pool.pkts[i]
		}
	}
	return nil
}

// TestMarkAtDequeue: a packet is marked when it leaves, on the bytes it leaves
// behind, and not by what it met when it came; trimmed headers never are.
func TestMarkAtDequeue(t *testing.T) {
	marking := func(s *Spec) { s.ECN = ECNDeterministic }
	b := newBench(t, false, marking)
	b.p.kmin = 3 * 4096
	for range 5 {
		i := b.put(classLow, 4096)
		require.Zero(t, b.pool.pkts[i].flags&flagCE, "not when it comes")
	}
	require.Zero(t, b.count.ECNMarks)
	require.NotZero(t, b.leave().flags&flagCE, "four behind it")
	for range 4 {
		require.Zero(t, b.leave().flags&flagCE, "three behind it or less")
	}
	require.Equal(t, uint64(1), b.count.ECNMarks)

	b = newBench(t, false, marking)
	b.p.kmin = 100
	for range 9 {
		b.pool.pkts[b.put(classMedium, 64)].flags = flagTrimmed
	}
	for range 9 {
		require.Zero(t, b.leave().flags&flagCE)
	}
	require.Zero(t, b.count.ECNMarks)
}

// TestMarkingOfOwnRate: the thresholds are of each port's own bandwidth and delay.
func TestMarkingOfOwnRate(t *testing.T) {
	spec := DefaultSpec()
	spec.K, spec.TierGbps[0] = 4, 100
	s, err := build(spec, cc.FixedWindow(0))
	require.NoError(t, err)
	slow := 0
	for i := len(s.hosts); i < len(s.ports); i++ {
		p := &s.ports[i]
		bdp := int64(s.baseRTT) / int64(p.perByte)
		require.Equal(t, scaled(0.2, bdp), p.kmin)
		require.Equal(t, scaled(0.8, bdp)-scaled(0.2, bdp), p.kin)
		if p.perByte == 80 {
			slow++
		}
	}
	require.NotZero(t, slow)
}

// TestTrimEither: the packet that comes and the one at the tail are cut about
// equally often.
func TestTrimEither(t *testing.T) {
	b := newBench(t, false, func(s *Spec) { s.TrimRule = TrimEither })
	for b.p.q[classLow].bytes+4096 <= b.p.limit[classLow] {
		b.put(classLow, 4096)
	}
	const n = 1000
	stays := 0
	for range n {
		i := b.put(classLow, 4096)
		if b.pool.pkts[b.p.q[classLow].tail].psn == uint32(i) {
			stays++
		}
	}
	require.Equal(t, uint64(n), b.count.Trims)
	require.InDelta(t, n/2, stays, n/10)
}

// TestEmptyClassKeepsNoDeficit: a class that has nothing to send when its turn
// comes begins anew.
func TestEmptyClassKeepsNoDeficit(t *testing.T) {
	b := newBench(t, false, func(s *Spec) { s.DRR = [classes]int{classMedium: 4096, classLow: 4096} })
	b.put(classMedium, 64)
	b.put(classLow, 4096)
	b.put(classLow, 4096)
	served := func() int {
		c := b.choose(b.p)
		b.p.q[c].pop(&b.pool)
		return c
	}
	require.Equal(t, classMedium, served())
	require.Equal(t, int64(4032), b.p.deficit[classMedium])
	require.Equal(t, classLow, served())
	require.Zero(t, b.p.deficit[classMedium], "of 4032 nothing is left")
}

// TestWireOfAFailedLink: what is on the wire when a link fails does not arrive.
func TestWireOfAFailedLink(t *testing.T) {
	b := newBench(t, true, nil)
	for i, down := range []bool{false, true} {
		k := b.pool.alloc()
		b.pool.pkts[k] = packet{kind: pkData, class: classMedium, flags: flagTrimmed, size: 64, nominal: 4096, link: b.pi, dst: b.p.to, psn: b.rx[0].cum}
		b.p.down = down
		b.arrive(k)
		require.Equal(t, uint64(1), b.count.TrimsArrived)
		require.Equal(t, uint64(i), b.count.TrimLost)
	}
}

// TestTelemetryUnits: a record counts the queue in 80 bytes and what was sent in
// 128, both rounded down.
func TestTelemetryUnits(t *testing.T) {
	b := newBench(t, false, nil)
	i := b.pool.alloc()
	b.p.q[classLow].bytes, b.p.tx, b.now = 80*7+79, 128*5+127, 3999
	b.clearINT(i)
	b.stamp(i, b.p)
	require.Equal(t, uint8(1), b.ints[i].n)
	require.Equal(t, INTRecord{Rate: 4, TS: 3, TxBytes: 5, QLen: 7}, UnpackINT(b.ints[i].rec[0]))
}

// TestShortestCountsThePacketUnderWay: what is left of a packet under way counts to
// the queue that it came from.
func TestShortestCountsThePacketUnderWay(t *testing.T) {
	b := newBench(t, false, nil)
	w := &b.switches[0]
	first := w.up
	require.GreaterOrEqual(t, w.ups, int32(2))
	b.now = units.Microsecond
	p := &b.ports[first]
	takes := func() (got [2]bool) {
		for range 64 {
			got[b.shortest(first, 2, nil, classLow)-first] = true
		}
		return got
	}
	both, second := [2]bool{true, true}, [2]bool{false, true}
	require.Equal(t, both, takes())
	p.q[classLow].bytes = p.step - 100
	require.Equal(t, both, takes(), "the same band")
	p.freeAt = b.now + 99*p.perByte
	require.Equal(t, both, takes(), "99 bytes are left")
	p.freeAt = b.now + 100*p.perByte
	require.Equal(t, second, takes(), "100 bytes are left: the next band")
	b.ports[first+1].q[classLow].bytes = p.step
	require.Equal(t, both, takes())
}

// TestStepFollowsTheLimit: adaptive routing sees a queue in twentieths of what it can
// hold, also where pauses decide how much that is.
func TestStepFollowsTheLimit(t *testing.T) {
	spec := lossless(t)
	spec.LB = lb.AR
	s, err := build(spec, cc.FixedWindow(0))
	require.NoError(t, err)
	for i := len(s.hosts); i < len(s.ports); i++ {
		p := &s.ports[i]
		require.Equal(t, p.limit[classLow]/20, p.step)
	}
}

// TestContextsTakeTurns: the contexts of a NIC that may all send do so in turn.
func TestContextsTakeTurns(t *testing.T) {
	spec := DefaultSpec()
	spec.K, spec.CCCsPerNIC = 4, 3
	s, err := build(spec, cc.FixedWindow(0))
	require.NoError(t, err)
	var order []int32
	s.tap = func(ev *cc.Event) bool {
		if ev.Kind == cc.KindSend {
			order = append(order, ev.CCC)
		}
		return true
	}
	for f := range int32(3) {
		s.startFlow(f)
	}
	for range 8 {
		s.now, s.ports[0].waking = s.ports[0].freeAt, false
		s.hostTransmit(0)
	}
	// The first has sent one before the others come.
	require.Equal(t, []int32{0, 0, 1, 2, 0, 1, 2, 0, 1}, order)
}
