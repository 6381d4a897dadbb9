package credit

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/credit"
)

// bench drives a model, from the first cycle after its sweep on.
type bench struct {
	tb  testing.TB
	m   *Model
	out [port.OutWords]uint64
	now int // the next cycle
}

func newBench(tb testing.TB, senders int) *bench {
	m, err := New(Spec{Senders: senders})
	require.NoError(tb, err)
	b := &bench{tb: tb, m: m}
	b.cycle(nil, takes&^high)
	for range senders {
		b.cycle(&port.Event{}, takes)
		require.Zero(tb, b.out[0])
	}
	b.now = 0
	return b
}

func (b *bench) cycle(ev *port.Event, ctl uint64) {
	var in [port.InWords]uint64
	if ev != nil {
		port.PackEvent(ev, in[:])
		ctl |= port.InEvValid
	}
	in[0] |= ctl
	b.m.Cycle(in[:], b.out[:])
	b.now++
}

const (
	high  = port.InRstN
	takes = port.InRstN | port.InRspReady | port.InPullReady
)

// seen is what came at the ports, with the cycle of each transfer.
type seen struct {
	evAt, rspAt, pullAt []int
	rsp                 []port.Response
	pull                []port.Pull
}

// run offers events back to back, and then nothing, for a number of cycles.
func (b *bench) run(evs []port.Event, ctl uint64, cycles int) (s seen) {
	for range cycles {
		var ev *port.Event
		if len(evs) > 0 {
			ev = &evs[0]
		}
		b.cycle(ev, ctl)
		if ev != nil && b.out[0]&port.OutEvReady != 0 {
			evs, s.evAt = evs[1:], append(s.evAt, b.now-1)
		}
		if b.out[0]&port.OutRspValid != 0 && ctl&port.InRspReady != 0 {
			var x port.Response
			port.UnpackResponse(b.out[:], &x)
			s.rspAt, s.rsp = append(s.rspAt, b.now-1), append(s.rsp, x)
		}
		if b.out[0]&port.OutPullValid != 0 && ctl&port.InPullReady != 0 {
			var x port.Pull
			port.UnpackPull(b.out[:], &x)
			s.pullAt, s.pull = append(s.pullAt, b.now-1), append(s.pull, x)
		}
	}
	return s
}

// set executes events at once, in no time.
func (b *bench) set(evs ...port.Event) *bench {
	for i := range evs {
		var rsp port.Response
		b.m.pacer.Event(&evs[i], &rsp)
		require.False(b.tb, rsp.Refused)
	}
	return b
}

// greedy has senders want far more than they get, in pulls of so many quanta, with that gap.
func (b *bench) greedy(senders int, quanta, gap uint32) *bench {
	b.set(port.Event{Kind: port.KindCfgWrite, Addr: port.RegQuanta, Data: quanta},
		port.Event{Kind: port.KindCfgWrite, Addr: port.RegGap, Data: gap})
	for s := range uint16(senders) {
		b.set(port.Event{Kind: port.KindOpen, Sender: s}, port.Event{Kind: port.KindTarget, Sender: s, Data: 1<<23 - 1})
	}
	return b
}

// looks returns n events that read a register.
func looks(n int) (evs []port.Event) {
	for i := range n {
		evs = append(evs, port.Event{Kind: port.KindCfgRead, Addr: port.RegQuanta, Sender: uint16(i)})
	}
	return evs
}

// from returns n numbers from first on, step apart.
func from(first, step, n int) (out []int) {
	for i := range n {
		out = append(out, first+i*step)
	}
	return out
}

// The sweep takes a cycle for each sender, and starts again with a reset.
func TestSweep(t *testing.T) {
	for _, senders := range []int{2, 16, 64} {
		m, err := New(Spec{Senders: senders})
		require.NoError(t, err)
		b := &bench{tb: t, m: m}
		b.cycle(nil, takes&^high)
		for range senders - 1 {
			b.cycle(nil, takes)
			require.Zero(t, b.out[0])
		}
		b.cycle(nil, takes&^high)
		require.Zero(t, b.out[0])
		for range senders {
			b.cycle(nil, takes)
			require.Zero(t, b.out[0])
		}
		require.Equal(t, min(senders, port.Slack), b.m.pace.late, "cycles count in the sweep")
		b.cycle(nil, takes)
		require.Equal(t, port.OutEvReady, b.out[0])
	}
}

