package launch

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/toolchain"
)

// TestShellSources: a source is bound to the design by what it includes, at any depth; a circle of headers ends.
func TestShellSources(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"deep.h":   "#include \"round.h\"\n#include \"gw_build.h\"\n",
		"round.h":  "#include \"deep.h\"\n",
		"plain.h":  "#include <vector>\n",
		"a.cpp":    "#include \"round.h\"\n",
		"b.cpp":    "#include \"plain.h\"\n",
		"main.cpp": "#include \"gw_build.h\"\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	same, bound, err := shellSources(dir)
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(dir, "b.cpp")}, same)
	require.Equal(t, []string{filepath.Join(dir, "a.cpp"), filepath.Join(dir, "main.cpp")}, bound)
	_, _, err = shellSources(t.TempDir())
	require.ErrorContains(t, err, "holds no C++ files")
}

// Each version of Verilator is given the flags that it knows, and nothing is left to a default that has changed.
func TestFlagsOfVersions(t *testing.T) {
	for _, c := range []struct{ version, trace string }{{"5.006", "--trace"}, {"5.032", "--trace"},
		{"5.036", "--trace-vcd"}, {"5.048", "--trace-vcd"}} {
		v, err := toolchain.Parse(toolchain.Verilator, "Verilator "+c.version)
		require.NoError(t, err)
		args := BuildSpec{Block: "b", Trace: true}.verilatorArgs("DIR", sources{rtl: &RTL{}}, "", v)
		require.Contains(t, args, c.trace)
		require.Len(t, slices.DeleteFunc(slices.Clone(args), func(a string) bool {
			return a != "--trace" && a != "--trace-vcd"
		}), 1)
		require.Contains(t, args, "--no-timing")
		require.Contains(t, args, "--no-assert")
		args = BuildSpec{Block: "b", Assert: true}.verilatorArgs("DIR", sources{rtl: &RTL{}}, "", v)
		require.Contains(t, args, "--assert")
		require.NotContains(t, args, "--no-assert")
	}
}

// ccache takes paths as relative to the tree, except for builds that are elsewhere, a tree reached by a link, and a
// user's C++.
func TestRelative(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	linked := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(root, linked))
	for _, c := range []struct {
		root, tmp, want string
		design          *Foreign
	}{
		{root, root + "/build/dut/x", root, nil},
		{root, root + "/build/dut/x", root, &Foreign{Args: []string{"a.sv", "+define+A"}}},
		{root, root + "/build/dut/x", root + "/build/dut/x", &Foreign{Args: []string{"a.sv", "dpi.cc"}}},
		{root, root + "else/x", root + "else/x", nil},
		{linked, linked + "/build/dut/x", linked + "/build/dut/x", nil},
	} {
		j := job{BuildSpec: BuildSpec{Root: c.root, Foreign: c.design}}
		require.Equal(t, c.want, j.relative(c.tmp))
	}
}
