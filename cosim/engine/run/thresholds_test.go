package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/precision"
)

// In the directed cases each comparison of the float reference alone decides an event, below its threshold, at it and
// above.
func TestDirectedCasesDecideEachThresholdAlone(t *testing.T) {
	t.Parallel()
	res, err := Run(t.Context(), Config{Block: "ccc", Source: "directed", Seed: 1, ModelOnly: true})
	require.NoError(t, err)
	var d *precision.StateDiff
	for i := range res.Sections {
		if res.Sections[i].Key == precision.StateKey {
			d = res.Sections[i].Data.(*precision.StateDiff)
		}
	}
	require.NotNil(t, d)
	require.Zero(t, d.Beyond, d.First)
	require.NotEmpty(t, d.Thresholds)
	for _, x := range d.Thresholds {
		require.Positive(t, x.Below, "%s: below", x.Name)
		require.Positive(t, x.At, "%s: at", x.Name)
		require.Positive(t, x.Above, "%s: above", x.Name)
	}
}
