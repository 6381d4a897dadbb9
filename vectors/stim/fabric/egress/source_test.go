package egress

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/fabric"
)

// itemsOf returns copies of what an episode lists.
func itemsOf(ep *stim.Episode) (out []stim.Item) {
	it := stim.Item{Words: make([]uint64, egress.InWords)}
	for ep.NextItem(&it) {
		out = append(out, it.Clone())
	}
	return out
}

// TestSwitchIsFedBeyondOneRun: traffic that ends is drawn anew, for as long as events are asked for, and other draws
// follow.
func TestSwitchIsFedBeyondOneRun(t *testing.T) {
	spec, err := fabric.Switch.Spec("mixed", 1)
	require.NoError(t, err)
	spec.Sizes = []int64{4000, 20000}
	src, err := OfSimulation(spec, stim.Options{Seed: 1, Events: 5000})
	require.NoError(t, err)
	defer src.Close()
	ep, _ := src.Next()
	n, queued := 0, 0
	var enq egress.Enq
	for _, it := range itemsOf(ep) {
		n++
		egress.UnpackEnq(it.Words, &enq)
		switch {
		case it.Lane == laneDeq:
			queued--
			require.GreaterOrEqual(t, queued, 0, "item %d: a departure before its arrival", n)
		case enq.Kind == egress.KindEnq:
			queued++
		}
	}
	require.NoError(t, src.Err())
	require.Equal(t, 5000, n)

	spec.Workload, spec.Flows, spec.CDF, spec.Load = settings.Poisson, 1, "websearch", 0.5
	none, err := OfSimulation(spec, stim.Options{Seed: 1, Events: 5000, Params: map[string]int{"NumPorts": 1}})
	require.NoError(t, err)
	defer none.Close()
	_, ok := none.Next()
	require.False(t, ok)
	require.ErrorContains(t, none.Err(), "no packet comes to")
}
