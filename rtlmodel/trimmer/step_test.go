package trimmer

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/trimmer/frames"
	port "github.com/goldwire/goldwire/vectors/event/trimmer"
)

// bench drives a model whose sweep is over.
type bench struct {
	tb  testing.TB
	m   *Model
	out [port.OutWords]uint64
}

func newBench(tb testing.TB) *bench {
	b := &bench{tb: tb, m: New()}
	b.cycle(nil, nil, 0)
	b.cycle(&port.Rx{}, &port.Cfg{}, port.InRstN)
	require.Zero(tb, b.out[0], "not up in the first cycle")
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
}

const (
	high  = port.InRstN
	takes = port.InRstN | port.InTxReady | port.InCfgrReady
)

// ask runs one cfg event and returns its response, which comes three cycles after acceptance.
func (b *bench) ask(ev port.Cfg) port.Cfgr {
	b.cycle(nil, &ev, takes)
	for range 2 {
		b.cycle(nil, nil, takes)
		require.Zero(b.tb, b.out[0]&port.OutCfgrValid)
	}
	b.cycle(nil, nil, takes)
	require.NotZero(b.tb, b.out[0]&port.OutCfgrValid)
	var r port.Cfgr
	port.UnpackCfgr(b.out[:], &r)
	return r
}

// run offers beats back to back until the wanted number of beats has left. It returns the beats at tx, their cycles,
// and whether rx was always ready.
func (b *bench) run(beats []port.Rx, want int) (at []int, txs []port.Tx, always bool) {
	always = true
	for c := 0; len(txs) < want; c++ {
		require.Less(b.tb, c, 2000)
		var rx *port.Rx
		if len(beats) > 0 {
			rx = &beats[0]
		}
		b.cycle(rx, nil, takes)
		if b.out[0]&port.OutRxReady == 0 {
			always = false
		} else if rx != nil {
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

// rubbish fills the fields that the block must not look at.
var rubbish = rand.New(rand.NewPCG(1, 1))

// testPacket returns a request of 44 + n bytes.
func testPacket(n int, side Side) []port.Rx {
	f := request(frames.Frame{Body: make([]byte, n)})
	b := f.Bytes()
	side.Len = uint16(len(b))
	return beatsOf(rubbish, b, side, uint32(n))
}

func TestReleaseTiming(t *testing.T) {
	const issue, through = 1, port.Release + port.Emit
	for _, tc := range []struct {
		name string
		body int
		side Side
		want []int
	}{
		{"one beat", 10, Side{}, []int{issue + through}},
		{"two beats wait for the second", 70, Side{}, []int{issue + 1 + through, issue + 2 + through}},
		{"four beats wait for the fourth", 200, Side{}, []int{12, 13, 14, 15}},
		{"six beats wait for the fourth", 330, Side{}, []int{12, 13, 14, 15, 16, 17}},
		{"six beats cut to one", 330, Side{Trim: true}, []int{12}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			at, txs, _ := newBench(t).run(testPacket(tc.body, tc.side), len(tc.want))
			require.Equal(t, tc.want, at)
			for i, x := range txs {
				require.Equal(t, i == len(txs)-1, x.Last)
				require.Equal(t, uint32(tc.body), x.Tag)
				require.Equal(t, tc.side.Trim, x.Trimmed)
			}
		})
	}
}

// If tx is always taken, one beat enters per cycle without a bubble, for any mix of trimmed packets. After the first
// packet, which has more than four beats, every retained beat leaves a fixed number of cycles after it arrived.
func TestFullRate(t *testing.T) {
	const through = 3 + 1 + port.Release + port.Emit // the fourth beat releases the first
	for name, mix := range map[string]func(i int) (body int, trim bool){
		"all lengths":  func(i int) (int, bool) { return i * 7 % 900, i%3 == 0 },
		"all trimmed":  func(i int) (int, bool) { return i * 7 % 900, true },
		"none trimmed": func(i int) (int, bool) { return i * 7 % 900, false },
		"one beat":     func(i int) (int, bool) { return 10, i%2 == 0 },
		"long":         func(i int) (int, bool) { return 3000 + i, i%2 == 0 },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			beats := testPacket(300, Side{})
			var first []int // number of a packet's first beat
			for i := range 200 {
				body, trim := mix(i)
				first = append(first, len(beats))
				beats = append(beats, testPacket(body, Side{Trim: trim})...)
			}
			first = append([]int{0}, first...)
			n, packet, at := len(beats), 0, 0
			for c := range n + through {
				var rx *port.Rx
				if c < n {
					rx = &beats[c]
				}
				b.cycle(rx, nil, takes)
				require.NotZero(t, b.out[0]&port.OutRxReady, "cycle %d", c)
				fifo, store, out := b.m.InUse()
				require.LessOrEqual(t, fifo, 1)
				require.LessOrEqual(t, store, 9)
				require.LessOrEqual(t, out, 2)
				// Only beats that were cut off may be missing at tx: never before the end of a packet that is not
				// trimmed.
				if b.out[0]&port.OutTxValid == 0 {
					require.True(t, c < through || at == 0 && packet > 0 && beats[first[packet-1]].Trim, "a bubble in cycle %d", c)
					continue
				}
				var x port.Tx
				port.UnpackTx(b.out[:], &x)
				require.Equal(t, first[packet]+at+through, c, "beat %d of packet %d", at, packet)
				if at++; x.Last {
					packet, at = packet+1, 0
				}
			}
			require.Equal(t, len(first), packet)
		})
	}
}

