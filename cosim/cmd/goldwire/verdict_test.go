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

	"github.com/goldwire/goldwire/cosim/run"
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
	walk(newRoot(&app{backend: b}))
}

// An empty value of any flag, and an empty argument, is refused by every command before it does anything.
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
	for _, args := range []string{"--source=random,", "--source=,", "--case=directed/", "--seeds=1,", "--param=", "--rtl=", "--json="} {
		f := newFake()
		requireBroken(t, call(t, f, "cosim", args))
		require.Empty(t, f.configs, args)
	}
}

// full is a stdout on a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// A command whose results could not be printed has not done its work.
func TestEveryCommandChecksItsStdout(t *testing.T) {
	gwv := filepath.Join(t.TempDir(), "v.gwv")
	o := call(t, newFake(), "vectors", "gen", "--block", "txstate", "--events", "200", "-o", gwv)
	require.Equal(t, exitPass, o.code, o.stderr)
	mismatching := newFake()
	mismatching.mismatch = func(run.Config) bool { return true }
	for _, args := range [][]string{
		{"list"}, {"list", "cases"}, {"schema", "show", "ccc"}, {"schema", "show", "--hash", "ccc"}, {"version"}, {"help"}, {"--help"},
		{"completion", "bash"}, {"vectors", "verify", gwv}, {"vectors", "info", gwv}, {"vectors", "show", gwv}, {"vectors", "diff", gwv, gwv},
		{"vectors", "gen", "--block", "txstate", "--events", "200", "-o", "-"}, {"fabric", "list"}, {"faults", "list"},
		{"cosim"}, {"cosim", "--json", "-"}, {"cosim", "--seeds", "1..3"}, {"dut", "check", "../../../hdl/examples/old_new/old.yaml"},
	} {
		for _, f := range []*fake{newFake(), mismatching} {
			var errs bytes.Buffer
			code := execute(t.Context(), &app{backend: f.backend(), stdin: strings.NewReader(""), stdout: full{}, stderr: &errs}, args)
			require.Equal(t, exitBroken, code, "%v", args)
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

// No report of a run before this one is left to pass for this one's: not while it runs, and not where it never began.
func TestNoReportOfARunBefore(t *testing.T) {
	dir := t.TempDir()
	out := func() (args []string) {
		for _, n := range []string{"json", "junit", "html"} {
			args = append(args, "--"+n, filepath.Join(dir, "r."+n))
		}
		return args
	}
	old := func() {
		require.Equal(t, exitPass, call(t, newFake(), append([]string{"cosim"}, out()...)...).code)
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
	requireBroken(t, call(t, newFake(), append([]string{"cosim", "--dut", "/nonexistent.yaml"}, out()...)...), "no such file")
	nowhere("error", "/nonexistent.yaml")
	old()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	requireBroken(t, callCtx(t, ctx, newFake(), append([]string{"cosim"}, out()...)...), "interrupted")
	nowhere("not run", "interrupted")
}
