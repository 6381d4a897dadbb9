package ccc

import (
	"cmp"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// bench drives a Model; its sink is always ready.
type bench struct {
	m   *Model
	out [port.OutWords]uint64
}

// specOf returns the default parameters with another number of contexts.
func specOf(contexts int) Spec {
	s := DefaultSpec()
	s.NumContexts = contexts
	return s
}

func newBench(t *testing.T, contexts int) *bench { return newBenchOf(t, specOf(contexts)) }

func newBenchOf(t *testing.T, spec Spec) *bench {
	m, err := New(spec)
	require.NoError(t, err)
	b := &bench{m: m}
	for range spec.NumContexts {
		b.cycle(nil, port.InRstN|port.InRspReady)
		require.Zero(t, b.out[0], "ready in the sweep")
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

// run offers the events back to back. It returns the cycle of each response, counted from the first offer, and the
// responses.
func (b *bench) run(t *testing.T, evs ...port.Event) (at []int, rsps []port.Response) {
	for c, next := 0, 0; len(at) < len(evs); c++ {
		require.Less(t, c, 5000)
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
	open := func(ctx uint16) port.Event { return port.Event{Kind: port.KindOpen, Ctx: ctx} }
	wr := port.Event{Kind: port.KindCfgWrite, Addr: port.RegEta, Data: 7}
	rd := port.Event{Kind: port.KindCfgRead, Addr: port.RegEta}
	bad := port.Event{Kind: 14, Ctx: 1}
	bind := port.Event{Kind: port.KindBind, Ctx: 1}
	sample := port.Event{Kind: port.KindSample, Ctx: 1}
	credit := port.Event{Kind: port.KindCredit, Ctx: 1}
	for _, tc := range []struct {
		name string
		evs  []port.Event
		want []int
	}{
		{"one event: L + 1", []port.Event{open(0)}, []int{37}},
		{"two contexts", []port.Event{open(0), open(1)}, []int{37, 38}},
		{"one context", []port.Event{open(0), open(0), open(0)}, []int{37, 73, 109}},
		{"contexts out of range have keys", []port.Event{open(500), open(500), open(501)}, []int{37, 73, 74}},
		{"all 16 bits of ctx are the key", []port.Event{open(1), open(257), open(1 + 1<<15)}, []int{37, 38, 39}},
		{"unknown kinds have a key", []port.Event{bad, open(1), bad}, []int{37, 73, 109}},
		{"BIND, SAMPLE and CREDIT have keys", []port.Event{open(1), bind, sample, credit, open(2)},
			[]int{37, 73, 109, 145, 146}},
		{"CFG_READ has none", []port.Event{rd, rd, open(0), rd}, []int{37, 38, 39, 40}},
		{"CFG_WRITE waits for all", []port.Event{open(0), wr, open(0)}, []int{37, 73, 74}},
		{"CFG_WRITE waits for CFG_READ", []port.Event{rd, wr, rd}, []int{37, 73, 74}},
		{"a refused CFG_WRITE waits as well", []port.Event{rd, {Kind: port.KindCfgWrite, Addr: 31}}, []int{37, 73}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			at, _ := newBench(t, 4).run(t, tc.evs...)
			require.Equal(t, tc.want, at)
		})
	}
}

func TestConfigWriteActsFromTheNextEvent(t *testing.T) {
	b := newBench(t, 4)
	rd := port.Event{Kind: port.KindCfgRead, Profile: 2, Addr: port.RegMaxWnd}
	_, r := b.run(t, rd,
		port.Event{Kind: port.KindOpen, Ctx: 0, Profile: 2},
		port.Event{Kind: port.KindCfgWrite, Profile: 2, Addr: port.RegMaxWnd, Data: 50000}, rd,
		port.Event{Kind: port.KindOpen, Ctx: 1, Profile: 2},
		port.Event{Kind: port.KindOpen, Ctx: 2, Profile: 3})
	require.Equal(t, [2]uint64{225000, 50000}, [2]uint64{r[0].Data, r[3].Data})
	require.Equal(t, [3]uint32{225000, 50000, 225000}, [3]uint32{r[1].Cwnd, r[4].Cwnd, r[5].Cwnd})
	cfg := b.m.Config()
	require.Equal(t, uint64(50000), cfg.Profile(2)[port.RegMaxWnd])
	require.Equal(t, uint32(50000), b.m.State(1).Cwnd)
	require.Equal(t, State{}, b.m.State(4))
}

func TestContextRange(t *testing.T) {
	_, r := newBench(t, 4).run(t, port.Event{Kind: port.KindOpen, Ctx: 3}, port.Event{Kind: port.KindOpen, Ctx: 4})
	require.Equal(t, [2]bool{false, true}, [2]bool{r[0].NoContext, r[1].NoContext})
}

func TestSustainsOneEventPerCycleFrom36Contexts(t *testing.T) {
	for _, tc := range []struct {
		contexts int
		stalls   bool
	}{{35, true}, {36, false}, {64, false}} {
		b := newBench(t, tc.contexts)
		stalls := 0
		for c := range 2000 {
			b.cycle(&port.Event{Kind: port.KindOpen, Ctx: uint16(c % tc.contexts)}, port.InRstN|port.InRspReady)
			if b.out[0]&port.OutEvReady == 0 {
				stalls++
			}
		}
		require.Equal(t, tc.stalls, stalls > 0, "%d contexts", tc.contexts)
	}
}

func TestBackPressureIsHeldByCredits(t *testing.T) {
	b := newBench(t, 256)
	n := 0
	for range 500 {
		b.cycle(&port.Event{Kind: port.KindOpen, Ctx: uint16(n % 256)}, port.InRstN)
		n += int(b.out[0] & port.OutEvReady)
	}
	require.Equal(t, 64+2, n)
	credits, queued := b.m.InUse()
	require.Equal(t, [2]int{64, 2}, [2]int{credits, queued})
	held := b.out
	b.cycle(nil, port.InRstN)
	require.Equal(t, held, b.out, "the response is stable until it is taken")
	for i := range n {
		b.cycle(nil, port.InRstN|port.InRspReady)
		if b.out[0]&port.OutRspValid == 0 {
			require.GreaterOrEqual(t, i, 64, "the last two issue only now")
			b.run(t, port.Event{Kind: port.KindCfgRead})
			break
		}
		var r port.Response
		port.UnpackResponse(b.out[:], &r)
		require.Equal(t, uint16(i), r.Ctx)
	}
}

func TestResetInMidStream(t *testing.T) {
	b := newBench(t, 8)
	b.run(t, port.Event{Kind: port.KindCfgWrite, Profile: 7, Addr: port.RegMTU, Data: 9000},
		port.Event{Kind: port.KindCfgWrite, Addr: port.RegTimeShift, Data: 3}, port.Event{Kind: port.KindOpen, Ctx: 7})
	require.NotEqual(t, DefaultConfig(), b.m.Config())
	for c := range 50 {
		b.cycle(&port.Event{Kind: port.KindRead, Ctx: uint16(c % 8)}, port.InRstN)
	}
	require.NotZero(t, b.out[0]&port.OutRspValid)
	b.cycle(&port.Event{}, port.InRspReady)
	require.Equal(t, [port.OutWords]uint64{}, b.out, "ready and valid fall in the same cycle")
	require.Equal(t, DefaultConfig(), b.m.Config())
	for range 5 { // and again during the sweep
		b.cycle(nil, port.InRstN|port.InRspReady)
	}
	b.cycle(nil, port.InRspReady)
	for range 8 {
		b.cycle(&port.Event{}, port.InRstN|port.InRspReady)
		require.Zero(t, b.out[0])
	}
	_, r := b.run(t, port.Event{Kind: port.KindRead, Ctx: 7})
	require.True(t, r[0].NoContext)
	require.Equal(t, uint16(7), r[0].Ctx, "what was in flight gives no response")
}

func TestPowerOnReset(t *testing.T) {
	b := newBench(t, 2)
	b.run(t, port.Event{Kind: port.KindOpen, Ctx: 1})
	require.True(t, b.m.State(1).Valid)
	b.m.Reset()
	require.False(t, b.m.State(1).Valid)
	b.cycle(nil, port.InRstN)
	require.Zero(t, b.out[0], "power-on starts with a sweep")
}

func TestSpec(t *testing.T) {
	require.NoError(t, DefaultSpec().Validate())
	for want, spec := range map[string]Spec{
		"ccc: NumContexts 1: want 2 to 65536":     {1, 4, 8, 0},
		"ccc: NumContexts 65537: want 2 to 65536": {65537, 4, 8, 0},
		"ccc: NumPdcs 0: want 1 to 16":            {2, 0, 8, 0},
		"ccc: NumPdcs 17: want 1 to 16":           {2, 17, 8, 0},
		"ccc: NumProfiles 0: want 1 to 16":        {2, 4, 0, 0},
		"ccc: NumProfiles 17: want 1 to 16":       {2, 4, 17, 0},
		"ccc: Pipeline -1: want 0 to 255":         {2, 4, 8, -1},
		"ccc: Pipeline 256: want 0 to 255":        {2, 4, 8, 256},
	} {
		_, err := New(spec)
		require.EqualError(t, err, want)
	}
	for _, spec := range []Spec{{65536, 1, 1, 0}, {2, 16, 16, 0}} {
		m, err := New(spec)
		require.NoError(t, err)
		require.Equal(t, spec, m.Spec())
	}
}

// TestPipeline: another length of the pipeline moves every response, and what waits for another event of its context;
// what is answered stays.
func TestPipeline(t *testing.T) {
	var want []port.Response
	for _, length := range []int{0, port.Latency, 1, 20, 80, 255} {
		spec := specOf(2)
		spec.Pipeline = length
		b := newBenchOf(t, spec)
		at, got := b.run(t, port.Event{Kind: port.KindOpen, Ctx: 1}, port.Event{Kind: port.KindNewData, Ctx: 1, Size: 5000},
			port.Event{Kind: port.KindSend, Ctx: 1, Size: 4096})
		n := cmp.Or(length, port.Latency)
		require.Equal(t, []int{1 + n, 1 + 2*n, 1 + 3*n}, at, "length %d", length)
		if want == nil {
			want = got
		}
		require.Equal(t, want, got)
	}
}

func TestCycleAllocatesNothing(t *testing.T) {
	b := newBench(t, 64)
	recs := benchRecords(64, 4096)
	for _, ctrl := range []uint64{0, ctrlCreditOn} {
		for p := range uint8(port.DefaultNumProfiles) {
			b.run(t, port.Event{Kind: port.KindCfgWrite, Profile: p, Addr: port.RegCtrl, Data: ctrl})
		}
		i := 0
		require.Zero(t, testing.AllocsPerRun(4000, func() {
			b.m.Cycle(recs[i%len(recs)][:], b.out[:])
			i++
		}))
	}
	var in [port.InWords]uint64
	require.Zero(t, testing.AllocsPerRun(10, func() { b.m.Cycle(in[:], b.out[:]) }))
}
