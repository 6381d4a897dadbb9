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
	telemetry "github.com/goldwire/goldwire/cosim/precision/diff/intmd"
)

func TestDiffTelemetry(t *testing.T) {
	dir := t.TempDir()
	js, html := filepath.Join(dir, "out.json"), filepath.Join(dir, "out.html")
	o := call(t, newFake(), "diff", "run", "--block", "intmd", "--source", "fabric:permutation", "--events", "5k",
		"--json", js, "--html", html)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, strings.Join(strings.Fields(o.stdout), " "),
		"the entries in the cycle-true model's packets are the table's, bit for bit")
	require.Contains(t, o.stdout, "hpcc window")
	var res telemetry.Result
	text, err := os.ReadFile(js)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &res))
	require.Len(t, res.Modes, 2)
	require.Positive(t, res.Model)
	text, err = os.ReadFile(html)
	require.NoError(t, err)
	require.Contains(t, string(text), "DONE")
}

func TestDiffTelemetryFormats(t *testing.T) {
	file := filepath.Join(t.TempDir(), "narrow.yaml")
	require.NoError(t, os.WriteFile(file, []byte("block: intmd\nvalues:\n  - {name: TS, format: UQ20.0}\n"), 0o644))
	o := call(t, newFake(), "diff", "run", "--block", "intmd", "--source", "fabric:permutation", "--events", "3k",
		"--mode", "step", "--rtt", "8000", "--formats", file, "--format", "qlen=UQ12.0,wrap", "--json", "-")
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	var res telemetry.Result
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &res))
	require.Equal(t, []diff.Setting{
		{Name: "TS", Contract: "UQ24.0,floor,wrap", Format: "UQ20.0,floor,wrap"},
		{Name: "qLen", Contract: "UQ16.0,floor,saturate", Format: "UQ12.0,floor,wrap"},
	}, res.Changed)
	require.Len(t, res.Modes, 1)
	require.Zero(t, res.Model)
	require.EqualValues(t, 8000, res.RTT)
}

// Wrong arguments are named before anything runs.
func TestDiffTelemetryRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"--block egress":                                 `--block "egress": give ccc, intmd or credit`,
		"--block intmd --tick 1ns":                       "--tick: has no effect on block intmd",
		"--block intmd --shrink":                         "--shrink: has no effect on block intmd",
		"--block intmd --loop fattree128/incast32":       "--loop: has no effect on block intmd",
		"--block intmd --seeds 1..3":                     "--seeds: has no effect on block intmd",
		"--rtt 8000":                                     "--rtt: has no effect on block ccc",
		"--block intmd --rtt 0":                          "--rtt: round trip 0 ns",
		"--block intmd --format alpha=UQ16.14":           `value "alpha": unknown; block intmd has STEP`,
		"--block ccc --format qLen=UQ16.14":              `value "qLen": unknown; block ccc has`,
		"--block intmd --format qLen=SQ15.0":             "give an unsigned format",
		"--block intmd --format qLen=UQ9.0,up":           `"up"`,
		"--block intmd --mode some":                      "give step, free or both",
		"--block intmd --events 0":                       "--events",
		"--block intmd --flips -1":                       "--flips",
		"--block intmd --source nowhere":                 "known sources",
		"--block intmd --source random --events 1":       "nothing was compared",
		"--block intmd --param NumContexts=4":            "NumContexts",
		"--block intmd --html -":                         "only --json can go to stdout",
		"--block intmd --formats vectors/event/none.yml": "--formats",
	} {
		o := call(t, newFake(), append([]string{"diff", "run"}, strings.Fields(args)...)...)
		requireBroken(t, o, want)
		require.Empty(t, o.stdout, args)
	}
}

// A difference is exit code 1, whatever else breaks.
func TestDiffTelemetryFails(t *testing.T) {
	const what = "packet 7: qLen"
	for _, res := range []*telemetry.Result{{Parted: what}, {Beyond: 1, Examples: []string{what}}} {
		var out strings.Builder
		a := &app{App: &cli.App{Stdout: &out}}
		require.Equal(t, cli.ErrMismatch, a.telemetryReport(htmlTo(""), res, nil))
		require.Contains(t, out.String(), what)
		require.ErrorIs(t, a.telemetryReport(htmlTo(""), res, context.Canceled), cli.ErrMismatch)
		err := a.telemetryReport(htmlTo("/nonexistent/x.html"), res, nil)
		require.ErrorIs(t, err, cli.ErrMismatch)
		require.ErrorContains(t, err, "/nonexistent/x.html")
	}
	require.ErrorContains(t, (&app{App: &cli.App{Stdout: new(strings.Builder)}}).telemetryReport(
		htmlTo("/nonexistent/x.html"), &telemetry.Result{}, nil), "/nonexistent/x.html")
}
