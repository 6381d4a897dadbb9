package builtin

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

const repository = "../../../../.."

// cache gives the test an empty cache folder and returns it.
func cache(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", dir)
	return dir
}

func TestOpenUnpacksOnce(t *testing.T) {
	top := filepath.Join(cache(t), "goldwire")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			_, err := Open()
			require.NoError(t, err)
		})
	}
	all.Wait()
	dir, err := Open()
	require.NoError(t, err)
	require.Equal(t, filepath.Join(top, "files-"+Hash()), dir)
	left, err := os.ReadDir(top)
	require.NoError(t, err)
	require.Len(t, left, 1, "no half unpacked folder is left")
	for _, d := range []string{top, dir} {
		info, err := os.Stat(d)
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, "%s is private", d)
	}
	for _, name := range []string{"hdl/rtl/ccc/ccc.sv", "hdl/gen/ccc_top.sv", "hdl/shell/main.cpp", "hdl/lint/waivers.vlt",
		"vectors/event/ccc/schema.yaml", "vectors/event/ccc/contract.md", "ci/plan/goldwire.yaml"} {
		want, err := os.ReadFile(filepath.Join(repository, name))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, want, got, name)
	}
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "build", "dut"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "build", "dut", "x"), nil, 0o644))
	_, err = Open()
	require.NoError(t, err, "builds are not files of goldwire")
}

// A folder that is not exactly the program's files is never used.
func TestOpenRefusesAnotherFolder(t *testing.T) {
	const module = "hdl/rtl/txstate/txstate.sv"
	at := func(name string) func(string) string {
		return func(dir string) string { return filepath.Join(dir, name) }
	}
	write := func(t *testing.T, path, text string) {
		_ = os.Remove(path)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	file := at(module)
	for says, how := range map[string]func(t *testing.T, dir string){
		"was changed": func(t *testing.T, dir string) { write(t, file(dir), "module txstate; endmodule\n") },
		"was changed,": func(t *testing.T, dir string) {
			require.NoError(t, os.Chmod(file(dir), 0o600))
			require.NoError(t, os.Truncate(file(dir), 10))
		},
		"gw_new.sv is not a file": func(t *testing.T, dir string) {
			write(t, at("hdl/rtl/common/gw_new.sv")(dir), "module gw_new; endmodule\n")
		},
		".hidden is not a file": func(t *testing.T, dir string) { write(t, at(".hidden")(dir), "") },
		module + " is missing":  func(t *testing.T, dir string) { require.NoError(t, os.Remove(file(dir))) },
		module + " is not a file": func(t *testing.T, dir string) {
			text, err := os.ReadFile(file(dir))
			require.NoError(t, err)
			elsewhere := filepath.Join(t.TempDir(), "same.sv")
			write(t, elsewhere, string(text))
			require.NoError(t, os.Remove(file(dir)))
			require.NoError(t, os.Symlink(elsewhere, file(dir)))
		},
		"lets others write": func(t *testing.T, dir string) { require.NoError(t, os.Chmod(dir, 0o777)) },
		"not a folder": func(t *testing.T, dir string) {
			moved := dir + ".moved"
			require.NoError(t, os.Rename(dir, moved))
			require.NoError(t, os.Symlink(moved, dir))
		},
	} {
		t.Run(says, func(t *testing.T) {
			cache(t)
			dir, err := Open()
			require.NoError(t, err)
			how(t, dir)
			_, err = Open()
			require.ErrorContains(t, err, says)
			require.ErrorContains(t, err, "remove the folder")
			require.NotContains(t, err.Error(), "\n")
			require.NoError(t, os.RemoveAll(dir))
			_, err = Open()
			require.NoError(t, err, "the named remedy works")
		})
	}
}

func TestOpenNeedsACacheFolder(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	_, err := Open()
	require.ErrorContains(t, err, "set XDG_CACHE_HOME")
	t.Setenv("XDG_CACHE_HOME", filepath.Join(t.TempDir(), "a b"))
	_, err = Open()
	require.ErrorContains(t, err, "without spaces")
}

// The hash of the RTL in reports can be had from a checkout without goldwire.
func TestRTLHashOfTheCheckout(t *testing.T) {
	c := exec.Command("sh", "-c",
		"find hdl/rtl hdl/gen -type f | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -c1-16")
	c.Dir = repository
	out, err := c.Output()
	require.NoError(t, err)
	require.Equal(t, strings.TrimSpace(string(out)), RTLHash())
}

// Every file of these folders is built in: a new one cannot be forgotten.
func TestNothingIsForgotten(t *testing.T) {
	for _, pattern := range []string{"hdl/rtl/*/*", "hdl/gen/*", "hdl/shell/*", "hdl/lint/*", "vectors/event/*/*.yaml",
		"vectors/event/*/contract.md", "ci/plan/goldwire.yaml", "hdl/examples/*/*.yaml", "hdl/examples/*/*.sv"} {
		found, err := filepath.Glob(filepath.Join(repository, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		for _, path := range found {
			name, err := filepath.Rel(repository, path)
			require.NoError(t, err)
			require.True(t, Has(filepath.ToSlash(name)), name)
		}
	}
}
