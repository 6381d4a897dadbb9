package egress

import (
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/egress"
)

// bench drives a model whose sweep is over.
type bench struct {
	m      *Model
	out    [port.OutWords]uint64
	cycles int
}

func newBench(tb testing.TB, spec Spec) *bench {
	m, err := New(spec)
	require.NoError(tb, err)
	b := &bench{m: m}
	b.cycle(nil, nil, 0)
	for range spec.NumPorts {
		b.cycle(nil, nil, port.InRstN)
		require.Zero(tb, b.out[0], "ready in the sweep")
	}
	b.cycles = 0
	return b
}

func (b *bench) cycle(enq *port.Enq, deq *port.Deq, ctl uint64) {
	var in [port.InWords]uint64
	if enq != nil {
		port.PackEnq(enq, in[:])
		ctl |= port.InEnqValid
	}
	if deq != nil {
		port.PackDeq(deq, in[:])
		ctl |= port.InDeqValid
	}
	in[0] |= ctl
	b.m.Cycle(in[:], b.out[:])
	b.cycles++
}

// run offers both lists from cycle 0, back to back, and returns the cycles of the responses.
func (b *bench) run(tb testing.TB, enqs []port.Enq, deqs []port.Deq) (
	enqrAt, deqrAt []int, enqrs []port.Enqr, deqrs []port.Deqr) {

	b.cycles = 0
	ne, nd := 0, 0
	for c := 0; len(enqrs) < len(enqs) || len(deqrs) < len(deqs); c++ {
		require.Less(tb, c, 1000)
		var e *port.Enq
		var d *port.Deq
		if ne < len(enqs) {
			e = &enqs[ne]
		}
		if nd < len(deqs) {
			d = &deqs[nd]
		}
		b.cycle(e, d, port.InRstN|port.InEnqrReady|port.InDeqrReady)
		if e != nil && b.out[0]&port.OutEnqReady != 0 {
			ne++
		}
		if d != nil && b.out[0]&port.OutDeqReady != 0 {
			nd++
		}
		if b.out[0]&port.OutEnqrValid != 0 {
			var r port.Enqr
			port.UnpackEnqr(b.out[:], &r)
			enqrAt, enqrs = append(enqrAt, c), append(enqrs, r)
		}
		if b.out[0]&port.OutDeqrValid != 0 {
			var r port.Deqr
			port.UnpackDeqr(b.out[:], &r)
			deqrAt, deqrs = append(deqrAt, c), append(deqrs, r)
		}
	}
	return
}

// An event offered in cycle c issues in c + 1 at the earliest and is answered in c + 5.
func TestTiming(t *testing.T) {
	pkt := port.Enq{Len: 10}
	write, load := port.Enq{Kind: port.KindCfgWrite, Addr: 9}, port.Enq{Kind: port.KindLoad, Addr: 2}
	read, bad := port.Enq{Kind: port.KindRead}, port.Enq{Kind: 9}
	p0, p1, far := port.Deq{Port: 0}, port.Deq{Port: 1}, port.Deq{Port: 255}
	for _, tc := range []struct {
		name         string
		enqs         []port.Enq
		deqs         []port.Deq
		wantE, wantD []int
	}{
		{"enqueues are never blocked", []port.Enq{pkt, pkt, bad, read}, nil, []int{5, 6, 7, 8}, nil},
		{"grants of one port, two cycles apart", nil, []port.Deq{p0, p0, p0}, nil, []int{5, 7, 9}},
		{"grants of two ports in turn", nil, []port.Deq{p0, p1, p0, p1}, nil, []int{5, 6, 7, 8}},
		{"a port out of range keeps the gap", nil, []port.Deq{far, far, p0}, nil, []int{5, 7, 8}},
		{"both streams at once", []port.Enq{pkt, pkt}, []port.Deq{p0, p1}, []int{5, 6}, []int{5, 6}},
		{"CFG_WRITE alone waits for nothing", []port.Enq{write, pkt}, nil, []int{5, 6}, nil},
		{"CFG_WRITE after a packet", []port.Enq{pkt, write, pkt}, nil, []int{5, 9, 10}, nil},
		{"LOAD after a refused event", []port.Enq{bad, load}, nil, []int{5, 9}, nil},
		{"two of them", []port.Enq{load, write}, nil, []int{5, 9}, nil},
		{"a grant issues after it, not with it", []port.Enq{write}, []port.Deq{p0}, []int{5}, []int{6}},
		{"held grants", []port.Enq{pkt, write}, []port.Deq{p0, p1}, []int{5, 9}, []int{5, 10}},
		{"READ is not exclusive", []port.Enq{pkt, read}, []port.Deq{p0, p1}, []int{5, 6}, []int{5, 6}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e, d, _, _ := newBench(t, Spec{2, 4}).run(t, tc.enqs, tc.deqs)
			require.Equal(t, tc.wantE, e)
			require.Equal(t, tc.wantD, d)
		})
	}
}

func TestGrantComesFirst(t *testing.T) {
	b := newBench(t, Spec{2, 4})
	_, _, _, d := b.run(t, []port.Enq{{Len: 10}}, []port.Deq{{}})
	require.True(t, d[0].Empty, "the packet of the same cycle is not there yet")
	_, _, e, d := b.run(t, []port.Enq{{Len: 20}}, []port.Deq{{}})
	require.Equal(t, uint16(10), d[0].Len)
	require.Equal(t, uint32(20), e[0].Depth, "the enqueue sees the removal")
}

