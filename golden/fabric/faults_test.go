package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/units"
)

// TestFailedHostLink: what a host whose link has failed is given to send is
// dropped, not kept: no packet is left inside, and every one is accounted for.
func TestFailedHostLink(t *testing.T) {
	for _, rec := range []Recovery{RecoverRTO, RecoverSLEEK} {
		s := small(Permutation)
		s.ServiceTime, s.Recovery = 30*units.Microsecond, rec // ACKs are under way when the link fails
		s.FlowBytes = 1_000_000
		require.NoError(t, s.Set("fail.links", "host5-tor1@15"))
		drops := uint64(0)
		r := run(t, s, WithPortTap(func(ev *PortEvent) {
			if ev.Kind == PortDrop {
				drops++
				require.NotEqual(t, PacketData, ev.Packet.Kind)
				require.Zero(t, ev.Queued)
			}
		}, 5))
		require.NotZero(t, drops)
		require.GreaterOrEqual(t, r.Counters.CtlDrops, drops)
		require.Zero(t, r.dataInside+r.ctlInside, "packets inside")
		require.Len(t, r.Unfinished(), 2)
		r.Stopped = true
		require.NoError(t, r.Verify())
	}
}

// TestTapSeesFlushedPackets: at every port of a switch, also one whose link fails,
// what arrived departed or was dropped.
func TestTapSeesFlushedPackets(t *testing.T) {
	s := DefaultSpec()
	s.FlowBytes, s.Oversub, s.FailProb, s.FailAt, s.Seed = 1_000_000, 2, 0.1, 30*units.Microsecond, 3
	inside := map[int32]int{}
	flushed := 0
	r := run(t, s, WithPortTap(func(ev *PortEvent) {
		switch ev.Kind {
		case PortArrive:
			inside[ev.Port]++
		case PortDrop:
			inside[ev.Port]--
			if ev.Time == s.FailAt {
				flushed++
			}
		case PortDepart:
			inside[ev.Port]--
		}
	}))
	r.Stopped = true // a rack may be cut off
	require.NoError(t, r.Verify())
	require.NotZero(t, flushed, "queues in front of failing links were not empty")
	for port, n := range inside {
		require.Zero(t, n, "port %d", port)
	}
}

// TestTrimEitherTakesWhatCanBeCut: the packet at the tail is exchanged only when
// it is data that has its payload: no header is cut again, no probe is cut.
func TestTrimEitherTakesWhatCanBeCut(t *testing.T) {
	for _, tail := range []packet{
		{kind: pkData, class: classLow, size: 64, nominal: 4096, flags: flagTrimmed},
		{kind: pkProbe, class: classLow, size: 64, nominal: 64, flags: flagProbe},
	} {
		b := newBench(t, false, func(s *Spec) { s.TrimRule = TrimEither })
		b.p.limit[classLow] = 10 * 4096
		for range 9 {
			b.put(classLow, 4096)
		}
		i := b.pool.alloc()
		b.pool.pkts[i] = tail
		b.p.q[classLow].push(&b.pool, i)
		for range 40 {
			j := b.pool.alloc()
			b.pool.pkts[j] = packet{kind: pkData, class: classLow, size: 4096, nominal: 4096}
			require.Equal(t, j, b.trimEither(&b.p.q[classLow], 1<<40, j))
			require.Equal(t, tail.size, b.pool.pkts[i].size)
		}
	}
	b := newBench(t, false, func(s *Spec) { s.TrimRule = TrimEither })
	b.fill(classLow)
	for range 100 {
		b.put(classLow, 4096)
	}
	require.Equal(t, uint64(100), b.count.Trims)
}

// TestECNCountsPackets: a packet that two queues mark counts once.
func TestECNCountsPackets(t *testing.T) {
	b := newBench(t, false, func(s *Spec) { s.ECN = ECNDeterministic })
	b.p.q[classLow].bytes = 1 << 30
	k := packet{class: classLow}
	b.mark(b.p, &k)
	b.mark(b.p, &k)
	require.Equal(t, uint64(1), b.count.ECN)
	require.Equal(t, uint64(2), b.count.ECNMarks)

	// Every packet that is delivered with a mark was counted; the same packet was
	// marked more than once now and then.
	p, err := Lookup("fattree128/permutation")
	require.NoError(t, err)
	r := books(t, p.Spec)
	require.Less(t, r.Counters.ECN, r.Counters.ECNMarks)
	require.LessOrEqual(t, r.Counters.ECN, r.Counters.NewPackets+r.Counters.Retransmits)
}

