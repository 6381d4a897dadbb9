package run

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/stim/cache"
)

// A run that reads its stimulus gives the same result as the run that made it. Each reports which it was.
func TestCachedRunIsTheSame(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "cache")
	cfg := Config{Block: "ccc", Source: "fabric:incast32", Events: 6000, Seed: 2, ModelOnly: true}
	play := func(c *cache.Cache) (*report.Result, string) {
		cfg.Stimulus = c
		res, err := Run(t.Context(), cfg)
		require.NoError(t, err)
		var text bytes.Buffer
		require.NoError(t, report.WriteResult(&text, res))
		return res, text.String()
	}
	plain, text := play(nil)
	require.Nil(t, plain.Stimulus)
	require.NotContains(t, text, "; made")
	made, text := play(cache.New(dir))
	require.Contains(t, text, "; made\n")
	read, text := play(cache.New(dir))
	require.Contains(t, text, "; read from the cache (made 20")
	require.True(t, read.Stimulus.Read)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 1)
	whole := func(r *report.Result) string {
		c := *r
		c.Stimulus, c.Seconds, c.EventsPerS, c.CyclesPerS = nil, 0, 0, 0
		out, err := json.Marshal(&c)
		require.NoError(t, err)
		return string(out)
	}
	require.NotEmpty(t, plain.Coverage.Hit)
	require.Equal(t, whole(plain), whole(made))
	require.Equal(t, whole(plain), whole(read))
	out, err := json.Marshal(read)
	require.NoError(t, err)
	require.Contains(t, string(out), `"stimulus":{"read":true,"made":"20`)

	cfg.Source = "random" // making it is faster than reading it
	random, _ := play(cache.New(dir))
	require.Nil(t, random.Stimulus)
}
