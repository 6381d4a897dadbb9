package telemetry

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDefaults are those of congestion-control.md, section 6, and a flow's beginning at 100 Gb/s: W_init B T = 156250,
// W_AI 0.05 of it over 2, the least window 100 Mb/s for T.
func TestDefaults(t *testing.T) {
	require.Equal(t, Spec{RTT: 12_500, Eta: [2]int64{95, 100}, MaxStage: 5, Flows: 2, FloorMbitS: 100}, DefaultSpec())
	f := NewFlow(float, HPCC, DefaultSpec(), Span[float64]{})
	f.Begin(100)
	require.Equal(t, []float64{156_250, 156_250, 0.95}, []float64{f.W, f.Wc, f.Eta()})
	require.Zero(t, f.Stage)
	require.InDelta(t, 3906.25, f.step, 1e-9)
	require.InDelta(t, 156.25, f.wLeast, 1e-9)
}

// TestWindow: either branch within its bounds; a utilisation of 0 opens the window.
func TestWindow(t *testing.T) {
	f := NewFlow(float, HPCC, DefaultSpec(), Span[float64]{})
	f.Begin(100)
	for _, c := range []struct {
		wc   float64
		cut  bool
		u    float64
		want float64
	}{
		{100_000, false, 7, 103_906.25}, {100_000, true, 1.9, 53_906.25}, {156_000, false, 1, 156_250},
		{100_000, true, 0.1, 156_250}, {100_000, true, 0, 156_250}, {100, true, -1, 156_250},
		{-4000, false, 1, 156.25}, {100_000, false, 0, 103_906.25}, {100_000, true, 0.95, 103_906.25},
	} {
		require.InDelta(t, c.want, f.Window(c.wc, c.cut, c.u), 1e-6, c)
	}
}

// TestAtEta: a utilisation of exactly eta, and a stage of exactly the largest, are multiplicative.
func TestAtEta(t *testing.T) {
	spec := Spec{RTT: 1000, Eta: [2]int64{1, 2}, MaxStage: 5, Flows: 1, FloorMbitS: 100}
	for _, c := range []struct {
		sent       float64 // in T, of 12,500 bytes at 100 Gb/s
		stage      int
		above, cut bool
		after      int
	}{{6250, 0, true, true, 0}, {6249, 0, false, false, 1}, {3000, 4, false, false, 5}, {3000, 5, false, true, 0}} {
		f := NewFlow(float, HPCC, spec, Span[float64]{})
		f.Begin(100)
		f.Ack(1, 10, stamps(float, 100, []at{{}}))
		f.Wc, f.Stage = 5000, c.stage
		r := f.Ack(20, 30, stamps(float, 100, []at{{1, c.sent, 0}}))
		require.Equal(t, []bool{c.above, c.cut, true}, []bool{r.Above, r.Cut, r.Commit}, c)
		require.Equal(t, c.after, f.Stage, c)
		require.Equal(t, f.W, f.Wc, c)
		require.EqualValues(t, 30, f.Last)
	}
}

// TestCommit: an ACK of what was sent by the last commitment, and not before, commits the window; every ACK starts from
// the reference.
func TestCommit(t *testing.T) {
	f := NewFlow(float, HPCC, DefaultSpec(), Span[float64]{})
	f.Begin(100)
	f.Ack(1, 10, stamps(float, 100, []at{{}}))
	f.Wc, f.U[0] = 50_000, 0.1
	for i, seq := range []int64{9, 10, 11} {
		r := f.Ack(seq, 99, stamps(float, 100, []at{{float64(i+1) / 1000, 0, 0}}))
		require.Equal(t, seq == 11, r.Commit, seq)
		require.InDelta(t, 53_906.25, f.W, 1e-6)
	}
	require.EqualValues(t, 99, f.Last)
	require.Equal(t, f.W, f.Wc)
	require.Equal(t, 1, f.Stage)
}

// TestHop: the smaller of the two queues, bytes over time, and half of T as the weight of a sample over half of T.
func TestHop(t *testing.T) {
	f := NewFlow(float, HPCC, Spec{RTT: 1000, Eta: [2]int64{95, 100}, MaxStage: 5, Flows: 2, FloorMbitS: 100},
		Span[float64]{})
	f.Begin(100)
	for _, queues := range [][2]int64{{2500, 9000}, {9000, 2500}} {
		f.Forget()
		f.U = nil
		f.Ack(1, 10, stamps(float, 100, []at{{0, 0, queues[0]}}))
		r := f.Ack(2, 10, stamps(float, 100, []at{{0.5, 3125, queues[1]}}))
		require.Equal(t, Hop[float64]{Used: true, DT: 500, Sent: 3125, Queue: 2500, Rate: 50, Share: 0.7}, r.Hops[0])
		require.InDelta(t, 0.85, r.U, 1e-12) // half of 1 and of 0.7
	}
	// A sample over more than T is all there is.
	r := f.Ack(3, 10, stamps(float, 100, []at{{4.5, 28_125, 0}}))
	require.InDelta(t, 0.5, r.U, 1e-12)
}

// TestFirst: the response to the first ACK has the utilisation of a new flow, and no hop.
func TestFirst(t *testing.T) {
	for _, kind := range Kinds {
		f := NewFlow(float, kind, DefaultSpec(), Span[float64]{})
		f.Begin(100)
		r := f.Ack(1, 10, stamps(float, 100, []at{{}, {}}))
		require.Equal(t, Response[float64]{First: true, Hop: -1, U: 1}, *r)
		require.EqualValues(t, 10, f.Last)
		require.Len(t, f.U, map[Kind]int{HPCC: 1, FNCC: 2}[kind])
	}
}
