package launch

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// put writes a file and the folders above it.
func put(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

// word is a text in the adder that is found in the binary.
const word = "operation FAIL"

// scattered is the adder whose text is read from everywhere: a subfolder, an ending that is not Verilog's, a name
// that a macro makes, a folder outside the RTL.
func scattered(t *testing.T) (s BuildSpec, dir string) {
	t.Helper()
	text, err := os.ReadFile("testdata/tiny/hdl/rtl/adder.sv")
	require.NoError(t, err)
	dir = t.TempDir()
	src := "`include \"sub/one.inc\"\n`define FILE(x) `\"x.def`\"\n`include `FILE(two)\n`include \"../far/three.svh\"\n" +
		strings.Replace(string(text), "+ {1'b0, Offset}", "+ {1'b0, Offset} + 33'(`ONE + `TWO + `THREE)", 1)
	put(t, filepath.Join(dir, "rtl", "adder.sv"), src)
	put(t, filepath.Join(dir, "rtl", "sub", "one.inc"), "`define ONE 1\n")
	put(t, filepath.Join(dir, "rtl", "two.def"), "`define TWO 2\n")
	put(t, filepath.Join(dir, "far", "three.svh"), "`define THREE 3\n")
	s = tiny(t)
	s.RTLDir, s.OutDir, s.Opt = filepath.Join(dir, "rtl"), filepath.Join(t.TempDir(), "out"), "-Og"
	return s, dir
}

// cached reports whether a build of the spec is there that still holds.
func cached(t *testing.T, s BuildSpec) bool {
	t.Helper()
	j, err := newJob(t.Context(), s)
	require.NoError(t, err)
	require.NoError(t, j.ask())
	return j.find() != nil
}

// edited changes a file and returns how to undo it.
func edited(t *testing.T, path, old, text string) func() {
	t.Helper()
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(before), old)
	put(t, path, strings.Replace(string(before), old, text, 1))
	return func() { put(t, path, string(before)) }
}

// A build is used only while every file that it was read from is there and the same, none has appeared that would
// be read in place of one, and flags and environment are the same.
func TestStaleBuildIsNotUsed(t *testing.T) {
	s, dir := scattered(t)
	bin, err := Build(t.Context(), s)
	require.NoError(t, err)
	require.False(t, bin.Cached)
	require.True(t, cached(t, s))
	for name, c := range map[string]struct{ file, old, text string }{
		"subfolder": {"rtl/sub/one.inc", "1", "5"},
		"macro":     {"rtl/two.def", "2", "6"},
		"outside":   {"far/three.svh", "3", "7"},
		"module":    {"rtl/adder.sv", "sum_q <= {1'b0, ev_i.a}", "sum_q <= {1'b1, ev_i.a}"},
	} {
		undo := edited(t, filepath.Join(dir, c.file), c.old, c.text)
		require.False(t, cached(t, s), name)
		undo()
		require.True(t, cached(t, s), name)
	}
	for _, name := range []string{"rtl/sub/one.inc", "far/three.svh"} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.Rename(path, path+"~"))
		require.False(t, cached(t, s), name+" is gone")
		require.NoError(t, os.Rename(path+"~", path))
	}
	for _, name := range []string{"CXXFLAGS", "CPPFLAGS", "VERILATOR_ROOT", "CPATH", "OPT", "USER_CPPFLAGS"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "-DX")
			j, err := newJob(t.Context(), s)
			if err == nil { // Verilator may not start with another root
				require.NoError(t, j.ask())
				require.Nil(t, j.find())
			}
		})
	}
	t.Setenv("GOLDWIRE_TEST_UNRELATED", "1")
	require.True(t, cached(t, s))
	other := s
	other.Assert = true
	require.False(t, cached(t, other))

	// A copy of the RTL with a path that a macro makes may read from elsewhere: it is built again.
	copied := s
	copied.RTLDir = filepath.Join(t.TempDir(), "rtl")
	require.NoError(t, os.CopyFS(copied.RTLDir, os.DirFS(s.RTLDir)))
	put(t, filepath.Join(filepath.Dir(copied.RTLDir), "far", "three.svh"), "`define THREE 4\n")
	require.False(t, cached(t, copied))
}

// A file that would be found earlier by a search is as good as a change of the one that was found.
func TestShadowIsSeen(t *testing.T) {
	dir := t.TempDir()
	s := buildable(foreignAdder(t, mkdir(t, dir, "src"), "1"))
	first, second := mkdir(t, dir, "first"), mkdir(t, dir, "second")
	put(t, filepath.Join(second, "extra.vh"), "`define EXTRA 1\n")
	put(t, filepath.Join(second, "helper.sv"), "module helper; endmodule\n")
	put(t, filepath.Join(second, "deep.h"), "#define DEEP 1\n")
	put(t, filepath.Join(dir, "src", "c.cpp"), "#define NAME <deep.h>\n#include NAME\nint deep() { return DEEP; }\n")
	src := filepath.Join(dir, "src", "adder.sv")
	edited(t, src, "endmodule", "  helper u_helper ();\nendmodule\n`include \"extra.vh\"\n")
	s.Foreign.Dir, s.OutDir, s.Opt = dir, filepath.Join(t.TempDir(), "out"), "-Og"
	s.Foreign.Args = append(s.Foreign.Args, "-y", first, "-y", second, "+libext+.sv+.v", "+incdir+"+
		first, "+incdir+"+second,
		"-CFLAGS", "-I"+first+" -I"+second, filepath.Join(dir, "src", "c.cpp"))
	bin, err := Build(t.Context(), s)
	require.NoError(t, err)
	require.False(t, bin.Cached)
	require.True(t, cached(t, s))
	for _, name := range []string{"extra.vh", "helper.v", "helper.sv", "deep.h"} {
		path := filepath.Join(first, name)
		put(t, path, "// another\n")
		require.False(t, cached(t, s), name)
		require.NoError(t, os.Remove(path))
		require.True(t, cached(t, s), name)
	}
	put(t, filepath.Join(first, "notes.txt"), "nothing reads this")
	require.True(t, cached(t, s))
}

