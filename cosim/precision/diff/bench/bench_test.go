package bench

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/report"
)

// Every figure is measured, and those that are asked for have their bound.
func TestRun(t *testing.T) {
	rounds := 0
	m, err := Run(context.Background(), Spec{Source: "random", Seed: 1, Events: 3000, Rounds: 2,
		Log: func(string, ...any) { rounds++ }, Sizes: []int{2000, 4000}})
	require.NoError(t, err)
	require.Equal(t, 4, rounds)
	bounded := map[string]bool{}
	for _, x := range m {
		require.Positive(t, x.Samples, x.Name)
		require.Positive(t, x.Value, x.Name)
		bounded[x.Name] = x.Bound.Set()
	}
	require.Equal(t, map[string]bool{"diff_float64_events_per_s": true, "diff_exact_events_per_s": true,
		"diff_causes_events_per_s": false, "diff_free_events_per_s": false, "diff_rss_2000_mb": false,
		"diff_rss_4000_mb": false,
		"diff_rss_growth":  true}, bounded)
	require.EqualValues(t, 2, m[0].Samples)
}

func TestRunErrs(t *testing.T) {
	spec := Spec{Source: "random", Seed: 1, Events: 1, Rounds: 1}
	_, err := Run(context.Background(), spec)
	require.ErrorContains(t, err, "nothing was compared")
	spec.Source = "nowhere"
	_, err = Run(context.Background(), spec)
	require.ErrorContains(t, err, "known sources")
	spec = Spec{Source: "random", Seed: 1, Events: 2000, Rounds: 1, Sizes: []int{1}}
	_, err = Run(context.Background(), spec)
	require.ErrorContains(t, err, "memory of 1 events: nothing was compared")
	none, err := Run(context.Background(), Spec{Source: "random", Seed: 1, Events: 2000})
	require.NoError(t, err)
	for _, x := range none {
		require.NotEqual(t, report.Within, x.Verdict(), "no round measures nothing")
	}
}
