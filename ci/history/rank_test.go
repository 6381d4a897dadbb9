package history_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/history"
)

// ranked returns the ranking of the newest n campaigns.
func ranked(t *testing.T, db string, n int) *history.Ranking {
	t.Helper()
	return history.NewRanking(past(t, db, "smoke", n))
}

func titles(r *history.Ranking) (out []string) {
	for _, x := range r.Tests {
		out = append(out, fmt.Sprintf("%s new %d own %d hit %d", x.Test, x.New, x.Own, x.Hit))
	}
	return out
}

// A cheap test comes before a thorough but expensive one; bins that every run hits count for the first.
func TestRank(t *testing.T) {
	db := filepath.Join(t.TempDir(), "history.db")
	cheap, dear := record("cheap", "random", 1, "a", "b"), record("dear", "random", 1, "c")
	odd := record("odd", "random", 1)
	odd.Run.Params = map[string]int{"N": 1} // its own size
	none := record("none", "random", 1)
	none.Result.Bins = 0
	for i, r := range []*campaign.Record{&cheap, &dear, &odd} {
		r.Result.Bins = 10
		r.Cost.CPU = []float64{1, 100, 2}[i]
	}
	_, err := add(t, db, folder(t, "smoke", 1, dear, none, odd, cheap))
	require.NoError(t, err)
	r := ranked(t, db, 1)
	// Both hit seven unnamed bins of ten.
	require.Equal(t, []string{"cheap new 8 own 1 hit 8", "odd new 10 own 10 hit 10", "dear new 2 own 2 hit 9"}, titles(r))
	require.Equal(t, 20, r.Bins)
	require.Equal(t, []string{"cheap random", "odd random", "dear random"}, r.Set)
	require.Empty(t, r.Nothing)
	require.Equal(t, []string{"none random"}, r.NotRanked)

	// On another night the expensive test hits all.
	all := dear
	x := *dear.Result
	x.Missed = nil
	all.Result = &x
	_, err = add(t, db, folder(t, "smoke", 2, all, odd, cheap))
	require.NoError(t, err)
	r = ranked(t, db, 2)
	require.Equal(t, []string{"odd random", "dear random"}, r.Set)
	require.Equal(t, []string{"cheap random"}, r.Nothing)
	var text strings.Builder
	require.NoError(t, r.WriteText(&text))
	require.Contains(t, text.String(), "2 of 3 tests, 102.0 of 103.0 CPU seconds.")

	// A night on which the block had other bins does not count.
	for _, r := range []*campaign.Record{&cheap, &dear, &odd} {
		x := *r.Result
		x.Bins = 11
		r.Result = &x
	}
	_, err = add(t, db, folder(t, "smoke", 3, failing(dear, "f", "ACK"), odd, cheap))
	require.NoError(t, err)
	r = ranked(t, db, 3)
	require.Len(t, r.Set, 3)
	text.Reset()
	require.NoError(t, r.WriteText(&text))
	require.Contains(t, text.String(), "the newest campaign ended as\nfailed")
}

// The set hits every bin that any test hits, none of its tests can be left out, it is close to the smallest possible,
// and the order of the plan does not matter.
func TestSmallestSet(t *testing.T) {
	const tests, bins = 8, 12
	more, best := 0, 0
	for round := range 20 {
		rng := rand.New(rand.NewPCG(7, uint64(round)))
		var records []campaign.Record
		hits := map[string]uint{}
		all := uint(0)
		for i := range tests {
			var missed []string
			name := fmt.Sprintf("t%d", i)
			for b := range bins {
				if rng.IntN(4) > 0 {
					missed = append(missed, fmt.Sprintf("bin%02d", b))
				} else {
					hits[name] |= 1 << b
				}
			}
			hits[name] |= 1 << bins // a bin that all hit
			all |= hits[name]
			r := record(name, "random", 1, missed...)
			r.Result.Bins = bins + 1
			r.Cost.CPU = 1 + float64(rng.IntN(3))
			records = append(records, r)
		}
		db, turned := filepath.Join(t.TempDir(), "a.db"), filepath.Join(t.TempDir(), "b.db")
		_, err := add(t, db, folder(t, "smoke", 1, records...))
		require.NoError(t, err)
		slices.Reverse(records)
		_, err = add(t, turned, folder(t, "smoke", 1, records...))
		require.NoError(t, err)
		r := ranked(t, db, 1)
		require.Equal(t, r.Set, ranked(t, turned, 1).Set)
		require.Equal(t, titles(r), titles(ranked(t, turned, 1)))
		require.Equal(t, bits.OnesCount(all), r.Bins)
		require.Len(t, r.Nothing, tests-len(r.Set))
		union := func(without int) (u uint) {
			for i, name := range r.Set {
				if i != without {
					u |= hits[strings.TrimSuffix(name, " random")]
				}
			}
			return u
		}
		require.Equal(t, all, union(-1))
		for i := range r.Set {
			require.NotEqual(t, all, union(i), "%s can be left out", r.Set[i])
		}
		new := 0
		for _, x := range r.Tests {
			new += x.New
		}
		require.Equal(t, r.Bins, new)
		smallest := tests
		for choice := range uint(1 << tests) {
			u := uint(0)
			for i := range tests {
				if choice>>i&1 == 1 {
					u |= hits[fmt.Sprintf("t%d", i)]
				}
			}
			if u == all {
				smallest = min(smallest, bits.OnesCount(choice))
			}
		}
		require.LessOrEqual(t, len(r.Set), smallest+1)
		more, best = more+len(r.Set), best+smallest
	}
	t.Logf("%d tests in 20 sets, %d in the smallest", more, best)
}