// An event accepted in cycle a starts in a+1 and ends EV_BUSY-1 later. In the next cycle its response comes, and the
// next event starts.
func TestTimingOfEvents(t *testing.T) {
	b := newBench(t, 4)
	s := b.run(looks(6), takes, 40)
	require.Equal(t, []int{0, 1, 2, 6, 10, 14}, s.evAt, "two in the FIFO, and one in its job")
	require.Equal(t, from(5, 4, 6), s.rspAt)
	for i, x := range s.rsp {
		require.Equal(t, port.Response{Kind: port.KindCfgRead, Sender: uint16(i), Data: 63}, x)
	}
}

// From the first event after a sweep to the first pull: OPEN starts in 1, TARGET in 5, the pull in 9. It changes the
// state in its last cycle, 13, and comes in 14.
func TestTimingOfAPull(t *testing.T) {
	b := newBench(t, 4)
	s := b.run([]port.Event{{Kind: port.KindOpen, Sender: 3}, {Kind: port.KindTarget, Sender: 3, Data: 50}}, takes, 13)
	require.Equal(t, []int{5, 9}, s.rspAt)
	require.Equal(t, port.Words{Open: true, Active: true, Target: 50, Actives: 1, Events: 2}, b.m.pacer.Words(3))
	b.cycle(nil, takes)
	require.Equal(t, port.Words{Open: true, Idle: true, Target: 50, Granted: 50, Idles: 1, Events: 2, Pulls: 1,
		Quanta: 50}, b.m.pacer.Words(3))
	require.Zero(t, b.out[0]&port.OutPullValid)
	s = b.run(nil, takes, 400)
	require.Equal(t, port.Pull{Sender: 3, Number: 50, Quanta: 50}, s.pull[0])
	late := 4 + 9 // the sweep, and until the pull starts
	require.Equal(t, []int{14, 14 + 50*338934/65536 - late}, s.pullAt[:2])
	require.True(t, s.pull[1].Slow)
}

// An event that waits and a pull that is due take turns, the event first after a reset. Alone, each goes on at its own
// speed, and the turn is the other's then.
func TestTurnsOfJobs(t *testing.T) {
	b := newBench(t, 4).greedy(1, 1, 1)
	b.m.turn = false
	s := b.run(looks(20), takes, 90) // cycle 0 has no event yet: a pull
	require.Equal(t, from(5, 9, 10), s.pullAt)
	require.Equal(t, from(9, 9, 10)[:9], s.rspAt[:9])

	b = newBench(t, 4).greedy(1, 1, 1)
	s = b.run(nil, takes, 50)
	require.Equal(t, from(5, 5, 9), s.pullAt, "pulls alone, one after the other")
	require.False(t, b.m.turn)

	b = newBench(t, 4)
	b.run(looks(3), takes, 13) // the last one ends in 12
	require.True(t, b.m.turn)
	b.greedy(1, 1, 1)
	s = b.run(looks(2), takes, 30) // accepted in 13 and 14; the pull starts in 13, and the next waits for the event
	require.Equal(t, []int{18, 27}, s.pullAt[:2])
	require.Equal(t, []int{13, 22, 31}, s.rspAt)

	for _, turn := range []bool{false, true} { // both at once, in cycle 1
		b = newBench(t, 4)
		b.m.turn = turn
		b.run(looks(1), takes, 1)
		s = b.greedy(1, 1, 1<<23).run(nil, takes, 12)
		require.Equal(t, []int{map[bool]int{false: 5, true: 10}[turn]}, s.rspAt)
		require.Equal(t, []int{map[bool]int{false: 10, true: 6}[turn]}, s.pullAt)
	}
}

