package swift

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// spec800 is the path of the examples: 800 Gb/s, 6.25 us, packets of 4160 bytes; base target 7.25 us.
func spec800(kind Kind) Spec { return DefaultSpec(kind, 800, 6.25, 4160) }

// TestTarget: the worked examples, and the ends of flow scaling.
func TestTarget(t *testing.T) {
	s := spec800(Plain)
	for w, want := range map[float64]float64{1: 8.719494, 25: 7.413277, 153: 7.25, 0.5: 9.395811, 100: 7.25,
		0.1: 12.25, 0.01: 12.25} {
		f := State{W: w}
		require.InDelta(t, want, f.Target(&s), 1e-6, w)
	}
	s.Hops, s.HopDelay = 3, 0.5
	require.InDelta(t, 8.75, (&State{W: 200}).Target(&s), 1e-12)
}

// TestCuts: the depth follows the excess, no more than half, not within a smoothed round trip of the last cut. A delay
// equal to the target is not below it.
func TestCuts(t *testing.T) {
	s := spec800(Plain)
	for _, c := range []struct {
		delay, last, before, want float64
		did                       Action
	}{
		{9, math.Inf(-1), 0, 84.444444, Cut}, {70, math.Inf(-1), 0, 50, Cut}, {7.25, math.Inf(-1), 0, 100, Cut},
		{9, 13.75, 0, 84.444444, Cut}, {9, 13.76, 0, 100, Hold}, // T stands for srtt
		{9, 11, 9, 84.444444, Cut}, {9, 11.01, 9, 100, Hold},
	} {
		f := State{W: 100, LastCut: c.last}
		require.Equal(t, c.did, f.OnAck(&s, Ack{Now: 20, Delay: c.delay, N: 1, Before: c.before, Srtt: 9}), c)
		require.InDelta(t, c.want, f.W, 1e-6, c)
		if c.want < 100 {
			require.Equal(t, 20.0, f.LastCut)
		} else {
			require.Equal(t, c.last, f.LastCut, "a window that did not fall is no cut")
		}
	}
}

// TestGrowth: n/w from one packet on, n below; bounds; an ACK without a sample does nothing but end a row of timeouts.
func TestGrowth(t *testing.T) {
	s := spec800(Plain)
	for _, c := range []struct{ w, n, want float64 }{
		{100, 1, 100.01}, {100, 4, 100.04}, {1, 1, 2}, {0.5, 1, 1.5}, {0.5, 2, 2.5}, {s.Most, 1, s.Most},
	} {
		f := State{W: c.w, Timeouts: 3}
		require.Equal(t, Grow, f.OnAck(&s, Ack{Delay: 6, N: c.n}))
		require.InDelta(t, c.want, f.W, 1e-12)
		require.Zero(t, f.Timeouts)
	}
	f := State{W: 64, Timeouts: 3}
	require.Equal(t, None, f.OnAck(&s, Ack{N: 1}))
	require.Equal(t, State{W: 64}, f)
}

// TestLosses: holes and timeouts cut by half once per round trip; the fifth timeout in a row resets at any time.
func TestLosses(t *testing.T) {
	s := spec800(Plain)
	f := State{W: 64, LastCut: math.Inf(-1), Timeouts: 2}
	require.Equal(t, Halve, f.OnHole(&s, 10, 7))
	require.Zero(t, f.Timeouts)
	require.Equal(t, None, f.OnHole(&s, 16.9, 7))
	require.Equal(t, Halve, f.OnHole(&s, 17, 7))
	require.Equal(t, 16.0, f.W)
	require.Equal(t, None, f.OnTimeout(&s, 18, 7))
	require.Equal(t, 1, f.Timeouts)
	require.Equal(t, Expire, f.OnTimeout(&s, 24, 7))
	require.Equal(t, 8.0, f.W)
	f.OnTimeout(&s, 24, 7)
	f.OnTimeout(&s, 24, 7)
	require.Equal(t, 8.0, f.W)
	require.Equal(t, Reset, f.OnTimeout(&s, 25, 7))
	require.Equal(t, 0.01, f.W)
	require.Equal(t, 25.0, f.LastCut)
}

// TestAdjacent: LSwift counts runs of adjacent holes across the wrap of packet numbers, each packet once, and holes do
// not cut one by one.
func TestAdjacent(t *testing.T) {
	s := spec800(Loss)
	f := State{W: 64, LastCut: math.Inf(-1)}
	require.Equal(t, None, f.OnHole(&s, 0, 7))
	holes := map[uint32]bool{}
	is := func(psn uint32) bool { return holes[psn] }
	found := func(now float64, psns ...uint32) Action {
		for _, p := range psns {
			holes[p] = true
		}
		return f.OnHoles(&s, now, 7, psns, is)
	}
	wrap := ^uint32(0)
	require.Equal(t, None, found(10, wrap-1, wrap, 1, 2))
	require.Equal(t, Halve, found(11, 0), "with it five are adjacent")
	require.Equal(t, None, found(30, 3, 4, 5, 6), "the five before do not count again")
	require.Equal(t, Halve, found(31, 7))
	require.Equal(t, None, found(32, 20, 21, 22, 23, 24), "too soon after the last cut")
	require.Equal(t, None, found(50, 25, 26), "and used up")
	require.Equal(t, 16.0, f.W)
	f.Forget(20)
	require.False(t, f.used[20])
	plain := spec800(Plain)
	require.Equal(t, None, f.OnHoles(&plain, 100, 7, []uint32{1, 2, 3, 4, 5}, is))
}

