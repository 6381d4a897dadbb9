package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFindRoot(t *testing.T) {
	t.Setenv(rootEnv, "")
	top := t.TempDir()
	deep := filepath.Join(top, "a", "b")
	require.NoError(t, os.MkdirAll(deep, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(top, "a", "go.mod"), []byte("module example.com/other\n"), 0o644))
	_, err := findRoot("", deep, "")
	require.ErrorContains(t, err, "no Goldwire repository at or above "+deep)
	require.NoError(t, os.WriteFile(filepath.Join(top, "go.mod"), []byte("// c\nmodule "+modulePath+" // d\n\ngo 1.26\n"), 0o644))
	got, err := findRoot("", deep, "")
	require.NoError(t, err)
	require.Equal(t, top, got)
	elsewhere := t.TempDir()
	got, err = findRoot("", elsewhere, deep)
	require.NoError(t, err)
	require.Equal(t, top, got, "from the place of the program")
	_, err = findRoot("", elsewhere, elsewhere)
	require.ErrorContains(t, err, "at or above "+elsewhere+" or above the program in "+elsewhere)
	got, err = findRoot(top, "/", "")
	require.NoError(t, err)
	require.Equal(t, top, got)
	_, err = findRoot(deep, "/", "")
	require.ErrorContains(t, err, "--root "+deep)
	t.Setenv(rootEnv, top)
	got, err = findRoot("", "/", "")
	require.NoError(t, err)
	require.Equal(t, top, got)
	other := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(other, "go.mod"), []byte("module "+modulePath+"\n"), 0o644))
	_, err = findRoot("", other, "")
	require.ErrorContains(t, err, rootEnv+" "+top+": the working folder is in another repository, "+other)
	got, err = findRoot(top, other, "")
	require.NoError(t, err)
	require.Equal(t, top, got, "--root is meant")
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(top, link))
	t.Setenv(rootEnv, link)
	_, err = findRoot("", deep, "")
	require.NoError(t, err, "the same by another name")
	t.Setenv(rootEnv, deep)
	_, err = findRoot("", top, "")
	require.ErrorContains(t, err, rootEnv+" "+deep, "a wrong setting is not passed over")
}

func TestParseCount(t *testing.T) {
	for in, want := range map[string]uint64{"1": 1, "100000": 1e5, "250k": 250e3, "1M": 1e6, "1e6": 1e6, "2.5e3": 2500, "1.5M": 1500e3, "1_000": 1000,
		"18446744073709551615": math.MaxUint64, "0": 0} {
		got, err := parseCount(in)
		require.NoError(t, err, in)
		require.Equal(t, want, got, in)
	}
	for _, in := range []string{"", "k", "-1", "1.5", "1/2", "0x10", "1e999999999", "18446744073709551616", "20000000000G", "NaN", "Inf", "1 000", "1kk"} {
		_, err := parseCount(in)
		require.Error(t, err, in)
	}
}

func TestParseSeeds(t *testing.T) {
	got, err := parseSeeds("3..5,9,0x10")
	require.NoError(t, err)
	require.Equal(t, []uint64{3, 4, 5, 9, 16}, got)
	got, err = parseSeeds("18446744073709551614..18446744073709551615")
	require.NoError(t, err)
	require.Len(t, got, 2)
	for _, in := range []string{"", "1..", "..2", "1...2", "a", "0..18446744073709551615", "1..60000,1..60000"} {
		_, err := parseSeeds(in)
		require.Error(t, err, in)
	}
}

func TestList(t *testing.T) {
	o := call(t, newFake(), "list")
	require.Equal(t, exitPass, o.code)
	for _, w := range []string{"ccc  the ccc block", "source     fabric:incast32", "3 directed cases", "    quadrant/md", "NumContexts (2 to 65536, default 256)", "Rows (2 to 16, a power of two, default 8)"} {
		require.Contains(t, o.stdout, w)
	}
	require.Equal(t, "ccc\ntxstate\n", call(t, newFake(), "list", "blocks").stdout)
	require.Equal(t, "directed\nrandom\nfabric:permutation\nfabric:incast32\n", call(t, newFake(), "list", "sources").stdout)
	require.Equal(t, "wrap/psn\n", call(t, newFake(), "list", "cases", "--block", "txstate").stdout)
}

