package ci

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	return string(text)
}

// Every `make` line of the README names targets that the Makefile has.
func TestReadmeTargets(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not installed")
	}
	lines := regexp.MustCompile(`(?m)^make\b[^#\n]*`).FindAllString(readme(t), -1)
	require.NotEmpty(t, lines)
	for _, line := range lines {
		args := append([]string{"-n"}, strings.Fields(line)[1:]...)
		cmd := exec.Command("make", args...)
		cmd.Dir = ".."
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", line, out)
	}
}

// The README stays a page.
func TestReadmeIsAPage(t *testing.T) {
	require.LessOrEqual(t, strings.Count(readme(t), "\n"), 200)
	require.LessOrEqual(t, len(readme(t)), 12<<10)
}

// `make` alone lists every target that the README shows.
func TestMakeHelp(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not installed")
	}
	cmd := exec.Command("make")
	cmd.Dir = ".."
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, m := range regexp.MustCompile(`(?m)^make +([a-z-]+)`).FindAllStringSubmatch(readme(t), -1) {
		require.Contains(t, string(out), "  "+m[1]+" ")
	}
}

// The commands in the README run as written. The group of commands that plants a fault ends with exit code 1 and the
// report shown; every other command passes. The make targets have separate tests.
func TestReadmeCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: the README's commands take a minute")
	}
	build(t)
	ran, broke, history := 0, 0, filepath.Join(t.TempDir(), "history.db")
	for _, m := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(readme(t), -1) {
		script := m[1]
		if !strings.Contains(script, "build/goldwire") {
			continue
		}
		ran++
		cmd := exec.CommandContext(t.Context(), "bash", "-euc", script)
		cmd.Dir = ".."
		cmd.Env = append(os.Environ(), "GOLDWIRE_HISTORY="+history) // a developer's own history stays unchanged
		began := time.Now()
		out, err := cmd.CombinedOutput()
		t.Logf("%.0f s: %s", time.Since(began).Seconds(), strings.SplitN(script, "\n", 3)[0])
		if !strings.Contains(script, "sed -i") {
			require.NoError(t, err, "%s\n%s", script, out)
			continue
		}
		broke++
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit, "%s", out)
		require.Equal(t, 1, exit.ExitCode(), "%s", out)
		require.Regexp(t, `rsp_rtx_count +2 +3 +\+1`, string(out))
		require.Contains(t, string(out), "shrunk to 2 events that still fail")
	}
	require.GreaterOrEqual(t, ran, 4)
	require.Equal(t, 1, broke)
}