// buildable gives the adapter of a foreign adder its name and the types that it is compiled before.
func buildable(s BuildSpec) BuildSpec {
	text := ""
	s.Foreign.Args = slices.DeleteFunc(s.Foreign.Args, func(a string) bool {
		ours := strings.HasSuffix(a, "_types.sv") || strings.HasSuffix(a, "_pkg.sv")
		if ours {
			more, _ := os.ReadFile(a) // the build fails without
			text += string(more)
		}
		return ours
	})
	s.Foreign.Adapter = text + strings.Replace(s.Foreign.Adapter, "module adder_top", "module "+AdapterName, 1)
	return s
}

func mkdir(t *testing.T, parts ...string) string {
	t.Helper()
	dir := filepath.Join(parts...)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	return dir
}

// What the linker reads makes the build: a library found by -l, one named by a path, an object.
func TestLinkedLibraryIsSeen(t *testing.T) {
	dir := t.TempDir()
	archive := func(name, value string) {
		t.Helper()
		o := filepath.Join(t.TempDir(), name+".o")
		src := filepath.Join(t.TempDir(), name+".c")
		put(t, src, "int "+name+"_value(void) { return "+value+"; }\n")
		require.NoError(t, exec.Command("gcc", "-c", "-o", o, src).Run())
		lib := filepath.Join(mkdir(t, dir, "lib"), "lib"+name+".a")
		_ = os.Remove(lib)
		require.NoError(t, exec.Command("ar", "rcsD", lib, o).Run())
	}
	archive("found", "1")
	archive("named", "1")
	s := buildable(foreignAdder(t, mkdir(t, dir, "src"), "1"))
	s.Foreign.Dir, s.OutDir, s.Opt = dir, filepath.Join(t.TempDir(), "out"), "-Og"
	s.Foreign.Args = append(s.Foreign.Args, "-LDFLAGS", "-L"+mkdir(t, dir, "early")+" -L"+
		filepath.Join(dir, "lib")+" -lfound "+
		filepath.Join(dir, "lib", "libnamed.a"))
	_, err := Build(t.Context(), s)
	require.NoError(t, err)
	require.True(t, cached(t, s))
	for _, name := range []string{"found", "named"} {
		archive(name, "2")
		require.False(t, cached(t, s), name)
		archive(name, "1")
	}
	put(t, filepath.Join(dir, "early", "libfound.so"), "")
	require.False(t, cached(t, s))
}

// A copy of the RTL shares the build of the original, and not for longer than it is the same.
func TestCopyShares(t *testing.T) {
	s := tiny(t)
	s.Opt, s.OutDir = "-Og", filepath.Join(t.TempDir(), "out")
	s.RTLDir = filepath.Join(t.TempDir(), "rtl")
	require.NoError(t, os.CopyFS(s.RTLDir, os.DirFS("testdata/tiny/hdl/rtl")))
	bin, err := Build(t.Context(), s)
	require.NoError(t, err)
	s.RTLDir = filepath.Join(t.TempDir(), "copy")
	require.NoError(t, os.CopyFS(s.RTLDir, os.DirFS("testdata/tiny/hdl/rtl")))
	require.True(t, cached(t, s))

	// A binary that is not what was built is built again.
	for name, damage := range map[string]func() error{
		"truncated":      func() error { return os.Truncate(bin.Path, 1000) },
		"not executable": func() error { return os.Chmod(bin.Path, 0o644) },
		"other":          func() error { return os.WriteFile(bin.Path, []byte("#!/bin/sh\n"), 0o755) },
		"gone":           func() error { return os.Remove(bin.Path) },
		"stamp": func() error {
			return os.WriteFile(filepath.Join(filepath.Dir(bin.Path), stampName), []byte("{"), 0o644)
		},
	} {
		whole := t.TempDir()
		require.NoError(t, os.CopyFS(whole, os.DirFS(s.OutDir)))
		require.NoError(t, damage(), name)
		said := warnings(t)
		require.False(t, cached(t, s), name)
		require.Contains(t, said.String(), "damaged: building it again", name)
		if name == "truncated" {
			again, err := Build(t.Context(), s)
			require.NoError(t, err)
			require.False(t, again.Cached)
			require.NoError(t, exec.Command(again.Path, "--info").Run())
		}
		require.NoError(t, os.RemoveAll(s.OutDir))
		require.NoError(t, os.CopyFS(s.OutDir, os.DirFS(whole)))
		require.True(t, cached(t, s), name)
	}
	edited(t, filepath.Join(s.RTLDir, "adder.sv"), word, "operation GONE")
	again, err := Build(t.Context(), s)
	require.NoError(t, err)
	require.False(t, again.Cached)
	text, err := os.ReadFile(again.Path)
	require.NoError(t, err)
	require.True(t, bytes.Contains(text, []byte("operation GONE")))
}