func TestSchemaShow(t *testing.T) {
	o := call(t, newFake(), "schema", "show", "ccc")
	require.Equal(t, exitPass, o.code)
	for _, w := range []string{"ccc: the ccc block", "avg_delay  48    UQ32.16  ticks  average", "MTU       0        16    -       4096   bytes  largest packet"} {
		require.Contains(t, o.stdout, w)
	}
	hash := strings.TrimSpace(call(t, newFake(), "schema", "show", "--hash", "ccc").stdout)
	require.Len(t, hash, 16)
	require.Contains(t, o.stdout, "hash "+hash)
	require.Contains(t, call(t, newFake(), "version").stdout, "schema ccc "+hash)
}

func TestCompletion(t *testing.T) {
	for _, sh := range []string{"bash", "zsh", "fish"} {
		o := call(t, newFake(), "completion", sh)
		require.Equal(t, exitPass, o.code)
		require.Contains(t, o.stdout, "goldwire")
	}
	require.Contains(t, call(t, newFake(), "__complete", "cosim", "--block", "").stdout, "txstate")
	require.Contains(t, call(t, newFake(), "__complete", "cosim", "--source", "").stdout, "fabric:incast32")
	require.Contains(t, call(t, newFake(), "__complete", "cosim", "--block", "txstate", "--case", "").stdout, "wrap/psn")
}

var replayFlags = []string{"golden", "replay", "--profile", "htsim", "--link-gbps", "100", "--network-rtt-ps", "14022720", "--target-ps", "10517040", "--mtu", "4150", "--mss", "4086"}

func TestReplayBadInput(t *testing.T) {
	dir := t.TempDir()
	trace := filepath.Join(dir, "t.csv")
	require.NoError(t, os.WriteFile(trace, []byte("not,a,trace\n"), 0o644))
	with := func(args ...string) []string { // in place of the flag's other value
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
	requireBroken(t, call(t, newFake(), with(trace, "--json", trace)...), "it is the trace itself")
	requireBroken(t, call(t, newFake(), with("--json", trace)...), "missing TRACE")
	requireBroken(t, call(t, newFake(), with(trace, "--json", dir)...), "it is a folder")
	requireBroken(t, call(t, newFake(), with(trace, "--profile", "spec")...), `profile "spec"`)
	requireBroken(t, call(t, newFake(), with(trace, "--mss", "0")...), "mss 0")
	data, err := os.ReadFile(trace)
	require.NoError(t, err)
	require.Equal(t, "not,a,trace\n", string(data), "no error may touch the trace")
}

// TestReplayTrace replays a recorded trace where there is one, and the same trace
// with one value changed.
func TestReplayTrace(t *testing.T) {
	traces, _ := filepath.Glob(filepath.Join("..", "..", "..", "golden", "replay", "testdata", "*.csv"))
	if len(traces) == 0 {
		t.Skip("golden/replay/testdata holds no plain trace")
	}
	path := filepath.Join(t.TempDir(), "r.json")
	o := call(t, newFake(), append(append([]string{}, replayFlags...), "--json", path, traces[0])...)
	require.Equal(t, exitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "PASS")
	var doc map[string]any
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &doc))
	require.Contains(t, doc, "rows")

	args := append(append([]string{}, replayFlags...), "--json", "-", traces[0])
	args[5] = "101"
	o = call(t, newFake(), args...)
	require.Equal(t, exitMismatch, o.code, o.stderr)
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &doc))
	require.Equal(t, false, doc["pass"])
}
