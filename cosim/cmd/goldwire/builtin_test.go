package main

import (
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/builtin"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// lonely is the built program in a folder with nothing else, run by a user with an empty home.
type lonely struct {
	t                  *testing.T
	program, dir, home string
}

func newLonely(t *testing.T) *lonely {
	t.Helper()
	text, err := os.ReadFile(launchtest.Program(t, "../../.."))
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "goldwire") // outside the checkout, which it would find
	require.NoError(t, os.WriteFile(program, text, 0o755))
	return &lonely{t, program, t.TempDir(), t.TempDir()}
}

// run runs a command and returns its exit code and what it printed.
func (l *lonely) run(args ...string) (int, string) {
	c := exec.Command(l.program, args...)
	c.Dir = l.dir
	// Compiled as elsewhere in the tests, so that the compiler's cache has most of it.
	home, err := os.UserHomeDir()
	require.NoError(l.t, err)
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + l.home, cli.RootEnv + "=" + os.Getenv(cli.RootEnv),
		"GOLDWIRE_OPT=" + os.Getenv("GOLDWIRE_OPT"),
		"CCACHE_DIR=" + cmp.Or(os.Getenv("CCACHE_DIR"), filepath.Join(home, ".cache", "ccache"))}
	text, err := c.CombinedOutput()
	if c.ProcessState == nil {
		require.NoError(l.t, err)
	}
	return c.ProcessState.ExitCode(), string(text)
}

// The program alone compares a design, and what it unpacked is never used once it differs.
func TestProgramAlone(t *testing.T) {
	if _, err := exec.LookPath("verilator"); err != nil {
		t.Skip("verilator is not installed")
	}
	l := newLonely(t)
	cosim := []string{"cosim", "--block", "txstate", "--source", "random", "--events", "300", "--json", "r.json"}
	code, text := l.run(cosim...)
	require.Equal(t, cli.ExitPass, code, text)
	require.Contains(t, text, "PASS  txstate random")
	data, err := os.ReadFile(filepath.Join(l.dir, "r.json"))
	require.NoError(t, err)
	var r struct{ Verdict, RTL, Reproduce string }
	require.NoError(t, json.Unmarshal(data, &r))
	require.Equal(t, "pass", strings.ToLower(r.Verdict))
	require.Equal(t, "hdl/rtl built into goldwire (sha256 "+builtin.RTLHash()+")", r.RTL)
	again := strings.Fields(r.Reproduce)
	require.Equal(t, l.program, again[0])
	require.Equal(t, "--root built-in", strings.Join(again[len(again)-2:], " "))
	left, err := os.ReadDir(l.dir)
	require.NoError(t, err)
	require.Len(t, left, 1, "only the report")

	root := filepath.Join(l.home, ".cache", "goldwire", "files-"+builtin.Hash())
	module := filepath.Join(root, "hdl", "rtl", "txstate", "txstate.sv")
	text0, err := os.ReadFile(module)
	require.NoError(t, err)
	require.NoError(t, os.Chmod(module, 0o600))
	require.NoError(t, os.WriteFile(module, append(text0, "// the same design\n"...), 0o600))
	for _, args := range [][]string{cosim, again[1:], {"cosim", "--root", root, "--block", "txstate"},
		{"ci", "run", "--stage", "smoke"}, {"faults", "--block", "txstate", "--drawn", "3"}} {
		code, text = l.run(args...)
		require.Equal(t, cli.ExitBroken, code, text)
		require.Contains(t, text, "hdl/rtl/txstate/txstate.sv was changed, and is not the file built into goldwire")
		require.NotContains(t, text, "PASS")
	}
	data, err = os.ReadFile(filepath.Join(l.dir, "r.json"))
	require.False(t, err == nil && strings.Contains(string(data), `"verdict": "pass"`), "an earlier report is left")
}

// In a folder that holds a copy of our RTL without the repository, it is not clear which design is meant.
func TestProgramBesideACopyOfTheRTL(t *testing.T) {
	l := newLonely(t)
	rtl := filepath.Join(l.dir, "hdl", "rtl", "txstate")
	require.NoError(t, os.MkdirAll(rtl, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(rtl, "txstate.sv"), []byte("module txstate; endmodule\n"), 0o644))
	l.dir = rtl
	code, text := l.run("cosim", "--block", "txstate")
	require.Equal(t, cli.ExitBroken, code, text)
	require.Contains(t, text, "--root built-in")
	code, text = l.run("ci", "plan", "rules", "txstate", "--root", "built-in")
	require.Equal(t, cli.ExitPass, code, text)
	require.NoError(t, os.WriteFile(filepath.Join(rtl, "go.mod"), []byte("module github.com/goldwire/goldwire\n"), 0o644))
	t.Setenv(cli.RootEnv, cli.BuiltIn) // left over from other work
	code, text = l.run("ci", "plan", "rules", "txstate")
	require.Equal(t, cli.ExitBroken, code, text)
	require.Contains(t, text, "GOLDWIRE_ROOT built-in: the working folder is in a repository")
	require.NoError(t, os.Remove(filepath.Join(rtl, "go.mod")))
	code, text = l.run("ci", "plan", "rules", "txstate")
	require.Equal(t, cli.ExitBroken, code, text)
	require.Contains(t, text, "is a copy of a file of Goldwire")
	for _, args := range [][]string{{"diff", "compare", "rev:HEAD", "rev:HEAD"}, {"ci", "bisect", "x", "--good", "HEAD"},
		{"ci", "keep", "x", "--name", "a/b"}, {"ci", "run", "--good", "HEAD"},
		{"ci", "run", "--changed-since", "HEAD", "--history", "x"}} {
		code, text = l.run(append(args, "--root", "built-in")...)
		require.Equal(t, cli.ExitBroken, code, text)
		require.Regexp(t, "^goldwire: .*needs a checkout of Goldwire with git.*--root DIR\n$", text)
	}
}
