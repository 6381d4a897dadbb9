package bench

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/client"
)

// benchOf is a bench of a block, recorded.
func benchOf(t *testing.T, block, source string, events uint64) *benchmark {
	t.Helper()
	b := &benchmark{Config: Config{Root: "../../..", Block: block, Source: source, Seed: 1, Events: events},
		samples: map[string][]float64{}}
	require.NoError(t, b.prepare(t.Context()))
	return b
}

// A random source has short episodes: as many are recorded as its events take, and all of them are measured.
func TestBenchRecordsEveryEpisode(t *testing.T) {
	b := benchOf(t, "txstate", "random", 4000)
	require.Greater(t, len(b.recs), 2)
	require.Greater(t, b.accepted, 3900)
	require.Equal(t, b.cycles*(len(b.want)/b.cycles), len(b.want))
	_, err := b.cosim(t.Context(), client.Shm)
	require.NoError(t, err)
	rate, err := b.native(t.Context())
	require.NoError(t, err)
	require.Positive(t, rate)
}

// A bench that plays something else than was recorded gives no figure.
func TestBenchMeasuresWhatItRecorded(t *testing.T) {
	b := benchOf(t, "txstate", "random", 4000)
	l := len(b.in) / b.cycles
	whole := *b
	b.in, b.want = b.in[:len(b.in)/2/l*l], b.want[:len(b.in)/2/l*(len(b.want)/b.cycles)]
	_, err := b.native(t.Context())
	require.ErrorContains(t, err, "native replay played")
	require.ErrorContains(t, b.cpu(t.Context()), "native replay played")
	*b = whole
	b.recs = b.recs[:len(b.recs)-1]
	_, err = b.cosim(t.Context(), client.Shm)
	require.ErrorContains(t, err, "it measures something else")
	require.ErrorContains(t, b.cpu(t.Context()), "it measures something else")
	*b = whole
	b.want[len(b.want)/2] ^= 1
	_, err = b.native(t.Context())
	require.ErrorContains(t, err, "differs in 1 cycles")
	require.ErrorContains(t, b.cpu(t.Context()), "differs in")
	b.want[len(b.want)/2] ^= 1
	last, ready := len(b.want)-len(b.want)/b.cycles, uint64(1)
	b.want[last] ^= ready
	_, _, err = b.model()
	require.ErrorContains(t, err, fmt.Sprintf("other outputs at cycle %d than were recorded", b.cycles-1))
	b.want[last] ^= ready
	b.want[len(b.want)/b.cycles*100] ^= ready
	_, _, err = b.model()
	require.ErrorContains(t, err, "other outputs at cycle 100 than were recorded")
	_, err = b.step(t.Context(), client.Shm, 200)
	require.ErrorContains(t, err, "step mode over shm differs at cycle 100")
	b.want[len(b.want)/b.cycles*100] ^= ready

	short := &benchmark{Config: Config{Root: "../../..", Block: "trimmer", Source: "random/0", Seed: 1,
		Events: 4000}, samples: map[string][]float64{}}
	require.ErrorContains(t, short.prepare(t.Context()), "are not reliable; give more --events or a source with more")
}

// Ratios are those of the figures they name.
func TestBenchRatios(t *testing.T) {
	b := benchOf(t, "txstate", "random", 4000)
	require.NoError(t, b.round(t.Context()))
	v := func(name string) float64 {
		require.Len(t, b.samples["txstate_"+name], 1, name)
		return b.samples["txstate_"+name][0]
	}
	for _, r := range [][3]string{
		{"cosim_shm_ratio", "cycles_per_s", "native_cycles_per_s"}, {"model_vs_dut_cycles", "model_cycles_per_s",
			"native_cycles_per_s"},
		{"step_shm_vs_socket", "step_shm_cycles_per_s", "step_socket_cycles_per_s"},
		{"step_shm_vs_native", "step_shm_cycles_per_s", "native_cycles_per_s"},
		{"events_per_cycle", "events_per_s", "cycles_per_s"},
	} {
		require.InEpsilon(t, v(r[1])/v(r[2]), v(r[0]), 1e-9, r[0])
	}
	require.Positive(t, v("native_cycles_per_s"))
	require.Positive(t, v("cpu_ratio"))
	require.Less(t, v("model_allocs_per_cycle"), 0.01)
	m := Metric{}
	m.Median([]float64{5, 1, 9})
	require.Equal(t, []float64{1, 5, 9}, []float64{m.Least, m.Value, m.Greatest})
}
