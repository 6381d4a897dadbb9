package ci

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// tool runs a command at the root of the tree and returns what it printed.
func tool(t *testing.T, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = ".."
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %s: %s", name, strings.Join(args, " "), out)
	return string(out)
}

// Every bench of hdl/tb passes in both simulators: Icarus shows real X where Verilator shows 0, and the
// assertions run in Verilator.
func TestBenches(t *testing.T) {
	benches, err := filepath.Glob("../hdl/tb/tb_*.sv")
	require.NoError(t, err)
	require.NotEmpty(t, benches)
	// Of every block, since one may hold others.
	types, err := filepath.Glob("../hdl/gen/*_types.sv")
	require.NoError(t, err)
	constants, err := filepath.Glob("../hdl/gen/*_pkg.sv")
	require.NoError(t, err)
	var generated []string
	for _, path := range append(types, constants...) {
		generated = append(generated, strings.TrimPrefix(path, "../"))
	}
	for _, path := range benches {
		top := strings.TrimSuffix(filepath.Base(path), ".sv")
		block := strings.TrimPrefix(top, "tb_")
		sources := append(slices.Clone(generated), "hdl/tb/bench_pkg.sv", "hdl/tb/"+top+".sv", "-y", "hdl/rtl", "-y", "hdl/tb")
		t.Run(block+"/icarus", func(t *testing.T) {
			t.Parallel()
			vvp := filepath.Join(t.TempDir(), top+".vvp")
			tool(t, "iverilog", append([]string{"-g2012", "-s", top, "-o", vvp, "-Y", ".sv"}, sources...)...)
			require.Contains(t, tool(t, "vvp", "-N", vvp), "PASS")
		})
		t.Run(block+"/verilator", func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			tool(t, "verilator", append([]string{"--binary", "--timing", "--assert", "+define+GW_ASSERT", "-Wno-lint",
				"--Mdir", dir, "--top-module", top}, sources...)...)
			require.Contains(t, tool(t, filepath.Join(dir, "V"+top)), "PASS")
		})
	}
}

// Icarus compiles every block's top; Yosys reads it and finds memories.
func TestOtherTools(t *testing.T) {
	tool(t, "make", "icarus")
	out := tool(t, "make", "synth")
	for _, block := range []string{"ccc", "txstate"} {
		require.Regexp(t, `(?m)^`+block+`: [1-9]\d* cells, [1-9]\d* memories of [1-9]\d* bits`, out)
	}
}
