package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
)

const suiteDigests = "testdata/suite.sha256"

// The suite of level smoke stays the same from one edition of the code to the next, file for file: only a change of a
// contract or of record.Generator may alter it. One block of each kind is always made, all of them with GOLDWIRE_LONG.
// Run with -update and GOLDWIRE_LONG=1 to store new digests.
func TestSuiteKeepsItsBytes(t *testing.T) {
	args := []string{"vectors", "suite", "--level", "smoke", "-o"}
	long := launchtest.Longer()
	dir := t.TempDir()
	args = append(args, dir)
	if !long {
		require.False(t, *update, "set GOLDWIRE_LONG=1 to note the digests of the whole suite")
		args = append(args, "--block", "txstate,egress")
	}
	must(t, args...)
	made := digestsOf(t, dir)
	if *update {
		require.NoError(t, os.WriteFile(suiteDigests, []byte(strings.Join(made, "")), 0o666))
	}
	text, err := os.ReadFile(suiteDigests)
	require.NoError(t, err)
	var want []string
	for line := range strings.Lines(string(text)) {
		_, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		require.True(t, ok, line)
		if block, _, _ := strings.Cut(name, "-"); long || block == "txstate" || block == "egress" {
			want = append(want, line)
		}
	}
	require.NotEmpty(t, want)
	require.Equal(t, want, made)
}

// digestsOf returns a line for each vector file of a folder, in the order of their names, as sha256sum prints them.
func digestsOf(t *testing.T, dir string) (lines []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.gwv"))
	require.NoError(t, err)
	for _, f := range files {
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		lines = append(lines, fmt.Sprintf("%x  %s\n", sha256.Sum256(data), filepath.Base(f)))
	}
	return lines
}
