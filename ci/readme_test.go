package ci

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

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

// Every link of the README into the tree leads somewhere.
func TestReadmeLinks(t *testing.T) {
	links := regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(readme(t), -1)
	require.NotEmpty(t, links)
	for _, m := range links {
		_, err := os.Stat(filepath.Join("..", m[1]))
		require.NoError(t, err)
	}
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