// TestMarkOfDeepQueues: the probability holds for thresholds of any size.
func TestMarkOfDeepQueues(t *testing.T) {
	for _, kin := range []int64{1 << 20, 1<<33 + 5, 1 << 45} {
		b := newBench(t, false, nil)
		b.p.kmin, b.p.kin = 1<<40, kin
		b.p.q[classLow].bytes = 1<<40 + kin/4
		for range 10_000 {
			b.mark(b.p, &packet{class: classLow})
		}
		require.InDelta(t, 2500, b.count.ECNMarks, 150, "kin %d", kin)
	}
}

// TestDRRKeepsTheOrder: a class without a quantum goes before those below it and
// after those above it, which have one.
func TestDRRKeepsTheOrder(t *testing.T) {
	for _, c := range []struct {
		quanta [classes]int
		order  []int
	}{
		{[classes]int{1024, 0, 1024}, []int{classHigh, classHigh, classMedium, classMedium, classLow, classLow}},
		{[classes]int{0, 1024, 0}, []int{classHigh, classHigh, classMedium, classMedium, classLow, classLow}},
		{[classes]int{1024, 1024, 0}, []int{classHigh, classMedium, classHigh, classMedium, classLow, classLow}},
		{[classes]int{0, 1024, 1024}, []int{classHigh, classHigh, classMedium, classLow, classMedium, classLow}},
	} {
		b := newBench(t, false, func(s *Spec) { s.DRR, s.CtlDropAt = c.quanta, 1000 })
		for range 2 {
			for class := range uint8(classes) {
				b.put(class, 1024)
			}
		}
		var got []int
		for range c.order {
			class := b.choose(b.p)
			b.p.q[class].pop(&b.pool)
			got = append(got, class)
		}
		require.Equal(t, c.order, got, "%v", c.quanta)
		require.Equal(t, -1, b.choose(b.p))
	}
	// A paused class is passed over, alone or among others.
	for _, quanta := range [][classes]int{{0, 0, 1024}, {0, 1024, 1024}, {1, 1, 1}} {
		b := newBench(t, false, func(s *Spec) { s.DRR = quanta })
		b.put(classLow, 1024)
		b.p.paused = true
		require.Equal(t, -1, b.choose(b.p))
		b.put(classMedium, 1024)
		require.Equal(t, classMedium, b.choose(b.p))
	}
}

// TestProbesAreSteered: where switches choose the path of data they choose that
// of probes, and probes leave a connection's recycled entropies alone.
func TestProbesAreSteered(t *testing.T) {
	b := newBench(t, false, func(s *Spec) { s.K, s.LB, s.Recovery = 8, lb.AR, RecoverSLEEK })
	w := &b.switches[0]
	for i := range w.ups {
		b.ports[w.up+i].q[classLow].bytes = 3 * b.ports[w.up].step
	}
	b.ports[w.up+2].q[classLow].bytes = 0
	s := b.sim
	s.startFlow(0)
	s.now += units.Millisecond
	s.tx[0].nxt++ // something is outstanding
	s.scheduleProbe(0)
	before := len(s.pool.pkts)
	s.onProbeTimer(0)
	require.Equal(t, uint64(1), s.count.Probes)
	probe := s.pool.pkts[before]
	require.Equal(t, pkProbe, probe.kind)
	for e := range uint16(20) {
		probe.entropy, probe.dst = e, int32(len(s.hosts)-1)
		require.Equal(t, w.up+2, s.route(w, &probe))
	}

	spec := DefaultSpec()
	spec.LB, spec.Recovery = lb.REPS, RecoverSLEEK
	s, err := build(spec, cc.FixedWindow(0))
	require.NoError(t, err)
	s.startFlow(0)
	for e := range uint16(8) {
		s.tx[0].lb.Feedback(1000+e, lb.Good, 0)
	}
	for range 5 {
		s.now += units.Millisecond
		s.tx[0].sleek.due = 0
		s.scheduleProbe(0)
		s.onProbeTimer(0)
	}
	require.Equal(t, uint64(5), s.count.Probes)
	for e := range uint16(8) {
		require.Equal(t, 1000+e, s.tx[0].lb.Next(0))
	}
}