// Without rsp taken, CREDITS events start, and pulls go on. A credit is free in the cycle after a take. A pull that is
// due does not wait for an event without a credit, whose turn it is.
func TestCreditsOfEvents(t *testing.T) {
	b := newBench(t, 4)
	s := b.run(looks(30), takes&^port.InRspReady, 100)
	require.Len(t, s.evAt, port.Credits+port.InFIFODepth)
	fifo, credits, pulls := b.m.InUse()
	require.Equal(t, [3]int{port.InFIFODepth, port.Credits, 0}, [3]int{fifo, credits, pulls})
	b.m.turn = false
	s = b.greedy(1, 1, 1).run(nil, takes&^port.InRspReady, 51)
	require.Equal(t, from(b.now-51+5, 5, 10), s.pullAt)

	b = newBench(t, 4)
	b.run(looks(30), takes&^port.InRspReady, 100)
	b.cycle(nil, takes) // takes one, in cycle 100: the next event starts in 101, and ends in 104
	for c := range 6 {
		require.Equal(t, 7+int(bits(c >= 4)), b.m.rsp.Len(), "after cycle %d", 100+c)
		_, credits, _ = b.m.InUse()
		require.Equal(t, 7+int(bits(c > 0)), credits, "after cycle %d", 100+c)
		b.cycle(nil, takes&^port.InRspReady)
	}
}

// Without pull taken, PULLS start, and events go on. The next one starts in the cycle after a take.
func TestCreditsOfPulls(t *testing.T) {
	b := newBench(t, 4).greedy(1, 1, 1)
	b.run(nil, takes&^port.InPullReady, 100)
	require.Equal(t, uint32(port.Pulls), b.m.pacer.counters[port.WordPulls])
	s := b.run(looks(5), takes&^port.InPullReady, 40)
	require.Equal(t, from(105, 4, 5), s.rspAt)
	at := b.now
	b.cycle(nil, takes)
	s = b.run(nil, takes&^port.InPullReady, 5)
	require.Equal(t, uint32(port.Pulls+1), b.m.pacer.counters[port.WordPulls], "it ended in %d", at+5)
	b.run(nil, takes&^port.InPullReady, 40)
	require.Equal(t, uint32(port.Pulls+1), b.m.pacer.counters[port.WordPulls])
	s = b.run(nil, takes, 10)
	for i, x := range s.pull[:4] {
		require.Equal(t, port.Pull{Number: uint32(i + 2), Quanta: 1}, x, "in the order of the jobs")
	}
}

// A job without a pull gives its place back in its last cycle, and leaves wait and late as they are.
func TestStaleJob(t *testing.T) {
	b := newBench(t, 4).greedy(4, 1, 100<<16)
	b.set(port.Event{Kind: port.KindClose, Sender: 0}, port.Event{Kind: port.KindClose, Sender: 1})
	b.m.pace = pace{}
	for c := range 10 { // two jobs without a pull
		_, _, pulls := b.m.InUse()
		require.Equal(t, int(bits(c%5 != 0)), pulls)
		b.cycle(nil, high)
		require.Equal(t, pace{}, b.m.pace)
	}
	require.Equal(t, uint32(2), b.m.pacer.counters[port.WordStale])
	s := b.run(nil, takes, 300)
	require.Equal(t, from(15, 100, 3), s.pullAt)
	require.Equal(t, uint16(2), s.pull[0].Sender)
}

