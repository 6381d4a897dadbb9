package loop

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/presets"
)

// BenchmarkRun plays a permutation on the RTL: the network, the model ahead of it, and what follows the device.
func BenchmarkRun(b *testing.B) {
	p, err := presets.Lookup("fattree128/permutation")
	require.NoError(b, err)
	spec := p.Spec
	spec.CC, spec.FlowBytes = RTL, 5_000_000
	for b.Loop() {
		res, _, err := Run(b.Context(), Config{Root: "../../.."}, spec, nil)
		require.NoError(b, err)
		require.NoError(b, res.Verify())
	}
}
