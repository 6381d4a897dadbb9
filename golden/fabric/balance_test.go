package fabric

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/lb"
)

// tiers are the balancers from best to worst at the tail. Those that see every
// mark and keep away from the path are best. Adaptive routing sees only the
// switch's own queues, not those further on; REPS reuses what was clean a round
// trip ago, eight paths at a time. Those that do not learn meet the same
// collisions again and again: turns and draws are alike, which one is ahead
// changes with the seed. One path for a whole flow collides for all of its life.
var tiers = [][]lb.Kind{{lb.Bitmap, lb.Mixed}, {lb.AR, lb.REPS}, {lb.Oblivious, lb.OPS}, {lb.ECMP}}

// TestBalancersSideBySide compares the balancers on the permutation of 128 hosts
// at 400G: the order of the tiers by p99 holds for at least four of five seeds
// with flows of 8 MB, which take FABRIC_LONG. Flows of 1 MB end before anything
// is learnt: they only show that one path is worse than any spraying.
func TestBalancersSideBySide(t *testing.T) {
	p, err := Lookup("fattree128/balancers")
	require.NoError(t, err)
	s := p.Spec
	tiers := tiers
	if !long() {
		s.FlowBytes = 1_000_000
		tiers = [][]lb.Kind{slices.Concat(tiers[:3]...), tiers[3]}
	}
	const seeds = 5
	tail := map[lb.Kind][]float64{}
	for _, kind := range lb.Kinds() {
		s.LB = kind
		var p50 []float64
		for _, r := range seedsOf(t, s, seeds) {
			f := r.FCT()
			tail[kind] = append(tail[kind], f.P99)
			p50 = append(p50, f.P50)
		}
		t.Logf("%-10s p50 %.1f p99 %.1f", kind, p50, tail[kind])
	}
	for i := range len(tiers) - 1 {
		holds := 0
		for seed := range seeds {
			worst, best := 0.0, tail[tiers[i+1][0]][seed]
			for _, k := range tiers[i] {
				worst = max(worst, tail[k][seed])
			}
			for _, k := range tiers[i+1] {
				best = min(best, tail[k][seed])
			}
			if worst < best {
				holds++
			}
		}
		t.Logf("%v before %v: %d of %d seeds", tiers[i], tiers[i+1], holds, seeds)
		require.GreaterOrEqual(t, holds, seeds-1, "%v before %v", tiers[i], tiers[i+1])
	}
}
