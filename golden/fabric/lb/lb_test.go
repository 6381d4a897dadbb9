package lb

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func newLB(t *testing.T, k Kind) Balancer {
	t.Helper()
	b, err := New(k, Config{Paths: 8, Label: 0x40, Rand: rand.NewPCG(1, 2), Freeze: 100})
	require.NoError(t, err)
	return b
}

// turn returns how often each path is chosen in n picks.
func turn(b Balancer, n int) (count [8]int) {
	for range n {
		count[b.Next(0)&7]++
	}
	return count
}

func TestRefuses(t *testing.T) {
	_, err := New("magic", Config{Paths: 8, Rand: rand.NewPCG(1, 2)})
	require.ErrorContains(t, err, `"magic": want one of oblivious, bitmap`)
	for _, n := range []int{0, 3, 1 << 16} {
		_, err = New(OPS, Config{Paths: n, Rand: rand.NewPCG(1, 2)})
		require.ErrorContains(t, err, "power of two")
	}
	_, err = New(OPS, Config{Paths: 8})
	require.ErrorContains(t, err, "no random generator")
	for _, k := range Kinds() {
		got, err := Parse(string(k))
		require.NoError(t, err)
		require.Equal(t, k, got)
	}
}

func TestTurns(t *testing.T) {
	for _, k := range []Kind{Oblivious, Bitmap, Mixed} {
		require.Equal(t, [8]int{2, 2, 2, 2, 2, 2, 2, 2}, turn(newLB(t, k), 16), k)
	}
	b := newLB(t, ECMP)
	require.Equal(t, b.Next(0), b.Next(9))
	for _, n := range turn(newLB(t, OPS), 8000) {
		require.InDelta(t, 1000, n, 150)
	}
}

// TestPenalties: a path with penalty n is passed over n times.
func TestPenalties(t *testing.T) {
	for f, n := range map[Feedback]int{Good: 0, ECN: 1, Nack: 4, Timeout: 15} {
		b := newLB(t, Bitmap)
		b.Feedback(3, f, 0)
		count := turn(b, 7*n)
		require.Zero(t, count[3], "%v", f)
		require.Equal(t, 1, turn(b, 8)[3])
	}
	b := newLB(t, Bitmap)
	for range 9 {
		b.Feedback(5, Nack, 0)
	}
	require.Zero(t, turn(b, 7*15)[5])
	require.Equal(t, 1, turn(b, 8)[5], "the cap")
	for p := range uint16(8) {
		b.Feedback(p, Timeout, 0)
	}
	b.Next(0) // ends although every path has a penalty
}

func TestREPS(t *testing.T) {
	b := newLB(t, REPS)
	for e := range uint16(10) {
		b.Feedback(e, Good, 0)
	}
	b.Feedback(99, ECN, 0)
	for e := uint16(2); e < 10; e++ {
		require.Equal(t, e, b.Next(0), "oldest of the last eight first")
	}
	b.Feedback(1, Timeout, 1000)
	seen := map[uint16]bool{}
	for range 50 {
		e := b.Next(1099)
		require.True(t, e >= 2 && e < 10, "frozen: only cached entropies, got %d", e)
		seen[e] = true
	}
	require.Len(t, seen, 8)
	for range 50 {
		require.Equal(t, uint16(0x40), b.Next(1100)&^7, "thawed: drawn")
	}
}

func TestMixedRecyclesFirst(t *testing.T) {
	b := newLB(t, Mixed)
	b.Feedback(6, Good, 0)
	b.Feedback(5, ECN, 0)
	b.Feedback(6, Good, 0)
	require.Equal(t, uint16(6), b.Next(0))
	require.Equal(t, uint16(6), b.Next(0))
	require.Zero(t, turn(b, 7)[5], "the bitmap knows of the mark")
}

// TestREPSFewEntropies: a frozen ring of one entropy, stored once or eight times,
// does not put the flow on one path; each place that says nothing new explores.
func TestREPSFewEntropies(t *testing.T) {
	for _, times := range []int{1, ringSize} {
		b := newLB(t, REPS)
		for range times {
			b.Feedback(3, Good, 0)
		}
		for range times {
			require.Equal(t, uint16(3), b.Next(0))
		}
		b.Feedback(1, Timeout, 0)
		cached := 0
		seen := map[uint16]bool{}
		for range 8 * 100 {
			e := b.Next(50)
			if e == 3 {
				cached++ // drawn ones have the label
			}
			seen[e&7] = true
		}
		require.Equal(t, 100, cached, "%d times", times)
		require.Len(t, seen, 8)
	}
}

// TestProbesTakeNothing: what Next returns does not depend on probes between, and
// probes stay within the connection's entropies.
func TestProbesTakeNothing(t *testing.T) {
	for _, k := range Kinds() {
		b := newLB(t, k)
		for e := range uint16(5) {
			b.Feedback(e, Good, 0)
		}
		seen := map[uint16]bool{}
		for range 200 {
			seen[b.Probe()] = true
		}
		if k == ECMP {
			require.Equal(t, map[uint16]bool{b.Next(0): true}, seen)
			continue
		}
		require.Len(t, seen, 8, k)
		for e := range seen {
			require.Equal(t, uint16(0x40), e&^7, k)
		}
		if k == REPS || k == Mixed {
			for e := range uint16(5) {
				require.Equal(t, e, b.Next(0), k)
			}
		} else if k != OPS && k != AR {
			require.Equal(t, [8]int{1, 1, 1, 1, 1, 1, 1, 1}, turn(b, 8), k)
		}
	}
}
