package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A merge that is refused leaves nothing of an earlier one, and never overwrites its inputs.
func TestCoverageMergeRefuses(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for _, name := range []string{"txstate-1.dat", "txstate-2.dat"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "cover", "codecov", "testdata", name))
		require.NoError(t, err)
		files = append(files, filepath.Join(dir, name))
		require.NoError(t, os.WriteFile(files[len(files)-1], text, 0o666))
	}
	merge := append([]string{"ci", "coverage", "merge"}, files...)
	outs := map[string]string{"--lcov": filepath.Join(dir, "x.info"), "--json": filepath.Join(dir, "x.json"),
		"--data": filepath.Join(dir, "x.dat")}
	args := merge
	for flag, file := range outs {
		args = append(args, flag, file)
	}
	require.Contains(t, must(t, args...), "block txstate: 2 runs")
	for _, file := range outs {
		require.FileExists(t, file)
	}
	requireBroken(t, goldwire(t, append(args, "--exclusions", filepath.Join(dir, "none.yaml"))...), "none.yaml")
	for _, file := range outs {
		require.NoFileExists(t, file)
	}
	requireBroken(t, goldwire(t, append(merge, "--data", filepath.Join(dir, ".", "txstate-1.dat"))...), "both name")
	requireBroken(t, goldwire(t, append(merge, dir+"/../"+filepath.Base(dir)+"/txstate-1.dat")...), "both name")
	require.FileExists(t, files[0])
}
