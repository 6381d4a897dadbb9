package presets

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// TestOneNameOneSimulation: no two presets are the same simulation, and those of one last name differ in
// what their lines say. A line stands alone above a run, so it cannot lean on the one before it in the list.
func TestOneNameOneSimulation(t *testing.T) {
	all := Catalogue()
	for i, p := range all {
		require.NotEmpty(t, p.About, p.Name)
		require.NotContains(t, p.About, "the same", p.Name)
		require.NoError(t, p.Spec.Validate(), p.Name)
		for _, q := range all[:i] {
			require.NotEqual(t, q.Name, p.Name)
			require.NotEqual(t, q.About, p.About, "%s and %s", q.Name, p.Name)
			require.NotEqual(t, q.Spec, p.Spec, "%s and %s", q.Name, p.Name)
		}
	}
}

// TestStimulus: what sources run is in the catalogue, with all that disturbs a NIC.
func TestStimulus(t *testing.T) {
	for _, n := range []string{"incast32", "permutation", "mixed", "websearch", "turnover"} {
		s, ok := Stimulus(n)
		require.True(t, ok)
		p, err := Lookup("stimulus/" + n)
		require.NoError(t, err)
		require.Equal(t, p.Spec, s)
		require.Contains(t, p.About, "the network of the source fabric:"+n)
		require.Equal(t, 0.125, s.SlowHosts)
		require.Equal(t, units.Microsecond, s.ServiceJitter)
		require.NotZero(t, s.LossProb)
	}
	for cc, in := range map[string]settings.INTMode{"hpcc": settings.INTData, "fncc": settings.INTAck} {
		s, ok := Stimulus(cc)
		require.True(t, ok)
		require.Equal(t, []any{cc, in, true, 0.0}, []any{s.CC, s.INT, s.PFC, s.LossProb}, "senders that read telemetry")
	}
	_, ok := Stimulus("torus")
	require.False(t, ok)
	s, _ := Stimulus("incast32")
	require.Equal(t, settings.Incast, s.Workload)
}

// TestBackgroundFlows: a flow of a list may be in the background, but not all of them.
func TestBackgroundFlows(t *testing.T) {
	const head = "preset: fattree128/permutation\nflows:\n"
	s, err := ParseScenario([]byte(head + "  - {src: 0, dst: 5, bytes: 1000, background: true}\n" +
		"  - {src: 1, dst: 5, bytes: 1000}\n"))
	require.NoError(t, err)
	require.True(t, s.Messages[0].Background)
	require.False(t, s.Messages[1].Background)
	for text, want := range map[string]string{
		"{src: 0, dst: 5, bytes: 1000, background: true}":                   "all are in the background",
		"{src: 0, dst: 5, bytes: 1000, background: 1}":                      "want true or false",
		"{src: 0, dst: 5, bytes: 1000, background: true, background: true}": "background",
	} {
		_, err := ParseScenario([]byte(head + "  - " + text + "\n"))
		require.ErrorContains(t, err, want)
	}
}