// TestRank: the worked examples, in integers: a tenth of 30 is 3.
func TestRank(t *testing.T) {
	for _, c := range []struct{ p, n, want int }{
		{50, 1, 1}, {50, 2, 1}, {50, 4, 2}, {50, 5, 3}, {90, 5, 5}, {10, 30, 3}, {10, 5, 1}, {90, 30, 27},
	} {
		require.Equal(t, c.want, Rank(c.p, c.n), c)
	}
	for _, c := range []struct {
		p    int
		in   []float64
		want float64
	}{
		{50, []float64{7, 12, 7.1, 7.2}, 7.1}, {50, []float64{7, 12, 7.1, 7.2, 11}, 7.2},
		{90, []float64{7, 12, 7.1, 7.2, 11}, 12},
	} {
		s := spec800(Median)
		s.Percentile = c.p
		f := State{W: 10, LastCut: math.Inf(-1)}
		got := 0.0
		for i, d := range c.in {
			got = f.rank(&s, Ack{Now: 10 + float64(i)/100, Delay: d, Srtt: 7})
		}
		require.Equal(t, c.want, got, c)
	}
}

// TestHistory: half the window bounds the samples looked at, History does too, and old ones are dropped.
func TestHistory(t *testing.T) {
	s := spec800(Median)
	see := func(w float64, at ...float64) float64 {
		f := State{W: w}
		got := 0.0
		for i, x := range at {
			got = f.rank(&s, Ack{Now: x, Delay: float64(100 - i), Srtt: 7})
		}
		return got
	}
	require.Equal(t, 98.0, see(1, 1, 1, 1), "one, the newest")
	require.Equal(t, 97.0, see(5.9, 1, 1, 1, 1), "two of them")
	require.Equal(t, 98.0, see(8, 1, 1, 1, 1), "four: 97, 98, 99, 100")
	require.Equal(t, 97.0, see(8, 1, 1, 15.01, 15.01), "the first two are older than 14 us")
	require.Equal(t, 98.0, see(8, 1.01, 1.01, 15.01, 15.01))
	s.History = 2
	require.Equal(t, 97.0, see(100, 1, 1, 1, 1))
	s.Percentile = 90
	require.Equal(t, 98.0, see(100, 1, 1, 1, 1))
}

// TestEquilibrium: n flows on one link settle near w = B target(w)/(n MTU), and the queue is the target less the round
// trip; those of congestion-control.md, section 1, for n of 1, 8 and 32.
func TestEquilibrium(t *testing.T) {
	for n, want := range map[float64]float64{1: 1, 2: 1.0115, 8: 1.182, 32: 1.513, 128: 2.138} {
		s := spec800(Plain)
		w := s.BDP / n
		for range 200 { // the fixed point of the rule
			w = 800 * 125 * (&State{W: w}).Target(&s) / (n * 4160)
		}
		require.InDelta(t, want, (&State{W: w}).Target(&s)-6.25, 1e-3, n)

		// The rule itself, all flows alike, one ACK of each window per round trip of base and queue.
		f := NewState(&s)
		now, low, high := 0.0, math.Inf(1), 0.0
		for i := range 20_000 {
			rtt := max(6.25, n*f.W*4160/100_000)
			now += rtt / max(f.W, 1)
			f.OnAck(&s, Ack{Now: now, Delay: rtt, N: 1, Before: rtt, Srtt: rtt})
			if i > 10_000 {
				low, high = min(low, rtt-6.25), max(high, rtt-6.25)
			}
		}
		require.Less(t, high, want+n*4160/100_000+0.01, "%v flows", n)
		require.LessOrEqual(t, low, want+1e-3) // want has three decimals
		require.Greater(t, high, want-0.01)
	}
}

// TestLossRate: cut by holes every 1/q packets, the window averages sqrt((1/mdf - 1/2) ai/q): 12.247 at q 0.01, and
// the packet model of the facts gives 1.054 of it.
func TestLossRate(t *testing.T) {
	s := spec800(Plain)
	s.Most = 1e9
	f := State{W: 12, LastCut: math.Inf(-1)}
	sent, rounds := 0.0, 0.0
	now := 0.0
	for i := 1; i < 1_000_000; i++ {
		now += 6.25 / f.W
		rounds += 1 / f.W
		sent++
		f.OnAck(&s, Ack{Now: now, Delay: 6.25, N: 1, Before: 6.25, Srtt: 6.25})
		if i%100 == 0 {
			f.OnHole(&s, now, 6.25)
		}
	}
	require.InDelta(t, 1, sent/rounds/12.247, 0.06)
}

func TestSpec(t *testing.T) {
	for _, kind := range []Kind{Plain, Loss, Median} {
		s := spec800(kind)
		require.NoError(t, s.Validate())
		require.InDelta(t, 150.24, s.BDP, 0.01)
		for _, edit := range []func(*Spec){
			func(s *Spec) { s.Beta = 1.1 }, func(s *Spec) { s.Least = 0 }, func(s *Spec) { s.Most = s.Least / 2 },
			func(s *Spec) { s.FSMax = s.FSMin }, func(s *Spec) { s.RTT = math.NaN() }, func(s *Spec) { s.ResetAt = 0 },
		} {
			bad := s
			edit(&bad)
			require.ErrorContains(t, bad.Validate(), "swift spec: ")
		}
	}
	require.Equal(t, "GROW", Grow)
	require.Equal(t, "RESET", Reset)
}
