package bench

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/report"
)

// One file of figures holds those of all blocks, each with its bound.
func TestBenchFiguresNameTheirBlock(t *testing.T) {
	for name, prefix := range map[string]string{"ccc": "", "egress": "egress_", "trimmer": "trimmer_", "intmd": "intmd_",
		"switchport": "switchport_"} {
		kind, err := block.Lookup(name)
		require.NoError(t, err)
		b := &benchmark{Config: Config{Block: name}, kind: kind, samples: map[string][]float64{}}
		b.add("cosim_shm_ratio", "", 1)
		b.add("model_vs_dut_cycles", "", 1)
		b.add(name+"_events_per_s", "", 1)
		require.Equal(t, Metric{Name: prefix + "cosim_shm_ratio", Bound: report.AtLeast(0.9)}, b.order[0])
		require.Equal(t, Metric{Name: prefix + "model_vs_dut_cycles", Bound: report.AtLeast(2)}, b.order[1])
		require.Equal(t, name+"_events_per_s", b.order[2].Name)
	}
}
