package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

func TestVectorsBench(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.json")
	o := goldwire(t, "vectors", "bench", "--block", "txstate", "--events", "2000", "--rounds", "2", "--heap", "100k",
		"--json", path)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var flat map[string]float64
	require.NoError(t, json.Unmarshal(text, &flat))
	for _, n := range []string{"vectors_gen_tps", "vectors_verify_tps", "vectors_export_sv_mbs", "vectors_bytes",
		"vectors_heap_100000_mb"} {
		require.Positive(t, flat[n], n)
		require.Contains(t, o.stdout, n)
	}
	if rss, ok := flat["vectors_rss_100000_mb"]; ok { // not every system has it
		require.Greater(t, rss, flat["vectors_heap_100000_mb"])
	}
	requireBroken(t, goldwire(t, "vectors", "bench", "--events", "10"), "measure nothing")
	requireBroken(t, goldwire(t, "vectors", "bench", "--rounds", "0"), "--rounds 0")
}
