package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/audit/bench"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/report/measured"
	"github.com/goldwire/goldwire/golden/cc"
)

// TestBenchFabric measures a preset in a child process: this test binary acting as goldwire.
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

// TestBenchLoop measures networks with the RTL as senders, ahead and step by step, and as NICs, in child processes.
func TestBenchLoop(t *testing.T) {
	t.Setenv(childEnv, "1")
	one := []bench.Loop{
		{Preset: "fattree128/incast32", Name: "loop", Bytes: 9000, OtherBytes: 9000, Bound: 1, Rounds: 1},
		{Preset: "fattree128/incast32", Name: "nics", NIC: true, Bytes: 9000, OtherBytes: 9000, Rounds: 1,
			Set: []string{"k=4", "incast=1", "mtu=8256", "lb=oblivious"}},
	}
	m, err := bench.RunLoop(t.Context(), os.Args[0], one, nil)
	require.NoError(t, err)
	var names []string
	for _, x := range m {
		require.EqualValues(t, 1, x.Samples, x.Name)
		names = append(names, x.Name)
	}
	require.Equal(t, []string{"loop_events_per_cpu_s", "loop_step_events_per_cpu_s", "loop_ahead_vs_step",
		"nics_events_per_cpu_s", "nics_model_events_per_cpu_s", "nics_vs_model"}, names)
	for i := 0; i < len(m); i += 3 {
		require.InEpsilon(t, m[i].Value/m[i+1].Value, m[i+2].Value, 1e-9) // fails for 0, infinity and NaN, too
	}
	one[0].Preset = "fattree128/none"
	_, err = bench.RunLoop(t.Context(), os.Args[0], one, nil)
	require.ErrorContains(t, err, "fattree128/none")
}

// TestFabricBenchKeys pins the names that other tools read.
func TestFabricBenchKeys(t *testing.T) {
	var names []string
	for _, b := range bench.Fabrics() {
		names = append(names, b.Name())
	}
	require.Equal(t, []string{"fabric_128", "fabric_1024", "fabric_8192", "fabric_8192_pods_1_threads",
		"fabric_8192_pods_2_threads"}, names)
}

// Parts that fail, and those that an interrupt keeps from beginning, are named; a table of the others is no whole one.
func TestBenchParts(t *testing.T) {
	one := report.Metric{Name: "one", Bound: report.AtMost(1)}
	one.Median([]float64{2})
	ok := func(context.Context) ([]bench.Metric, error) { return []bench.Metric{one}, nil }
	bad := func(context.Context) ([]bench.Metric, error) { return nil, errors.New("no compiler") }
	parts := []benchPart{{"first", ok}, {"second", bad}, {"third", ok}}
	text := func(d *measured.Doc) string {
		var b strings.Builder
		require.NoError(t, d.WriteMarkdown(&b))
		return b.String()
	}
	doc := &measured.Doc{}
	m, err := measureParts(t.Context(), parts, true, doc)
	require.ErrorContains(t, err, "second: no compiler")
	require.Len(t, m, 2)
	for _, want := range []string{measured.Incomplete, "- second: no compiler\n", "\n**first**\n", "\n**third**\n",
		"| one |  | 2 | - | - | &lt;= 1 | NO |", "2 figures. Of 2 bounds 0 are kept"} {
		require.Contains(t, text(doc), want)
	}
	doc = &measured.Doc{}
	_, err = measureParts(t.Context(), parts, false, doc)
	require.ErrorContains(t, err, "third: not begun")
	require.Contains(t, text(doc), "- third: not begun\n")
	ctx, cancel := context.WithCancel(t.Context())
	parts[1].measure = func(context.Context) ([]bench.Metric, error) { cancel(); return []bench.Metric{one}, nil }
	doc = &measured.Doc{}
	_, err = measureParts(ctx, parts, true, doc)
	require.ErrorContains(t, err, "third: not begun")
	require.Contains(t, text(doc), measured.Incomplete)
	doc = &measured.Doc{}
	_, err = measureParts(t.Context(), parts[:1], false, doc)
	require.NoError(t, err)
	require.NotContains(t, text(doc), measured.Incomplete)
}

// --all measures every block and everything else, and takes no selection.
func TestBenchAll(t *testing.T) {
	a := &app{App: &cli.App{Backend: cli.NewBackend()}}
	f := &benchFlags{Config: bench.DefaultConfig(), all: true}
	var names []string
	for _, p := range a.benchParts(f, "goldwire") {
		names = append(names, p.name)
	}
	want := []string{"vector files", "arithmetics"}
	for _, b := range a.Blocks() {
		want = append(want, "block "+b+", fabric:permutation")
	}
	require.Equal(t, append(want, "network simulator", "RTL as senders of a network"), names)
	for _, more := range []string{"--fabric", "--loop-only", "--block=ccc"} {
		requireBroken(t, call(t, newFake(), "bench", "--all", more), "--all and --block", "keep one")
	}
	dir := t.TempDir()
	requireBroken(t, call(t, newFake(), "bench", "--json", filepath.Join(dir, "x"), "--markdown", filepath.Join(dir, "x")),
		"--json and --markdown: both name")
}

func TestBenchRefusesAFileOfSomethingElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bench.json")
	require.NoError(t, os.WriteFile(path, []byte("[]"), 0o644))
	requireBroken(t, call(t, newFake(), "bench", "--json", path), path, "remove it")
}

// TestControlBenches: every control except the default is measured at 128 hosts, some at 1,024, each with what it
// needs. The names of the figures are unique, and a run of a control that needs telemetry passes.
func TestControlBenches(t *testing.T) {
	t.Setenv(childEnv, "1")
	all := controlBenches()
	var at128, at1024 []string
	var hpcc []bench.Fabric
	for _, b := range all {
		switch b.Hosts {
		case 128:
			at128 = append(at128, b.CC)
		case 1024:
			at1024 = append(at1024, b.CC)
		}
		if b.CC == "hpcc" && b.Hosts == 128 {
			b.Rounds = 1
			hpcc = append(hpcc, b)
		}
	}
	require.ElementsMatch(t, cc.Names(cc.Rows()), append(at128, cc.Default))
	require.ElementsMatch(t, controlsAt1024, at1024)
	require.Len(t, hpcc, 1)
	require.Equal(t, []string{"int=data"}, hpcc[0].Set)
	m, err := bench.RunFabric(t.Context(), os.Args[0], hpcc, []string{"--set", "flow.bytes=50000"}, nil)
	require.NoError(t, err)
	require.Equal(t, "fabric_128_hpcc_pkthops_per_s", m[0].Name)
	require.Equal(t, "fabric_128_hpcc_rss_mb", m[1].Name)
	require.Greater(t, m[0].Value, 1000.0)
}
