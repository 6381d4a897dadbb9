package ackparse

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	port "github.com/goldwire/goldwire/vectors/event/ackparse"
)

// bench drives a model that is up.
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
	takes = port.InRstN | port.InRecReady | port.InCfgrReady
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

// run offers beats back to back for a number of cycles, or until the wanted number of records has come. It returns the
// records, their cycles, and whether rx was always ready.
func (b *bench) run(beats []port.Rx, want, cycles int) (at []int, recs []port.Rec, always bool) {
	always = true
	for c := 0; c < cycles && (len(beats) > 0 || len(recs) < want); c++ {
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
		if b.out[0]&port.OutRecValid != 0 {
			var x port.Rec
			port.UnpackRec(b.out[:], &x)
			at, recs = append(at, c), append(recs, x)
		}
	}
	return
}

// rubbish fills the fields that the block must not look at.
var rubbish = rand.New(rand.NewPCG(1, 1))

// ackOf returns the beats of a sound ACK with n bytes after its header, 54 + n in all, and n as its tag.
func ackOf(n int) []port.Rx {
	f := plain.Packet{PDS: append(sample(typeAck), make([]byte, n)...)}
	return plain.BeatsOf(rubbish, f.Bytes(), uint32(n))
}

// A record is visible LATENCY cycles after the last beat of its packet issues, which is a cycle after that is accepted.
func TestRecordTiming(t *testing.T) {
	for _, n := range []int{0, 10, 11, 74, 75, 1000} {
		beats := ackOf(n)
		at, recs, always := newBench(t).run(beats, 1, 100)
		require.Equal(t, []int{len(beats) - 1 + 1 + port.Latency}, at, "%d bytes", 54+n)
		require.Equal(t, uint32(n), recs[0].Tag)
		require.Equal(t, uint16(n), recs[0].Rest)
		require.True(t, always)
	}
}

// If rec is always taken, one beat enters a cycle without a bubble for any mix of packets, also where each beat is a
// packet, and every record comes a fixed number of cycles after its packet.
func TestFullRate(t *testing.T) {
	for name, n := range map[string]func(i int) int{
		"one beat":    func(int) int { return 0 },
		"all lengths": func(i int) int { return i * 7 % 300 },
		"dropped too": func(i int) int { return -(i % 3) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			var beats []port.Rx
			var ends []int
			for i := range 300 {
				if n(i) < 0 {
					beats = append(beats, port.Rx{Last: true}) // TRUNCATED
					continue
				}
				beats = append(beats, ackOf(n(i))...)
				ends = append(ends, len(beats)-1)
			}
			for c := range len(beats) + 1 + port.Latency {
				var rx *port.Rx
				if c < len(beats) {
					rx = &beats[c]
				}
				b.cycle(rx, nil, takes)
				require.NotZero(t, b.out[0]&port.OutRxReady, "cycle %d", c)
				fifo, credits := b.m.InUse()
				require.LessOrEqual(t, fifo, 1)
				require.LessOrEqual(t, credits, port.Latency+1)
				due := len(ends) > 0 && ends[0]+1+port.Latency == c
				require.Equal(t, due, b.out[0]&port.OutRecValid != 0, "cycle %d", c)
				if due {
					ends = ends[1:]
				}
			}
			require.Empty(t, ends)
		})
	}
}

