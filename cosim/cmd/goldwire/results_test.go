package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// A command that ends early leaves no earlier result that could pass for its own. If the arguments are wrong, it leaves
// files that are not results alone.
func TestNoResultOfARunBefore(t *testing.T) {
	dir := t.TempDir()
	trace := filepath.Join(dir, "trace.csv")
	require.NoError(t, os.WriteFile(trace, []byte("not,a,trace\n1,2,3\n"), 0o644))
	pass := map[string]string{
		"replay": `{"pass": true, "integer": {"action_mismatches": 0}}`, "faults": `[{"ok": true, "drawn_percent": 100}]`,
		"fabric": `{"flows": 1, "done": 1, "fct_us": {}}`, "page": `<div class="verdict good"><b>DONE</b></div>`,
		"diff": `{"modes": [{"signals": [{"unused_top_bits": 1}]}]}`,
	}
	for name, c := range map[string]struct {
		result string
		args   []string
	}{
		"replay of no trace":      {"replay", with(replayFlags, trace)},
		"replay of nothing":       {"replay", with(replayFlags, filepath.Join(dir, "none.csv"))},
		"replay, wrong flag":      {"replay", with(replayFlags, "--mtus", "5", trace)},
		"replay, without setting": {"replay", []string{"golden", "replay", trace}},
		"faults, wrong block":     {"faults", []string{"faults", "--block", "none"}},
		"faults, wrong flag":      {"faults", []string{"faults", "--blocks", "ccc"}},
		"fabric, wrong preset":    {"fabric", []string{"fabric", "run", "none"}},
		"fabric, wrong setting":   {"fabric", []string{"fabric", "run", "fattree128/incast32", "--set", "none=1"}},
		"diff, wrong mode":        {"diff", []string{"diff", "run", "--mode", "some"}},
		"diff, wrong flag":        {"diff", []string{"diff", "run", "--modes", "free"}},
		"page of the fabric":      {"page", []string{"fabric", "run", "none"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "result")
			flag := "--json"
			if c.result == "page" {
				flag = "--html"
			}
			require.NoError(t, os.WriteFile(path, []byte(pass[c.result]), 0o644))
			requireBroken(t, call(t, newFake(), with(c.args, flag, path)...))
			require.NoFileExists(t, path)
			requireBroken(t, call(t, newFake(), with(c.args, flag+"="+path)...))
			require.NoFileExists(t, path, "a command that fails writes no result")
		})
	}
	mine := filepath.Join(dir, "mine")
	require.NoError(t, os.WriteFile(mine, []byte("precious"), 0o644))
	requireBroken(t, call(t, newFake(), "faults", "--block", "none", "--json", mine))
	requireBroken(t, call(t, newFake(), "fabric", "run", "none", "--html", mine))
	require.Equal(t, "precious", read(t, mine))
	figures := filepath.Join(dir, "bench.json")
	require.NoError(t, os.WriteFile(figures, []byte(`{"a": 1}`), 0o644))
	requireBroken(t, call(t, newFake(), "bench", "--block", "none", "--json", figures))
	require.Equal(t, `{"a": 1}`, read(t, figures), "figures are added to")
}

// A result does not overwrite a file that the command reads, whatever the path.
func TestFabricResultsOverItsFiles(t *testing.T) {
	dir := t.TempDir()
	own, link := filepath.Join(dir, "own.yaml"), filepath.Join(dir, "link")
	text := "flows: [{src: 0, dst: 1, bytes: 5}]\n"
	require.NoError(t, os.WriteFile(own, []byte(text), 0o644))
	require.NoError(t, os.Symlink(own, link))
	for _, path := range []string{own, link, filepath.Join(dir, "x", "..", "own.yaml")} {
		requireBroken(t, call(t, newFake(), "fabric", "run", own, "--csv", path), "FILE.yaml and --csv: both name")
		require.Equal(t, text, read(t, own))
	}
}

// A mismatch stays exit code 1 if its result cannot be written.
func TestMismatchOutlivesItsResult(t *testing.T) {
	const device = "/dev/full"
	if _, err := os.Stat(device); err != nil {
		t.Skip("no " + device)
	}
	traces, err := filepath.Glob(filepath.Join("..", "..", "..", "golden", "replay", "testdata", "*.csv"))
	require.NoError(t, err)
	require.NotEmpty(t, traces)
	args := with(replayFlags, traces[0])
	args[5] = "101"
	o := call(t, newFake(), args...)
	require.Equal(t, cli.ExitMismatch, o.code)
	require.Empty(t, o.stderr, "a mismatch alone is no error")

	args = with(replayFlags, "--json", device, traces[0])
	args[5] = "101"
	o = call(t, newFake(), args...)
	require.Equal(t, cli.ExitMismatch, o.code, o.stderr)
	require.Contains(t, o.stderr, "a mismatch was found; also: --json: ")

	args = []string{"fabric", "run", "fattree128/permutation", "--set", "max_time.us=5"}
	for _, flags := range [][]string{nil, {"--json", "-"}} {
		o = call(t, newFake(), with(args, flags...)...)
		require.Equal(t, cli.ExitMismatch, o.code, o.stderr)
		var errs strings.Builder
		app := &cli.App{Backend: cli.NewBackend(), Stdout: full{}, Stderr: &errs}
		require.Equal(t, cli.ExitMismatch, execute(t.Context(), app, with(args, flags...)), errs.String())
		require.Contains(t, errs.String(), "no space left on device")
	}
}
