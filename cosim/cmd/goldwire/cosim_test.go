package main

import (
	"bufio"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/engine/run"
)

func TestCosimFlagsReachTheRun(t *testing.T) {
	f := newFake()
	dir := t.TempDir()
	rtl := filepath.Join(dir, "rtl")
	require.NoError(t, os.Mkdir(rtl, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(rtl, "ccc.sv"), nil, 0o644))
	waves := filepath.Join(dir, "w", "waves")
	o := call(t, f, "cosim", "--block", "ccc", "--source", "random", "--events", "2.5k", "--seed", "0x10", "--tick",
		"128ns", "--transport", "shm",
		"--rtl", rtl, "--param", "NumContexts=64", "--episode", "random/3", "--waves", waves, "--no-shrink", "--no-float",
		"--assert", "--timeout", "30s", "--shrink-time", "7s")
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Empty(t, o.stderr, "no progress line where there is no terminal")
	require.DirExists(t, waves)
	c := f.configs[0]
	require.NotNil(t, c.Progress)
	require.FileExists(t, filepath.Join(c.Root, "go.mod"))
	require.NotNil(t, c.Say)
	require.NotNil(t, c.Found)
	c.Progress, c.Say, c.Found, c.Root = nil, nil, nil, ""
	require.Equal(t, run.Config{Block: "ccc", Source: "random", Events: 2500, Seed: 16, TickPs: 128000, Transport: "shm",
		RTLDir: rtl,
		Params: map[string]int{"NumContexts": 64}, Episode: "random/3", WaveDir: waves, NoShrink: true,
		ShrinkTime: 7 * time.Second, FloatOff: true, Assert: true, Timeout: 30 * time.Second}, c)
}

func TestCosimOneRunPerSourceAndSeed(t *testing.T) {
	f := newFake()
	o := call(t, f, "cosim", "--source", "random,fabric:incast32", "--seeds", "1..2,9", "--events", "10")
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	var got []string
	for _, c := range f.configs {
		got = append(got, c.Source+"/"+countString(c.Seed))
	}
	require.Equal(t, []string{"random/1", "random/2", "random/9", "fabric:incast32/1", "fabric:incast32/2",
		"fabric:incast32/9"}, got)
	require.Equal(t, 6, strings.Count(o.stdout, "PASS  ccc "))
	require.Contains(t, o.stdout, "PASS  6 runs, 0 not passed: 60 events")
}

func countString(n uint64) string { v := cli.Count(n); return v.String() }

func TestCosimCase(t *testing.T) {
	for _, args := range [][]string{{"--case", "qa/fire"}, {"--case", "directed/qa/fire"},
		{"--source", "directed", "--case", "qa/fire"}} {
		f := newFake()
		o := call(t, f, append([]string{"cosim"}, args...)...)
		require.Equal(t, cli.ExitPass, o.code, o.stderr)
		require.Equal(t, "directed", f.configs[0].Source)
		require.Equal(t, "qa/fire", f.configs[0].Case)
	}
	f := newFake()
	require.Equal(t, cli.ExitPass, call(t, f, "cosim", "--source", "directed/qa/fire").code)
	require.Equal(t, "directed/qa/fire", f.configs[0].Source)
}

func TestCosimMismatch(t *testing.T) {
	f := newFake()
	f.mismatch = func(c run.Config) bool { return c.Seed == 2 }
	dir := t.TempDir()
	p := func(n string) string { return filepath.Join(dir, n) }
	o := call(t, f, "cosim", "--seeds", "1..3", "--json", p("r.json"), "--junit", p("r.xml"), "--html", p("r.html"))
	require.Equal(t, cli.ExitMismatch, o.code)
	require.Empty(t, o.stderr)
	require.Len(t, f.configs, 3, "a mismatch does not stop the other runs")
	require.Contains(t, o.stdout, "MISMATCH  ccc random seed 2")
	require.Contains(t, o.stdout, "--seed 2 --episode random/3")
	require.Contains(t, o.stdout, "MISMATCH  3 runs, 1 not passed")

	var doc map[string]any
	data, err := os.ReadFile(p("r.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &doc))
	require.Equal(t, "mismatch", doc["verdict"])
	require.EqualValues(t, 1, doc["mismatches"])
	require.Len(t, doc["results"], 3)
	data, err = os.ReadFile(p("r.xml"))
	require.NoError(t, err)
	require.NoError(t, xml.Unmarshal(data, new(struct{})))
	require.Contains(t, string(data), `failures="1"`)
	data, err = os.ReadFile(p("r.html"))
	require.NoError(t, err)
	require.Contains(t, string(data), "<b>MISMATCH</b>")
}

func TestCosimJSONToStdout(t *testing.T) {
	o := call(t, newFake(), "cosim", "--json", "-")
	require.Equal(t, cli.ExitPass, o.code)
	var doc map[string]any
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &doc), "stdout holds the JSON and nothing else")
	require.Equal(t, "ccc", doc["block"])
}

