package telemetry

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// at is a stamp as the examples give it: us, bytes, bytes.
type at struct {
	ts, tx float64
	q      int64
}

func stamps[N any](a Numbers[N], rate int64, hops []at) (out []Stamp[N]) {
	for _, h := range hops {
		tx := a.Quo(a.Whole(int64(2*h.tx)), a.Whole(2))
		out = append(out, Stamp[N]{Rate: a.Whole(rate), TS: a.Whole(int64(h.ts * 1000)), Tx: tx, Queue: a.Whole(h.q)})
	}
	return out
}

// example is a row of the table of congestion-control.md section 6: one or two hops, 100G, T 12.5, N_cfg 2.
type example struct {
	name      string
	kind      Kind
	fresh     bool // a new flow
	u         []string
	stage     int
	wc, last  int64
	before    []at
	seq, next int64
	now       []at

	w, wcAfter float64
	uAfter     []float64
	stageAfter int
	lastAfter  int64
}

var examples = []example{
	{name: "HPCC new flow", kind: HPCC, fresh: true, before: []at{{10, 0, 0}}, seq: 3120, next: 157560,
		now: []at{{10.25, 3120, 0}}, w: 152348.500152, wcAfter: 156250, uAfter: []float64{0.999968}, lastAfter: 156000},
	{name: "HPCC below eta", kind: HPCC, u: []string{"0.9"}, wc: 100000, last: 1000,
		before: []at{{0, 0, 0}, {0, 0, 20000}}, seq: 2000, next: 90000,
		now: []at{{1.25, 12500, 0}, {1.25, 15625, 30000}}, w: 103906.25, wcAfter: 103906.25,
		uAfter: []float64{0.9228}, stageAfter: 1, lastAfter: 90000},
	{name: "FNCC not due", kind: FNCC, u: []string{"1", "1"}, wc: 156250, last: 1 << 40, before: []at{{0, 0, 0},
		{0, 0, 40000}}, seq: 5000, next: 90000, now: []at{{0.5, 6250, 0}, {0.625, 7812.5, 50000}}, w: 150467.762638,
		wcAfter: 156250, uAfter: []float64{1, 1.0128}, lastAfter: 1 << 40},
	{name: "FNCC below eta", kind: FNCC, u: []string{"0.9", "0.97"}, stage: 2, wc: 90000, last: 1000,
		before: []at{{0, 0, 0}, {0, 0, 0}}, seq: 5000, next: 90000, now: []at{{1.25, 14000, 0}, {0, 0, 500}},
		w: 92050.579897, wcAfter: 92050.579897, uAfter: []float64{0.8996, 0.97}, lastAfter: 90000},
}

func ratio[N any](t *testing.T, a Numbers[N], s string) N {
	t.Helper()
	v := map[string]int64{"1": 100, "0.9": 90, "0.97": 97}[s]
	require.NotZero(t, v, s)
	return a.Quo(a.Whole(v), a.Whole(100))
}

// play plays an example; the stamps come round after turn ns and bytes, 0 for never, and begin shift before that.
func play[N any](t *testing.T, a Numbers[N], x *example, turn, shift int64) *Flow[N] {
	t.Helper()
	f := NewFlow(a, x.kind, DefaultSpec(), Span[N]{TS: a.Whole(turn), Tx: a.Whole(turn)})
	f.Begin(a.Whole(100))
	moved := func(hops []at) []Stamp[N] {
		out := stamps(a, 100, hops)
		for i := range out {
			for _, n := range []*N{&out[i].TS, &out[i].Tx} {
				if *n = a.Sub(*n, a.Whole(shift)); a.Cmp(*n, a.Whole(0)) < 0 {
					*n = a.Add(*n, a.Whole(turn))
				}
			}
		}
		return out
	}
	require.True(t, f.Ack(1560, 156000, moved(x.before)).First)
	if !x.fresh {
		f.Wc, f.Stage, f.Last = a.Whole(x.wc), x.stage, x.last
		for i := range f.U {
			f.U[i] = ratio(t, a, x.u[i])
		}
	}
	require.False(t, f.Ack(x.seq, x.next, moved(x.now)).First)
	return f
}

func check[N any](t *testing.T, a Numbers[N], x *example, f *Flow[N]) {
	t.Helper()
	require.InDelta(t, x.w, a.Float(f.W), 1e-6)
	require.InDelta(t, x.wcAfter, a.Float(f.Wc), 1e-6)
	require.Len(t, f.U, len(x.uAfter))
	for i, u := range x.uAfter {
		require.InDelta(t, u, a.Float(f.U[i]), 1e-9)
	}
	require.Equal(t, x.stageAfter, f.Stage)
	require.Equal(t, x.lastAfter, f.Last)
}

