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

// foreignAdder is the test block's RTL as a design of others: an include file, a define and another name.
func foreignAdder(t *testing.T, dir, constant string) BuildSpec {
	t.Helper()
	text, err := os.ReadFile("testdata/tiny/hdl/rtl/adder.sv")
	require.NoError(t, err)
	adapter, err := os.ReadFile("testdata/tiny/hdl/gen/adder_top.sv")
	require.NoError(t, err)
	types, err := filepath.Glob("testdata/tiny/hdl/gen/*_types.sv")
	require.NoError(t, err)
	pkg, err := filepath.Glob("testdata/tiny/hdl/gen/*_pkg.sv")
	require.NoError(t, err)
	src, inc := filepath.Join(dir, "adder.sv"), filepath.Join(dir, "size.svh")
	require.NoError(t, os.WriteFile(src, append([]byte("`include \"size.svh\"\n"), text...), 0o644))
	require.NoError(t, os.WriteFile(inc, []byte("`define SIZE "+constant+"\n"), 0o644))
	s := tiny(t)
	s.OutDir = ""
	args := []string{"+incdir+" + dir}
	for _, f := range append(append(types, pkg...), src) {
		abs, err := filepath.Abs(f)
		require.NoError(t, err)
		args = append(args, abs)
	}
	s.Foreign = &Foreign{Adapter: string(adapter), Args: args, Files: []string{src, inc}}
	return s
}

// The content of every file that a design is read from makes its build, included ones too, and its folder
// does not.
func TestForeignHash(t *testing.T) {
	sum := func(s BuildSpec) string {
		r, params, err := s.resolve()
		require.NoError(t, err)
		src, err := r.sources()
		require.NoError(t, err)
		h, err := contentHash(r, src, tools{}, params, r.flags())
		require.NoError(t, err)
		return h
	}
	first := foreignAdder(t, t.TempDir(), "1")
	base := sum(first)
	require.Equal(t, base, sum(foreignAdder(t, t.TempDir(), "1")))
	require.NotEqual(t, base, sum(foreignAdder(t, t.TempDir(), "2")), "an included file differs")
	ours := first
	ours.Foreign = nil
	require.NotEqual(t, base, sum(ours))
	for name, edit := range map[string]func(*Foreign){
		"adapter": func(f *Foreign) { f.Adapter += " " },
		"ports":   func(f *Foreign) { f.Ports = "x" },
		"define":  func(f *Foreign) { f.Args = append([]string{"+define+A"}, f.Args...) },
		"order":   func(f *Foreign) { a := append([]string(nil), f.Args...); a[1], a[2] = a[2], a[1]; f.Args = a },
	} {
		s, f := first, *first.Foreign
		edit(&f)
		s.Foreign = &f
		require.NotEqual(t, base, sum(s), name)
	}
	gone := first
	gone.Foreign = &Foreign{Files: []string{"/nonexistent.svh"}}
	r, params, err := gone.resolve()
	require.NoError(t, err)
	_, err = contentHash(r, sources{}, tools{}, params, "")
	require.ErrorContains(t, err, "/nonexistent.svh")
}

// What the C++ compiler reads makes the build too: no elaboration names it.
func TestForeignHashOfC(t *testing.T) {
	write := func(dir, name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	files := map[string]string{"c/add.cpp": "#include \"svdpi.h\"\n#include \"sub/add.h\"\n# include <deep.h>\n",
		"c/sub/add.h":    "#include \"more.def\"\n",
		"c/sub/more.def": "1", "far/deep.h": "2", "flag/deep.h": "3", "c/beside.hpp": "4", "lib/x.a": "5", "unused.sv": "6"}
	dir := t.TempDir()
	hashOf := func(edit string) (string, []string) {
		for name, text := range files {
			if name == edit {
				text += "\n// another"
			}
			write(dir, name, text)
		}
		at := func(name string) string { return filepath.Join(dir, name) }
		s := foreignAdder(t, dir, "1")
		s.Foreign.Args = append(s.Foreign.Args, "+incdir+"+at("far"), "-CFLAGS", "-O2 -I"+at("flag"), at("c/add.cpp"),
			at("lib/x.a"), at("unused.sv"))
		r, params, err := s.resolve()
		require.NoError(t, err)
		src, err := r.sources()
		require.NoError(t, err)
		h, err := contentHash(r, src, tools{}, params, "")
		require.NoError(t, err)
		return h, cFiles(s.Foreign.Args)
	}
	base, found := hashOf("")
	require.Len(t, found, 5)
	again, _ := hashOf("")
	require.Equal(t, base, again)
	for name := range files {
		other, _ := hashOf(name)
		require.NotEqual(t, base, other, name)
	}
}

// A design that does not fit its adapter is an error of the build with file and line.
func TestForeignBuildFails(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s := foreignAdder(t, t.TempDir(), "1")
	s.OutDir = filepath.Join(t.TempDir(), "out")
	s.Foreign.Adapter = "module " + AdapterName + " #(parameter int Offset = 1) ();\n  nothing u();\nendmodule\n"
	_, err := Build(ctx, s)
	require.ErrorIs(t, err, wire.ErrBuild)
	require.ErrorContains(t, err, AdapterName+".sv:2:")
}

func TestLoops(t *testing.T) {
	out := "%Warning-UNOPTFLAT: a/b.sv:2:9: Signal unoptimizable: Circular combinational logic: " +
		"'goldwire_adapter.u_dut.p'\n" +
		"    2 |   logic p;\n%Warning-UNOPTFLAT: a/b.sv:2:9: Signal unoptimizable: Circular combinational logic: " +
		"'goldwire_adapter.u_dut.p'\n"
	require.Equal(t, []string{"a/b.sv:2: u_dut.p"}, loopsOf(out))
	require.Nil(t, loopsOf("%Warning-WIDTH: a.sv:1:1: x\n"))
}
