package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/engine/run"
)

// everyCommand calls f with each command of goldwire that can be run.
func everyCommand(f func(*cobra.Command)) {
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			walk(sub)
		}
		if !c.HasSubCommands() {
			f(c)
		}
	}
	b := newFake().backend()
	walk(newRoot(&app{App: &cli.App{Backend: b}}))
}

// Every command refuses an empty value of any flag, and an empty argument, before it does anything.
func TestEmptyArgumentsAreRefused(t *testing.T) {
	flags := 0
	everyCommand(func(c *cobra.Command) {
		path := strings.Fields(c.CommandPath())[1:]
		check := func(f *pflag.Flag) {
			if f.Name == "help" {
				return
			}
			for _, empty := range []string{"", " "} {
				o := call(t, newFake(), append(append([]string{}, path...), "--"+f.Name+"="+empty)...)
				requireBroken(t, o)
				require.Empty(t, o.stdout, "%v --%s", path, f.Name)
				require.Contains(t, o.stderr, "--"+f.Name+": it is empty")
				if f.NoOptDefVal == "" { // with its value as the next word
					o = call(t, newFake(), append(append([]string{}, path...), "--"+f.Name, empty)...)
					requireBroken(t, o, "--"+f.Name+": it is empty")
				}
			}
			flags++
		}
		c.LocalFlags().VisitAll(check)
		for n := 1; n <= 3; n++ {
			args := append([]string{}, path...)
			for range n {
				args = append(args, "")
			}
			o := call(t, newFake(), args...)
			requireBroken(t, o, "is empty")
			require.Empty(t, o.stdout, "%v", args)
		}
	})
	require.Greater(t, flags, 100)
	for _, args := range []string{"--source=random,", "--source=,", "--case=directed/", "--seeds=1,", "--param=", "--rtl=",
		"--json="} {
		f := newFake()
		requireBroken(t, call(t, f, "cosim", args))
		require.Empty(t, f.configs, args)
	}
}

// full is a stdout on a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// A command whose results could not be printed has failed.
func TestEveryCommandChecksItsStdout(t *testing.T) {
	gwv, again := filepath.Join(t.TempDir(), "v.gwv"), filepath.Join(t.TempDir(), "v.gwv")
	for _, to := range []string{gwv, again} {
		o := call(t, newFake(), "vectors", "gen", "--block", "txstate", "--events", "200", "-o", to)
		require.Equal(t, cli.ExitPass, o.code, o.stderr)
	}
	mismatching := newFake()
	mismatching.mismatch = func(run.Config) bool { return true }
	for _, args := range [][]string{
		{"list"}, {"list", "cases"}, {"schema", "show", "ccc"}, {"schema", "show", "--hash", "ccc"}, {"version"}, {"help"},
		{"--help"},
		{"completion", "bash"}, {"vectors", "verify", gwv}, {"vectors", "info", gwv}, {"vectors", "show", gwv},
		{"vectors", "diff", gwv, again},
		{"vectors", "gen", "--block", "txstate", "--events", "200", "-o", "-"}, {"fabric", "list"}, {"faults", "list"},
		{"cosim"}, {"cosim", "--json", "-"}, {"cosim", "--seeds", "1..3"},
		{"dut", "check", "../../../hdl/examples/old_new/old.yaml"},
	} {
		for _, f := range []*fake{newFake(), mismatching} {
			var errs bytes.Buffer
			code := execute(t.Context(), &cli.App{Backend: f.backend(), Stdin: strings.NewReader(""), Stdout: full{},
				Stderr: &errs}, args)
			want := cli.ExitBroken
			if f == mismatching && args[0] == "cosim" {
				want = cli.ExitMismatch // it stays, whatever else breaks
			}
			require.Equal(t, want, code, "%v", args)
			require.Contains(t, errs.String(), "no space left on device", "%v", args)
			require.Equal(t, 1, strings.Count(errs.String(), "\n"), "one line: %s", &errs)
		}
	}
}

// verdictOf returns the verdict and the reason in a JSON report.
func verdictOf(t *testing.T, path string) (verdict, reason string) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var doc struct{ Verdict, Reason string }
	require.NoError(t, json.Unmarshal(text, &doc))
	return doc.Verdict, doc.Reason
}

