package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/client"
)

// benchOf is a bench of a block, recorded.
func benchOf(t *testing.T, block, source string, events uint64) *benchmark {
	t.Helper()
	b := &benchmark{BenchConfig: BenchConfig{Root: "../..", Block: block, Source: source, Seed: 1, Events: events}, samples: map[string][]float64{}}
	require.NoError(t, b.prepare(t.Context()))
	return b
}

// A random source has short episodes: as many are recorded as its events take, and all of them are measured.
func TestBenchRecordsEveryEpisode(t *testing.T) {
	b := benchOf(t, "trimmer", "random", 4000)
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
	b := benchOf(t, "trimmer", "random", 4000)
	l := len(b.in) / b.cycles
	whole := *b
	b.in, b.want = b.in[:len(b.in)/2/l*l], b.want[:len(b.in)/2/l*(len(b.want)/b.cycles)]
	_, err := b.native(t.Context())
	require.ErrorContains(t, err, "native replay played")
	*b = whole
	b.recs = b.recs[:len(b.recs)-1]
	_, err = b.cosim(t.Context(), client.Shm)
	require.ErrorContains(t, err, "it measures something else")
	*b = whole
	b.want[len(b.want)/2] ^= 1
	_, err = b.native(t.Context())
	require.ErrorContains(t, err, "differs in 1 cycles")

	short := &benchmark{BenchConfig: BenchConfig{Root: "../..", Block: "trimmer", Source: "random/0", Seed: 1, Events: 4000}, samples: map[string][]float64{}}
	require.ErrorContains(t, short.prepare(t.Context()), "say nothing; give more --events or a source with more")
}
