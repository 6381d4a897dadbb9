package triage_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/revision"
)

// The least purity and the most buckets of a fault that the key reaches below. Some faults of one block, those in its
// FIFOs and credits most of all, show themselves in the same fields and events: only other designs, or a fix, tell them
// apart.
const (
	leastPurity = 0.83
	mostBuckets = 1.5
)

// Failures of planted faults fall into buckets of one fault each, and few for each fault. The faults are the first two
// of the draw in each of three blocks: they are not chosen.
func TestPurity(t *testing.T) {
	if os.Getenv("GOLDWIRE_LONG") == "" {
		t.Skip("set GOLDWIRE_LONG=1 to plant faults")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	program := filepath.Join(dir, "goldwire")
	require.NoError(t, revision.Build(t.Context(), root, program))
	buckets := map[string]map[string]int{} // runs by bucket and fault
	faults, runs := 0, 0
	for _, block := range []string{"txstate", "egress", "intmd"} {
		for _, fault := range []string{"1", "2"} {
			rtl := filepath.Join(dir, block+"."+fault)
			_, err := revision.Output(t.Context(), root, program, "faults", "plant", "--block", block, "--fault", fault,
				"-o", rtl)
			require.NoError(t, err)
			found := 0
			for seed := uint64(1); seed <= 8; seed++ {
				run := plan.Run{ID: "a", Test: block, Block: block, Source: "random", Seed: seed, Events: 20000, Seconds: 600,
					MemoryMB: 4096, Args: []string{"cosim", "--block", block, "--rtl", rtl, "--source", "random", "--seed",
						fmt.Sprint(seed), "--events", "20k", "--json", plan.JSON}}
				r, err := campaign.Once(t.Context(), root, program, &run, filepath.Join(dir, "run"))
				require.NoError(t, err)
				if r.Outcome == campaign.Passed {
					continue // random events do not find it with this seed
				}
				require.Equal(t, campaign.Failed, r.Outcome, r.Reason)
				key := campaign.KeyOf(&run, r.Result.Failure)
				if buckets[key.Name()] == nil {
					buckets[key.Name()] = map[string]int{}
				}
				buckets[key.Name()][rtl]++
				found++
			}
			if found > 0 {
				faults, runs = faults+1, runs+found
			}
		}
	}
	pure, pairs := 0, 0
	for _, of := range buckets {
		most := 0
		for _, n := range of {
			most = max(most, n)
		}
		pure, pairs = pure+most, pairs+len(of)
	}
	require.Positive(t, faults)
	purity, each := float64(pure)/float64(runs), float64(pairs)/float64(faults)
	t.Logf("%d failures of %d faults in %d buckets: purity %.2f, %.2f buckets a fault", runs, faults, len(buckets), purity,
		each)
	require.Equal(t, 6, faults, "every one of them was found before")
	require.GreaterOrEqual(t, purity, leastPurity)
	require.LessOrEqual(t, each, mostBuckets)
}
