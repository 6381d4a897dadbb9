package ackgen

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
)

// bench drives a model, from the first cycle after its sweep on.
type bench struct {
	tb  testing.TB
	m   *Model
	out [port.OutWords]uint64
	now int // the next cycle
}

func newBench(tb testing.TB, pdcs int) *bench {
	m, err := New(Spec{Pdcs: pdcs})
	require.NoError(tb, err)
	b := &bench{tb: tb, m: m}
	b.cycle(nil, nil, 0)
	for range pdcs {
		b.cycle(&port.Rx{Last: true}, &port.Cfg{}, takes)
		require.Zero(tb, b.out[0])
	}
	b.now = 0
	return b
}

func (b *bench) cycle(rx *port.Rx, cfg *port.Cfg, ctl uint64) {
	var in [port.InWords]uint64
	if rx != nil {
		port.PackRx(rx, in[:])
		ctl |= port.InRxValid
	}
	if cfg != nil {
		port.PackCfg(cfg, in[:])
		ctl |= port.InCfgValid
	}
	in[0] |= ctl
	b.m.Cycle(in[:], b.out[:])
	b.now++
}

const (
	high  = port.InRstN
	takes = port.InRstN | port.InTxReady | port.InIndReady | port.InCfgrReady
)

// seen is what came at the ports, with the cycle of each transfer.
type seen struct {
	txAt, indAt, cfgrAt []int
	tx                  []port.Tx
	ind                 []port.Ind
	cfgr                []port.Cfgr
	rxLow               int // cycles in which a beat waited
}

// run offers beats and cfg events back to back, and then nothing, for a number of cycles.
func (b *bench) run(beats []port.Rx, cfgs []port.Cfg, ctl uint64, cycles int) (s seen) {
	for range cycles {
		var rx *port.Rx
		var cfg *port.Cfg
		if len(beats) > 0 {
			rx = &beats[0]
		}
		if len(cfgs) > 0 {
			cfg = &cfgs[0]
		}
		b.cycle(rx, cfg, ctl)
		switch {
		case rx == nil:
		case b.out[0]&port.OutRxReady != 0:
			beats = beats[1:]
		default:
			s.rxLow++
		}
		if cfg != nil && b.out[0]&port.OutCfgReady != 0 {
			cfgs = cfgs[1:]
		}
		if b.out[0]&port.OutTxValid != 0 && ctl&port.InTxReady != 0 {
			var x port.Tx
			port.UnpackTx(b.out[:], &x)
			s.txAt, s.tx = append(s.txAt, b.now-1), append(s.tx, x)
		}
		if b.out[0]&port.OutIndValid != 0 && ctl&port.InIndReady != 0 {
			var x port.Ind
			port.UnpackInd(b.out[:], &x)
			s.indAt, s.ind = append(s.indAt, b.now-1), append(s.ind, x)
		}
		if b.out[0]&port.OutCfgrValid != 0 && ctl&port.InCfgrReady != 0 {
			var x port.Cfgr
			port.UnpackCfgr(b.out[:], &x)
			s.cfgrAt, s.cfgr = append(s.cfgrAt, b.now-1), append(s.cfgr, x)
		}
	}
	return s
}

// rubbish fills the fields that the block must not look at.
var rubbish = rand.New(rand.NewPCG(1, 1))

// one returns the one beat of a packet of data over IPv4, of 54 bytes.
func one(flags int, psn uint32, spdcid, last uint16) []port.Rx {
	f := plain.Packet{PDS: data(2, flags, psn, spdcid, last)}
	return beatsOf(rubbish, f.Bytes(), psn)
}

// many returns n of them with PSNs from 100 on, all with syn or none.
func many(n int, flags int) (beats []port.Rx) {
	for i := range uint32(n) {
		last := uint16(1)
		if flags&fSyn != 0 {
			last = uint16(i)
		}
		beats = append(beats, one(flags, 100+i, 7, last)...)
	}
	return beats
}

// opens opens PDC 0 by words, so that it costs no packet: from PSN 100 on, and nothing is acknowledged.
func (b *bench) opens() *bench {
	*b.m.receiver.pdcs.rows.Row(0) = pdc{key: key{spdcid: 7, src: [2]uint64{0x0A000001}}, valid: true, started: true,
		cack: 99, start: 100}
	b.m.receiver.pdcs.changed(0)
	return b
}

