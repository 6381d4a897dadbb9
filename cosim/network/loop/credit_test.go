package loop

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/golden/fabric"
)

// Receiver credit in hardware at both ends, alone and beside NSCC: the RTL is the model packet by packet, and the model
// is near the rule.
func TestCreditFixedAndRTL(t *testing.T) {
	for _, preset := range []string{"fattree128/incast32", "fattree128/permutation"} {
		for _, pair := range Pairs {
			if !strings.Contains(pair[0], "rccc") {
				continue
			}
			seeds := uint64(1)
			if launchtest.Longer() {
				seeds = 2
			}
			for seed := range seeds {
				t.Run(fmt.Sprintf("%s/%s/%d", preset, pair[0], seed+1), func(t *testing.T) {
					rule, _ := ruleOf(pair[0])
					spec := credited(t, preset, rule, 400_000)
					spec.Seed = seed + 1
					float := run(t, Config{}, spec)
					spec.CC = pair[0]
					model := run(t, Config{}, spec)
					require.NotEqual(t, float.Digest, model.Digest, "the pacer's clock shows")
					require.InEpsilon(t, float.FCT().Mean, model.FCT().Mean, 0.04)
					require.InEpsilon(t, float.FCT().P99, model.FCT().P99, 0.04)
					require.InEpsilon(t, float.Counters.Credits, model.Counters.Credits, 0.2)
					spec.CC = pair[1]
					rtl, played, err := Run(t.Context(), Config{Root: "../../.."}, spec, nil)
					require.NoError(t, err)
					same(t, model, rtl)
					require.Nil(t, played.Left)
					require.Nil(t, played.Paced.Left)
					require.GreaterOrEqual(t, played.Events, played.Asked)
					require.Greater(t, played.Asked, rtl.Counters.Credits)
					require.Equal(t, rtl.Counters.Credits, played.Paced.Pulls)
				})
			}
		}
	}
}

// Credit is counted in whole bytes and quanta: senders in fixed point are those of the rule packet by packet, where the
// pacer is the rule's and one context of a NIC sends at a time.
func TestSendersOfCreditAreTheRule(t *testing.T) {
	for _, preset := range []string{"fattree128/incast32", "fattree128/permutation"} {
		spec := credited(t, preset, "rccc", 500_000)
		float := run(t, Config{}, spec)
		require.Positive(t, float.Counters.Credits)
		r := &closed{ctx: t.Context(), cancel: func() {}, tickNs: 1}
		row := creditRows()[0]
		row.New = r.factory(row.Name)
		spec.CC = row.Name
		fixed, err := fabric.Run(t.Context(), spec, fabric.WithControl(row))
		require.NoError(t, err)
		require.NoError(t, r.err)
		same(t, float, fixed)
	}
}

// A design whose speculation never ends is found, and the network then follows it.
func TestBrokenCreditIsFound(t *testing.T) {
	spec := credited(t, "fattree128/incast32", CreditRTL, 50_000)
	got, played, err := Run(t.Context(), faulty(t, "+endless"), spec, nil)
	require.NoError(t, err)
	require.NotNil(t, played.Left)
	require.True(t, played.Step)
	spec.CC = CreditFixed
	require.NotEqual(t, run(t, Config{}, spec).Digest, got.Digest)
}
