package intmd

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/trimmer/frames"
	port "github.com/goldwire/goldwire/vectors/event/intmd"
)

// bench drives a model whose sweep is over.
type bench struct {
	tb  testing.TB
	m   *Model
	out [port.OutWords]uint64
}

const (
	high  = port.InRstN
	takes = port.InRstN | port.InTxReady | port.InCfgrReady
)

func newBench(tb testing.TB, spec Spec) *bench {
	m, err := New(spec)
	require.NoError(tb, err)
	b := &bench{tb: tb, m: m}
	b.cycle(nil, nil, nil, 0)
	for range spec.NumPorts {
		b.cycle(&port.Rx{}, &port.Cnt{}, &port.Cfg{}, high)
		require.Zero(tb, b.out[0], "ready in the sweep")
	}
	return b
}

func (b *bench) cycle(rx *port.Rx, cnt *port.Cnt, cfg *port.Cfg, ctl uint64) {
	var in [port.InWords]uint64
	if rx != nil {
		port.PackRx(rx, in[:])
		ctl |= port.InRxValid
	}
	if cnt != nil {
		port.PackCnt(cnt, in[:])
		ctl |= port.InCntValid
	}
	if cfg != nil {
		port.PackCfg(cfg, in[:])
		ctl |= port.InCfgValid
	}
	in[0] |= ctl
	b.m.Cycle(in[:], b.out[:])
}

// ask runs one cfg event and returns its response, which comes three cycles after acceptance.
func (b *bench) ask(ev port.Cfg) port.Cfgr {
	b.cycle(nil, nil, &ev, takes)
	for range 2 {
		b.cycle(nil, nil, nil, takes)
		require.Zero(b.tb, b.out[0]&port.OutCfgrValid)
	}
	b.cycle(nil, nil, nil, takes)
	require.NotZero(b.tb, b.out[0]&port.OutCfgrValid)
	var r port.Cfgr
	port.UnpackCfgr(b.out[:], &r)
	return r
}

// run offers beats back to back and returns the beats at tx and their cycles.
func (b *bench) run(beats []port.Rx, want int) (at []int, txs []port.Tx) {
	for c := 0; len(txs) < want; c++ {
		require.Less(b.tb, c, 3000)
		var rx *port.Rx
		if len(beats) > 0 {
			rx = &beats[0]
		}
		b.cycle(rx, nil, nil, takes)
		if rx != nil && b.out[0]&port.OutRxReady != 0 {
			beats = beats[1:]
		}
		if b.out[0]&port.OutTxValid != 0 {
			var x port.Tx
			port.UnpackTx(b.out[:], &x)
			at, txs = append(at, c), append(txs, x)
		}
	}
	return
}

var rubbish = rand.New(rand.NewPCG(1, 1))

// ack returns an ACK of size bytes, at least 62, with room for an entry.
func ack(size int) []port.Rx {
	f := frames.Frame{UETType: 7, UDPChecksum: true, Body: frames.Telemetry(7, 0, 1, size-62)}
	b := f.Bytes()
	beats := newPacket(rubbish, b, Side{Len: uint16(len(b))}).beats
	if n := (size + 63) / 64; len(beats) > n { // without a last beat that has no valid byte
		beats = beats[:n]
		beats[n-1].Last, beats[n-1].Keep = true, ^uint64(0)
	}
	return beats
}

func TestReleaseTimingAndAddedBeats(t *testing.T) {
	for _, tc := range []struct {
		name string
		size int
		want []int
		last uint64 // keep of the last beat
	}{
		{"one beat grows by one", 62, []int{9, 10}, 1<<6 - 1},
		{"two beats wait for the second", 100, []int{10, 11}, 1<<44 - 1},
		{"56 bytes are filled up", 120, []int{10, 11}, 1<<64 - 1},
		{"57 bytes are too many", 121, []int{10, 11, 12}, 1},
		{"a full last beat", 128, []int{10, 11, 12}, 1<<8 - 1},
		{"five beats wait for the second", 300, []int{10, 11, 12, 13, 14}, 1<<52 - 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := newBench(t, DefaultSpec())
			at, txs := b.run(ack(tc.size), len(tc.want))
			require.Equal(t, tc.want, at)
			for i, x := range txs {
				require.Equal(t, i == len(txs)-1, x.Last)
				require.True(t, x.Inserted)
				require.Equal(t, uint8(1), x.Hops)
				if !x.Last {
					require.Equal(t, ^uint64(0), x.Keep)
				}
			}
			require.Equal(t, tc.last, txs[len(txs)-1].Keep)
			require.Equal(t, uint32(len(tc.want)-(tc.size+63)/64), b.m.Counters()[port.WordAddedBeats])
		})
	}
}