// A reset forgets everything: events, jobs, pulls and responses, registers, counters, lists and the words of senders.
func TestReset(t *testing.T) {
	for at := range 80 {
		b := newBench(t, 16)
		evs := []port.Event{{Kind: port.KindCfgWrite, Addr: port.RegGap, Data: 1},
			{Kind: port.KindCfgWrite, Addr: port.RegWindow, Data: 7}, {Kind: port.KindCfgWrite, Data: 7}}
		for s := range uint16(9) {
			evs = append(evs, port.Event{Kind: port.KindOpen, Sender: s, Data: 5},
				port.Event{Kind: port.KindTarget, Sender: s, Data: 9 + 5*uint32(s)})
		}
		b.run(evs, []uint64{takes, high, high | port.InRspReady, high | port.InPullReady}[at%4], at)
		b.cycle(&evs[0], takes&^high)
		require.Zero(t, b.out)
		require.Equal(t, DefaultConfig(), b.m.pacer.Config())
		require.Equal(t, Counters{}, b.m.pacer.Counters())
		require.Equal(t, pace{}, b.m.pace)
		require.False(t, b.m.turn)
		require.False(t, b.m.pacer.Waiting())
		fifo, credits, pulls := b.m.InUse()
		require.Equal(t, [3]int{}, [3]int{fifo, credits, pulls})
		for range 16 {
			b.cycle(&evs[0], takes)
			require.Zero(t, b.out)
		}
		for k := range 16 {
			require.Equal(t, port.Words{}, b.m.pacer.Words(k))
		}
		b.now = 0
		s := b.run(evs[3:5], takes, 40)
		require.Equal(t, []int{5, 9}, s.rspAt, "reset after %d cycles", at)
		require.Equal(t, []int{14}, s.pullAt[:1])
		require.Equal(t, port.Pull{Number: 9, Quanta: 4}, s.pull[0])
	}
}

// Under idle and back-pressure patterns each event has one response, and what the pulls at the port grant is what the
// senders have been granted.
func TestEachTransferOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	b := newBench(t, 4).greedy(4, 3, 9<<16)
	accepted, answered := 0, 0
	var granted [4]uint32
	run := func(evs []port.Event, ctl uint64, cycles int) {
		s := b.run(evs, ctl, cycles)
		accepted, answered = accepted+len(s.evAt), answered+len(s.rsp)
		for _, x := range s.pull {
			granted[x.Sender] += uint32(x.Quanta)
			require.Equal(t, granted[x.Sender], x.Number)
		}
	}
	for range 300 {
		evs := make([]port.Event, rng.IntN(20))
		for i := range evs {
			evs[i] = port.Event{Kind: port.KindWant, Sender: uint16(rng.IntN(4))}
		}
		run(evs, []uint64{takes, takes, high, high | port.InRspReady, high | port.InPullReady}[rng.IntN(5)], rng.IntN(200))
	}
	b.m.pace.wait = 1 << 32 // no more pulls
	run(nil, takes, 100)
	require.Equal(t, accepted, answered)
	for k, n := range granted {
		require.Equal(t, n, b.m.pacer.Words(k).Granted)
		require.Positive(t, n)
	}
}

func benchmark(b *testing.B, senders int, ev *port.Event, gap uint32) {
	x := newBench(b, senders).greedy(senders, 1, gap)
	pulls := 0
	b.ReportAllocs()
	for b.Loop() {
		x.cycle(ev, takes)
		pulls += int(x.out[0] & port.OutPullValid / port.OutPullValid)
	}
	b.ReportMetric(float64(x.now)/b.Elapsed().Seconds(), "cycles/s")
	b.ReportMetric(float64(pulls)/float64(x.now), "pulls/cycle")
}

func BenchmarkCycle(b *testing.B)     { benchmark(b, 32, &port.Event{Kind: port.KindWant}, 1) }
func BenchmarkCycle4096(b *testing.B) { benchmark(b, 4096, nil, 1<<16) }
func BenchmarkIdle(b *testing.B)      { benchmark(b, 32, nil, 1<<24-1) }

func TestCycleAllocatesNothing(t *testing.T) {
	b := newBench(t, 8).greedy(8, 1, 1)
	ev := port.Event{Kind: port.KindRead, Addr: port.WordPulls}
	require.Zero(t, testing.AllocsPerRun(1000, func() { b.cycle(&ev, takes) }))
	require.Positive(t, b.m.pacer.counters[port.WordPulls])
	require.Zero(t, testing.AllocsPerRun(10, func() { b.cycle(&ev, takes&^high) }))
}
