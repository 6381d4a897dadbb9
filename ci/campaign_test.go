package ci

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// made runs make with a goldwire that lists two blocks and records its other calls, and returns those calls.
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
	cmd.Env = append(os.Environ(), "MAKEFLAGS=", "BLOCK=", "SIZES=", "STAGE=")
	for i := len(cmd.Env) - 1; i >= 0; i-- {
		if name, _, _ := strings.Cut(cmd.Env[i], "="); name == "BLOCK" || name == "SIZES" || name == "STAGE" {
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

const listing = `block=one\nsize=one:A=1,B=2\nsize=one:A=3\nblock=two\n`

// The campaigns of the Makefile are those that the built command lists.
func TestCampaignsComeFromTheListOfBlocks(t *testing.T) {
	calls, out, code := made(t, listing, "soak")
	require.Zero(t, code, out)
	require.Contains(t, strings.Join(calls, "\n"), "cosim --block one --source random --seeds 1..3 --events 100k "+
		"--transport shm --param A=1 --param B=2 --json ")
	require.Contains(t, strings.Join(calls, "\n"), " --param A=3 --json ")
}

// A soak over nothing is an error.
func TestCampaignOverNothingFails(t *testing.T) {
	calls, out, code := made(t, listing, "soak", "BLOCK=")
	require.Equal(t, 2, code, out)
	require.Contains(t, out, "BLOCK is empty")
	require.Empty(t, calls)
	calls, out, code = made(t, "", "soak")
	require.Equal(t, 2, code, out)
	require.Contains(t, out, "SIZES is empty")
	require.Empty(t, calls)
}

// The main job is a stage of the plan, and ends with goldwire's exit code.
func TestMainJobIsAStage(t *testing.T) {
	calls, out, code := made(t, "", "cosim")
	require.Zero(t, code, out)
	require.Equal(t, []string{"ci run --stage main"}, calls)
	calls, out, code = made(t, "", "cosim", "STAGE=pull", "ARGS=--slots 1")
	require.Zero(t, code, out)
	require.Equal(t, []string{"ci run --stage pull --slots 1"}, calls)
	_, out, code = made(t, "", "cosim", "GOLDWIRE=false")
	require.Equal(t, 2, code, out)
	require.Contains(t, out, "goldwire ci run --stage main: exit code 1")
}

// Help needs neither a built command nor Go.
func TestHelpOnABareMachine(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not installed")
	}
	cmd := exec.Command("make", "GOLDWIRE=/nonexistent/goldwire", "GO=/nonexistent/go")
	cmd.Dir = ".."
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "usage: make TARGET")
	require.Contains(t, string(out), "STAGE=main of cosim")
	require.Regexp(t, `blocks: [a-z ]*switchport`, string(out))
	require.NotContains(t, string(out), "nonexistent")
}
