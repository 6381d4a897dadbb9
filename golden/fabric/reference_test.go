package fabric

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// seedsOf runs spec with seeds 1 to n in parallel and returns the results.
func seedsOf(t testing.TB, spec Spec, n int, opts ...Option) []*Result {
	t.Helper()
	out := make([]*Result, n)
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		s := spec
		s.Seed = uint64(i + 1)
		g.Go(func() error {
			r, err := Run(t.Context(), s, opts...)
			if err != nil {
				return err
			}
			out[i] = r
			return r.Verify()
		})
	}
	require.NoError(t, g.Wait())
	return out
}

// TestReferenceRows compares the mean of five seeds with the published rows of
// the reference simulator: completion times in microseconds and retransmitted
// packets.
func TestReferenceRows(t *testing.T) {
	for _, c := range []struct {
		preset, set    string
		mean, p99, tol float64
		fresh          uint64
		rtx            float64
	}{
		{"htsim/permutation-400g", "", 59.8, 64.2, 0.05, 62720, 0},
		{"htsim/permutation-100g", "", 192.6, 201.8, 0.05, 62720, 0},
		{"htsim/incast32-400g", "", 1073, 1340, 0.10, 15680, 6562},
		// The ordinary presets have nearly the same conditions.
		{"fattree128/permutation", "cc=nscc-htsim", 59.8, 64.2, 0.05, 62720, 0},
		{"fattree128/permutation", "cc=nscc-htsim link.gbps=100", 192.6, 201.8, 0.05, 62720, 0},
		{"fattree128/incast32", "cc=nscc-htsim", 1073, 1340, 0.10, 15680, 6562},
		{"fattree128/permutation", "cc=nscc", 59.8, 64.2, 0.05, 62720, 0},
		{"fattree128/permutation", "cc=nscc link.gbps=100", 192.6, 201.8, 0.05, 62720, 0},
		{"fattree128/incast32", "cc=nscc", 1073, 1340, 0.10, 15680, 6562},
	} {
		t.Run(c.preset+" "+c.set, func(t *testing.T) {
			p, err := Lookup(c.preset)
			require.NoError(t, err)
			for _, kv := range strings.Fields(c.set) {
				k, v, _ := strings.Cut(kv, "=")
				require.NoError(t, p.Spec.Set(k, v))
			}
			mean, p99, rtx, text := 0.0, 0.0, 0.0, ""
			const seeds = 5
			for _, r := range seedsOf(t, p.Spec, seeds) {
				f := r.FCT()
				require.Equal(t, c.fresh, r.Counters.NewPackets)
				mean += f.Mean / seeds
				p99 += f.P99 / seeds
				rtx += float64(r.Counters.Retransmits) / seeds
				text += fmt.Sprintf(" %.1f/%.1f/%d", f.Mean, f.P99, r.Counters.Retransmits)
			}
			t.Logf("mean %.1f (%+.1f %%) p99 %.1f (%+.1f %%) rtx %.0f (want %.0f); seeds%s",
				mean, 100*(mean/c.mean-1), p99, 100*(p99/c.p99-1), rtx, c.rtx, text)
			require.InEpsilon(t, c.mean, mean, c.tol, "mean")
			require.InEpsilon(t, c.p99, p99, c.tol, "p99")
			if c.rtx == 0 {
				// The published run, of one seed, has none; so have many of ours.
				require.Less(t, rtx, 2e-4*float64(c.fresh))
			} else {
				require.InEpsilon(t, c.rtx, rtx, 0.25, "retransmissions")
			}
		})
	}
}
