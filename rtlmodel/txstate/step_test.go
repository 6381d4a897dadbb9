package txstate

import (
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/txstate"
)

// bench drives a Model; its sink is always ready.
type bench struct {
	m   *Model
	out [port.OutWords]uint64
}

func newBench(tb testing.TB, s Spec) *bench {
	m, err := New(s)
	require.NoError(tb, err)
	b := &bench{m: m}
	for range s.NumPdcs * s.Depth {
		b.cycle(nil, port.InRstN|port.InRspReady)
		require.Zero(tb, b.out[0], "ready in the sweep")
	}
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
}

// run offers the events back to back. It returns the cycle of each response, counted from the acceptance of the first
// event, and the responses.
func (b *bench) run(tb testing.TB, evs ...port.Event) (at []int, rsps []port.Response) {
	for c, next := 0, 0; len(at) < len(evs); c++ {
		require.Less(tb, c, 1000)
		var ev *port.Event
		if next < len(evs) {
			ev = &evs[next]
		}
		b.cycle(ev, port.InRstN|port.InRspReady)
		if ev != nil && b.out[0]&port.OutEvReady != 0 {
			next++
		}
		if b.out[0]&port.OutRspValid != 0 {
			var r port.Response
			port.UnpackResponse(b.out[:], &r)
			at, rsps = append(at, c), append(rsps, r)
		}
	}
	return at, rsps
}

func TestTimingOfKeys(t *testing.T) {
	send := func(pdc uint16, psn uint32) port.Event { return port.Event{Kind: port.KindSend, PDC: pdc, PSN: psn} }
	cfg := port.Event{Kind: port.KindCfgWrite, TimeShift: 2}
	bad := port.Event{Kind: 7, PSN: 1}
	for _, tc := range []struct {
		name string
		evs  []port.Event
		want []int
	}{
		{"one event: L + 1", []port.Event{send(0, 1)}, []int{5}},
		{"two entries", []port.Event{send(0, 1), send(0, 2)}, []int{5, 6}},
		{"two PDCs, one PSN", []port.Event{send(0, 1), send(1, 1)}, []int{5, 6}},
		{"one entry, one PSN", []port.Event{send(0, 1), send(0, 1)}, []int{5, 9}},
		{"one entry, two generations", []port.Event{send(0, 1), send(0, 1+8)}, []int{5, 9}},
		{"pdc out of range has a key", []port.Event{send(9, 1), send(9, 1)}, []int{5, 9}},
		{"pdc out of range has its own key", []port.Event{send(2, 1), send(3, 1), send(0, 1)}, []int{5, 6, 7}},
		{"unknown kinds have a key", []port.Event{bad, send(0, 1), bad}, []int{5, 9, 13}},
		{"CFG_WRITE waits for all, nothing waits for it", []port.Event{send(0, 1), cfg, send(0, 1)}, []int{5, 9, 10}},
		{"CFG_WRITE twice", []port.Event{cfg, cfg}, []int{5, 9}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			at, _ := newBench(t, Spec{NumPdcs: 2, Depth: 8}).run(t, tc.evs...)
			require.Equal(t, tc.want, at)
		})
	}
}

func TestLaterEventSeesEffectsOfEarlier(t *testing.T) {
	b := newBench(t, Spec{NumPdcs: 2, Depth: 8})
	_, r := b.run(t,
		port.Event{Kind: port.KindSend, PDC: 1, PSN: 0xFFFFFFFF, Now: 100},
		port.Event{Kind: port.KindCfgWrite, TimeShift: 3},
		port.Event{Kind: port.KindAck, PDC: 1, PSN: 0xFFFFFFFF, Now: 500, ServiceTime: 2},
		port.Event{Kind: port.KindAck, PDC: 1, PSN: 0xFFFFFFFF, Now: 600, ServiceTime: 2},
	)
	require.Equal(t, uint32(400-16), r[2].RTT)
	require.False(t, r[3].Found)
	require.Equal(t, Config{TimeShift: 3}, b.m.Config())
	require.False(t, b.m.State(1, 0xFFFFFFFF).Valid)
	require.Equal(t, State{}, b.m.State(2, 0))
}

func TestResetClearsTableAndConfig(t *testing.T) {
	b := newBench(t, Spec{NumPdcs: 1, Depth: 4})
	b.run(t, port.Event{Kind: port.KindCfgWrite, TimeShift: 1}, port.Event{Kind: port.KindSend, PSN: 2, Now: 9})
	require.True(t, b.m.State(0, 2).Valid)
	b.cycle(nil, port.InRspReady)
	require.Zero(t, b.out[0], "reset forces ready and valid low in the same cycle")
	require.Equal(t, DefaultConfig(), b.m.Config())
	for range 4 {
		b.cycle(nil, port.InRstN)
		require.Zero(t, b.out[0])
	}
	require.Equal(t, State{}, b.m.State(0, 2))
	_, r := b.run(t, port.Event{Kind: port.KindRead, PSN: 2})
	require.False(t, r[0].Found)

	b.run(t, port.Event{Kind: port.KindSend, PSN: 2, Now: 9})
	b.m.Reset()
	require.Equal(t, State{}, b.m.State(0, 2))
	b.cycle(nil, port.InRstN)
	require.Zero(t, b.out[0], "power-on starts with a sweep")
}

func BenchmarkCycle(b *testing.B) {
	const pdcs = 16
	x := newBench(b, Spec{NumPdcs: pdcs, Depth: 64})
	recs := make([][port.InWords]uint64, 1<<14)
	for i := range recs {
		ev := port.Event{Kind: port.KindSend, PDC: uint16(i % pdcs), PSN: uint32(i / pdcs / 2), Now: uint64(i) * 40}
		if i/pdcs%2 == 1 {
			ev.Kind, ev.ServiceTime = port.KindAck, 1
		}
		port.PackEvent(&ev, recs[i][:])
		recs[i][0] |= port.InRstN | port.InEvValid | port.InRspReady
	}
	cycles, accepted := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		x.m.Cycle(recs[cycles%len(recs)][:], x.out[:])
		accepted += int(x.out[0] & port.OutEvReady)
		cycles++
	}
	b.ReportMetric(float64(cycles)/b.Elapsed().Seconds(), "cycles/s")
	b.ReportMetric(float64(accepted)/float64(cycles), "events/cycle")
}

func TestCycleAllocatesNothing(t *testing.T) {
	b := newBench(t, Spec{NumPdcs: 1, Depth: 8})
	var in [port.InWords]uint64
	port.PackEvent(&port.Event{Kind: port.KindSend, PSN: 5}, in[:])
	in[0] |= port.InRstN | port.InEvValid | port.InRspReady
	require.Zero(t, testing.AllocsPerRun(1000, func() { b.m.Cycle(in[:], b.out[:]) }))
	in[0] &^= port.InRstN
	require.Zero(t, testing.AllocsPerRun(10, func() { b.m.Cycle(in[:], b.out[:]) }))
}