// A beat that does not end a packet waits for a credit too, and a credit comes back in the cycle after a take.
func TestBackPressure(t *testing.T) {
	b := newBench(t)
	one := ackOf(0)[0]
	accepted := 0
	for range 60 {
		b.cycle(&one, nil, high)
		accepted += int(b.out[0] & port.OutRxReady)
	}
	require.Equal(t, port.Credits+port.InFIFODepth, accepted)
	fifo, credits := b.m.InUse()
	require.Equal(t, [2]int{port.InFIFODepth, port.Credits}, [2]int{fifo, credits})
	require.Equal(t, uint32(port.Credits), b.m.Counters()[port.WordAcks], "what does not issue is not counted")
	for range accepted { // and they leave one per cycle
		b.cycle(nil, nil, takes)
		require.NotZero(t, b.out[0]&port.OutRecValid)
	}
	fifo, credits = b.m.InUse()
	require.Equal(t, [2]int{}, [2]int{fifo, credits})

	b = newBench(t)
	for range port.Credits {
		b.cycle(&one, nil, high)
	}
	long := ackOf(200)
	for _, x := range long[:2] {
		b.cycle(&x, nil, high)
		require.NotZero(t, b.out[0]&port.OutRxReady)
	}
	for range 20 {
		b.cycle(&long[2], nil, high)
		require.Zero(t, b.out[0]&port.OutRxReady, "the first two beats stay in the FIFO")
	}
	b.cycle(&long[2], nil, takes) // the take
	require.Zero(t, b.out[0]&port.OutRxReady)
	b.cycle(&long[2], nil, high) // the issue
	require.Zero(t, b.out[0]&port.OutRxReady)
	b.cycle(&long[2], nil, high)
	require.NotZero(t, b.out[0]&port.OutRxReady)
}

// A dropped packet holds a credit until the cycle that counts it, whether rec is taken or not.
func TestCreditOfADroppedPacket(t *testing.T) {
	b := newBench(t)
	var short port.Rx
	short.Last = true
	b.cycle(&short, nil, high)
	for c := 1; c < 20; c++ { // it issues in cycle 1
		b.cycle(nil, nil, high)
		_, credits := b.m.InUse() // those of the next cycle
		want := 0
		if c < 1+port.Decide {
			want = 1
		}
		require.Equal(t, want, credits, "cycle %d", c)
		require.Equal(t, uint32(1-want), b.m.Counters()[port.WordTruncated], "cycle %d", c)
	}
	// 15 records fill all credits but one: drops go on, one every DECIDE + 1 cycles.
	one := ackOf(0)[0]
	for range port.Credits - 1 {
		b.cycle(&one, nil, high)
	}
	for range 20 {
		b.cycle(nil, nil, high)
	}
	before := b.m.Counters()[port.WordTruncated]
	for range 10 * (port.Decide + 1) {
		b.cycle(&short, nil, high)
	}
	require.InDelta(t, 10, b.m.Counters()[port.WordTruncated]-before, 1)
}