// One beat enters per cycle. The store absorbs the first few added beats; from then on each added beat stops rx exactly
// once, two cycles after it is emitted, rx stops for nothing else, and tx has a beat in every cycle.
func TestRate(t *testing.T) {
	// Without added beats the store holds RELEASE beats of one-beat packets, and one beat more of longer packets, which
	// wait for their second beat; rx stops at STORE.
	const single = port.Store - 1 - port.Release
	for name, tc := range map[string]struct {
		packets, absorbed int // added beats that the store absorbs
		size              func(i int) int
	}{
		"acks":                {300, single, func(i int) int { return 62 + i%7*11 }},
		"all grow":            {300, single, func(i int) int { return 64 }},
		"long, one in ten":    {600, single - 1, func(i int) int { return 64*(3+i%20) - 20*min(i%10, 1) }},
		"long, all":           {100, single - 1, func(i int) int { return 64 * (100 + i%40) }},
		"none grows, no stop": {300, 0, func(i int) int { return 64*(1+i%9) + 40 }},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, DefaultSpec())
			var beats []port.Rx
			for i := range tc.packets {
				beats = append(beats, ack(tc.size(i))...)
			}
			n := len(beats)
			stalls, absorbed, out := 0, 0, 0
			var emitted [3]bool // whether a beat was added, in this cycle and the two before
			total := func() int { return int(b.m.Counters()[port.WordAddedBeats]) }
			for next, c := 0, 0; next < n; c++ {
				before := total()
				b.cycle(&beats[next], nil, nil, takes)
				emitted = [3]bool{total() > before, emitted[0], emitted[1]}
				stopped := b.out[0]&port.OutRxReady == 0
				switch {
				case stopped:
					require.True(t, emitted[2], "rx stops in cycle %d for no added beat", c)
					stalls++
				case emitted[2]:
					require.Zero(t, stalls, "rx does not stop in cycle %d for an added beat", c)
					absorbed++
				}
				if !stopped {
					next++
				}
				if b.out[0]&port.OutTxValid != 0 {
					out++
				} else {
					require.Zero(t, stalls, "tx has no beat in cycle %d", c)
				}
			}
			for range 40 {
				b.cycle(nil, nil, nil, takes)
				if b.out[0]&port.OutTxValid != 0 {
					out++
				}
			}
			require.Equal(t, tc.absorbed, absorbed)
			require.Equal(t, tc.absorbed > 0, stalls > 0)
			require.Equal(t, n+total(), out)
		})
	}
}

func TestBackPressure(t *testing.T) {
	b := newBench(t, DefaultSpec())
	x := port.Rx{Last: true, Keep: 1<<20 - 1}
	accepted := 0
	for range 100 {
		b.cycle(&x, nil, nil, high)
		accepted += int(b.out[0] & port.OutRxReady)
	}
	require.Equal(t, port.InFIFODepth+port.Store+port.Out, accepted)
	for range accepted {
		b.cycle(nil, nil, nil, takes)
		require.NotZero(t, b.out[0]&port.OutTxValid)
	}
	b.cycle(nil, nil, nil, takes)
	require.Zero(t, b.out[0]&port.OutTxValid)
}

