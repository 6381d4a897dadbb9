package bench

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Every source of a simulated network has its ratio, of passes that played the same.
func TestStimulusIsMeasuredAgainstItsRecording(t *testing.T) {
	b := benchOf(t, "trimmer", "random", 4000)
	b.Events = 1000
	require.NoError(t, b.stimulus(t.Context()))
	names := 0
	for i := range b.kind.Stimulus.Sources {
		if name, ok := strings.CutPrefix(b.kind.Stimulus.Sources[i].Name, "fabric:"); ok {
			names++
			require.Len(t, b.samples["trimmer_stim_"+name+"_ratio"], 1, name)
			require.Len(t, b.samples["trimmer_stim_"+name+"_cached_ratio"], 1, name)
			require.Positive(t, b.samples["trimmer_stim_"+name+"_events_per_s"][0], name)
		}
	}
	require.Equal(t, 4, names)
	require.Equal(t, report.AtLeast(0.7), b.order[1].Bound, b.order[1].Name)
	require.Equal(t, report.AtLeast(0.7), b.order[3].Bound, b.order[3].Name)
}

// A pass over nothing is no pass over the same, and neither is one without its last episode.
func TestStimulusMeasuresEqualPasses(t *testing.T) {
	b := benchOf(t, "trimmer", "random", 4000)
	recs, err := b.recorded("random")
	require.NoError(t, err)
	play := func(n int) pass {
		p, err := b.timed(t.Context(), func() (stim.Source, error) { return &shelf{b.Block, recs[:n]}, nil })
		require.NoError(t, err)
		return p.pass
	}
	whole := play(len(recs))
	require.Equal(t, whole, play(len(recs)))
	require.NotEqual(t, whole, play(len(recs)-1))
	require.Zero(t, play(0).events)
}
