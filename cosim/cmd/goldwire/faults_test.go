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
)

func TestFaultsUsage(t *testing.T) {
	full := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(full, "x"), nil, 0o644))
	for _, c := range []struct {
		args string
		want []string
	}{
		{"faults lst", []string{`unknown command "lst"`, `did you mean "list"?`}},
		{"faults --block cccc", []string{`unknown block "cccc"`, `did you mean "ccc"?`}},
		{"faults --drawn -1", []string{"-1 drawn faults"}},
		{"faults --block txstate --drawn 1000000", []string{"gives only"}},
		{"faults --jobs 0", []string{"0 parallel simulations"}},
		{"faults --json /nonexistent/f.json", []string{"--json", "folder /nonexistent does not exist"}},
		{"faults --html /nonexistent/f.html", []string{"--html", "folder /nonexistent does not exist"}},
		{"faults --json f.out --html f.out", []string{"--json and --html", "give two files"}},
		{"faults list extra", []string{`unexpected argument "extra"`}},
		{"faults list --drawn -5", []string{"--drawn -5"}},
		{"faults plant --block txstate", []string{"give --fault and -o"}},
		{"faults plant --block txstate --fault no-such --output " + full + "/new",
			[]string{`no hand-written fault "no-such"`}},
		{"faults plant --block txstate --fault 999999 --output " + full + "/new", []string{"number 999999"}},
		{"faults plant --block txstate --fault 1 --output " + full, []string{"is not empty"}},
	} {
		t.Run(c.args, func(t *testing.T) {
			requireBroken(t, call(t, newFake(), strings.Fields(c.args)...), c.want...)
		})
	}
}

// TestFaultsSkips checks that a block without RTL is named and left out, and that having no block at all is an error.
func TestFaultsSkips(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "hdl", "rtl"), 0o755))
	a := &app{App: &cli.App{Backend: cli.NewBackend(), Stderr: &strings.Builder{}}}
	_, err := a.faultBlocks(root)
	require.ErrorContains(t, err, "no block under")
	for _, b := range []string{"ccc", "txstate"} {
		require.Contains(t, a.Stderr.(*strings.Builder).String(), "SKIP  faults in "+b+": fault: block "+b+" has no RTL")
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, "hdl", "rtl", "txstate.sv"), nil, 0o644))
	got, err := a.faultBlocks(root)
	require.NoError(t, err)
	require.Equal(t, []string{"txstate"}, got)
}

func TestFaultsListAndPlant(t *testing.T) {
	o := call(t, newFake(), "faults", "list", "--block", "txstate", "--drawn", "7")
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	lines := strings.Split(strings.TrimSpace(o.stdout), "\n")
	require.Regexp(t, `^7 \w+ \w+\.sv:\d+: .*  ->  .*$`, lines[len(lines)-1])
	require.Contains(t, o.stdout, "\n    breaks txstate")
	again := call(t, newFake(), "faults", "list", "--block", "txstate", "--drawn", "7")
	require.Equal(t, o.stdout, again.stdout)

	dir := filepath.Join(t.TempDir(), "rtl")
	o = call(t, newFake(), "faults", "plant", "--block", "txstate", "--fault", "7", "-o", dir)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Equal(t, lines[len(lines)-1]+"\nis in "+dir+"\n", o.stdout)
	require.FileExists(t, filepath.Join(dir, "txstate", "txstate.sv"))
}

// TestFaults runs a campaign on the smallest block: every hand-written fault and a few drawn ones.
func TestFaults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "faults.json")
	o := call(t, newFake(), "faults", "--block", "txstate", "--drawn", "10", "--all", "--json", path)
	require.Equal(t, cli.ExitPass, o.code, o.stdout+o.stderr)
	require.Contains(t, o.stdout, "PASS  faults in txstate: ")
	require.Contains(t, o.stdout, "goldwire faults plant --block txstate --fault ")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var got []struct {
		Block string
		OK    bool
		Drawn struct{ Total, Caught int }
		Hand  struct{ Total, Caught int }
	}
	require.NoError(t, json.Unmarshal(text, &got))
	require.Len(t, got, 1)
	require.True(t, got[0].OK)
	require.Equal(t, 10, got[0].Drawn.Total)
	require.Equal(t, got[0].Hand.Total, got[0].Hand.Caught)
	require.Greater(t, got[0].Hand.Total, 20)
}

// An interrupt leaves reports that show no pass for any block and name the blocks that did not begin.
func TestFaultsInterrupted(t *testing.T) {
	dir := t.TempDir()
	js, html, md := filepath.Join(dir, "f.json"), filepath.Join(dir, "f.html"), filepath.Join(dir, "f.md")
	const old = "Measured by `goldwire faults`"
	require.NoError(t, os.WriteFile(md, []byte(old), 0o644))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := callCtx(t, ctx, newFake(), "faults", "--block", "txstate,ccc", "--drawn", "1", "--json", js, "--html", html,
		"--markdown", md)
	requireBroken(t, o, "interrupted", "kept in "+md+".earlier")
	require.Equal(t, old, read(t, md+".earlier"))
	var got []struct {
		Block    string
		OK       bool
		Problems []string
	}
	require.NoError(t, json.Unmarshal([]byte(read(t, js)), &got))
	require.Len(t, got, 2)
	for i, b := range []string{"txstate", "ccc"} {
		require.Equal(t, b, got[i].Block)
		require.False(t, got[i].OK)
		require.Contains(t, got[i].Problems[0], "the campaign did not end: "+[]string{"0 of 2", "not begun"}[i])
	}
	require.Contains(t, got[1].Problems[0], "not begun: the command ended in txstate")
	require.Contains(t, read(t, html), `<div class="verdict bad"><b>ERROR</b>`)
	require.NotContains(t, read(t, html), "PASS")
	text := read(t, md)
	require.Regexp(t, "^Measured by `goldwire faults --block txstate,ccc .*`, revision \\S+, on .+\n\n"+
		`\*\*NOT COMPLETE\.\*\*`, text)
	require.Contains(t, text, "- ccc: the campaign did not end: not begun: the command ended in txstate")
	require.NotContains(t, text, "PASS")
	require.NotContains(t, text, "| ccc |")
}

func TestFaultsHelp(t *testing.T) {
	for _, c := range []string{"faults", "faults list", "faults plant"} {
		o := call(t, newFake(), append(strings.Fields(c), "--help")...)
		require.Equal(t, cli.ExitPass, o.code)
		require.Contains(t, o.stdout, "Examples:\n  ")
		require.Contains(t, o.stdout, "goldwire "+c+" [flags]", "a command that holds others and works alone shows both")
		require.Equal(t, o.stdout, call(t, newFake(), append([]string{"help"}, strings.Fields(c)...)...).stdout)
	}
}