// The sweep takes a cycle for each PDC, and starts again with a reset.
func TestSweep(t *testing.T) {
	for _, pdcs := range []int{4, 16, 64} {
		m, err := New(Spec{Pdcs: pdcs})
		require.NoError(t, err)
		b := &bench{tb: t, m: m}
		b.cycle(nil, nil, takes&^high)
		for range pdcs - 1 {
			b.cycle(nil, nil, takes)
			require.Zero(t, b.out[0])
		}
		b.cycle(nil, nil, takes&^high)
		require.Zero(t, b.out[0])
		for range pdcs {
			b.cycle(nil, nil, takes)
			require.Zero(t, b.out[0])
		}
		b.cycle(nil, nil, takes)
		require.Equal(t, port.OutRxReady|port.OutCfgReady, b.out[0])
		require.Equal(t, Instant{Phase: uint32(pdcs) + 1}, b.m.time, "time runs in the sweep")
	}
}

// A packet whose last beat is accepted in cycle a issues it in a+1, and its job starts LATENCY cycles later. It takes
// BUSY cycles, and with syn one more for each LANES PDCs. ind comes in the next cycle, the answer BUILD cycles later.
func TestTimingOfAnAnswer(t *testing.T) {
	for _, pdcs := range []int{4, 16, 32, 64, 256} {
		for _, flags := range []int{fAr, fAr | fSyn} {
			for _, padding := range []int{0, 10, 11, 300} {
				b := newBench(t, pdcs).opens()
				f := plain.Packet{Padding: padding, PDS: data(2, flags, 100, 7, map[bool]uint16{false: 1}[flags&fSyn != 0])}
				beats := beatsOf(rubbish, f.Bytes(), 0xABCDEF01)
				s := b.run(beats, nil, takes, 400)
				busy := port.Busy
				if flags&fSyn != 0 {
					busy += map[int]int{4: 1, 16: 1, 32: 2, 64: 4, 256: 16}[pdcs]
				}
				end := len(beats) - 1 + 1 + port.Latency + busy - 1
				require.Equal(t, []int{end + 1}, s.indAt)
				require.Equal(t, []int{end + 1 + port.Build, end + 2 + port.Build}, s.txAt, "14 + 20 + 8 + 32 bytes")
				require.Equal(t, uint32(0xABCDEF01), s.ind[0].Tag)
				for i, x := range s.tx {
					require.Equal(t, uint32(0xABCDEF01), x.Tag)
					require.Equal(t, i == 1, x.Last)
					require.Equal(t, []uint64{^uint64(0), 1<<10 - 1}[i], x.Keep)
				}
				require.Zero(t, s.tx[1].Data[1]>>16|s.tx[1].Data[2], "bytes that do not count")
			}
		}
	}
}

// Jobs follow each other without a gap, and rx waits only when the credits are used up.
func TestJobSpacing(t *testing.T) {
	for _, tc := range []struct{ pdcs, flags, busy int }{{4, 0, 6}, {16, 0, 6}, {256, 0, 6}, {4, fSyn, 7}, {16, fSyn, 7},
		{64, fSyn, 10}} {
		b := newBench(t, tc.pdcs).opens()
		s := b.run(many(60, tc.flags), nil, takes, 1000)
		require.Len(t, s.ind, 60)
		for i, at := range s.indAt {
			require.Equal(t, s.indAt[0]+i*tc.busy, at)
			require.Equal(t, uint32(100+i), s.ind[i].PSN)
		}
		require.Positive(t, s.rxLow)
	}
	b := newBench(t, 16).opens() // at the rate of the jobs rx never waits, and few credits are in use
	for i, x := range many(100, 0) {
		s := b.run([]port.Rx{x}, nil, takes, port.Busy)
		require.Zero(t, s.rxLow)
		_, credits, _, _ := b.m.InUse()
		require.LessOrEqual(t, credits, 2, "packet %d", i)
	}
}

