package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/cosim/precision/diff/wordlen"
)

// The formats that a search writes are a table of diff run.
func TestDiffWordlen(t *testing.T) {
	dir := t.TempDir()
	yaml, js, html := filepath.Join(dir, "narrow.yaml"), filepath.Join(dir, "out.json"), filepath.Join(dir, "out.html")
	o := call(t, newFake(), "diff", "wordlen", "--source", "fabric:incast32", "--seeds", "1", "--held-out", "9",
		"--events", "15k", "--values", "ratio=6..16,GAMMA", "--error", "cwnd=100", "--flips", "20-per-10k", "-o", yaml,
		"--json", js, "--html", html)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "confirmed on")
	require.Contains(t, o.stdout, "Pareto front")
	var res wordlen.Result
	text, err := os.ReadFile(js)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &res))
	require.Equal(t, []uint64{9}, res.HeldOutSeeds)
	require.InDelta(t, 20, res.FlipsBound, 0)
	require.Len(t, res.Values, 2)
	require.True(t, cli.Output{Flag: "--json", Path: js}.Old(), "a result that a later run which breaks takes away")
	o = call(t, newFake(), "diff", "run", "--source", "fabric:incast32", "--seed", "9", "--events", "15k", "--mode",
		"free", "--formats", yaml, "--json", "-")
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	var run diff.Result
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &run))
	require.Len(t, run.Changed, 2)
	for _, s := range run.Modes[0].Signals {
		if s.Name == "cwnd" {
			require.InDelta(t, res.HeldOut.Errors[0], s.Fixed.Max, 1e-6)
			require.LessOrEqual(t, s.Fixed.Max, 100.0)
		}
	}
	// A search that breaks leaves no table of an earlier one.
	o = call(t, newFake(), "diff", "wordlen", "--source", "random", "--events", "1", "-o", yaml)
	requireBroken(t, o, "nothing was compared")
	require.NoFileExists(t, yaml)
	requireBroken(t, call(t, newFake(), "diff", "wordlen", "--json", js, "--mode", "some"), "give step")
	require.NoFileExists(t, js, "it would pass for the result of this run")
}

func TestDiffWordlenRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"--error cwnd=0.001 --events 15k --source fabric:incast32": "the contract's own formats do not keep the bounds",
		"--error cwnd":                  "give NAME=X",
		"--error pwnd=3":                "not a number of the state",
		"--flips few":                   "such as 5 or 5-per-10k",
		"--flips NaN":                   "give 0 or more",
		"--values ALPHA=4":              "give NAME or NAME=LO..HI",
		"--values ALPHA=9..4":           "give NAME or NAME=LO..HI",
		"--values beta":                 `value "beta": unknown`,
		"--seeds 1..2 --held-out 2..3":  "held-out seed 2 is one of the search",
		"--held-out x":                  "--held-out",
		"--mode some":                   "give step, free or both",
		"--integers some":               "give observed or proven",
		"--guard -1":                    "guard bits",
		"--events 0":                    "--events",
		"--source nowhere --events 100": "known sources",
		"--html -":                      "only --json can go to stdout",
		"--tick 2ns":                    "give 1ns or 128ns",
		"more":                          `unexpected argument "more"`,
	} {
		o := call(t, newFake(), append([]string{"diff", "wordlen"}, strings.Fields(args)...)...)
		requireBroken(t, o, want)
	}
}

// Cells are counted on request. A machine without Yosys is refused before the search.
func TestDiffWordlenCells(t *testing.T) {
	args := []string{"diff", "wordlen", "--source", "fabric:incast32", "--seeds", "1", "--held-out", "9", "--events",
		"15k", "--values", "GAMMA=6..7", "--error", "cwnd=2000", "--flips", "100", "--cells", "--json", "-"}
	t.Run("without Yosys", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		requireBroken(t, call(t, newFake(), args...), "yosys is not on PATH")
	})
	if _, err := exec.LookPath("yosys"); err != nil {
		t.Skip("yosys is not on PATH: cells were not counted")
	}
	o := call(t, newFake(), args...)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	var res wordlen.Result
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &res))
	require.NotEmpty(t, res.Units)
	require.Positive(t, res.Winner.Cells)
	require.Less(t, res.Winner.Cells, res.Contract.Cells)
	res = wordlen.Result{}
	o = call(t, newFake(), slices.DeleteFunc(args, func(s string) bool { return s == "--cells" })...)
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &res))
	require.Empty(t, res.Units)
	require.NotContains(t, o.stdout, `"cells"`)
}
