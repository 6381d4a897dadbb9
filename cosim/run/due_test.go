package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/stim"
)

// A source of a simulated network that ends without an error before it has given every event is no pass; the run names
// both numbers.
func TestFewerEventsThanAskedAreAnError(t *testing.T) {
	for _, name := range []string{"trimmer", "txstate"} {
		e, err := newEngine(t.Context(), Config{Root: "../..", Block: name, Source: "fabric:permutation", Events: 200,
			Seed: 1, ModelOnly: true})
		require.NoError(t, err)
		defer e.close()
		e.open = func(source string) (stim.Source, error) {
			return block.Open(name, source, stim.Options{Seed: 1, Events: 120, Params: e.params})
		}
		res, err := e.run(t.Context())
		require.ErrorContains(t, err, "source fabric:permutation: only 120 of 200 events were played")
		require.NotEmpty(t, res.Broken)

		e.open = e.source
		res, err = e.run(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 200, res.Events)
	}
}