// A report accepted at t is in the table from t+3: an ENTRY_READ that issues then sees it.
func TestReportLatency(t *testing.T) {
	for later, want := range map[int]uint64{1: 0, 2: 1} {
		b := newBench(t, DefaultSpec())
		var got uint64
		for c := range 12 {
			var cnt *port.Cnt
			var cfg *port.Cfg
			if c == 2 {
				cnt = &port.Cnt{Port: 1, Qlen: 80}
			}
			if c == 2+later { // issues a cycle later
				cfg = &port.Cfg{Kind: port.KindEntryRead, Port: 1}
			}
			b.cycle(nil, cnt, cfg, takes)
			require.NotZero(t, b.out[0]&port.OutCntReady)
			if b.out[0]&port.OutCfgrValid != 0 {
				var r port.Cfgr
				port.UnpackCfgr(b.out[:], &r)
				got = r.Data & 0xFFFF
			}
		}
		require.Equal(t, want, got, "ENTRY_READ %d cycles later", later)
	}
}

// The entry of a packet is the entry of the table in the cycle in which its first beat leaves the store.
func TestLookupCycle(t *testing.T) {
	b := newBench(t, DefaultSpec())
	b.ask(port.Cfg{Kind: port.KindCfgWrite, Addr: port.RegTime, Data: 1000})
	start := b.m.Table().Time()
	in := ack(62)
	_, txs := b.run(in, 2)
	// Accepted in cycle 0 of the run, issued in 1, popped in 5: the tick of cycle 4 is in the table.
	e := txs[0].Data[7]>>48 | txs[1].Data[0]<<16
	var got [8]byte
	for i := range got {
		got[i] = byte(e >> (8 * i))
	}
	require.Equal(t, byte(0x40), got[0]&0xF0)
	ts := uint32(got[0]&15)<<20 | uint32(got[1])<<12 | uint32(got[2])<<4 | uint32(got[3])>>4
	require.Equal(t, start+4, ts)
}

func TestCfg(t *testing.T) {
	b := newBench(t, Spec{NumPorts: 2})
	for _, tc := range []struct {
		name string
		ev   port.Cfg
		ok   bool
		data uint64
	}{
		{"kind 0", port.Cfg{Kind: 0}, false, 0},
		{"kind 7", port.Cfg{Kind: 7}, false, 0},
		{"LOAD 18", port.Cfg{Kind: port.KindLoad, Addr: 18, Data: 1 << 31}, true, 0},
		{"READ 18", port.Cfg{Kind: port.KindRead, Addr: 18}, true, 1 << 31},
		{"READ 19", port.Cfg{Kind: port.KindRead, Addr: 19}, false, 0},
		{"LOAD 19", port.Cfg{Kind: port.KindLoad, Addr: 19}, false, 0},
		{"CFG_WRITE 7", port.Cfg{Kind: port.KindCfgWrite, Addr: 7}, false, 0},
		{"CFG_READ 7", port.Cfg{Kind: port.KindCfgRead, Addr: 7}, false, 0},
		{"MODE takes two bits", port.Cfg{Kind: port.KindCfgWrite, Addr: port.RegMode, Data: 0xFFFFFFFD}, true, 0},
		{"MODE", port.Cfg{Kind: port.KindCfgRead, Addr: port.RegMode}, true, 1},
		{"STEP 0", port.Cfg{Kind: port.KindCfgWrite, Addr: port.RegStep}, true, 0},
		{"TIME takes 24 bits", port.Cfg{Kind: port.KindCfgWrite, Addr: port.RegTime, Data: 0xFF000123}, true, 0},
		{"TIME", port.Cfg{Kind: port.KindCfgRead, Addr: port.RegTime}, true, 0x123},
		{"RATE_WRITE", port.Cfg{Kind: port.KindRateWrite, Port: 1, Data: 0xF5}, true, 0},
		{"RATE_WRITE, no such port", port.Cfg{Kind: port.KindRateWrite, Port: 2}, false, 0},
		{"ENTRY_READ", port.Cfg{Kind: port.KindEntryRead, Port: 1}, true, 5<<60 | 0x123<<36},
		{"ENTRY_READ, no such port", port.Cfg{Kind: port.KindEntryRead, Port: 2}, false, 0},
	} {
		want := port.Cfgr{Kind: tc.ev.Kind, Port: tc.ev.Port, Refused: !tc.ok, Data: tc.data}
		require.Equal(t, want, b.ask(tc.ev), tc.name)
	}
}