// No earlier report can pass for this run's: neither while it runs, nor if it never began.
func TestNoReportOfARunBefore(t *testing.T) {
	dir := t.TempDir()
	out := func() (args []string) {
		for _, n := range []string{"json", "junit", "html"} {
			args = append(args, "--"+n, filepath.Join(dir, "r."+n))
		}
		return args
	}
	old := func() {
		require.Equal(t, cli.ExitPass, call(t, newFake(), append([]string{"cosim"}, out()...)...).code)
		v, _ := verdictOf(t, filepath.Join(dir, "r.json"))
		require.Equal(t, "pass", v)
	}
	nowhere := func(verdict, reason string) {
		t.Helper()
		v, why := verdictOf(t, filepath.Join(dir, "r.json"))
		require.Equal(t, verdict, v)
		require.Contains(t, why, reason)
		for n, want := range map[string]string{"junit": `errors="1"`, "html": "<b>" + strings.ToUpper(verdict) + "</b>"} {
			text, err := os.ReadFile(filepath.Join(dir, "r."+n))
			require.NoError(t, err)
			require.Contains(t, string(text), want)
			require.Contains(t, string(text), reason)
		}
	}
	old()
	f := newFake()
	f.fail = func(run.Config) error { // while it runs
		nowhere("not run", "the command ended before this run began")
		return errors.New("the build failed")
	}
	requireBroken(t, call(t, f, append([]string{"cosim"}, out()...)...), "the build failed")
	nowhere("error", "the build failed")
	old()
	requireBroken(t, call(t, newFake(), append([]string{"cosim", "--dut", "/nonexistent.yaml"}, out()...)...),
		"no such file")
	nowhere("error", "/nonexistent.yaml")
	old() // one of its own reports cannot be written
	requireBroken(t, call(t, newFake(), append([]string{"cosim"},
		append(out()[:4], "--html", "/nonexistent/r.html")...)...), "does not exist")
	v, why := verdictOf(t, filepath.Join(dir, "r.json"))
	require.Equal(t, "error", v)
	require.Contains(t, why, "/nonexistent")
	junit, err := os.ReadFile(filepath.Join(dir, "r.junit"))
	require.NoError(t, err)
	require.Contains(t, string(junit), `errors="1"`)
	old()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	requireBroken(t, callCtx(t, ctx, newFake(), append([]string{"cosim"}, out()...)...), "interrupted")
	nowhere("not run", "interrupted")
}

// A mismatch stays the outcome of a command, whatever breaks besides or later; the failure is one line on stderr.
func TestMismatchStaysTheEnd(t *testing.T) {
	mismatch := func() *fake {
		f := newFake()
		f.mismatch = func(c run.Config) bool { return c.Seed == 1 }
		return f
	}
	requireFound := func(o outcome, words ...string) {
		t.Helper()
		require.Equal(t, cli.ExitMismatch, o.code, o.stderr)
		require.Contains(t, o.stdout, "MISMATCH")
		require.Equal(t, 1, strings.Count(o.stderr, "\n"), "one line: %q", o.stderr)
		for _, w := range append(words, "goldwire: a mismatch was found; also: ") {
			require.Contains(t, o.stderr, w)
		}
	}
	f := mismatch() // the next run breaks
	f.fail = func(c run.Config) error {
		if c.Seed == 2 {
			return errors.New("device: killed by signal 9")
		}
		return nil
	}
	o := call(t, f, "cosim", "--seeds", "1..4")
	requireFound(o, "killed by signal 9")
	require.Contains(t, o.stdout, "NOT RUN  2 runs, ccc random seed 3 to ccc random seed 4: not begun: "+
		"the command ended with run 2 of 4: device: killed")

	f = mismatch() // the next run is interrupted
	ctx, cancel := context.WithCancel(t.Context())
	f.slow, f.started = func(c run.Config) bool { return c.Seed == 2 }, cancel
	o = callCtx(t, ctx, f, "cosim", "--seeds", "1..9")
	requireFound(o, "interrupted", "1 of 9 runs finished")
	require.Contains(t, o.stdout,
		"NOT RUN  7 runs, ccc random seed 3 to ccc random seed 9: not begun: the command was interrupted in run 2 of 9\n")
	require.Contains(t, o.stdout, "MISMATCH  9 runs, 9 not passed (7 not run, 1 interrupted, 1 mismatch)")

	f = mismatch() // a report cannot be written
	dir := filepath.Join(t.TempDir(), "out")
	require.NoError(t, os.Mkdir(dir, 0o755))
	f.fail = func(run.Config) error { return os.RemoveAll(dir) }
	requireFound(call(t, f, "cosim", "--json", filepath.Join(dir, "r.json")), "--json", "does not exist")

	f = mismatch() // the same error as before if nothing was found
	f.mismatch = nil
	f.fail = func(run.Config) error { return errors.New("device: killed by signal 9") }
	requireBroken(t, call(t, f, "cosim"), "killed by signal 9")
}

// The summary of an interrupted command begins with what was done, and has one line for the runs that did not begin.
func TestInterruptedCommandSaysWhatWasDone(t *testing.T) {
	f := newFake()
	ctx, cancel := context.WithCancel(t.Context())
	f.slow, f.started = func(c run.Config) bool { return c.Seed == 3 }, cancel
	path := filepath.Join(t.TempDir(), "r.json")
	o := callCtx(t, ctx, f, "cosim", "--seeds", "1..50", "--json", path)
	requireBroken(t, o, "interrupted", "2 of 50 runs finished")
	require.Equal(t, 1, strings.Count(o.stdout, "NOT RUN  "), o.stdout)
	require.Contains(t, o.stdout,
		"NOT RUN  47 runs, ccc random seed 4 to ccc random seed 50: not begun: the command was interrupted in run 3 of 50\n")
	require.Contains(t, o.stdout, "INTERRUPTED  50 runs, 48 not passed (2 pass, 47 not run, 1 interrupted): ")
	v, why := verdictOf(t, path)
	require.Equal(t, "interrupted", v)
	require.Contains(t, why, "2 pass, 47 not run, 1 interrupted; ccc random seed 3: stopped early")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var doc struct{ Results []struct{ Verdict string } }
	require.NoError(t, json.Unmarshal(text, &doc))
	require.Len(t, doc.Results, 50)
}
