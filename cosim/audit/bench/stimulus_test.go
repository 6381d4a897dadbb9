package bench

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Every source of a simulated network has its ratio, of passes that played the same; those that are kept, as packets
// are not, have that of a second pass, too.
func TestStimulusIsMeasuredAgainstItsRecording(t *testing.T) {
	for name, c := range map[string]struct {
		events, sources int
		kept            bool
	}{"trimmer": {1000, 4, false}, "txstate": {10_000, 2, true}} {
		b := benchOf(t, name, "random", 20_000)
		b.Events = uint64(c.events)
		require.NoError(t, b.stimulus(t.Context()))
		names := 0
		for i := range b.kind.Stimulus.Sources {
			if source, ok := strings.CutPrefix(b.kind.Stimulus.Sources[i].Name, "fabric:"); ok {
				names++
				require.Len(t, b.samples[name+"_stim_"+source+"_ratio"], 1, source)
				require.Equal(t, c.kept, len(b.samples[name+"_stim_"+source+"_cached_ratio"]) == 1, source)
				require.Positive(t, b.samples[name+"_stim_"+source+"_events_per_s"][0], source)
			}
		}
		require.Equal(t, c.sources, names)
		for _, m := range b.order {
			if strings.HasSuffix(m.Name, "_ratio") {
				require.Equal(t, report.AtLeast(0.7), m.Bound, m.Name)
			}
		}
	}
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