// A cfg event starts in the cycle after its acceptance, takes CFG_BUSY cycles and goes before a packet.
func TestTimingOfAccesses(t *testing.T) {
	read := port.Cfg{Kind: port.KindRead, Addr: port.WordFrames}
	b := newBench(t, 16).opens()
	s := b.run(nil, []port.Cfg{read, read, read, read, read}, takes, 40)
	require.Equal(t, []int{4, 7, 10, 13, 16}, s.cfgrAt)

	// The packet could start in cycle 9 and end in 14. An event accepted in cycle 8 starts in 9, one in 9 waits.
	for _, tc := range []struct{ at, cfgr, ind int }{{7, 11, 17}, {8, 12, 18}, {9, 18, 15}, {13, 18, 15},
		{14, 18, 15}} {
		b := newBench(t, 16).opens()
		first := b.run(one(0, 100, 7, 1), nil, takes, tc.at)
		require.Empty(t, first.indAt)
		s := b.run(nil, []port.Cfg{read}, takes, 30)
		require.Equal(t, []int{tc.cfgr}, s.cfgrAt, "accepted in %d", tc.at)
		require.Equal(t, []int{tc.ind}, s.indAt, "accepted in %d", tc.at)
	}
}

// Without cfgr taken, CFG_CREDITS events start; packets go on, and a credit is free in the cycle after a take.
func TestCreditsOfAccesses(t *testing.T) {
	b := newBench(t, 16).opens()
	accepted := 0
	for range 60 {
		b.cycle(nil, &port.Cfg{Kind: port.KindCfgRead}, high)
		accepted += int(b.out[0] & port.OutCfgReady / port.OutCfgReady)
	}
	require.Equal(t, port.CfgCredits+port.InFIFODepth, accepted)
	s := b.run(many(3, 0), nil, takes&^port.InCfgrReady, 60)
	require.Len(t, s.ind, 3)
	at := b.now
	b.cycle(nil, nil, takes) // takes one, in cycle at; the next event starts in at + 1
	s = b.run(nil, nil, takes&^port.InCfgrReady, 3)
	require.Empty(t, s.cfgr)
	require.Equal(t, 4, b.m.cfgr.Len(), "it ended in %d", at+3)
}

// Without ind taken, INDS jobs run; then CREDITS packets wait, and a beat that ends no packet waits for a credit too.
func TestCreditsOfIndications(t *testing.T) {
	b := newBench(t, 16).opens()
	s := b.run(many(100, 0), nil, takes&^port.InIndReady, 300)
	require.Equal(t, 300-(port.Inds+port.Credits+port.InFIFODepth), s.rxLow)
	fifo, credits, inds, answers := b.m.InUse()
	require.Equal(t, [4]int{port.InFIFODepth, port.Credits, port.Inds, 0}, [4]int{fifo, credits, inds, answers})
	require.Equal(t, uint32(port.Inds), b.m.receiver.counters[port.WordAccepted])
	require.Equal(t, uint32(port.Inds+port.Credits), b.m.receiver.counters[port.WordFrames],
		"what does not issue is not counted")

	at := b.now
	b.cycle(nil, nil, takes) // the take of one, in cycle at
	for range 1 + port.Busy - 1 {
		require.Equal(t, uint32(port.Inds), b.m.receiver.counters[port.WordAccepted])
		b.cycle(nil, nil, takes&^port.InIndReady)
	}
	require.Equal(t, uint32(port.Inds+1), b.m.receiver.counters[port.WordAccepted], "it ended in %d", at+6)

	b = newBench(t, 16).opens()
	b.run(many(port.Inds+port.Credits, 0), nil, takes&^port.InIndReady, 100)
	f := plain.Packet{Padding: 200, PDS: data(2, 0, 500, 7, 1)}
	s = b.run(beatsOf(rubbish, f.Bytes(), 5), nil, takes&^port.InIndReady, 50)
	require.Equal(t, 50-port.InFIFODepth, s.rxLow)
	s = b.run(nil, nil, takes, 200)
	require.Len(t, s.ind, port.Inds+port.Credits)
}

