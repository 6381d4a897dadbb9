package fabric

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// TestSummaryOfNothing: where no flow finished JSON says null, not 0, and names
// the flows of each run.
func TestSummaryOfNothing(t *testing.T) {
	s := settings.DefaultSpec()
	s.K, s.MaxTime = 4, 5*units.Microsecond
	runs, err := RunSeeds(t.Context(), s, []uint64{1, 2}, nil)
	require.NoError(t, err)
	text, err := json.Marshal(result.Summarise(time.Second, runs...))
	require.NoError(t, err)
	var all map[string]any
	require.NoError(t, json.Unmarshal(text, &all))
	list := all["runs"].([]any)
	require.Len(t, list, 2)
	for _, one := range append(list, all) {
		m := one.(map[string]any)
		for _, k := range []string{"cct_us", "cct_bound_us", "goodput_gbps", "jain"} {
			require.Contains(t, m, k)
			require.Nil(t, m[k], k)
		}
		fct := m["fct_us"].(map[string]any)
		for _, k := range []string{"mean", "p50", "p99", "max"} {
			require.Contains(t, fct, k)
			require.Nil(t, fct[k], k)
		}
		require.Equal(t, []any{}, m["slowdown"])
		require.NotEmpty(t, m["unfinished"])
	}
	for _, k := range []string{"seconds", "rss_mb"} {
		require.NotContains(t, list[0], k, "of the machine, which the runs share")
	}
	s.MaxTime = 0
	s.FlowBytes = 9000
	one, err := Run(t.Context(), s)
	require.NoError(t, err)
	text, err = json.Marshal(result.Summarise(0, one, one))
	require.NoError(t, err)
	require.NotContains(t, string(text), "null")
	var back result.Summary
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, one.FCT(), back.Runs[0].FCT)
}

// TestWatchingMovesNothing: depth samples change neither the end of a run nor its
// counters.
func TestWatchingMovesNothing(t *testing.T) {
	s := settings.DefaultSpec()
	s.K, s.FlowBytes = 4, 30_000
	a := verified(t, s)
	b := verified(t, s, WithDepth(7*units.Microsecond))
	require.Equal(t, a.Time, b.Time)
	require.Equal(t, a.Counters, b.Counters)
	require.Equal(t, a.Digest, b.Digest)
	require.GreaterOrEqual(t, b.Depth.Points[len(b.Depth.Points)-1].Time, b.Time, "the last sample sees empty queues")
	text, err := json.Marshal(b.Depth)
	require.NoError(t, err)
	require.NotContains(t, string(text), "null")
}