func TestCosimHarnessErrorKeepsFinishedRuns(t *testing.T) {
	f := newFake()
	f.fail = func(c run.Config) error {
		if c.Seed == 2 {
			return errors.New("device: killed by signal 9\nlast log line: fatal")
		}
		return nil
	}
	path := filepath.Join(t.TempDir(), "r.json")
	o := call(t, f, "cosim", "--seeds", "1..3", "--json", path)
	requireBroken(t, o, "device: killed by signal 9; last log line: fatal")
	require.Len(t, f.configs, 2)
	var doc map[string]any
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &doc))
	require.EqualValues(t, 2, doc["seed"], "the top is about the run that failed")
	require.Equal(t, "error", doc["verdict"])
	require.Contains(t, doc["reason"], "killed by signal 9")
	require.Len(t, doc["results"], 3, "every planned run is in the report")
	for i, want := range []string{"pass", "error", "not run"} {
		require.Equal(t, want, doc["results"].([]any)[i].(map[string]any)["verdict"])
	}
	require.Contains(t, o.stdout, "PASS  ccc random seed 1")
	require.Contains(t, o.stdout, "ERROR  ccc random seed 2")
	require.Contains(t, o.stdout, "NOT RUN  ccc random seed 3: not begun: the command ended with run 2 of 3: device: "+
		"killed by signal 9")
	require.Contains(t, o.stdout, "ERROR  3 runs, 2 not passed")
}

func TestCosimThatComparesNothingIsNoPass(t *testing.T) {
	f := newFake()
	f.empty = true
	requireBroken(t, call(t, f, "cosim"), "nothing was compared")
	o := call(t, newFake(), "cosim", "--model-only")
	require.Equal(t, cli.ExitPass, o.code)
	require.Contains(t, o.stdout, "MODEL ONLY")
}

func TestCosimReportLostAfterTheRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	require.NoError(t, os.Mkdir(dir, 0o755))
	f := newFake()
	f.fail = func(run.Config) error { return os.RemoveAll(dir) }
	junit := filepath.Join(t.TempDir(), "r.xml")
	o := call(t, f, "cosim", "--json", filepath.Join(dir, "r.json"), "--junit", junit)
	requireBroken(t, o, "--json", "does not exist")
	require.FileExists(t, junit, "one lost report must not take the others along")
	require.Contains(t, o.stdout, "PASS")
}

func TestCosimCancelledBeforeTheFirstRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f := newFake()
	requireBroken(t, callCtx(t, ctx, f, "cosim", "--seed", "1"), "interrupted", "no run finished")
	require.Empty(t, f.configs)
}

// TestSignal interrupts a process in its second run: one line, exit code 2, and the report holds the finished run and
// the part of the other.
func TestSignal(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "r.json")
			cmd := exec.Command(os.Args[0], "cosim", "--seeds", "1..3", "--json", path)
			cmd.Env = append(os.Environ(), childEnv+"=1")
			var errs strings.Builder
			cmd.Stderr = &errs
			out, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			defer func() { _ = cmd.Process.Kill() }()
			lines := bufio.NewScanner(out)
			for lines.Scan() && lines.Text() != "second run started" {
			}
			require.NoError(t, cmd.Process.Signal(sig))
			for lines.Scan() {
			}
			var exit *exec.ExitError
			require.ErrorAs(t, cmd.Wait(), &exit)
			requireBroken(t, outcome{exit.ExitCode(), "", errs.String()}, "interrupted", "1 of 3 runs finished")
			var doc struct{ Results []struct{ Verdict string } }
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(data, &doc))
			require.Len(t, doc.Results, 3)
			require.Equal(t, "not run", doc.Results[2].Verdict)
			require.Equal(t, "pass", doc.Results[0].Verdict)
			require.Equal(t, "interrupted", doc.Results[1].Verdict)
		})
	}
}

// A run whose result lacks the float reference's section, or the fabric's comparison with float64, is not a pass.
func TestCosimThatLostASectionIsNoPass(t *testing.T) {
	for _, lost := range []string{"state", "float"} {
		f := newFake()
		f.lost = lost
		dir := t.TempDir()
		file := filepath.Join(dir, "r.json")
		o := call(t, f, "cosim", "--block", "ccc", "--source", "fabric:incast32", "--json", file)
		requireBroken(t, o, "the section "+lost+" is missing")
		require.Contains(t, read(t, file), `"verdict": "empty"`)
		require.NotContains(t, o.stdout, "PASS")
		f.mismatch = func(run.Config) bool { return true }
		require.Equal(t, cli.ExitMismatch, call(t, f, "cosim", "--block", "ccc", "--source", "fabric:incast32").code)
	}
	f := newFake()
	f.lost = "state"
	require.Equal(t, cli.ExitPass, call(t, f, "cosim", "--block", "ccc", "--no-float").code, "nothing is due then")
	require.Equal(t, cli.ExitPass, call(t, f, "cosim", "--block", "txstate").code)
}
