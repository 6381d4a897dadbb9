package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/bench"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// TestBenchFabric measures a preset in a child process: this test binary as
// goldwire.
func TestBenchFabric(t *testing.T) {
	t.Setenv(childEnv, "1")
	one := []bench.Fabric{{Preset: "fattree128/permutation", Hosts: 128, Bound: 1, Memory: 1, Rounds: 2}}
	m, err := bench.RunFabric(t.Context(), os.Args[0], one, []string{"--set", "flow.bytes=50000"}, nil)
	require.NoError(t, err)
	require.Len(t, m, 2)
	require.Equal(t, "fabric_128_pkthops_per_s", m[0].Name)
	require.Greater(t, m[0].Least, 1000.0)
	require.LessOrEqual(t, m[0].Least, m[0].Greatest)
	require.Equal(t, "fabric_128_rss_mb", m[1].Name)
	require.Greater(t, m[1].Value, 1.0)
	var table bytes.Buffer
	a := &cli.App{Stdout: &table}
	require.NoError(t, a.WriteFigures(cli.Output{}, nil, m))
	require.Regexp(t, `fabric_128_pkthops_per_s .*>= 1 +met`, table.String())
	require.Regexp(t, `fabric_128_rss_mb .*<= 1 +MISSED`, table.String())

	_, err = bench.RunFabric(t.Context(), os.Args[0], one, []string{"--set", "max_time.us=5"}, nil)
	require.ErrorContains(t, err, "fattree128/permutation")
	_, err = bench.RunFabric(t.Context(), os.Args[0], one, []string{"--set", "k=7"}, nil)
	require.ErrorContains(t, err, "want an even number")
}

// TestFabricBenchKeys pins the names that other tools read.
func TestFabricBenchKeys(t *testing.T) {
	var hosts []int
	for _, b := range bench.Fabrics() {
		hosts = append(hosts, b.Hosts)
	}
	require.Equal(t, []int{128, 1024, 8192}, hosts)
}

func TestBenchRefusesAFileOfSomethingElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bench.json")
	require.NoError(t, os.WriteFile(path, []byte("[]"), 0o644))
	requireBroken(t, call(t, newFake(), "bench", "--json", path), path, "remove it")
}
