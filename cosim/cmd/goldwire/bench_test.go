package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/run"
)

// TestBenchFabric measures a preset in a child process: this test binary as
// goldwire.
func TestBenchFabric(t *testing.T) {
	t.Setenv(childEnv, "1")
	one := []run.FabricBench{{Preset: "fattree128/permutation", Hosts: 128, Bound: 1, Memory: 1, Rounds: 2}}
	m, err := run.BenchFabric(t.Context(), os.Args[0], one, []string{"--set", "flow.bytes=50000"}, nil)
	require.NoError(t, err)
	require.Len(t, m, 2)
	require.Equal(t, "fabric_128_pkthops_per_s", m[0].Name)
	require.Greater(t, m[0].Least, 1000.0)
	require.LessOrEqual(t, m[0].Least, m[0].Greatest)
	require.Equal(t, "fabric_128_rss_mb", m[1].Name)
	require.Greater(t, m[1].Value, 1.0)
	var table bytes.Buffer
	require.NoError(t, writeBench(&table, m))
	require.Regexp(t, `fabric_128_pkthops_per_s .*>= 1 +met`, table.String())
	require.Regexp(t, `fabric_128_rss_mb .*<= 1 +MISSED`, table.String())

	_, err = run.BenchFabric(t.Context(), os.Args[0], one, []string{"--set", "max_time.us=5"}, nil)
	require.ErrorContains(t, err, "fattree128/permutation")
	_, err = run.BenchFabric(t.Context(), os.Args[0], one, []string{"--set", "k=7"}, nil)
	require.ErrorContains(t, err, "want an even number")
}

func TestBenchJSONKeepsOtherFigures(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bench.json")
	old, err := readBench(path)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, writeBenchJSON(&b, old, []run.Metric{{Name: "a", Value: 1}, {Name: "b", Value: 2}}))
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
	old, err = readBench(path)
	require.NoError(t, err)
	b.Reset()
	require.NoError(t, writeBenchJSON(&b, old, []run.Metric{{Name: "b", Value: 3}}))
	var got map[string]float64
	require.NoError(t, json.Unmarshal(b.Bytes(), &got))
	require.Equal(t, map[string]float64{"a": 1, "b": 3}, got)
	require.NoError(t, os.WriteFile(path, []byte("[]"), 0o644))
	requireBroken(t, call(t, newFake(), "bench", "--json", path), path, "remove it")
}

// TestFabricBenchKeys pins the names that other tools read.
func TestFabricBenchKeys(t *testing.T) {
	var hosts []int
	for _, b := range run.FabricBenches() {
		hosts = append(hosts, b.Hosts)
	}
	require.Equal(t, []int{128, 1024, 8192}, hosts)
}

// A figure that was not measured stands in the table as such and fails the command, whatever its bound.
func TestBenchShowsWhatWasNotMeasured(t *testing.T) {
	fast := run.Metric{Name: "fast", Bound: report.AtLeast(2)}
	fast.Median([]float64{3, 2.5, 4})
	slow, still := fast, run.Metric{Name: "still", Bound: report.AtMost(2)}
	slow.Median([]float64{1})
	var b bytes.Buffer
	require.NoError(t, writeBench(&b, []run.Metric{fast, slow, still}))
	require.Regexp(t, `(?m)^fast +3 +2.5 +4 +>= 2 +met`, b.String())
	require.Regexp(t, `(?m)^fast +1 +1 +1 +>= 2 +MISSED`, b.String())
	require.Regexp(t, `(?m)^still .* <= 2 +NOT MEASURED`, b.String())
	require.NoError(t, measured([]run.Metric{fast, slow}))
	require.ErrorContains(t, measured([]run.Metric{fast, still}), "still was not measured")
	require.ErrorContains(t, measured(nil), "nothing was measured")
}