var (
	float Numbers[float64] = Float{}
	exact Numbers[Real]    = Exact{}
)

func TestExamples(t *testing.T) {
	for i := range examples {
		x := &examples[i]
		t.Run(x.name, func(t *testing.T) {
			check(t, float, x, play(t, float, x, 0, 0))
			check(t, exact, x, play(t, exact, x, 0, 0))
			// What comes round between two stamps is no less.
			check(t, exact, x, play(t, exact, x, 1<<24, 10_100))
			check(t, float, x, play(t, float, x, 1<<24, 600))
		})
	}
}

// A hop at which no time has passed tells nothing, and with all of them so, U stays.
func TestNoTime(t *testing.T) {
	for _, kind := range Kinds {
		f := NewFlow(exact, kind, DefaultSpec(), Span[Real]{})
		f.Begin(exact.Whole(100))
		f.Ack(1, 10, stamps(exact, 100, []at{{1, 0, 0}, {1, 0, 0}}))
		r := f.Ack(2, 20, stamps(exact, 100, []at{{1, 64, 900}, {1, 64, 900}}))
		require.Equal(t, 1.0, exact.Float(r.U), "%v", kind)
		require.True(t, r.Above)
		require.False(t, r.Commit)
		require.False(t, r.Hops[0].Used || r.Hops[1].Used)
		require.Equal(t, map[Kind]int{HPCC: -1, FNCC: 0}[kind], r.Hop)
	}
}

// Of equal hops the first is the bottleneck, and the larger of two later ones is found.
func TestBottleneck(t *testing.T) {
	for _, kind := range Kinds {
		for want, sent := range map[int][3]float64{0: {900, 900, 900}, 1: {10, 900, 900}, 2: {10, 20, 30}} {
			f := NewFlow(exact, kind, DefaultSpec(), Span[Real]{})
			f.Begin(exact.Whole(100))
			f.Ack(1, 10, stamps(exact, 100, []at{{}, {}, {}}))
			r := f.Ack(2, 20, stamps(exact, 100, []at{{1, sent[0], 0}, {1, sent[1], 0}, {1, sent[2], 0}}))
			require.Equal(t, want, r.Hop, "%v %v", kind, sent)
		}
	}
}

// An idle path: after T without a byte U is 0, and the next multiplicative step opens the window, as 1/0 would.
func TestIdlePath(t *testing.T) {
	f := NewFlow(float, HPCC, Spec{RTT: 1000, Eta: [2]int64{95, 100}, MaxStage: 0, Flows: 2, FloorMbitS: 100},
		Span[float64]{})
	f.Begin(100)
	f.Ack(1, 10, stamps(float, 100, []at{{}}))
	f.Wc = 200
	r := f.Ack(20, 30, stamps(float, 100, []at{{2, 0, 0}}))
	require.Zero(t, r.U)
	require.True(t, r.Cut)
	require.Equal(t, 12500.0, f.W)
}

// Another number of hops is another path: its first ACK is only kept.
func TestOtherPath(t *testing.T) {
	f := NewFlow(float, FNCC, DefaultSpec(), Span[float64]{})
	f.Begin(100)
	require.True(t, f.Ack(1, 10, stamps(float, 100, []at{{}})).First)
	require.True(t, f.Ack(2, 20, stamps(float, 100, []at{{1, 1, 0}, {1, 1, 0}})).First)
	require.Len(t, f.U, 2)
	require.EqualValues(t, 20, f.Last)
	require.False(t, f.Ack(3, 30, stamps(float, 100, []at{{2, 1, 0}, {2, 1, 0}})).First)
	f.Forget()
	require.True(t, f.Ack(4, 40, stamps(float, 100, []at{{3, 1, 0}, {3, 1, 0}})).First)
}

func TestSpecRefuses(t *testing.T) {
	require.NoError(t, DefaultSpec().Validate())
	for _, change := range []func(*Spec){
		func(s *Spec) { s.RTT = 0 }, func(s *Spec) { s.Eta[0] = 100 }, func(s *Spec) { s.Flows = 0 },
		func(s *Spec) { s.MaxStage = -1 }, func(s *Spec) { s.FloorMbitS = 0 },
	} {
		s := DefaultSpec()
		change(&s)
		require.Error(t, s.Validate())
	}
}
