package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/tool/suite"
)

// requireSameFolder compares two folders byte for byte.
func requireSameFolder(t *testing.T, one, two string) {
	t.Helper()
	names, err := os.ReadDir(one)
	require.NoError(t, err)
	others, err := os.ReadDir(two)
	require.NoError(t, err)
	require.Len(t, others, len(names))
	for _, n := range names {
		a, err := os.ReadFile(filepath.Join(one, n.Name()))
		require.NoError(t, err)
		b, err := os.ReadFile(filepath.Join(two, n.Name()))
		require.NoError(t, err)
		require.True(t, bytes.Equal(a, b), n.Name())
	}
}

// A suite holds every block and every kind of source. It is the same for any number of processors, its manifest is
// right, and the current model agrees with it.
func TestVectorsSuite(t *testing.T) {
	launchtest.Long(t, "TestSuiteKeepsItsBytes, on one number of processors")
	one, two := t.TempDir(), t.TempDir()
	procs := runtime.GOMAXPROCS(1)
	must(t, "vectors", "suite", "-o", one)
	runtime.GOMAXPROCS(max(procs, 2))
	defer runtime.GOMAXPROCS(procs)
	must(t, "vectors", "suite", "-o", two)
	requireSameFolder(t, one, two)
	text, err := os.ReadFile(filepath.Join(one, "manifest.json"))
	require.NoError(t, err)
	var m suite.Manifest
	require.NoError(t, json.Unmarshal(text, &m))
	names, err := os.ReadDir(one)
	require.NoError(t, err)
	require.Len(t, names, len(m.Files)+2)
	table, err := os.ReadFile(filepath.Join(one, "README.md"))
	require.NoError(t, err)
	kinds := map[string]int{}
	for _, x := range m.Files {
		kind, _, _ := strings.Cut(x.Source, ":")
		kinds[x.Block+" "+kind+" "+x.Per]++
		data, err := os.ReadFile(filepath.Join(one, x.Name))
		require.NoError(t, err)
		sum := sha256.Sum256(data)
		require.Equal(t, x.SHA256, hex.EncodeToString(sum[:]))
		require.EqualValues(t, len(data), x.Bytes)
		must(t, "vectors", "verify", filepath.Join(one, x.Name))
		row := lineOf(t, string(table), "| "+x.Name+" |")
		for stream, n := range x.Totals.Transfers {
			require.Contains(t, row, fmt.Sprintf("%d %s", n, stream))
		}
	}
	for _, b := range block.Blocks() {
		for _, source := range []string{"directed", "random", "fabric"} {
			require.NotZero(t, kinds[b+" "+source+" cycle"], "%s %s", b, source)
		}
	}
	// The command in the manifest makes the file again.
	for _, i := range []int{3, 5, len(m.Files) - 1} {
		x := m.Files[i]
		args := strings.Fields(x.Command)[1:]
		args[len(args)-1] = filepath.Join(two, "again.gwv")
		must(t, args...)
		again, err := os.ReadFile(args[len(args)-1])
		require.NoError(t, err)
		sum := sha256.Sum256(again)
		require.Equal(t, x.SHA256, hex.EncodeToString(sum[:]), x.Command)
	}
}

// lineOf returns the only line of a text with that beginning.
func lineOf(t *testing.T, text, begin string) string {
	t.Helper()
	var found []string
	for _, l := range strings.Split(text, "\n") {
		if strings.HasPrefix(l, begin) {
			found = append(found, l)
		}
	}
	require.Len(t, found, 1, begin)
	return found[0]
}

// Two programs make the same suite of every block and source, on one processor and on two. They are built from scratch
// in two folders, one without paths and for the oldest processors, the other with paths and for this machine.
func TestVectorsOfTwoCleanBuilds(t *testing.T) {
	launchtest.Long(t, "TestSuiteKeepsItsBytes, of this build alone")
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	dir := t.TempDir()
	level := "v1"
	if cpu, err := os.ReadFile("/proc/cpuinfo"); err == nil && bytes.Contains(cpu, []byte(" avx2 ")) &&
		bytes.Contains(cpu, []byte(" fma ")) && bytes.Contains(cpu, []byte(" bmi2 ")) {
		level = "v3"
	}
	var suites []string
	for i, b := range []struct {
		folder, amd64 string
		flags         []string
	}{{"a", "v1", []string{"-trimpath"}}, {"a/longer/path", level, nil}} {
		src := filepath.Join(dir, b.folder, "src")
		copyTree(t, root, src)
		program := filepath.Join(dir, b.folder, "goldwire")
		build := exec.Command("go", append(append([]string{"build", "-buildvcs=false", "-o", program}, b.flags...),
			"./cosim/cmd/goldwire")...)
		build.Dir = src
		build.Env = append(os.Environ(), "GOCACHE="+filepath.Join(dir, fmt.Sprint("cache", i)), "GOAMD64="+b.amd64)
		out, err := build.CombinedOutput()
		require.NoError(t, err, string(out))
		for procs := range 2 {
			suite := filepath.Join(dir, fmt.Sprintf("suite%d%d", i, procs))
			run := exec.Command(program, "vectors", "suite", "--seed", "7", "-o", suite)
			run.Dir = filepath.Dir(program)
			run.Env = append(os.Environ(), fmt.Sprint("GOMAXPROCS=", procs+1), []string{"TZ=UTC", "TZ=Asia/Tokyo"}[procs])
			out, err := run.CombinedOutput()
			require.NoError(t, err, string(out))
			suites = append(suites, suite)
		}
	}
	for _, s := range suites[1:] {
		requireSameFolder(t, suites[0], s)
	}
}

// copyTree copies what a build reads: everything except hidden folders and outputs.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && rel != "." && (strings.HasPrefix(d.Name(), ".") || rel == "build"):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		case !d.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o666)
	})
	require.NoError(t, err)
}
