package bind

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// No flag of a dut.yaml runs a program or takes over the build, in whatever form it is written, and those that a
// design needs are taken.
func TestFlagsThatRunPrograms(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("good.f", "// --pipe-filter in a comment\n-Wno-WIDTH +define+A=(1+2)\n-CFLAGS \"-O2 -DX=1\"\n-y sub\n")
	write("pipe.f", "-Wno-WIDTH\n--pipe-filter \"touch x\"\n")
	write("outer.f", "-f pipe.f\n")
	write("shell.f", "-CFLAGS \"-DX=$(touch x)\"\n")
	write("name.f", "\"a;touch x.cpp\"\n")
	write("prefix.f", "--mod-prefix \"V;touch x\"\n")
	write("loop.f", "-f loop.f\n")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "deep"), 0o755))
	write("deep/own.f", "-f next.f\n")
	write("deep/next.f", "--gdb x\n")
	for _, c := range []struct {
		flags []string
		says  string
	}{
		{[]string{"--pipe-filter", "-x"}, "--pipe-filter runs a program"},
		{[]string{"-pipe-filter", "-x"}, "-pipe-filter runs a program"},
		{[]string{"--MAKEFLAGS", "-x"}, "runs a program"},
		{[]string{"-MAKEFLAGS", "-x"}, "runs a program"},
		{[]string{"--gdb"}, "runs a program"},
		{[]string{"--make=gmake"}, "runs a program"},
		{[]string{"--build"}, "for the build to give"},
		{[]string{"--no-MMD"}, "for the build to give"},
		{[]string{"--Mdir", "-x"}, "for the build to give"},
		{[]string{"--lint-only"}, "for the build to give"},
		{[]string{"-CFLAGS", "-DX=$(touch x)"}, `-CFLAGS "-DX=$(touch x)": the character "$"`},
		{[]string{"--CFLAGS", "-DX=`touch x`"}, "the character \"`\""},
		{[]string{"-CFLAGS", "-O2; touch x"}, `the character ";"`},
		{[]string{"-CFLAGS", "-O2 | sh"}, `the character "|"`},
		{[]string{"-CFLAGS", "-O2 & sh"}, `the character "&"`},
		{[]string{"-CFLAGS", "-O2 > x"}, `the character ">"`},
		{[]string{"-CFLAGS", "-DX=\"1\""}, "put such a value in a header"},
		{[]string{"-CFLAGS", "-O2\n\ttouch x#"}, `the character "#"`},
		{[]string{"-LDFLAGS", "-lm -Wl,-rpath,$ORIGIN"}, `the character "$"`},
		{[]string{"-CFLAGS", "-O2 -wrapper ./x"}, "-wrapper runs a program"},
		{[]string{"-CFLAGS", "-fplugin=./x.so"}, "-fplugin=./x.so runs a program"},
		{[]string{"-CFLAGS", "-B./bin"}, "runs a program"},
		{[]string{"-CFLAGS", "@more"}, "reads further flags"},
		{[]string{"-CFLAGS", "-MF x"}, "takes over the build"},
		{[]string{"-LDFLAGS", "-Wl,-plugin,./x.so"}, "runs a program"},
		{[]string{"-CFLAGS -O2"}, "give the flag and its value as two entries: [-CFLAGS, '-O2']"},
		{[]string{"-f", "pipe.f"}, "-f pipe.f: --pipe-filter runs a program"},
		{[]string{"-f", "outer.f"}, "-f outer.f: -f pipe.f: --pipe-filter runs a program"},
		{[]string{"-f", "shell.f"}, `the character "$"`},
		{[]string{"-f", "name.f"}, "the name has characters of the shell"},
		{[]string{"-f", "prefix.f"}, "--mod-prefix is for the build to give"},
		{[]string{"-f", "loop.f"}, "option files are nested too deep"},
		{[]string{"-f", "none.f"}, "no such file or directory; names are relative to the dut.yaml"},
		{[]string{"-F", "deep/own.f"}, "--gdb runs a program"},
		{[]string{"-Wno-WIDTH", "+define+A=(1)", "-CFLAGS", "-O2 -g -I../inc -DX=1 -std=c++17 -march=native", "-LDFLAGS",
			"-L/opt/x/lib -lx -Wl,-rpath,/opt/x/lib", "-f", "good.f"}, ""},
		{[]string{"--assert", "--threads", "1", "-GN=3", "--timescale", "1ns/1ps"}, ""},
	} {
		text := badFlag(dir, c.flags, 0)
		if c.says == "" {
			require.Empty(t, text, c.flags)
		} else {
			require.Contains(t, text, c.says, c.flags)
		}
	}
}

// A dut.yaml that would run a command is refused before anything of it is run, by check and by a run alike.
func TestFlagsRunNothing(t *testing.T) {
	text, err := os.ReadFile("testdata/flat/valid_only.yaml")
	require.NoError(t, err)
	for _, evil := range []string{"[--pipe-filter, '-c touch']", "[-CFLAGS, '-DX=$(touch ran)']"} {
		dir := filepath.Join(t.TempDir(), "flat")
		require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/flat")))
		file := filepath.Join(dir, "dut.yaml")
		bad := strings.Replace(string(text), "verilator: [-Wno-WIDTH]", "verilator: "+evil, 1)
		require.NotEqual(t, string(text), bad)
		require.NoError(t, os.WriteFile(file, []byte(bad), 0o644))
		_, err := Load(file, lookup)
		require.ErrorContains(t, err, "dut.yaml:42:")
		_, _, err = CheckFile(t.Context(), file, lookup)
		require.ErrorContains(t, err, "dut.yaml:42:")
	}
	// In a source's name the shell has no say either.
	dir := filepath.Join(t.TempDir(), "flat")
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/flat")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a;touch.cpp"), []byte(""), 0o644))
	file := filepath.Join(dir, "dut.yaml")
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), "sources: [",
		"sources: ['*.cpp', ", 1)), 0o644))
	_, err = Load(file, lookup)
	require.ErrorContains(t, err, "the build cannot take spaces")
}
