package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/precision/diff/effect"
)

func TestDiffLoop(t *testing.T) {
	dir := t.TempDir()
	js, html := filepath.Join(dir, "out.json"), filepath.Join(dir, "out.html")
	o := call(t, newFake(), "diff", "run", "--loop", "fattree128/incast32", "--set", "flow.bytes=100000",
		"--seeds", "3..4", "--format", "cwnd=UQ13.0", "--json", js, "--html", html)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "diff --loop fattree128/incast32: 2 seeds, 3 kinds of senders")
	var res effect.Result
	text, err := os.ReadFile(js)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &res))
	require.Equal(t, []uint64{3, 4}, res.Seeds)
	require.Len(t, res.Pairs, 3)
	require.FileExists(t, html)
	require.True(t, cli.Output{Flag: "--json", Path: js}.Old())
}

func TestDiffLoopOfPacers(t *testing.T) {
	for _, args := range []string{"--format gap=UQ8.2", "--set cc=nscc+rccc --set ecn.last_hop=off --format gap=UQ8.2"} {
		o := call(t, newFake(), append([]string{"diff", "run", "--block", "credit", "--loop", "fattree128/incast32",
			"--set", "flow.bytes=300000", "--seeds", "3..4"}, strings.Fields(args)...)...)
		require.Equal(t, cli.ExitPass, o.code, o.stderr)
		require.Contains(t, o.stdout, "diff --loop fattree128/incast32: 2 seeds, 3 kinds of pacers")
		require.Contains(t, o.stdout, "UQ8.2 less exact rate")
	}
}

// A file's control is measured if it needs credit. Otherwise it is rccc, and the report names it.
func TestDiffLoopOfPacersKeepsTheControl(t *testing.T) {
	for control, want := range map[string]string{"nscc+rccc": "nscc+rccc", "nscc": "rccc", "": "rccc"} {
		file := filepath.Join(t.TempDir(), "mine.yaml")
		text := "preset: fattree128/incast32\nflow.bytes: 100000\necn.last_hop: false\n"
		if control != "" {
			text += "cc: " + control + "\n"
		}
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		o := call(t, newFake(), "diff", "run", "--block", "credit", "--loop", file, "--seeds", "3..4",
			"--format", "gap=UQ8.2")
		require.Equal(t, cli.ExitPass, o.code, o.stderr)
		line := strings.Join(strings.Fields(o.stdout), " ")
		require.Contains(t, line, ": 2 seeds, 3 kinds of pacers, cc = "+want+" Formats")
	}
}

func TestDiffLoopRefuses(t *testing.T) {
	const loop = "--loop fattree128/incast32 --set flow.bytes=20000 "
	const credit = "--block credit " + loop
	for args, want := range map[string]string{
		loop + "--seeds 3":               "a difference needs at least 2",
		loop + "--seeds 3,3":             "given twice",
		loop + "--source random":         "--source: has no effect with --loop",
		loop + "--mode free":             "--mode: has no effect with --loop",
		loop + "--seed 2":                "--seed: has no effect with --loop",
		loop + "--set link.gbps=fast":    "link.gbps = fast",
		loop + "--set cc.hosts=3=fixed":  "of their own",
		loop + "--format alpha=16":       "give UQm.n",
		loop + "--html -":                "only --json can go to stdout",
		"--loop nowhere":                 "nowhere",
		"--loop=":                        "--loop: ",
		"--seeds 1..3":                   "--seeds: needs --loop",
		"--set mtu=9000":                 "--set: needs --loop",
		"--block credit":                 "--block credit: give --loop PRESET too",
		credit + "--tick 1ns":            "--tick: has no effect on block credit",
		credit + "--rtt 8000":            "--rtt: has no effect on block credit",
		credit + "--source random":       "--source: has no effect with --loop",
		credit + "--set cc=nscc":         "set cc to rccc or nscc+rccc",
		credit + "--format QUANTA=UQ7.0": "only GAP has a fraction",
	} {
		o := call(t, newFake(), append([]string{"diff", "run"}, strings.Fields(args)...)...)
		requireBroken(t, o, want)
		require.Empty(t, o.stdout, args)
	}
}
