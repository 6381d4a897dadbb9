package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/report"
)

func TestFindRoot(t *testing.T) {
	t.Setenv(RootEnv, "")
	top := t.TempDir()
	deep := filepath.Join(top, "a", "b")
	require.NoError(t, os.MkdirAll(deep, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(top, "a", "go.mod"), []byte("module example.com/other\n"), 0o644))
	_, err := FindRoot("", deep, "")
	require.ErrorContains(t, err, "no Goldwire repository at or above "+deep)
	mod := []byte("// c\nmodule " + modulePath + " // d\n\ngo 1.26\n")
	require.NoError(t, os.WriteFile(filepath.Join(top, "go.mod"), mod, 0o644))
	got, err := FindRoot("", deep, "")
	require.NoError(t, err)
	require.Equal(t, top, got)
	elsewhere := t.TempDir()
	got, err = FindRoot("", elsewhere, deep)
	require.NoError(t, err)
	require.Equal(t, top, got, "from the place of the program")
	_, err = FindRoot("", elsewhere, elsewhere)
	require.ErrorContains(t, err, "at or above "+elsewhere+" or above the program in "+elsewhere)
	got, err = FindRoot(top, "/", "")
	require.NoError(t, err)
	require.Equal(t, top, got)
	_, err = FindRoot(deep, "/", "")
	require.ErrorContains(t, err, "--root "+deep)
	t.Setenv(RootEnv, top)
	got, err = FindRoot("", "/", "")
	require.NoError(t, err)
	require.Equal(t, top, got)
	other := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(other, "go.mod"), []byte("module "+modulePath+"\n"), 0o644))
	_, err = FindRoot("", other, "")
	require.ErrorContains(t, err, RootEnv+" "+top+": the working folder is in another repository, "+other)
	got, err = FindRoot(top, other, "")
	require.NoError(t, err)
	require.Equal(t, top, got, "--root is meant")
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(top, link))
	t.Setenv(RootEnv, link)
	_, err = FindRoot("", deep, "")
	require.NoError(t, err, "the same by another name")
	t.Setenv(RootEnv, deep)
	_, err = FindRoot("", top, "")
	require.ErrorContains(t, err, RootEnv+" "+deep, "a wrong setting is not passed over")
}

func TestParseCount(t *testing.T) {
	for in, want := range map[string]uint64{"1": 1, "100000": 1e5, "250k": 250e3, "1M": 1e6, "1e6": 1e6, "2.5e3": 2500,
		"1.5M": 1500e3, "1_000": 1000, "18446744073709551615": math.MaxUint64, "0": 0} {
		got, err := ParseCount(in)
		require.NoError(t, err, in)
		require.Equal(t, want, got, in)
	}
	for _, in := range []string{"", "k", "-1", "1.5", "1/2", "0x10", "1e999999999", "18446744073709551616", "20000000000G",
		"NaN", "Inf", "1 000", "1kk"} {
		_, err := ParseCount(in)
		require.Error(t, err, in)
	}
}

func TestParseSeeds(t *testing.T) {
	got, err := ParseSeeds("3..5,9,0x10")
	require.NoError(t, err)
	require.Equal(t, []uint64{3, 4, 5, 9, 16}, got)
	got, err = ParseSeeds("18446744073709551614..18446744073709551615")
	require.NoError(t, err)
	require.Len(t, got, 2)
	for _, in := range []string{"", "1..", "..2", "1...2", "a", "0..18446744073709551615", "1..60000,1..60000"} {
		_, err := ParseSeeds(in)
		require.Error(t, err, in)
	}
}

func TestFiguresKeepOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bench.json")
	old, err := ReadFigures(path)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, writeFigures(&b, old, []report.Metric{{Name: "a", Value: 1}, {Name: "b", Value: 2}}))
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
	old, err = ReadFigures(path)
	require.NoError(t, err)
	b.Reset()
	require.NoError(t, writeFigures(&b, old, []report.Metric{{Name: "b", Value: 3}}))
	var got map[string]float64
	require.NoError(t, json.Unmarshal(b.Bytes(), &got))
	require.Equal(t, map[string]float64{"a": 1, "b": 3}, got)
	require.NoError(t, os.WriteFile(path, []byte("[]"), 0o644))
	_, err = ReadFigures(path)
	require.ErrorContains(t, err, path)
	require.ErrorContains(t, err, "remove it")
}

// A figure that was not measured is shown as such and fails the command, whatever its bound.
func TestFiguresThatWereNotMeasured(t *testing.T) {
	fast := report.Metric{Name: "fast", Bound: report.AtLeast(2)}
	fast.Median([]float64{3, 2.5, 4})
	slow, still := fast, report.Metric{Name: "still", Bound: report.AtMost(2)}
	slow.Median([]float64{1})
	var b bytes.Buffer
	a := &App{Stdout: &b}
	path := filepath.Join(t.TempDir(), "bench.json")
	require.ErrorContains(t, a.WriteFigures(Output{"--json", path}, nil, []report.Metric{fast, slow, still}),
		"still was not measured")
	require.NoFileExists(t, path)
	require.Regexp(t, `(?m)^fast +3 +2.5 +4 +>= 2 +met`, b.String())
	require.Regexp(t, `(?m)^fast +1 +1 +1 +>= 2 +MISSED`, b.String())
	require.Regexp(t, `(?m)^still .* <= 2 +NOT MEASURED`, b.String())
	require.NoError(t, a.WriteFigures(Output{"--json", path}, nil, []report.Metric{fast, slow}))
	require.FileExists(t, path)
	require.ErrorContains(t, a.WriteFigures(Output{}, nil, nil), "nothing was measured")
}

// What the library says of a file becomes its path, the cause and what to do; what is said already is not repeated.
func TestOneLineInOurWords(t *testing.T) {
	dir := t.TempDir()
	gone := filepath.Join(dir, "gone")
	_, open := os.Open(gone)
	_, folder := os.ReadFile(dir)
	var v any
	syntax := json.Unmarshal([]byte("[1,#]"), &v)
	for want, err := range map[string]error{
		"--replay: " + gone + ": no such file or directory; check the path": fmt.Errorf("--replay: %w", open),
		gone + ": no such file or directory; give a trace":                  fmt.Errorf("%w; give a trace", open),
		dir + ": is a directory; check the path":                            fmt.Errorf("%s: %w", dir, folder),
		"/x: permission denied; give yourself access, or another path": &fs.PathError{Op: "open", Path: "/x",
			Err: syscall.EACCES},
		"not a saved case: byte 4 of it is not JSON": fmt.Errorf("not a saved case: %w", syntax),
		"a; b": errors.New("a\n\n b\n"),
	} {
		require.Equal(t, want, OneLine(err))
	}
}

// Wrong numbers of arguments are refused with the usage.
func TestArgs(t *testing.T) {
	c := &cobra.Command{Use: "merge FILE..."}
	require.ErrorContains(t, Args("FILE", 1, -1)(c, nil), `missing FILE of "merge"; usage: merge FILE...`)
	require.NoError(t, Args("FILE", 1, -1)(c, []string{"a", "b", "c"}))
	require.NoError(t, Args("PLAN", 0, 1)(c, nil))
	require.ErrorContains(t, Args("PLAN", 0, 1)(c, []string{"a", "b"}), `unexpected argument "b" of "merge"; usage: `)
}