// An exclusive event at the head does not block grants while it has no credit.
func TestNoCreditNoHold(t *testing.T) {
	b := newBench(t, Spec{2, 4})
	for range 8 { // eight reads use up the credits
		b.cycle(&port.Enq{Kind: port.KindRead}, nil, port.InRstN)
	}
	b.cycle(&port.Enq{Kind: port.KindCfgWrite, Addr: port.RegKDet, Data: 5}, nil, port.InRstN)
	for range 10 {
		b.cycle(nil, nil, port.InRstN)
	}
	credits, queued, _, _ := b.m.InUse()
	require.Equal(t, [2]int{8, 1}, [2]int{credits, queued})
	b.cycle(nil, &port.Deq{}, port.InRstN|port.InDeqrReady)
	for range 4 {
		b.cycle(nil, nil, port.InRstN|port.InDeqrReady)
		require.Zero(t, b.out[0]&port.OutDeqrValid)
	}
	b.cycle(nil, nil, port.InRstN|port.InDeqrReady)
	require.NotZero(t, b.out[0]&port.OutDeqrValid, "answered 5 cycles after acceptance")
	b.cycle(nil, nil, port.InRstN|port.InEnqrReady)
	b.cycle(nil, nil, port.InRstN)
	require.Equal(t, uint32(5), b.m.Queues().Config()[port.RegKDet], "issued when a credit came back")
}

func TestCreditsAndFIFO(t *testing.T) {
	b := newBench(t, Spec{2, 4})
	taken := 0
	for range 30 {
		b.cycle(&port.Enq{Kind: port.KindRead}, nil, port.InRstN)
		taken += int(b.out[0] & port.OutEnqReady)
	}
	require.Equal(t, port.Credits+port.InFIFODepth, taken)
	require.NotZero(t, b.out[0]&port.OutDeqReady, "the other stream is free")
}

func TestReset(t *testing.T) {
	b := newBench(t, Spec{3, 4})
	b.run(t, []port.Enq{{Kind: port.KindCfgWrite, Addr: port.RegXoff, Data: 5}, {Len: 100},
		{Kind: port.KindLoad, Addr: port.WordLfsr, Data: 9}}, nil)
	require.True(t, b.m.Queues().Words(0, 0).Xoff)
	b.cycle(&port.Enq{}, &port.Deq{}, port.InRstN)
	b.cycle(&port.Enq{}, &port.Deq{}, port.InEnqrReady|port.InDeqrReady)
	require.Zero(t, b.out[0], "readies and valids low in the same cycle")
	require.Equal(t, port.Words{Lfsr: 1}, b.m.Queues().Words(0, 0))
	require.Equal(t, DefaultConfig(), b.m.Queues().Config())
	b.cycle(nil, nil, port.InRstN)
	b.cycle(nil, nil, 0) // during the sweep
	for range 3 {
		b.cycle(nil, nil, port.InRstN)
		require.Zero(t, b.out[0])
	}
	for range 12 {
		b.cycle(nil, nil, port.InRstN)
		require.Equal(t, port.OutEnqReady|port.OutDeqReady, b.out[0], "nothing in flight is left")
	}
}

func TestSpec(t *testing.T) {
	require.NoError(t, DefaultSpec().Validate())
	for _, tc := range []struct {
		s   Spec
		err string
	}{
		{Spec{0, 64}, "NumPorts 0: want 1 to 64"},
		{Spec{65, 64}, "NumPorts 65: want 1 to 64"},
		{Spec{1, 1}, "Depth 1: want a power of two from 2 to 4096"},
		{Spec{1, 48}, "Depth 48: want a power of two from 2 to 4096"},
		{Spec{1, 8192}, "Depth 8192: want a power of two from 2 to 4096"},
	} {
		_, err := New(tc.s)
		require.EqualError(t, err, "egress: "+tc.err)
	}
	m, err := New(DefaultSpec())
	require.NoError(t, err)
	require.Equal(t, DefaultSpec(), m.Spec())
}

func busy(n int) [][port.InWords]uint64 {
	recs := make([][port.InWords]uint64, n)
	for i := range recs {
		port.PackEnq(&port.Enq{Port: uint8(i % 4), Len: uint16(4000 + i%100), Trimmable: true, Ect: true, Id: uint32(i)},
			recs[i][:])
		port.PackDeq(&port.Deq{Port: uint8((i + 2) % 4)}, recs[i][:])
		recs[i][0] |= port.InRstN | port.InEnqValid | port.InEnqrReady | port.InDeqrReady
		if i%50 != 0 { // the queues fill up
			recs[i][0] |= port.InDeqValid
		}
	}
	return recs
}

func BenchmarkCycle(b *testing.B) {
	x := newBench(b, DefaultSpec())
	recs := busy(1 << 14)
	cycles, accepted := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		x.m.Cycle(recs[cycles%len(recs)][:], x.out[:])
		accepted += int(x.out[0]&port.OutEnqReady) + int(x.out[0]&port.OutDeqReady>>1)
		cycles++
	}
	b.ReportMetric(float64(cycles)/b.Elapsed().Seconds(), "cycles/s")
	b.ReportMetric(float64(accepted)/float64(cycles), "ready/cycle")
}

func TestCycleAllocatesNothing(t *testing.T) {
	b := newBench(t, DefaultSpec())
	recs := busy(16)
	i := 0
	require.Zero(t, testing.AllocsPerRun(1000, func() { b.m.Cycle(recs[i%16][:], b.out[:]); i++ }))
	recs[0][0] = 0
	require.Zero(t, testing.AllocsPerRun(10, func() { b.m.Cycle(recs[0][:], b.out[:]) }))
}
