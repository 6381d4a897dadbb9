package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/precision/diff"
)

func TestDiffRun(t *testing.T) {
	dir := t.TempDir()
	js, html := filepath.Join(dir, "out.json"), filepath.Join(dir, "out.html")
	o := call(t, newFake(), "diff", "run", "--source", "fabric:incast32", "--events", "5k", "--json", js, "--html", html)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout,
		"diff  ccc fabric:incast32 seed 1: 5,000 events; fixed point is the cycle-true model in all of them")
	require.Contains(t, o.stdout, "one step: every event")
	require.Contains(t, o.stdout, "free: every arithmetic")
	var res diff.Result
	text, err := os.ReadFile(js)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &res))
	require.Len(t, res.Modes, 2)
	text, err = os.ReadFile(html)
	require.NoError(t, err)
	require.Contains(t, string(text), "DONE")
}

func TestDiffFormats(t *testing.T) {
	file := filepath.Join(t.TempDir(), "narrow.yaml")
	require.NoError(t, os.WriteFile(file, []byte("block: ccc\nvalues:\n  - {name: avg_delay, format: UQ32.4}\n"), 0o644))
	o := call(t, newFake(), "diff", "run", "--events", "3k", "--mode", "step", "--formats", file,
		"--format", "alpha=UQ16.14", "--json", "-")
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	var res diff.Result
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &res))
	require.Equal(t, []diff.Setting{
		{Name: "avg_delay", Contract: "UQ32.16,floor,none", Format: "UQ32.4,floor,none"},
		{Name: "ALPHA", Contract: "UQ16.16,nearest-even,none", Format: "UQ16.14,nearest-even,none"},
	}, res.Changed)
	require.Len(t, res.Modes, 1)
	require.Zero(t, res.Model)
}

// Wrong arguments are named before anything runs, and a run that breaks leaves no earlier report.
func TestDiffRefuses(t *testing.T) {
	dir := t.TempDir()
	js, bad := filepath.Join(dir, "out.json"), filepath.Join(dir, "bad.yaml")
	require.NoError(t, os.WriteFile(bad, []byte("block: ccc\nvalues: [{name: alpha, widht: 3}]\n"), 0o644))
	for args, want := range map[string]string{
		"diff run --format alpha":                                      "give NAME=FORMAT",
		"diff run --format alpha=16.14":                                "give UQm.n",
		"diff run --format alpha=UQ60.14":                              "74 bits; give at most 64",
		"diff run --format beta=UQ6.14":                                `value "beta": unknown`,
		"diff run --format alpha=UQ6.14 --format ALPHA=UQ6.1":          "given twice",
		"diff run --formats /nonexistent.yaml":                         "--formats",
		"diff run --formats " + bad:                                    `line 2: unknown key "widht"`,
		"diff run --mode some":                                         "give step, free or both",
		"diff run --tick 2ns":                                          "give 1ns or 128ns",
		"diff run --events 0":                                          "--events",
		"diff run --flips -1":                                          "--flips",
		"diff run --format cwnd=UQ60.5":                                "65 bits; give at most 64",
		"diff run --format prop_inc=UQ65.0":                            "65 bits; give at most 64",
		"diff run --format avg_step=SQ40.24":                           "65 bits; give at most 64",
		"diff run --shrink --mode free":                                "leave out --mode free",
		"diff run --shrink --against float64":                          "leave out --mode free",
		"diff run --against some":                                      "give exact or float64",
		"diff run --loop fattree128/incast32 --shrink":                 "no effect with --loop",
		"diff run --loop fattree128/incast32 --junit x.xml":            "no effect with --loop",
		"diff run --csv " + js + " --markdown " + js:                   "both name",
		"diff run --markdown -":                                        "only --json can go to stdout",
		"diff bench --events 3":                                        "give 1000 to 100M",
		"diff bench --rounds 0":                                        "give 1 to 1000",
		"diff bench --source nowhere --memory 0":                       "known sources",
		"diff bench more":                                              `unexpected argument "more"`,
		"diff run --source nowhere":                                    "known sources",
		"diff run --html -":                                            "only --json can go to stdout",
		"diff run --param NumContexts=1":                               "NumContexts",
		"diff run --json " + js + " --html " + js:                      "both name",
		"diff run --json " + bad + " --formats " + bad:                 `unknown key "widht"`,
		"diff run --source random --events 1":                          "nothing was compared",
		"diff run --source random --events 1 --mode free --json " + js: "nothing was compared",
		"diff run more":                                                `unexpected argument "more"`,
	} {
		o := call(t, newFake(), strings.Fields(args)...)
		requireBroken(t, o, want)
		require.Empty(t, o.stdout, args)
	}
	require.NoFileExists(t, js)
	require.NoError(t, os.WriteFile(js, []byte(`{"modes": [{"signals": [{"unused_top_bits": 1}]}]}`), 0o644))
	requireBroken(t, call(t, newFake(), "diff", "run", "--json", js, "--mode", "some"), "give step")
	require.NoFileExists(t, js, "it would pass for the result of this run")
}

// htmlTo is the report files of diff run with --html alone; "" for none.
func htmlTo(path string) []cli.Output {
	return []cli.Output{{}, {Flag: "--html", Path: path}, {}, {}, {}}
}

// A decision without an explanation is exit code 1.
func TestDiffWithoutACause(t *testing.T) {
	var out strings.Builder
	a := &app{App: &cli.App{Stdout: &out}}
	res := &diff.Result{Block: "ccc", Modes: []diff.Measure{{Mode: diff.Step,
		Judged: []diff.CauseCount{{Cause: diff.NoCause, Flips: 1}}}}}
	require.ErrorIs(t, a.diffReport(htmlTo(""), res, nil), cli.ErrMismatch)
	require.Contains(t, out.String(), "1 flip WITHOUT A CAUSE")
}

// A difference between fixed point and the model is exit code 1, whatever else breaks.
func TestDiffParted(t *testing.T) {
	var out strings.Builder
	a := &app{App: &cli.App{Stdout: &out}}
	res := &diff.Result{Block: "ccc", Source: "random", Parted: "event 7: state"}
	require.Equal(t, cli.ErrMismatch, a.diffReport(htmlTo(""), res, nil))
	require.Contains(t, out.String(), "FIXED POINT IS NOT THE MODEL\nevent 7: state")
	require.ErrorIs(t, a.diffReport(htmlTo(""), res, context.Canceled), cli.ErrMismatch)
	err := a.diffReport(htmlTo("/nonexistent/x.html"), res, nil)
	require.ErrorIs(t, err, cli.ErrMismatch)
	require.ErrorContains(t, err, "/nonexistent/x.html")
	require.ErrorContains(t, a.diffReport(htmlTo("/nonexistent/x.html"), &diff.Result{}, nil),
		"/nonexistent/x.html")
}