// Without tx taken, ANSWERS jobs run, even where the next has no answer. A credit comes back with the last beat of an
// answer, or with a job that has none.
func TestCreditsOfAnswers(t *testing.T) {
	b := newBench(t, 16).opens()
	s := b.run(append(many(4, fAr), many(30, 0)...), nil, takes&^port.InTxReady, 300)
	require.Len(t, s.ind, port.Answers)
	require.NotZero(t, b.out[0]&port.OutTxValid)
	b.cycle(nil, nil, takes) // the first beat of two
	s = b.run(nil, nil, takes&^port.InTxReady, 30)
	require.Empty(t, s.ind)
	at := b.now
	b.cycle(nil, nil, takes) // the last one: the job starts in the next cycle
	s = b.run(nil, nil, takes&^port.InTxReady, 30)
	require.Equal(t, []int{at + 1 + port.Busy}, s.indAt[:1])
	require.Len(t, s.ind, 1, "a duplicate: its answer takes the place")

	b = newBench(t, 16).opens() // three answers, and packets without one run through the fourth place
	s = b.run(append(many(3, fAr), one(0, 104, 7, 1)...), nil, takes&^port.InTxReady, 100)
	require.Len(t, s.ind, 4)
	for psn := range uint32(8) {
		s = b.run(one(0, 105+psn, 7, 1), nil, takes&^port.InTxReady, 60)
		require.Len(t, s.ind, 1)
	}
	s = b.run(nil, nil, takes, 60)
	require.Len(t, s.tx, 6)
	for i, x := range s.tx {
		require.Equal(t, uint32(100+i/2), x.Tag)
		require.Equal(t, s.txAt[0]+i, s.txAt[i], "one beat after the other")
	}
}

// A dropped packet holds a credit until the cycle that counts it.
func TestCreditOfADroppedPacket(t *testing.T) {
	b := newBench(t, 16)
	for c := range 20 { // it is accepted in cycle 0 and issues in cycle 1
		var rx *port.Rx
		if c == 0 {
			rx = &port.Rx{Last: true}
		}
		b.cycle(rx, nil, high)
		_, credits, _, _ := b.m.InUse() // those of the next cycle
		want := 0
		if c >= 1 && c < 1+port.Decide {
			want = 1
		}
		require.Equal(t, want, credits, "cycle %d", c)
		require.Equal(t, c >= 1+port.Decide, b.m.receiver.counters[port.WordTruncated] == 1, "cycle %d", c)
	}
	for range 100 { // drops alone never wait
		b.cycle(&port.Rx{Last: true}, nil, high)
		require.NotZero(t, b.out[0]&port.OutRxReady)
	}
}

// busy are cycles of a run with a packet a beat, of two sources; one in eight opens nothing and is dropped.
func busy() (recs [][port.InWords]uint64) {
	r := rand.New(rand.NewPCG(3, 3))
	for psn := uint32(0); len(recs) < 2000; psn++ {
		f := plain.Packet{Checksum: true, V6: psn%2 == 0}
		f.PDS = append(data(2, fSyn|fAr*r.IntN(2), 100+psn/2, 7, uint16(psn/2%4096)), make([]byte, r.IntN(300))...)
		if psn%8 == 7 {
			f.PDS[0] = 0
		}
		for _, x := range beatsOf(r, f.Bytes(), psn) {
			var rec [port.InWords]uint64
			port.PackRx(&x, rec[:])
			rec[0] |= port.InRxValid | takes
			recs = append(recs, rec)
		}
	}
	return recs
}

func benchmark(b *testing.B, pdcs int, recs [][port.InWords]uint64) {
	x := newBench(b, pdcs)
	cycles, next, jobs := 0, 0, 0
	b.ReportAllocs()
	for b.Loop() {
		x.m.Cycle(recs[next%len(recs)][:], x.out[:])
		next += int(x.out[0] & port.OutRxReady)
		jobs += int(x.out[0] & port.OutIndValid / port.OutIndValid)
		cycles++
	}
	b.ReportMetric(float64(cycles)/b.Elapsed().Seconds(), "cycles/s")
	b.ReportMetric(float64(jobs)/float64(cycles), "jobs/cycle")
}

func BenchmarkCycle(b *testing.B)     { benchmark(b, 16, busy()) }
func BenchmarkCycle4096(b *testing.B) { benchmark(b, 4096, busy()) }
func BenchmarkIdle(b *testing.B)      { benchmark(b, 4096, [][port.InWords]uint64{{takes}}) }

func TestCycleAllocatesNothing(t *testing.T) {
	b := newBench(t, 64)
	recs := busy()
	i := 0
	require.Zero(t, testing.AllocsPerRun(1900, func() { b.m.Cycle(recs[i][:], b.out[:]); i++ }))
	require.Positive(t, b.m.receiver.counters[port.WordAckCcs])
	recs[0][0] = 0
	require.Zero(t, testing.AllocsPerRun(10, func() { b.m.Cycle(recs[0][:], b.out[:]) }))
}
