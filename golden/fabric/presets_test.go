package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// reduced returns a large preset with flows so short that all hosts send 200 MB
// together, which takes a second or two, and one of Poisson arrivals with a few
// hundred of them.
func reduced(s settings.Spec) settings.Spec {
	if s.Hosts() > 128 {
		s.FlowBytes = min(s.FlowBytes, max(200_000_000/int64(s.Hosts()), 4*int64(s.MTU)))
	}
	s.Flows = min(s.Flows, 300)
	return s
}

// TestEveryPresetKeepsItsBooks runs each preset, the large ones with short flows
// unless GOLDWIRE_LONG is set.
func TestEveryPresetKeepsItsBooks(t *testing.T) {
	large := 0
	for _, p := range presets.Catalogue() {
		if p.Spec.Hosts() > 128 {
			large++
		}
		t.Run(p.Name, func(t *testing.T) {
			if !long() {
				p.Spec = reduced(p.Spec)
			}
			t.Parallel()
			r := books(t, p.Spec)
			t.Logf("%d flows, fct %+v, new %d rtx %d trims %d drops %d ecn %d pauses %d probes %d recoveries %d",
				len(r.Flows), r.FCT(), r.Counters.NewPackets, r.Counters.Retransmits, r.Counters.Trims,
				r.Counters.DataDrops, r.Counters.ECN, r.Counters.Pauses, r.Counters.Probes, r.Counters.Recoveries)
			for _, f := range r.Flows {
				require.GreaterOrEqual(t, f.Acked-f.Start, f.Ideal, "%v is faster than alone", &f)
			}
			require.GreaterOrEqual(t, len(r.Flows), 2)
			if p.Spec.Workload == settings.Permutation {
				require.Len(t, r.Flows, p.Spec.Hosts())
			}
		})
	}
	require.GreaterOrEqual(t, large, 2)
}

func TestLookup(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range presets.Catalogue() {
		require.NoError(t, p.Spec.Validate(), p.Name)
		require.NotEmpty(t, p.About)
		require.False(t, seen[p.Name])
		seen[p.Name] = true
		got, err := presets.Lookup(p.Name)
		require.NoError(t, err)
		require.Equal(t, p, got)
	}
	for _, name := range []string{"fattree128/permutation", "fattree128/incast32", "fattree1024/permutation",
		"fattree8192/permutation"} {
		require.True(t, seen[name], name)
	}
	_, err := presets.Lookup("incast32")
	require.EqualError(t, err, `preset "incast32": unknown; did you mean `+
		`fattree128/incast32 or spec128/incast32 or spray128/incast32 or stimulus/incast32?`)
	_, err = presets.Lookup("fatree128/permutation")
	require.ErrorContains(t, err, `preset "fatree128/permutation": unknown; did you mean fattree128/permutation?`)
}

// TestSeedRoundTrips: the round trips that the papers' settings give.
func TestSeedRoundTrips(t *testing.T) {
	for name, us := range map[string]float64{
		"dumbbell/2": 12.52, "fattree128/websearch": 18.78, "spray128/permutation": 6.25,
		"fattree1024/permutation": 12, "htsim/permutation-400g": 12, "htsim/permutation-100g": 12,
	} {
		p, err := presets.Lookup(name)
		require.NoError(t, err)
		require.InDelta(t, us, float64(p.Spec.RoundTrip())/1e6, 0.005, name)
	}
}
