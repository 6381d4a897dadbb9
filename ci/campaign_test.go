package ci

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// made runs make with a goldwire that lists two blocks and notes how else it is called, and returns those calls.
func made(t *testing.T, listing string, args ...string) (calls []string, output string, code int) {
	t.Helper()
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not installed")
	}
	dir := t.TempDir()
	program, log := filepath.Join(dir, "goldwire"), filepath.Join(dir, "log")
	script := "#!/bin/sh\nif [ \"$1\" = list ]; then printf '" + listing + "'; else echo \"$@\" >>" + log + "; fi\n"
	require.NoError(t, os.WriteFile(program, []byte(script), 0o755))
	// Neither tools nor build are renewed.
	cmd := exec.Command("make", append([]string{"-o", "tools", "-o", "build", "GOLDWIRE=" + program, "GO=true",
		"BUILD=" + dir}, args...)...)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "MAKEFLAGS=", "EVENTS=", "BLOCK=", "SIZES=")
	for i := len(cmd.Env) - 1; i >= 0; i-- {
		if name, _, _ := strings.Cut(cmd.Env[i], "="); name == "EVENTS" || name == "BLOCK" || name == "SIZES" {
			cmd.Env = append(cmd.Env[:i], cmd.Env[i+1:]...)
		}
	}
	out, _ := cmd.CombinedOutput()
	text, err := os.ReadFile(log)
	if err == nil {
		calls = strings.Split(strings.TrimSpace(string(text)), "\n")
	}
	return calls, string(out), cmd.ProcessState.ExitCode()
}

const listing = `block=one\nevents=one:1000\nsize=one:A=1,B=2\nsize=one:A=3\nblock=two\nevents=two:50\n`

// The campaigns of the Makefile are those that the built command lists.
func TestCampaignsComeFromTheListOfBlocks(t *testing.T) {
	calls, out, code := made(t, listing, "cosim")
	require.Zero(t, code, out)
	require.Len(t, calls, 2, out)
	require.Contains(t, calls[0], "cosim --block one ")
	require.Contains(t, calls[0], " --events 1000 ")
	require.Contains(t, calls[1], "cosim --block two ")
	require.Contains(t, calls[1], " --events 50 ")

	calls, out, code = made(t, listing, "cosim", "EVENTS=7", "BLOCK=two")
	require.Zero(t, code, out)
	require.Len(t, calls, 1, out)
	require.Contains(t, calls[0], "cosim --block two ")
	require.Contains(t, calls[0], " --events 7 ")

	calls, out, code = made(t, listing, "soak")
	require.Zero(t, code, out)
	require.Contains(t, strings.Join(calls, "\n"), "cosim --block one --source random --seeds 1..3 --events 100k "+
		"--transport shm --param A=1 --param B=2 --json ")
	require.Contains(t, strings.Join(calls, "\n"), " --param A=3 --json ")
}

// A campaign over nothing is an error, and a command that lists nothing leaves the blocks of the schemas.
func TestCampaignOverNothingFails(t *testing.T) {
	for _, target := range []string{"cosim", "soak"} {
		calls, out, code := made(t, listing, target, "BLOCK=")
		require.Equal(t, 2, code, out)
		require.Contains(t, out, "BLOCK is empty")
		require.Empty(t, calls)
	}
	calls, out, code := made(t, "", "soak")
	require.Equal(t, 2, code, out)
	require.Contains(t, out, "SIZES is empty")
	require.Empty(t, calls)
	calls, out, code = made(t, "", "cosim")
	require.Zero(t, code, out)
	schemas, err := filepath.Glob("../vectors/event/*/schema.yaml")
	require.NoError(t, err)
	require.Len(t, calls, len(schemas), out)
}

// Help needs no built command, and no Go.
func TestHelpOnABareMachine(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not installed")
	}
	cmd := exec.Command("make", "GOLDWIRE=/nonexistent/goldwire", "GO=/nonexistent/go")
	cmd.Dir = ".."
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "usage: make TARGET")
	require.Regexp(t, `variables of cosim: BLOCK="[a-z ]*switchport[a-z ]*"`, string(out))
	require.NotContains(t, string(out), "nonexistent")
}