// A packet is judged by the registers of the cycle in which its last beat issues: a write that issues in that cycle
// comes too late, one that issues a cycle earlier takes effect. The first beat does not matter.
func TestRegistersOfTheLastBeat(t *testing.T) {
	write := port.Cfg{Kind: port.KindCfgWrite, Addr: port.RegUdpPort, Data: 5}
	for at, passed := range map[int]bool{1: false, 2: false, 3: true} {
		b := newBench(t)
		p := ackOf(180) // four beats, the last accepted in cycle 3
		require.Len(t, p, 4)
		for c := range 20 {
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
		want := Counters{0: 1}
		if passed {
			want[port.WordAcks] = 1
		} else {
			want[port.WordOtherPort] = 1
		}
		require.Equal(t, want, b.m.Counters(), "write offered in cycle %d", at)
	}
}

// A packet is counted DECIDE cycles after its last beat issues, here in cycle 1 + DECIDE, dropped or not.
func TestCounters(t *testing.T) {
	const counts = 1 + port.Decide
	for _, sort := range []struct {
		beat port.Rx
		word uint8
	}{{ackOf(0)[0], port.WordAcks}, {port.Rx{Last: true}, port.WordTruncated}} {
		for _, word := range []uint8{port.WordFrames, sort.word} {
			read := port.Cfg{Kind: port.KindRead, Addr: word}
			load := port.Cfg{Kind: port.KindLoad, Addr: word, Data: 100}
			for _, tc := range []struct {
				name   string
				at     int // cycle of issue
				ev     port.Cfg
				answer uint32
				after  uint32
			}{
				{"READ as it is counted: the count before", counts, read, 0, 1},
				{"READ a cycle later", counts + 1, read, 1, 1},
				{"LOAD as it is counted is counted on", counts, load, 0, 101},
				{"LOAD before", counts - 1, load, 0, 101},
				{"LOAD after", counts + 1, load, 0, 100},
				{"LOAD of the last value", counts, port.Cfg{Kind: port.KindLoad, Addr: word, Data: 1<<32 - 1}, 0, 0},
			} {
				t.Run(tc.name, func(t *testing.T) {
					b := newBench(t)
					answered := 0
					for c := range 20 {
						var rx *port.Rx
						var cfg *port.Cfg
						if c == 0 {
							rx = &sort.beat
						}
						if c == tc.at-1 {
							cfg = &tc.ev
						}
						b.cycle(rx, cfg, takes)
						if b.out[0]&port.OutCfgrValid != 0 {
							var r port.Cfgr
							port.UnpackCfgr(b.out[:], &r)
							require.Equal(t, port.Cfgr{Kind: tc.ev.Kind, Data: tc.answer}, r)
							answered++
						}
					}
					require.Equal(t, 1, answered)
					require.Equal(t, tc.after, b.m.Counters()[word])
				})
			}
		}
	}
}

// cfg goes on when rec stands still, answers in order, and stops at its own credits.
func TestCfg(t *testing.T) {
	b := newBench(t)
	one := ackOf(0)[0]
	for range 40 {
		b.cycle(&one, nil, high)
	}
	require.Equal(t, port.Cfgr{Kind: port.KindRead, Data: port.Credits},
		b.ask(port.Cfg{Kind: port.KindRead, Addr: port.WordFrames}))
	accepted := 0
	for i := range uint32(30) {
		b.cycle(nil, &port.Cfg{Kind: port.KindCfgWrite, Addr: port.RegAckState, Data: i}, high)
		accepted += int(b.out[0] & port.OutCfgReady / port.OutCfgReady)
	}
	require.Equal(t, port.CfgCredits+port.InFIFODepth, accepted)
	require.Equal(t, uint32(port.CfgCredits-1), b.m.Config()[port.RegAckState])
}

func TestReset(t *testing.T) {
	b := newBench(t)
	b.ask(port.Cfg{Kind: port.KindCfgWrite, Addr: port.RegUdpPort, Data: 100})
	b.ask(port.Cfg{Kind: port.KindCfgWrite, Addr: port.RegUdpPort, Data: 4793})
	b.ask(port.Cfg{Kind: port.KindCfgWrite, Addr: port.RegAckState, Data: 3})
	for range 4 {
		b.cycle(&ackOf(0)[0], nil, takes) // in flight
		b.cycle(&port.Rx{Last: true}, nil, takes)
	}
	p := ackOf(300)
	b.cycle(&p[0], nil, takes)
	b.cycle(&p[1], &port.Cfg{Kind: port.KindRead}, takes)
	b.cycle(&p[2], nil, port.InRecReady|port.InCfgrReady)
	require.Zero(t, b.out[0])
	require.Equal(t, DefaultConfig(), b.m.Config())
	require.Equal(t, Counters{}, b.m.Counters())
	fifo, credits := b.m.InUse()
	require.Equal(t, [2]int{}, [2]int{fifo, credits})
	b.cycle(&p[3], nil, takes)
	require.Zero(t, b.out[0], "not ready in the first cycle")
	next := ackOf(10)
	at, recs, _ := b.run(next, 1, 40) // the next beat starts a packet
	require.Equal(t, []int{len(next) + port.Latency}, at)
	require.Equal(t, uint32(10), recs[0].Tag)
	for range 20 {
		b.cycle(nil, nil, takes)
		require.Equal(t, port.OutRxReady|port.OutCfgReady, b.out[0], "nothing in flight is left")
	}
	require.Equal(t, Counters{port.WordFrames: 1, port.WordAcks: 1}, b.m.Counters())
}

// keep counts in the last beat only, up to its lowest zero. A last beat may have no bytes.
func TestKeep(t *testing.T) {
	p := ackOf(20)
	require.Len(t, p, 2)
	for _, tc := range []struct {
		first, last uint64
		passed      bool
	}{
		{0, 1<<10 - 1, true}, {5, 1<<10 - 1, true}, {^uint64(0), 1<<9 - 1, false}, {0, ^uint64(1 << 9), false},
		{0, ^uint64(1 << 10), true}, {0, 0, false}, {0, ^uint64(0), true},
	} {
		b := newBench(t)
		p[0].Keep, p[1].Keep = tc.first, tc.last
		_, recs, _ := b.run(p, 1, 30)
		require.Equal(t, tc.passed, len(recs) == 1, "%x %x", tc.first, tc.last)
		if !tc.passed {
			require.Equal(t, uint32(1), b.m.Counters()[port.WordTruncated])
		}
	}
	whole := append(ackOf(10)[:1], port.Rx{Last: true, Keep: 0b110})
	whole[0].Last = false
	_, recs, _ := newBench(t).run(whole, 1, 30)
	require.Len(t, recs, 1)
	require.Equal(t, uint16(10), recs[0].Rest)
}

// Frames of any length are taken: the longest datagram counts to its last byte, and what follows does not matter.
func TestLongFrames(t *testing.T) {
	for _, v6 := range []bool{false, true} {
		f := plain.Packet{V6: v6, Checksum: true, Tags: []uint16{0x88A8, 0x8100}}
		n := 65535 - 8
		if !v6 {
			n -= 20
		}
		f.PDS = append(sample(typeAck), make([]byte, n-12)...)
		for _, padding := range []int{0, 1, 70000, 200000} {
			frame := append(f.Bytes(), make([]byte, padding)...)
			b := newBench(t)
			_, recs, always := b.run(plain.BeatsOf(rubbish, frame, 9), 1, 10000)
			require.True(t, always)
			require.Len(t, recs, 1)
			require.Equal(t, uint16(n-12), recs[0].Rest)
			frame[f.H()+8+n-1] ^= 1 // the last byte
			_, recs, _ = b.run(plain.BeatsOf(rubbish, frame, 9), 1, 5000)
			require.Empty(t, recs)
			require.Equal(t, uint32(1), b.m.Counters()[port.WordUdpSum])
			_, recs, _ = b.run(plain.BeatsOf(rubbish, frame[:f.H()+8+n-1], 9), 1, 1500)
			require.Empty(t, recs)
			require.Equal(t, uint32(1), b.m.Counters()[port.WordTruncated])
		}
	}
}

func busy() (recs [][port.InWords]uint64) {
	r := rand.New(rand.NewPCG(3, 3))
	for len(recs) < 2000 {
		f := plain.Packet{Checksum: true, V6: r.IntN(2) == 0}
		f.PDS = append(sample(7+r.IntN(6)), make([]byte, []int{0, 0, 0, 100}[r.IntN(4)])...)
		for _, x := range plain.BeatsOf(r, f.Bytes(), r.Uint32()) {
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
	cycles, accepted, records := 0, 0, 0
	b.ReportAllocs()
	for b.Loop() {
		x.m.Cycle(recs[cycles%len(recs)][:], x.out[:])
		accepted += int(x.out[0] & port.OutRxReady)
		records += int(x.out[0] & port.OutRecValid / port.OutRecValid)
		cycles++
	}
	b.ReportMetric(float64(cycles)/b.Elapsed().Seconds(), "cycles/s")
	b.ReportMetric(float64(accepted)/float64(cycles), "beats/cycle")
	b.ReportMetric(float64(records)/float64(cycles), "records/cycle")
}

func TestCycleAllocatesNothing(t *testing.T) {
	b := newBench(t)
	recs := busy()
	i := 0
	require.Zero(t, testing.AllocsPerRun(1000, func() { b.m.Cycle(recs[i][:], b.out[:]); i++ }))
	recs[0][0] = 0
	require.Zero(t, testing.AllocsPerRun(10, func() { b.m.Cycle(recs[0][:], b.out[:]) }))
}
