package txpdc

import (
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// bench drives a model, from the first cycle after its sweep on.
type bench struct {
	tb  testing.TB
	m   *Model
	out [port.OutWords]uint64
	now int // the next cycle
}

func newBench(tb testing.TB, contexts int) *bench {
	m, err := New(Spec{Contexts: contexts})
	require.NoError(tb, err)
	b := &bench{tb: tb, m: m}
	b.cycle(nil, nil, nil, takes&^high)
	for range m.spec.Pdcs() * port.Window {
		b.cycle(&port.Cmd{}, &port.Rec{}, &port.View{}, takes)
		require.Zero(tb, b.out[0])
	}
	b.now = 0
	return b
}

func (b *bench) cycle(cmd *port.Cmd, rec *port.Rec, view *port.View, ctl uint64) {
	var in [port.InWords]uint64
	if cmd != nil {
		port.PackCmd(cmd, in[:])
		ctl |= port.InCmdValid
	}
	if rec != nil {
		port.PackRec(rec, in[:])
		ctl |= port.InRecValid
	}
	if view != nil {
		port.PackView(view, in[:])
		ctl |= port.InViewValid
	}
	in[0] |= ctl
	b.m.Cycle(in[:], b.out[:])
	b.now++
}

const (
	high  = port.InRstN
	takes = port.InRstN | port.InActReady | port.InRspReady
)

// seen is what came at the ports, with the cycle of each transfer.
type seen struct {
	cmdAt, recAt, viewAt, actAt, rspAt []int
	act                                []port.Act
	rsp                                []port.Response
}

// run offers inputs back to back, and then nothing, for a number of cycles.
func (b *bench) run(cmds []port.Cmd, recs []port.Rec, views []port.View, ctl uint64, cycles int) (s seen) {
	for range cycles {
		b.cycle(first(cmds), first(recs), first(views), ctl)
		cmds = moved(cmds, b.out[0]&port.OutCmdReady, b.now-1, &s.cmdAt)
		recs = moved(recs, b.out[0]&port.OutRecReady, b.now-1, &s.recAt)
		views = moved(views, b.out[0]&port.OutViewReady, b.now-1, &s.viewAt)
		if b.out[0]&port.OutActValid != 0 && ctl&port.InActReady != 0 {
			var x port.Act
			port.UnpackAct(b.out[:], &x)
			s.actAt, s.act = append(s.actAt, b.now-1), append(s.act, x)
		}
		if b.out[0]&port.OutRspValid != 0 && ctl&port.InRspReady != 0 {
			var x port.Response
			port.UnpackResponse(b.out[:], &x)
			s.rspAt, s.rsp = append(s.rspAt, b.now-1), append(s.rsp, x)
		}
	}
	return s
}

// first returns the first of what is offered, nil if there is nothing.
func first[T any](x []T) *T {
	if len(x) == 0 {
		return nil
	}
	return &x[0]
}

// moved returns what is left to be offered after a cycle.
func moved[T any](x []T, ready uint64, now int, at *[]int) []T {
	if len(x) == 0 || ready == 0 {
		return x
	}
	*at = append(*at, now)
	return x[1:]
}

// set executes commands at once, in no time, and lets all contexts send.
func (b *bench) set(cmds ...port.Cmd) *bench {
	for i := range cmds {
		var rsp port.Response
		var act port.Act
		b.m.source.Command(&cmds[i], 0, &rsp, &act)
		require.False(b.tb, rsp.Refused || rsp.Busy)
	}
	for c := range b.m.spec.Contexts {
		b.m.source.View(&port.View{Kind: 1, Ctx: uint16(c), CanSend: true})
	}
	return b
}

// sends has PDC 0 of each of so many contexts with a long message to send.
func (b *bench) sends(contexts int) *bench {
	for c := range uint16(contexts) {
		b.set(port.Cmd{Kind: port.KindOpen, PDC: 4 * c}, port.Cmd{Kind: port.KindMessage, PDC: 4 * c, Data: 1 << 20})
	}
	return b
}

// late keeps the timer from starting for so many cycles.
func (b *bench) late(cycles int) *bench {
	b.m.gap = port.TimerGap - 1 - cycles
	return b
}

// looks returns n commands that read a register.
func looks(n int) (cmds []port.Cmd) {
	for i := range n {
		cmds = append(cmds, port.Cmd{Kind: port.KindCfgRead, PDC: uint16(i)})
	}
	return cmds
}

// strays returns n records that are of no PDC.
func strays(n int) []port.Rec { return make([]port.Rec, n) }

// from returns n numbers from first on, step apart.
func from(first, step, n int) (out []int) {
	for i := range n {
		out = append(out, first+i*step)
	}
	return out
}

// The sweep takes a cycle for each row, and starts again with a reset. Time runs in it; the timer waits for its end.
func TestSweep(t *testing.T) {
	for _, contexts := range []int{2, 8} {
		w := contexts * 4 * 128
		m, err := New(Spec{Contexts: contexts})
		require.NoError(t, err)
		b := &bench{tb: t, m: m}
		b.cycle(nil, nil, nil, takes&^high)
		for range w - 1 {
			b.cycle(nil, nil, nil, takes)
			require.Zero(t, b.out[0])
		}
		*m.source.row(m.spec.Pdcs()-1, 127), *m.source.pdcs.Row(3) = row{size: 5}, pdc{valid: true}
		b.cycle(nil, nil, nil, takes&^high)
		require.Zero(t, b.out[0])
		for range w {
			b.cycle(nil, nil, nil, takes)
			require.Zero(t, b.out[0])
		}
		require.Equal(t, [2]any{row{}, pdc{}}, [2]any{*m.source.row(m.spec.Pdcs()-1, 127), *m.source.pdcs.Row(3)})
		require.Equal(t, instant{tick: uint64(w)}, m.time)
		b.cycle(nil, nil, nil, takes)
		require.Equal(t, port.OutCmdReady|port.OutRecReady|port.OutViewReady, b.out[0])
		require.Equal(t, 1, m.gap)
	}
}

// What is accepted in cycle a starts in a+1 and takes its cycles. In the next one what it puts out is visible, and the
// next job starts.
func TestTimingOfJobs(t *testing.T) {
	b := newBench(t, 2)
	s := b.run(looks(6), nil, nil, takes, 30)
	require.Equal(t, []int{0, 1, 2, 8, 14, 20}, s.cmdAt, "two in the FIFO, and one in its job")
	require.Equal(t, []int{7, 13, 19, 25}, s.rspAt)

	b = newBench(t, 2)
	s = b.run([]port.Cmd{{Kind: port.KindOpen, PDC: 5, Data: 7}, {Kind: port.KindMessage, PDC: 5, Data: 9}}, nil,
		[]port.View{{Ctx: 1}, {Ctx: 1, CanSend: true}}, takes, 30)
	require.Equal(t, []int{11, 17, 25}, s.actAt, "views in 1 and 3, OPEN in 5, MESSAGE in 11, a turn in 17")
	require.Equal(t, []int{11, 17}, s.rspAt)
	for i, x := range s.act {
		require.Equal(t, uint64(8*128+[]int{10, 16, 24}[i]), x.Now, "the last cycle of its job")
	}
	b.late(1000)
	s = b.run(nil, []port.Rec{{PdsType: 7, Dpdcid: 6, PSN: 7}, {}, {PdsType: 7, Dpdcid: 6, PSN: 7}}, nil, takes, 40)
	require.Equal(t, []int{30, 31, 32}, s.recAt)
	require.Equal(t, []int{39, 55}, s.actAt)
}

// The job of a record, and that of the timer for a stopped PDC, take a cycle more for each packet that they unmark.
func TestLongJobs(t *testing.T) {
	for _, marked := range []uint64{0, 1, 0xFF, 1<<63 | 1} {
		b := newBench(t, 2).late(1000)
		p := pdc{valid: true, n: 64, marked: bitmap{marked}}
		*b.m.source.pdcs.Row(0) = p
		u := p.marked.ones()
		s := b.run(nil, []port.Rec{{PdsType: 7, Dpdcid: 1, PSN: 63}, {PdsType: 7, Dpdcid: 1, PSN: 63}}, nil, takes, 100)
		require.Equal(t, []int{9 + u, 17 + u}, s.actAt, "nothing to unmark the second time")

		b = newBench(t, 2).late(0)
		p.stopped = true
		*b.m.source.pdcs.Row(0) = p
		s = b.run(looks(1), nil, nil, takes, 100)
		require.Equal(t, []int{8 + u}, s.actAt)
		require.Equal(t, []int{8 + u + port.CmdBusy}, s.rspAt)
	}
}

// Records, commands and turns take turns, whichever of them wait; views and the timer go first and leave the turn.
func TestOrderOfJobs(t *testing.T) {
	b := newBench(t, 8).sends(8).late(5)
	b.m.source.cfg[port.RegRto] = 1
	var order []job
	was := 0
	for range 300 {
		b.cycle(&looks(1)[0], &port.Rec{}, nil, takes)
		if b.m.left > was {
			order = append(order, b.m.job)
		}
		was = b.m.left
	}
	const r, c, u, z = ofRecord, ofCommand, ofTurn, ofTimer
	require.Equal(t, []job{u, z, r, c, u, r, z, c, u, r, c}, order[:11], "32 cycles or more from timer to timer")

	b = newBench(t, 2).late(0) // all at once
	b.cycle(&looks(1)[0], &port.Rec{}, &port.View{}, takes)
	require.Equal(t, ofTimer, b.m.job)
	b.run(nil, nil, nil, takes, port.TimerBusy)
	require.Equal(t, ofView, b.m.job)
	b.run(nil, nil, nil, takes, port.ViewBusy)
	require.Equal(t, ofRecord, b.m.job)
	b.run(nil, nil, nil, takes, port.RecBusy)
	require.Equal(t, ofCommand, b.m.job)
}

// The timer starts TIMER_GAP cycles apart, the first time in the last of the first TIMER_GAP cycles.
func TestTimerGap(t *testing.T) {
	b := newBench(t, 2)
	for c := range 200 {
		b.cycle(nil, nil, nil, takes)
		starts := c%port.TimerGap == port.TimerGap-1
		require.Equal(t, starts, b.m.gap == 0, "cycle %d", c)
	}
	require.Equal(t, 6, b.m.source.scan, "it started in 31, 63, 95, 127, 159 and 191, and ended 7 later")
	b.run(nil, nil, nil, takes, 30)
	require.Equal(t, 6, b.m.source.scan)
	b.run(nil, nil, nil, takes, 1) // cycle 230
	require.Equal(t, 7, b.m.source.scan)
}

// Without rsp taken, CMDS commands start, and other jobs go on. The next one starts in the cycle after a take.
func TestCreditsOfCommands(t *testing.T) {
	b := newBench(t, 2).late(1 << 20)
	s := b.run(looks(30), nil, nil, takes&^port.InRspReady, 100)
	require.Len(t, s.cmdAt, port.Cmds+port.InFIFODepth)
	b.run(nil, strays(2), nil, takes&^port.InRspReady, 30)
	require.Equal(t, uint32(2), b.m.source.counters[port.WordStray])
	b.cycle(nil, nil, nil, takes) // takes one, in cycle 130: the next command starts in 131
	for c := range 8 {
		cmds, _, _, credits, _ := b.m.InUse()
		require.Equal(t, [2]int{2 - number(c > 0), 3 + number(c > 0)}, [2]int{cmds, credits}, "after cycle %d", 130+c)
		b.cycle(nil, nil, nil, takes&^port.InRspReady)
	}
}

// Without act taken, ACTS jobs that have one start, and then views alone. A job without an action gives its place back.
func TestCreditsOfActions(t *testing.T) {
	b := newBench(t, 16).sends(16).late(1 << 20)
	b.run(looks(4), strays(4), nil, takes&^port.InActReady, 400)
	_, _, _, _, acts := b.m.InUse()
	require.Equal(t, port.Acts, acts)
	require.Equal(t, uint32(port.Acts), b.m.source.counters[port.WordSent])
	require.Equal(t, uint32(4), b.m.source.counters[port.WordStray])
	s := b.run(looks(4), strays(4), []port.View{{Ctx: 2}, {Ctx: 3}, {Ctx: 4}, {Ctx: 5}}, takes&^port.InActReady, 100)
	require.Equal(t, [3]int{2, 2, 4}, [3]int{len(s.cmdAt), len(s.recAt), len(s.viewAt)})
	b.late(0).run(nil, nil, nil, takes&^port.InActReady, 50)
	require.Equal(t, port.TimerGap-1, b.m.gap, "the timer waits too")
	at := b.now
	s = b.run(nil, nil, nil, takes, 1)
	require.Equal(t, []int{at}, s.actAt)
	b.cycle(nil, nil, nil, takes&^port.InActReady)
	require.Equal(t, ofTimer, b.m.job)
}

// A tick takes TICK cycles; a shorter one that is written counts from where it is.
func TestTicks(t *testing.T) {
	b := newBench(t, 2)
	b.m.time = instant{tick: 1<<48 - 2}
	write := func(cycles uint32) []port.Cmd {
		return []port.Cmd{{Kind: port.KindCfgWrite, Addr: port.RegTick, Data: cycles}}
	}
	b.run(write(5), nil, nil, takes, 7) // accepted in 0, ends in 6
	require.Equal(t, instant{tick: 5}, b.m.time)
	b.run(nil, nil, nil, takes, 9)
	require.Equal(t, instant{tick: 6, phase: 4}, b.m.time)
	b.run(write(100), nil, nil, takes, 7)
	require.Equal(t, instant{tick: 8, phase: 1}, b.m.time)
	b.run(write(3), nil, nil, takes, 7)
	require.Equal(t, instant{tick: 8, phase: 8}, b.m.time)
	b.cycle(nil, nil, nil, takes)
	require.Equal(t, instant{tick: 9}, b.m.time)
}

// A reset forgets everything.
func TestReset(t *testing.T) {
	fresh := newBench(t, 2)
	for at := range 60 {
		b := newBench(t, 2)
		b.late(at % 32)
		b.run([]port.Cmd{{Kind: port.KindOpen}, {Kind: port.KindCfgWrite, Addr: 1}, {Kind: port.KindMessage, Data: 1 << 20}},
			strays(9), []port.View{{CanSend: true}}, []uint64{takes, high}[at%2], at)
		b.cycle(nil, nil, nil, takes&^high)
		require.Zero(t, b.out)
		cmds, recs, views, credits, acts := b.m.InUse()
		require.Equal(t, [5]int{}, [5]int{cmds, recs, views, credits, acts})
		require.Equal(t, [2]any{instant{}, 0}, [2]any{b.m.time, b.m.gap})
		for range 1024 {
			b.cycle(&port.Cmd{}, &port.Rec{}, &port.View{}, takes)
			require.Zero(t, b.out)
		}
		require.Equal(t, fresh.m.source, b.m.source, "reset after %d cycles", at)
	}
}

func benchmark(b *testing.B, contexts, sending int, busy bool) {
	x := newBench(b, contexts).sends(sending)
	for c := range sending { // for longer than the benchmark takes
		x.m.source.pdcs.Row(4 * c).left = 1<<31 - 1
	}
	x.m.source.cfg[port.RegPayload] = 7
	sent := 0
	b.ReportAllocs()
	var view *port.View
	var rec *port.Rec
	var v port.View
	var r port.Rec
	for b.Loop() {
		x.cycle(nil, rec, view, takes)
		view, rec = nil, nil
		if busy && x.out[0]&port.OutActValid != 0 {
			var a port.Act
			port.UnpackAct(x.out[:], &a)
			if a.Kind == port.ActionSent {
				sent++
				v = port.View{Kind: viewSend, Ctx: a.PDC / 4, CanSend: true}
				r = port.Rec{PdsType: port.PdsTypeAck, PSN: a.PSN, AckPSN: a.PSN, Dpdcid: a.PDC + 1}
				view, rec = &v, &r
			}
		}
	}
	b.ReportMetric(float64(x.now)/b.Elapsed().Seconds(), "cycles/s")
	b.ReportMetric(float64(sent)/float64(x.now), "packets/cycle")
}

func BenchmarkCycle(b *testing.B)    { benchmark(b, 4, 4, true) }
func BenchmarkIdle(b *testing.B)     { benchmark(b, 4, 0, false) }
func BenchmarkIdle1024(b *testing.B) { benchmark(b, 1024, 0, false) }

func TestCycleAllocatesNothing(t *testing.T) {
	b := newBench(t, 2).sends(2)
	b.m.source.cfg[port.RegRto] = 100
	cmd, rec := port.Cmd{Kind: port.KindRead, PDC: 1}, ack(0, 0)
	views := [2]port.View{{Kind: viewSend, CanSend: true}, {Kind: viewSend, Ctx: 1, CanSend: true}}
	require.Zero(t, testing.AllocsPerRun(4000, func() { b.cycle(&cmd, &rec, &views[b.now%2], takes) }))
	require.Zero(t, testing.AllocsPerRun(2000, func() { b.cycle(&cmd, &rec, nil, takes) }))
	x := b.m.source.counters
	require.Positive(t, x[port.WordSent]*x[port.WordAcks])
	require.Positive(t, x[port.WordLosses])
	require.Zero(t, testing.AllocsPerRun(10, func() { b.cycle(&cmd, &rec, nil, takes&^high) }))
}
