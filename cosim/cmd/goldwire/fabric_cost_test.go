package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/report/measured"
)

// TestFabricCost: the tables hold a row for each size, and an area that was not counted is an error beside them.
func TestFabricCost(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: simulates for a quarter of a minute")
	}
	md := filepath.Join(t.TempDir(), "cost.md")
	o := call(t, newFake(), "fabric", "cost", "txstate-entries", "--seeds", "1..3", "--markdown", md)
	table := read(t, md)
	require.Regexp(t, "^Measured by `goldwire fabric cost txstate-entries .*`, revision \\S+, on .+go1", table)
	for _, text := range []string{table, o.stdout} {
		require.Contains(t, text, "txstate-entries (3 seeds, 54 runs): most with 128 in place of 4096, ")
	}
	require.Regexp(t, `\| 1024 \| [0-9.]+ \| no packet differs \|`, table)
	require.Regexp(t, `\| 128 \| [0-9.]+ \| \+[0-9.]+ ± [0-9.]+, \+[0-9.]+ % \|`, table)
	if _, err := exec.LookPath("yosys"); err != nil {
		require.Equal(t, cli.ExitBroken, o.code)
		require.Contains(t, o.stderr, "area is not counted: yosys is not installed")
		require.Contains(t, table, measured.Incomplete)
		t.Skip("yosys is not on PATH: area was not counted")
	}
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Regexp(t, `\| 4096 \| [0-9,]{9} \| [0-9,]+ \| [0-9,]+ \|`, table)
	require.NotContains(t, table, measured.Incomplete)
}

func TestFabricCostUsage(t *testing.T) {
	for want, args := range map[string][]string{
		"txstate-entries": {"txstate-entry"},
		"given twice":     {"ack-pipeline", "ack-pipeline"},
		"at least 3":      {"ack-pipeline", "--seeds", "1,2"},
		"--seeds":         {"--seeds", "5..1"},
	} {
		o := call(t, newFake(), append([]string{"fabric", "cost"}, args...)...)
		requireBroken(t, o, want)
		require.Empty(t, o.stdout)
	}
}
