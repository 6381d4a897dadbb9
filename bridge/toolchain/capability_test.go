package toolchain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What Debian 12, 13 and unstable print of their versions.
func TestVersionsAreRead(t *testing.T) {
	for _, c := range []struct{ tool, text, want string }{
		{Verilator, "Verilator 5.006 2023-01-22 rev (Debian 5.006-3)\n", "5.006"},
		{Verilator, "Verilator 5.032 2025-01-01 rev (Debian 5.032-1+b2)\n", "5.032"},
		{Verilator, "Verilator 5.048 2026-04-26 rev vUNKNOWN-built20260429\n", "5.048"},
		{Icarus, "Icarus Verilog version 11.0 (stable) ()\n\nCopyright (c) 2000-2020\nUnable to get version from \"x 1.2\"\n",
			"11.0"},
		{Icarus, "Icarus Verilog version 13.0 (stable) (v13_0)\n", "13.0"},
		{Yosys, "Yosys 0.23 (git sha1 7ce5011c24b)\n", "0.23"},
		{Yosys, "Yosys 0.66 (git sha1 86f2ddebce7e98ce7cacc27e8a5c14cb53b51b51)\n", "0.66"},
		{Z3, "Z3 version 4.8.12 - 64 bit\n", "4.8.12"},
		{Compiler, "g++ (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright (C) 2022 Free Software\n", "12.2.0"},
		{Compiler, "g++ (Debian 16.2.0-4) 16.2.0\n", "16.2.0"},
		{Make, "GNU Make 4.4.1\nBuilt for x86_64-pc-linux-gnu\n", "4.4.1"},
		{Ccache, "ccache version 4.7.5\nFeatures: file-storage\n", "4.7.5"},
	} {
		v, err := Parse(c.tool, c.text)
		require.NoError(t, err)
		require.Equal(t, c.want, v.String())
	}
	for _, bad := range []string{"", "Verilator", "version 5.006", "verilator: command not found\n"} {
		_, err := Parse(Verilator, bad)
		require.Error(t, err, bad)
	}
}

// Each row is whole, its versions are in order, and a version outside them does not have it.
func TestCapabilities(t *testing.T) {
	for c, r := range rows {
		require.NotEmpty(t, r.tool)
		require.NotEmpty(t, r.what)
		require.NotEmpty(t, r.without, r.what)
		require.NotEmpty(t, r.first+r.last, "%s: every version has it: it needs no row", r.what)
		if r.first != "" {
			v := of(r.first)
			require.True(t, Capability(c).In(v), r.what)
			v.Minor--
			require.False(t, Capability(c).In(v), r.what)
			require.False(t, TooOld(r.tool, of(r.first)), r.what)
		}
		if r.last != "" {
			v := of(r.last)
			require.True(t, Capability(c).In(v), r.what)
			v.Minor++
			require.False(t, Capability(c).In(v), r.what)
		}
	}
	// Every version has one of the two forms of the tree.
	for major, minor := 5, 6; minor < 100; minor++ {
		v := Version{Major: major, Minor: minor}
		require.True(t, JSONTree.In(v) || XMLTree.In(v), minor)
	}
	require.True(t, JSONTree.In(of("6.002")))
	require.False(t, XMLTree.In(of("6.002")))
	require.True(t, TooOld(Verilator, of("4.228")))
	require.True(t, TooOld(Verilator, of("5.004")))
	require.False(t, TooOld(Verilator, of("5.006")))
	require.False(t, TooOld(Yosys, of("0.1")))
}

// The installer, which runs before any Go, and the README name the same oldest Verilator.
func TestOldestIsOne(t *testing.T) {
	for path, want := range map[string]string{"../../ci/tools/install.sh": "\nreadonly oldest=%s ",
		"../../README.md": "(Verilator %s or newer"} {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Contains(t, string(text), fmt.Sprintf(want, Oldest[Verilator]))
	}
}

// The Makefile and a test of generated files, which cannot ask the table, name the same version of Yosys.
func TestBareStructIsOne(t *testing.T) {
	r := rows[BareStruct]
	require.Equal(t, r.first, r.last)
	for path, want := range map[string]string{"../../Makefile": "$(findstring Yosys %s ,",
		"../../vectors/event/internal/schemagen/tools_test.go": "\"Yosys %s \""} {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Contains(t, string(text), fmt.Sprintf(want, r.first))
	}
}

// A version that nobody tried is warned of once; one that was tried is not.
func TestNewerVersionsAreWarnedOfOnce(t *testing.T) {
	before := slog.Default()
	defer slog.SetDefault(before)
	var log bytes.Buffer
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	for range 3 {
		WarnNew(Verilator, of("5.006"))
		WarnNew(Verilator, Newest[Verilator])
		WarnNew(Verilator, of("7.002"))
		WarnNew(Z3, of("99.1"))
	}
	require.Equal(t, 1, strings.Count(log.String(), "\n"), log.String())
	require.Contains(t, log.String(), "verilator 7.002 is newer than any that Goldwire was tried with")
}

// The README of bridge shows the table as the code has it.
func TestReadmeShowsTheTable(t *testing.T) {
	const path = "../README.md"
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	first, _, _ := strings.Cut(table(), "\n")
	before, rest, ok := strings.Cut(string(text), first)
	require.True(t, ok, "%s has no table of capabilities", path)
	_, after, _ := strings.Cut(rest, "\n\n")
	want := before + table() + "\n" + after
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
		return
	}
	require.Equal(t, want, string(text), "renew it: go test ./bridge/toolchain -run Readme -update")
}

// The list names what is installed, what is missing, too old or new, and which capabilities are here.
func TestFound(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteFound(t.Context(), &b, func(_ context.Context, tool string) (Version, string, error) {
		switch tool {
		case Verilator:
			return of("5.004"), "/opt/verilator", nil
		case Yosys:
			return of("0.99"), "/opt/yosys", nil
		}
		return Version{}, "", errors.New(tool + " is not installed")
	}))
	for _, want := range []string{`verilator +5\.004 +/opt/verilator +too old: 5\.006 is the oldest that works\n`,
		`yosys +0\.99 +/opt/yosys +newer than 0\.66, the newest that was tried\n`, `z3 +- +- +z3 is not installed\n`,
		`verilator +--xml-only +- +5\.044 +yes +--json-only\n`, `verilator +--trace-vcd +5\.036 +- +no +--trace\n`,
		`yosys +.*\$check +0\.52 +- +yes `, `iverilog +a name.* +13\.0 +- +- +`} {
		require.Regexp(t, want, b.String())
	}
}

// table returns the capabilities as Markdown.
func table() string {
	var b strings.Builder
	b.WriteString("| tool | has | since | until | what Goldwire does otherwise, or always |\n|---|---|---|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.tool, code(r.what), r.first, r.last, code(r.without))
	}
	return b.String()
}

// code puts flags into backquotes.
func code(text string) string {
	words := strings.Fields(text)
	for i, w := range words {
		if strings.HasPrefix(w, "-") || strings.HasPrefix(w, "$") {
			words[i] = "`" + w + "`"
		}
	}
	return strings.Join(words, " ")
}
