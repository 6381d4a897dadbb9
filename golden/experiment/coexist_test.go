package experiment

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/units"
)

func TestPropagation(t *testing.T) {
	cfg := cc.Config{LinkGbps: 100, MTU: mtu000, BaseRTT: 4*2*units.Microsecond + 4*80*4214}
	require.Equal(t, 8*units.Microsecond, propagation(cfg))
	cfg.BaseRTT = 2*2*units.Microsecond + 2*80*4214
	require.Equal(t, 4*units.Microsecond, propagation(cfg))
}

func TestSharesByHand(t *testing.T) {
	o := &Outcome{Result: &result.Result{Flows: []result.FlowResult{{Got: 30}, {Got: 10}, {Got: 0}, {Got: 40}}}}
	require.InDelta(t, 0.5, nsccShare(50)(o), 1e-12)
	require.InDelta(t, 0.375, nsccShare(25)(o), 1e-12)
	require.InDelta(t, 80.0*80/(3*2600), jainGot(o), 1e-12, "a flow without a byte does not count")
}

// NSCC's packets are trimmed and Cubic's dropped, the first flows of the list are NSCC, and both get on.
func TestCoexistence(t *testing.T) {
	o, err := (&run{spec: coexistSpec(), flows: scenario(1, "C", 50), cubic: cubicRFC}).simulate(context.Background())
	require.NoError(t, err)
	require.NotZero(t, o.Counters.Trims)
	require.NotZero(t, o.Counters.DataDrops)
	nacks := map[bool]int32{}
	for i := range o.Flows {
		nacks[isNSCC(o, i, 50)] += o.Flows[i].Nacks
	}
	require.NotZero(t, nacks[true])
	require.Zero(t, nacks[false])
	require.Nil(t, o.Acks)
	all, err := (&run{spec: coexistSpec(), flows: scenario(1, "C", 0), cubic: cubicRFC}).simulate(context.Background())
	require.NoError(t, err)
	require.Zero(t, all.Counters.Trims)
}