func TestCounters(t *testing.T) {
	b := newBench(t, DefaultSpec())
	b.ask(port.Cfg{Kind: port.KindCfgWrite, Addr: port.RegMode, Data: 3})
	b.run(ack(100), 2)
	f := frames.Frame{UETType: 3, Body: frames.Telemetry(3, 0, 1, 0)}
	b.run(newPacket(rubbish, f.Bytes(), Side{}).beats, 2)
	b.run([]port.Rx{{Last: true}}, 1)
	b.cycle(nil, &port.Cnt{Port: 4}, nil, takes)
	b.cycle(nil, nil, nil, takes)
	require.Equal(t, Counters{
		port.WordFrames: 3, port.WordTruncated: 1, port.WordAcks: 1, port.WordRequests: 1,
		port.WordAddedBeats: 1, port.WordBadReports: 1,
	}, b.m.Counters())
}

func TestReset(t *testing.T) {
	b := newBench(t, Spec{NumPorts: 3})
	b.ask(port.Cfg{Kind: port.KindRateWrite, Port: 1, Data: 2})
	b.ask(port.Cfg{Kind: port.KindCfgWrite, Addr: port.RegPeriod, Data: 9})
	b.run(ack(100), 2)
	p := ack(300)
	b.cycle(&p[0], &port.Cnt{Port: 1, Qlen: 1000}, &port.Cfg{Kind: port.KindRead}, takes)
	b.cycle(&p[1], nil, nil, takes)
	b.cycle(&p[2], nil, nil, port.InTxReady)
	require.Zero(t, b.out[0])
	require.Equal(t, DefaultConfig(), b.m.Config())
	require.Equal(t, Counters{}, b.m.Counters())
	require.Equal(t, NewTable(3), b.m.Table())
	for range 3 {
		b.cycle(nil, nil, nil, takes)
		require.Zero(t, b.out[0])
	}
	require.Equal(t, NewTable(3), b.m.Table(), "the clock stands in the sweep")
	at, _ := b.run(ack(62), 2) // the next beat starts a packet
	require.Equal(t, []int{9, 10}, at)
	for range 20 {
		b.cycle(nil, nil, nil, takes)
		require.Equal(t, port.OutRxReady|port.OutCntReady|port.OutCfgReady, b.out[0], "nothing in flight is left")
	}
}

func busy() (recs [][port.InWords]uint64) {
	for i := range 200 {
		for _, x := range ack([]int{62, 90, 500, 4000}[i%4]) {
			var rec [port.InWords]uint64
			port.PackRx(&x, rec[:])
			port.PackCnt(&port.Cnt{Port: uint8(i % 4), Op: port.OpAdd, TxBytes: 100, Qlen: 1}, rec[:])
			rec[0] |= port.InRxValid | port.InCntValid | takes
			recs = append(recs, rec)
		}
	}
	return recs
}

func BenchmarkCycle(b *testing.B) {
	x := newBench(b, DefaultSpec())
	recs := busy()
	cycles, next, accepted := 0, 0, 0
	b.ReportAllocs()
	for b.Loop() {
		x.m.Cycle(recs[next][:], x.out[:])
		if x.out[0]&port.OutRxReady != 0 {
			accepted++
			if next++; next == len(recs) {
				next = 0
			}
		}
		cycles++
	}
	b.ReportMetric(float64(cycles)/b.Elapsed().Seconds(), "cycles/s")
	b.ReportMetric(float64(accepted)/float64(cycles), "beats/cycle")
}

func TestCycleAllocatesNothing(t *testing.T) {
	b := newBench(t, DefaultSpec())
	recs := busy()
	i := 0
	require.Zero(t, testing.AllocsPerRun(1000, func() { b.m.Cycle(recs[i][:], b.out[:]); i++ }))
	recs[0][0] = 0
	require.Zero(t, testing.AllocsPerRun(10, func() { b.m.Cycle(recs[0][:], b.out[:]) }))
}
