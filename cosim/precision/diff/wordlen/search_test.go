package wordlen

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// each calls f for every point from lo to hi.
func each(lo, hi point, f func(point)) {
	p := append(point(nil), lo...)
	for {
		f(append(point(nil), p...))
		v := 0
		for ; v < len(p); v++ {
			if p[v]++; p[v] <= hi[v] {
				break
			}
			p[v] = lo[v]
		}
		if v == len(p) {
			return
		}
	}
}

// On errors that add up, the search ends within one bit of the exhaustive optimum in at most 5 % of its evaluations.
func TestSearchAgainstExhaustive(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		n, asked := 4, map[string]bool{}
		share, most := make([]float64, n), 0
		s := &search{lo: make(point, n), hi: make(point, n)}
		for v := range n {
			s.hi[v] = 8 + r.IntN(5)
			s.weight = append(s.weight, 1+r.IntN(4))
			share[v] = math.Exp2(6 * r.Float64())
			most = max(most, s.weight[v])
		}
		judge := func(p point) verdict {
			sum, worst := 0.0, 0.0
			for v, x := range p {
				sum += share[v] * math.Exp2(-float64(x))
				worst = max(worst, share[v]*math.Exp2(-float64(x)))
			}
			return verdict{sum <= 1, sum + worst/8}
		}
		if !judge(s.hi).keeps {
			continue
		}
		s.ask = func(_ context.Context, ps []point) (out []verdict, _ error) {
			for _, p := range ps {
				asked[p.key()] = true
				out = append(out, judge(p))
			}
			return out, nil
		}
		got, err := s.run(t.Context())
		require.NoError(t, err)
		require.True(t, judge(got).keeps)
		best, grid := math.MaxInt, 0
		each(s.lo, s.hi, func(p point) {
			grid++
			if judge(p).keeps {
				best = min(best, s.cost(p))
			}
		})
		require.LessOrEqual(t, s.cost(got), best+most, "seed %d", seed)
		require.LessOrEqual(t, len(asked)*20, grid, "seed %d", seed)
	}
}

func small() Spec {
	return Spec{Sources: []string{"fabric:incast32"}, Seeds: []uint64{1}, HeldOut: []uint64{101}, Events: 15_000,
		Modes: []diff.Mode{diff.Free}, Values: Defaults(), Errors: []Bound{{"cwnd", 64}}, Flips: 10, Integers: Observed,
		Guard: 1}
}

// upTo runs the first steps of a search.
func upTo(t *testing.T, spec Spec, steps ...func(*run, context.Context) error) *run {
	t.Helper()
	r := &run{Spec: spec, contract: ccc.Formats(), index: map[string]int{}, res: new(Result)}
	require.NoError(t, r.check(r.contract))
	for _, step := range steps {
		require.NoError(t, step(r, t.Context()))
	}
	return r
}

// On four formats of the rules, played on the fabric's events, the search ends within one bit of the exhaustive optimum
// in at most 5 % of its evaluations: five numbers of fraction bits for each value, and twelve with GOLDWIRE_LONG.
func TestFourFormatsAgainstExhaustive(t *testing.T) {
	spec := small()
	spec.Values = []Range{{"avg_delay", 4, 8}, {"GAMMA", 7, 11}, {"ratio", 12, 16}, {"factor", 12, 16}}
	spec.Events = 12_000
	if os.Getenv("GOLDWIRE_LONG") != "" {
		spec.Values = []Range{{"avg_delay", 1, 12}, {"GAMMA", 4, 15}, {"ratio", 5, 16}, {"factor", 7, 18}}
		spec.Events = 15_000
	}
	r := upTo(t, spec, (*run).record, (*run).ranges, (*run).narrow, (*run).find, (*run).front, (*run).confirm)
	require.Len(t, r.dims, 4)
	require.LessOrEqual(t, float64(r.res.Search), 0.05*r.res.Grid)
	var won point
	for _, x := range r.tried {
		if p, err := r.point(x); err == nil && p.Cost == r.res.Winner.Cost && x.keeps {
			won = x.p
		}
	}
	var all []point
	each(r.s.lo, r.s.hi, func(p point) { all = append(all, p) })
	require.EqualValues(t, r.res.Grid, len(all))
	got, err := r.ask(t.Context(), all)
	require.NoError(t, err)
	best, bit := math.MaxInt, 0
	for i, p := range all {
		if got[i].keeps {
			best = min(best, r.s.cost(p))
		}
	}
	for _, w := range r.s.weight {
		bit = max(bit, w)
	}
	require.LessOrEqual(t, r.s.cost(won), best+bit)
	require.Greater(t, best, r.s.cost(r.s.lo), "bounds that bind")
	t.Logf("%d of %d evaluations; cost %d, optimum %d, a bit costs up to %d", r.res.Search, len(all), r.s.cost(won),
		best, bit)
}
