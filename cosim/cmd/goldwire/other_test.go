package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

func TestList(t *testing.T) {
	o := call(t, newFake(), "list")
	require.Equal(t, cli.ExitPass, o.code)
	for _, w := range []string{"ccc  the ccc block", "source     fabric:incast32", "3 directed cases", "    quadrant/md",
		"NumContexts (2 to 65536, default 256)", "Rows (2 to 16, a power of two, default 8)"} {
		require.Contains(t, o.stdout, w)
	}
	require.Equal(t, "ccc\ntxstate\n", call(t, newFake(), "list", "blocks").stdout)
	require.Equal(t, "directed\nrandom\nfabric:permutation\nfabric:incast32\n",
		call(t, newFake(), "list", "sources").stdout)
	require.Equal(t, "wrap/psn\n", call(t, newFake(), "list", "cases", "--block", "txstate").stdout)

	plain := call(t, newFake(), "list", "--plain").stdout
	require.Contains(t, plain, "block=ccc\nsize=ccc:NumPdcs=1,NumProfiles=1\n")
	require.Contains(t, plain, "\nblock=txstate\n")
	require.NotContains(t, plain, "egress", "of the blocks that there are")
	require.NotContains(t, call(t, newFake(), "list", "--plain", "--block", "ccc").stdout, "txstate")
	requireBroken(t, call(t, newFake(), "list", "blocks", "--plain"), "--plain", "both given")
}

func TestSchemaShow(t *testing.T) {
	o := call(t, newFake(), "schema", "show", "ccc")
	require.Equal(t, cli.ExitPass, o.code)
	for _, w := range []string{"ccc: the ccc block", "avg_delay  48    UQ32.16  ticks  average",
		"MTU       0        16    -       4096   bytes  largest packet"} {
		require.Contains(t, o.stdout, w)
	}
	hash := strings.TrimSpace(call(t, newFake(), "schema", "show", "--hash", "ccc").stdout)
	require.Len(t, hash, 16)
	require.Contains(t, o.stdout, "hash "+hash)
	require.Contains(t, call(t, newFake(), "version").stdout, "schema ccc "+hash)
	found := call(t, newFake(), "version", "--tools").stdout
	require.Regexp(t, `(?m)^verilator +(\d+\.\d+ +/|- +- +\S+ is not installed)`, found)
	require.Regexp(t, `(?m)^verilator +--trace-vcd +5\.036 .*--trace$`, found)
}

func TestCompletion(t *testing.T) {
	for _, sh := range []string{"bash", "zsh", "fish"} {
		o := call(t, newFake(), "completion", sh)
		require.Equal(t, cli.ExitPass, o.code)
		require.Contains(t, o.stdout, "goldwire")
	}
	require.Contains(t, call(t, newFake(), "__complete", "cosim", "--block", "").stdout, "txstate")
	require.Contains(t, call(t, newFake(), "__complete", "cosim", "--source", "").stdout, "fabric:incast32")
	require.Contains(t, call(t, newFake(), "__complete", "cosim", "--block", "txstate", "--case", "").stdout, "wrap/psn")
}

var replayFlags = []string{"golden", "replay", "--profile", "htsim", "--link-gbps", "100",
	"--network-rtt-ps", "14022720", "--target-ps", "10517040", "--mtu", "4150", "--mss", "4086"}

func TestReplayBadInput(t *testing.T) {
	dir := t.TempDir()
	trace := filepath.Join(dir, "t.csv")
	require.NoError(t, os.WriteFile(trace, []byte("not,a,trace\n"), 0o644))
	with := func(args ...string) []string { // instead of the flag's other value
		out := append([]string{}, replayFlags[:2]...)
		for i := 2; i < len(replayFlags); i += 2 {
			if !slices.Contains(args, replayFlags[i]) {
				out = append(out, replayFlags[i:i+2]...)
			}
		}
		return append(out, args...)
	}
	requireBroken(t, call(t, newFake(), with(trace)...), "trace "+trace)
	requireBroken(t, call(t, newFake(), with("-")...), "trace -")
	requireBroken(t, call(t, newFake(), with(filepath.Join(dir, "none.csv"))...), "no such file")
	requireBroken(t, call(t, newFake(), with(trace, "--json", trace)...), "it is the trace")
	requireBroken(t, call(t, newFake(), with("--json", trace)...), "missing TRACE")
	requireBroken(t, call(t, newFake(), with(trace, "--json", dir)...), "it is a folder")
	requireBroken(t, call(t, newFake(), with(trace, "--profile", "spec")...), `profile "spec"`)
	requireBroken(t, call(t, newFake(), with(trace, "--mss", "0")...), "mss 0")
	data, err := os.ReadFile(trace)
	require.NoError(t, err)
	require.Equal(t, "not,a,trace\n", string(data), "no error may touch the trace")
}

// TestReplayTrace replays a recorded trace if there is one, and the same trace with one value changed.
func TestReplayTrace(t *testing.T) {
	traces, _ := filepath.Glob(filepath.Join("..", "..", "..", "golden", "replay", "testdata", "*.csv"))
	if len(traces) == 0 {
		t.Skip("golden/replay/testdata holds no plain trace")
	}
	path := filepath.Join(t.TempDir(), "r.json")
	o := call(t, newFake(), append(append([]string{}, replayFlags...), "--json", path, traces[0])...)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "PASS")
	var doc map[string]any
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &doc))
	require.Contains(t, doc, "rows")

	args := append(append([]string{}, replayFlags...), "--json", "-", traces[0])
	args[5] = "101"
	o = call(t, newFake(), args...)
	require.Equal(t, cli.ExitMismatch, o.code, o.stderr)
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &doc))
	require.Equal(t, false, doc["pass"])

	// The mismatch stays if the trace turns out to be damaged after it.
	text, err := os.ReadFile(traces[0])
	require.NoError(t, err)
	args[len(args)-1] = filepath.Join(t.TempDir(), "damaged.csv")
	require.NoError(t, os.WriteFile(args[len(args)-1], append(text, "1,2,3\n"...), 0o644))
	o = call(t, newFake(), args...)
	require.Equal(t, cli.ExitMismatch, o.code, o.stderr)
	require.Contains(t, o.stderr, "also: trace ")
	args[5] = "100"
	requireBroken(t, call(t, newFake(), args...), "damaged.csv")
}