func TestBackPressure(t *testing.T) {
	b := newBench(t)
	x := testPacket(10, Side{})[0]
	accepted := 0
	for range 100 {
		b.cycle(&x, nil, high)
		accepted += int(b.out[0] & port.OutRxReady)
	}
	require.Equal(t, port.InFIFODepth+port.Store+port.Out, accepted)
	for range accepted { // and they leave one per cycle
		b.cycle(nil, nil, takes)
		require.NotZero(t, b.out[0]&port.OutTxValid)
	}
	b.cycle(nil, nil, takes)
	require.Zero(t, b.out[0]&port.OutTxValid)
}

// A packet is treated by the registers of its release cycle: a write that issues in that cycle comes too late; one that
// issues a cycle earlier takes effect.
func TestRegistersOfTheReleaseCycle(t *testing.T) {
	write := port.Cfg{Kind: port.KindCfgWrite, Addr: port.RegUdpPort, Data: 5}
	for at, cause := range map[int]port.Cause{2: port.CausePort, 3: port.CauseNone} {
		b := newBench(t)
		p := testPacket(200, Side{Trim: true}) // four beats, the last accepted in cycle 3
		for c := range 12 {
			var rx *port.Rx
			var cfg *port.Cfg
			if c < len(p) {
				rx = &p[c]
			}
			if c == at {
				cfg = &write
			}
			b.cycle(rx, cfg, takes)
		}
		b.cycle(nil, nil, takes)
		require.NotZero(t, b.out[0]&port.OutTxValid)
		var x port.Tx
		port.UnpackTx(b.out[:], &x)
		require.Equal(t, cause, x.Cause, "write offered in cycle %d", at)
	}
}

// A packet is counted when its first beat leaves the store: here in cycle 1 + RELEASE.
func TestCounters(t *testing.T) {
	const pop = 1 + port.Release
	read := port.Cfg{Kind: port.KindRead, Addr: port.WordFrames}
	load := port.Cfg{Kind: port.KindLoad, Addr: port.WordFrames, Data: 100}
	for _, tc := range []struct {
		name   string
		at     int // cycle of issue
		ev     port.Cfg
		answer uint32
		after  uint32
	}{
		{"READ as it is counted: the count before", pop, read, 0, 1},
		{"READ a cycle later", pop + 1, read, 1, 1},
		{"LOAD as it is counted is counted on", pop, load, 0, 101},
		{"LOAD before", pop - 1, load, 0, 101},
		{"LOAD after", pop + 1, load, 0, 100},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := newBench(t)
			x := testPacket(10, Side{})[0]
			for c := range 20 {
				var rx *port.Rx
				var cfg *port.Cfg
				if c == 0 {
					rx = &x
				}
				if c == tc.at-1 {
					cfg = &tc.ev
				}
				b.cycle(rx, cfg, takes)
				if b.out[0]&port.OutCfgrValid != 0 {
					var r port.Cfgr
					port.UnpackCfgr(b.out[:], &r)
					require.Equal(t, tc.answer, r.Data)
				}
			}
			require.Equal(t, tc.after, b.m.Counters()[port.WordFrames])
		})
	}
	b := newBench(t)
	b.ask(port.Cfg{Kind: port.KindLoad, Addr: port.WordFrames, Data: 1<<32 - 1})
	b.run(testPacket(200, Side{Trim: true, LastHop: true}), 1)
	b.run(testPacket(200, Side{Trim: true}), 1)
	b.run(testPacket(20, Side{Trim: true}), 1)
	require.Equal(t, Counters{port.WordFrames: 2, port.WordShort: 1, port.WordTrimmed: 1, port.WordTrimmedLasthop: 1},
		b.m.Counters())
	require.Equal(t, port.Cfgr{Kind: port.KindRead, Data: 1}, b.ask(port.Cfg{Kind: port.KindRead, Addr: port.WordShort}))
}

