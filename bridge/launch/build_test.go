package launch

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/wire"
)

// tiny is the build of the test block; builds go to the repository's build directory so that ccache and
// later runs find them.
func tiny(t testing.TB) BuildSpec {
	t.Helper()
	return BuildSpec{Root: "testdata/tiny", Block: "adder", Shell: "../../hdl/shell", OutDir: "../../build/dut/test-adder"}
}

func TestBuildIsCachedByContent(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	first, err := Build(ctx, tiny(t))
	require.NoError(t, err)
	require.FileExists(t, first.Path)
	again, err := Build(ctx, tiny(t))
	require.NoError(t, err)
	require.True(t, again.Cached)
	require.Equal(t, "Offset=1", again.Params)
	require.Equal(t, []int{3, 2}, []int{again.InWords, again.OutWords})
	require.NoDirExists(t, filepath.Join(filepath.Dir(first.Path), "obj"))
}

func TestBuildRefusesWhatCannotBe(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(*BuildSpec)
		kind error
		text string
	}{
		"unknown block": {func(s *BuildSpec) { s.Block = "adder2" }, wire.ErrBlock, "choose one of adder"},
		"unknown parameter": {func(s *BuildSpec) { s.Params = map[string]int{"Ofset": 3} }, wire.ErrParams,
			"its parameters are Offset"},
		"impossible parameter": {func(s *BuildSpec) { s.Params = map[string]int{"Offset": 1001} },
			wire.ErrParams, "not in 1..1000"},
		"missing RTL": {func(s *BuildSpec) { s.RTLDir = "/nonexistent" }, wire.ErrBuild, "does not exist"},
	} {
		t.Run(name, func(t *testing.T) {
			s := tiny(t)
			c.edit(&s)
			_, err := Build(t.Context(), s)
			require.ErrorIs(t, err, c.kind)
			require.ErrorContains(t, err, c.text)
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

func TestBuildNamesFileAndLine(t *testing.T) {
	text, err := os.ReadFile("testdata/tiny/hdl/rtl/adder.sv")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "adder.sv"), append([]byte("module oops(;\n"), text...), 0o644))
	s := tiny(t)
	s.RTLDir, s.OutDir = dir, filepath.Join(t.TempDir(), "out")
	_, err = Build(t.Context(), s)
	require.ErrorIs(t, err, wire.ErrBuild)
	require.ErrorContains(t, err, "adder.sv:1:")
	require.FileExists(t, filepath.Join(s.OutDir, "build.log"))
}

// fakeVerilator puts a program that answers --version ahead of the real one.
func fakeVerilator(t *testing.T, line string) {
	path := filepath.Join(t.TempDir(), "verilator")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\necho '"+line+"'\n"), 0o755))
	t.Setenv("VERILATOR", path)
}

func TestBuildRefusesSimulators(t *testing.T) {
	for name, c := range map[string]struct{ line, text string }{
		"too old": {"Verilator 4.038 2020-07-11 rev v4.036", "Verilator 4.038 is too old, 5.006 or newer"},
		"older 5": {"Verilator 5.002 2022-10-29 rev v5.002", "Verilator 5.002 is too old, 5.006 or newer"},
		"other":   {"Icarus Verilog version 11.0", "prints \"Icarus Verilog version 11.0\""},
	} {
		t.Run(name, func(t *testing.T) {
			fakeVerilator(t, c.line)
			_, err := Build(t.Context(), tiny(t))
			require.ErrorIs(t, err, wire.ErrSimulator)
			require.ErrorContains(t, err, c.text)
		})
	}
	t.Run("missing", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		_, err := Build(t.Context(), tiny(t))
		require.ErrorIs(t, err, wire.ErrSimulator)
		require.ErrorContains(t, err, "apt-get install verilator")
	})
	t.Run("wrong variable", func(t *testing.T) {
		t.Setenv("VERILATOR", "/nonexistent/verilator")
		_, err := Build(t.Context(), tiny(t))
		require.ErrorIs(t, err, wire.ErrSimulator)
		require.ErrorContains(t, err, "VERILATOR=/nonexistent/verilator cannot be run; unset it")
	})
}

func TestBuildLockWaitsAndGivesUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	_, unlock, err := lock(t.Context(), path)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, _, err = lock(ctx, path)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	unlock()
	_, unlock, err = lock(t.Context(), path)
	require.NoError(t, err)
	unlock()
}
