package smartt

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDefaults are those of congestion-control.md, section 3: BDP 150000, target 1.5 T, largest window 1.25 BDP, and no
// less than a packet.
func TestDefaults(t *testing.T) {
	require.Equal(t, Spec{
		RTT: 12, BDP: 150_000, MTU: 4096, Target: 18, Most: 187_500, MI: 2, MD: 2, FI: 0.25, FD: 0.8,
		WaitGain: 0.125, WaitFrom: 0.25,
	}, DefaultSpec(100, 12, 4096))
	require.Equal(t, 4096.0, DefaultSpec(1, 1, 4096).Most)
}

// TestEndsOfQuickAdapt: what was achieved sets the window from one MTU to the largest; what is in flight then, and no
// less than nothing, is ignored byte by byte; another window begins.
func TestEndsOfQuickAdapt(t *testing.T) {
	s := DefaultSpec(100, 12, 4096)
	s.QuickAdapt = true
	f := State{C: 150_000, Armed: true, End: 28, Achieved: 300_000}
	require.Equal(t, Quick, f.OnAck(&s, Ack{Now: 28, RTT: 40, Bytes: 4096, Inflight: -5}))
	require.Equal(t, State{C: 187_500, End: 46}, f)
	f = State{C: 150_000, Armed: true, End: 28}
	require.Equal(t, Quick, f.OnAck(&s, Ack{Now: 28, RTT: 40, Bytes: 100, Inflight: 1}))
	require.Equal(t, State{C: 4096, End: 46, Ignore: 1}, f)
	f = State{C: 150_000, Ignore: 5000, End: 100}
	require.Equal(t, Skip, f.OnAck(&s, Ack{Now: 29, RTT: 40, Bytes: 4096}))
	require.Equal(t, State{C: 150_000, Ignore: 904, End: 100, Achieved: 4096}, f)
	require.Equal(t, Skip, f.OnAck(&s, Ack{Now: 30, RTT: 40, Bytes: 4096}))
	require.Equal(t, State{C: 150_000, End: 100, Achieved: 8192}, f)
	require.Equal(t, FI, f.OnAck(&s, Ack{Now: 31, RTT: 40, Bytes: 4096}))
	f = State{C: 150_000, Ignore: 5000, End: 28}
	require.Equal(t, Skip, f.OnAck(&s, Ack{Now: 28, RTT: 40, Bytes: 4096}), "the end of a window ends no ignoring")
	require.Equal(t, State{C: 150_000, Ignore: 904, End: 46}, f)
	f = State{C: 150_000, Ignore: 1, End: 100}
	require.Equal(t, Skip, f.OnAck(&s, Ack{Now: 29, RTT: 40, Bytes: 0.5}))
	require.Equal(t, Skip, f.OnAck(&s, Ack{Now: 29, RTT: 40, Bytes: 0.5}), "half a byte is left")
	require.Equal(t, FI, f.OnAck(&s, Ack{Now: 29, RTT: 40, Bytes: 4096}))
}

// TestEndsOfFastIncrease: it begins above a window's bytes, stays on, stops at the largest window, and ends with a
// mark, at 1.05 base round trips and with a loss.
func TestEndsOfFastIncrease(t *testing.T) {
	s := DefaultSpec(100, 12, 4096)
	s.FastIncrease = true
	f := State{C: 8192, Clean: 4096}
	require.Equal(t, MI, f.OnAck(&s, Ack{RTT: 12, Bytes: 4096}), "as many as the window")
	f = State{C: 186_000, Clean: 1, Fast: true}
	require.Equal(t, Fast, f.OnAck(&s, Ack{RTT: 12, Bytes: 4096}))
	require.Equal(t, State{C: 187_500, Clean: 4097, Fast: true}, f)
	for _, end := range []Ack{{RTT: 12, Marked: true, Bytes: 4096}, {RTT: fastBelow * s.RTT, Bytes: 4096}} {
		f = State{C: 150_000, Clean: 9, Fast: true}
		require.NotEqual(t, Fast, f.OnAck(&s, end))
		require.False(t, f.Fast)
		require.Zero(t, f.Clean)
	}
	f = State{C: 150_000, Clean: 9, Fast: true}
	f.OnLoss(&s, 4096)
	require.Equal(t, State{C: 145_904, Armed: true}, f)
}

// TestEdges: a sample of half a microsecond is one; an average of marks at the threshold lets the window fall.
func TestEdges(t *testing.T) {
	s, f := at150()
	require.Equal(t, MI, f.OnAck(&s, Ack{RTT: 0.5, Bytes: 4096}))
	s.Wait, s.WaitGain, s.WaitFrom = true, 0.5, 0.5
	f = State{C: 150_000}
	require.Equal(t, MD, f.OnAck(&s, Ack{RTT: 40, Marked: true, Bytes: 4096}))
}

// TestEveryAckCounts: one without a sample counts for quick adapt, and one that is ignored for the average of marks.
func TestEveryAckCounts(t *testing.T) {
	s := DefaultSpec(100, 12, 4096)
	s.QuickAdapt = true
	f := State{C: 150_000, End: 100}
	require.Equal(t, None, f.OnAck(&s, Ack{Now: 29, Bytes: 4096}))
	require.Equal(t, State{C: 150_000, End: 100, Achieved: 4096}, f)
	f.Ignore = 5000
	require.Equal(t, Skip, f.OnAck(&s, Ack{Now: 30, RTT: 40, Marked: true, Bytes: 4096}))
	require.Equal(t, 0.125, f.Marks)
}
