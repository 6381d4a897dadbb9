package run

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/cover/codecov"
)

// TestCodeCoverageOfTwoRuns compares the sum of two runs with that of Verilator's own tool.
func TestCodeCoverageOfTwoRuns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var paths []string
	var files []*codecov.File
	for seed := uint64(1); seed <= 2; seed++ {
		cfg := Config{Root: "../../..", Block: "txstate", Source: "random", Events: 5000, Seed: seed, CodeCoverage: dir}
		// Left by an earlier run; it must not pass for this run's.
		require.NoError(t, os.WriteFile(cfg.CodeCoverageFile(), []byte("old"), 0o644))
		res, err := Run(t.Context(), cfg)
		require.NoError(t, err)
		require.True(t, res.Verdict().OK(), res.Verdict())
		require.NotNil(t, res.Section(codecov.Key))
		f, err := codecov.ReadFile(cfg.CodeCoverageFile())
		require.NoError(t, err)
		require.GreaterOrEqual(t, f.Builds[0].Cycles, res.Cycles)
		require.Positive(t, f.Builds[0].LineCycles)
		require.Less(t, f.Builds[0].LineCycles, f.Builds[0].Cycles, "some episodes count toggles alone")
		paths, files = append(paths, cfg.CodeCoverageFile()), append(files, f)
	}
	all, err := codecov.Merge(files...)
	require.NoError(t, err)
	v, err := codecov.NewView(all, nil)
	require.NoError(t, err)
	for _, file := range v.Files {
		require.True(t, strings.HasPrefix(file.Name, "hdl/"), "%s: another work tree has other paths", file.Name)
	}
	require.Greater(t, v.Total.Toggles.Hit, 1000)
	require.Less(t, v.Total.Toggles.Hit, v.Total.Toggles.Points)
	tool, err := exec.LookPath("verilator_coverage")
	if err != nil {
		t.Skip("no verilator_coverage")
	}
	merged := filepath.Join(dir, "merged.dat")
	out, err := exec.Command(tool, append([]string{"--write", merged}, paths...)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	want, err := os.ReadFile(merged)
	require.NoError(t, err)
	var got strings.Builder
	all.Builds = nil
	require.NoError(t, all.Write(&got))
	require.Equal(t, string(want), got.String())
}

// TestRunThatDiffersLeavesNoCodeCoverage: the coverage of a wrong design means nothing, and an existing file is of
// another run.
func TestRunThatDiffersLeavesNoCodeCoverage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rtl := launchtest.RTL(t, "../../..", "txstate.sv", "(old_rtx == 2'd0) ? 2'd1 : 2'd2;",
		"(old_rtx == 2'd0) ? 2'd1 : 2'd3;")
	cfg := Config{Root: "../../..", Block: "txstate", Source: "random", Events: 20000, Seed: 1, RTLDir: rtl,
		NoShrink: true, CodeCoverage: dir}
	require.NoError(t, os.WriteFile(cfg.CodeCoverageFile(), []byte("old"), 0o644))
	res, err := Run(t.Context(), cfg)
	require.NoError(t, err)
	require.NotNil(t, res.FirstMismatch)
	require.NoFileExists(t, cfg.CodeCoverageFile())
}

func TestCodeCoverageThatCannotBe(t *testing.T) {
	t.Parallel()
	for _, cfg := range []Config{{CodeCoverage: "x", ModelOnly: true}, {CodeExclusions: "x"}} {
		cfg.Root, cfg.Block, cfg.Source = "../../..", "txstate", "random"
		require.ErrorContains(t, cfg.Validate(), "code coverage")
	}
}
