package smartt

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// at150 is the flow of the examples: T 12, BDP 150000, MTU 4096, c 150000.
func at150() (Spec, State) {
	s := DefaultSpec(100, 12, 4096)
	f := NewState(&s)
	f.C = 150_000
	return s, f
}

// TestExamples are the worked examples, and each rule's two parts.
func TestExamples(t *testing.T) {
	for _, c := range []struct {
		rtt    float64
		marked bool
		want   float64
		did    Action
	}{
		{12, false, 150139.810133, MI}, {40, true, 142716.678485, MD}, {20, true, 145921.895697, MD},
		{17.9, true, 150000 - 0.8*4096, FD}, {18, true, 150000 - 0.8*4096, MD}, {18, false, 150000 + 27.962027, FI},
		{0.001, false, 150000 + 4096 + 27.962027, MI}, // the cap is on the proportional part
		{1e6, true, (150000 - 4096) * (1 - 0.8*4096/150000), MD},
	} {
		s, f := at150()
		require.Equal(t, c.did, f.OnAck(&s, Ack{RTT: c.rtt, Marked: c.marked, Bytes: 4096}), c)
		require.InDelta(t, c.want, f.C, 1e-6, c)
	}
}

// TestWaitToDecrease: of three marks only the third cuts.
func TestWaitToDecrease(t *testing.T) {
	s, f := at150()
	s.Wait = true
	for _, want := range []Action{Wait, Wait, MD} {
		require.Equal(t, want, f.OnAck(&s, Ack{RTT: 40, Marked: true, Bytes: 4096}))
	}
	require.InDelta(t, 142716.678485, f.C, 1e-6)
	require.InDelta(t, 0.330078, f.Marks, 1e-6)
}

// TestBounds: from one MTU to 1.25 BDP; a loss takes its packet; no sample, no change.
func TestBounds(t *testing.T) {
	s, f := at150()
	require.Equal(t, 187_500.0, NewState(&s).C)
	for range 1000 {
		f.OnAck(&s, Ack{RTT: 12, Bytes: 4096})
	}
	require.Equal(t, 187_500.0, f.C)
	require.Equal(t, Loss, f.OnLoss(&s, 4000))
	require.Equal(t, 183_500.0, f.C)
	require.Equal(t, None, f.OnAck(&s, Ack{Bytes: 4096, Marked: true}))
	require.Equal(t, 183_500.0, f.C)
	require.Equal(t, 0.125, f.Marks)
	for range 1000 {
		f.OnAck(&s, Ack{RTT: 100, Marked: true, Bytes: 4096})
	}
	require.Equal(t, 4096.0, f.C)
	f.OnLoss(&s, 4096)
	require.Equal(t, 4096.0, f.C)
}

// TestQuickAdapt: a loss sets the window to what a target round trip brought, and the ACKs of what is in flight then
// are ignored. Without the option nothing of it happens.
func TestQuickAdapt(t *testing.T) {
	s, f := at150()
	f.OnLoss(&s, 4096)
	require.Equal(t, FI, f.OnAck(&s, Ack{Now: 100, RTT: 40, Bytes: 4096}))
	s.QuickAdapt = true
	f = NewState(&s)
	require.Equal(t, FI, f.OnAck(&s, Ack{Now: 10, RTT: 40, Bytes: 4096}), "a window begins")
	f.OnLoss(&s, 4096)
	for range 3 {
		require.Equal(t, FI, f.OnAck(&s, Ack{Now: 27.9, RTT: 40, Bytes: 4096}))
	}
	require.Equal(t, Quick, f.OnAck(&s, Ack{Now: 28, RTT: 40, Bytes: 4096, Inflight: 6000}))
	require.Equal(t, 4*4096.0, f.C)
	for range 2 {
		require.Equal(t, Skip, f.OnAck(&s, Ack{Now: 29, RTT: 40, Marked: true, Bytes: 4096}))
	}
	require.Equal(t, MD, f.OnAck(&s, Ack{Now: 30, RTT: 40, Marked: true, Bytes: 4096}))
	require.Equal(t, FI, f.OnAck(&s, Ack{Now: 46, RTT: 40, Bytes: 4096}), "no loss since")
}

// TestFastIncrease: after more than a window without congestion each ACK adds twice its bytes, until a mark or a round
// trip of 1.05 base round trips.
func TestFastIncrease(t *testing.T) {
	s, f := at150()
	s.FastIncrease = true
	f.C = 20_000
	clean := Ack{RTT: 12.59, Bytes: 4096}
	for f.OnAck(&s, clean) == MI {
		require.LessOrEqual(t, f.Clean, f.C)
	}
	require.True(t, f.Fast)
	require.Greater(t, f.Clean, 20_000.0)
	c := f.C
	require.Equal(t, Fast, f.OnAck(&s, clean))
	require.Equal(t, c+8192, f.C)
	require.Equal(t, MI, f.OnAck(&s, Ack{RTT: 12.61, Bytes: 4096}))
	require.Equal(t, MI, f.OnAck(&s, clean))
}

// TestFairness: two windows that see the same marks come together.
func TestFairness(t *testing.T) {
	s, a := at150()
	b := a
	b.C = 15_000
	var owed [2]float64
	for range 200_000 {
		total := a.C + b.C
		rtt := 12 * max(1, total/s.BDP)
		for i, f := range []*State{&a, &b} {
			if owed[i] += f.C / total; owed[i] >= 1 { // ACKs in proportion to windows
				owed[i]--
				f.OnAck(&s, Ack{RTT: rtt, Marked: rtt > 15, Bytes: 4096})
			}
		}
	}
	require.InDelta(t, 1, a.C/b.C, 0.1)
}

func TestSpec(t *testing.T) {
	s, _ := at150()
	require.NoError(t, s.Validate())
	for _, edit := range []func(*Spec){
		func(s *Spec) { s.Most = 1 }, func(s *Spec) { s.FD = -1 }, func(s *Spec) { s.MTU = 0 },
		func(s *Spec) { s.Target = math.NaN() },
	} {
		bad := s
		edit(&bad)
		require.ErrorContains(t, bad.Validate(), "smartt spec: ")
	}
	require.Equal(t, "WAIT", Wait)
}