func TestKeepAndZeroesOfTheLastBeat(t *testing.T) {
	b := newBench(t)
	b.ask(port.Cfg{Kind: port.KindCfgWrite, Addr: port.RegTrimSize, Data: 100})
	_, txs, _ := b.run(testPacket(300, Side{Trim: true}), 2)
	require.Equal(t, ^uint64(0), txs[0].Keep)
	require.Equal(t, uint64(1<<36-1), txs[1].Keep)
	require.Equal(t, [3]uint64{}, [3]uint64(txs[1].Data[5:]), "bytes that do not count are 0")
	require.Zero(t, txs[1].Data[4]>>32)
	require.Equal(t, [2]bool{false, true}, [2]bool{txs[0].Last, txs[1].Last})
	require.Equal(t, DefaultConfig()[port.RegMinSize], b.m.Config()[port.RegMinSize])
}

func TestReset(t *testing.T) {
	b := newBench(t)
	b.ask(port.Cfg{Kind: port.KindCfgWrite, Addr: port.RegTrimSize, Data: 100})
	b.run(testPacket(10, Side{}), 1)
	p := testPacket(300, Side{Trim: true})
	b.cycle(&p[0], nil, takes)
	b.cycle(&p[1], &port.Cfg{Kind: port.KindRead}, takes)
	b.cycle(&p[2], nil, port.InTxReady|port.InCfgrReady)
	require.Zero(t, b.out[0])
	require.Equal(t, DefaultConfig(), b.m.Config())
	require.Equal(t, Counters{}, b.m.Counters())
	b.cycle(nil, nil, takes)
	at, txs, _ := b.run(testPacket(10, Side{}), 1) // the next beat starts a packet
	require.Equal(t, []int{1 + port.Release + port.Emit}, at)
	require.Equal(t, uint32(10), txs[0].Tag)
	for range 20 {
		b.cycle(nil, nil, takes)
		require.Equal(t, port.OutRxReady|port.OutCfgReady, b.out[0], "nothing in flight is left")
	}
}

func busy() (recs [][port.InWords]uint64) {
	for i := range 200 {
		for _, x := range testPacket([]int{20, 400, 1000, 4000}[i%4], Side{Trim: i%3 > 0, CE: i%2 == 0}) {
			var rec [port.InWords]uint64
			port.PackRx(&x, rec[:])
			rec[0] |= port.InRxValid | takes
			recs = append(recs, rec)
		}
	}
	return recs
}

func BenchmarkCycle(b *testing.B) {
	x := newBench(b)
	recs := busy()
	cycles, accepted := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		x.m.Cycle(recs[cycles%len(recs)][:], x.out[:])
		accepted += int(x.out[0] & port.OutRxReady)
		cycles++
	}
	b.ReportMetric(float64(cycles)/b.Elapsed().Seconds(), "cycles/s")
	b.ReportMetric(float64(accepted)/float64(cycles), "beats/cycle")
}

func TestCycleAllocatesNothing(t *testing.T) {
	b := newBench(t)
	recs := busy()
	i := 0
	require.Zero(t, testing.AllocsPerRun(1000, func() { b.m.Cycle(recs[i][:], b.out[:]); i++ }))
	recs[0][0] = 0
	require.Zero(t, testing.AllocsPerRun(10, func() { b.m.Cycle(recs[0][:], b.out[:]) }))
}
