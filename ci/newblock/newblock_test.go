package newblock

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	repo  = "../.." // the tree as it is
	added = "testdata/toy"
	list  = "cosim/block/all.go"
)

// run runs a program in a folder and returns its output and exit code. It fails the test if the program cannot run.
func run(t *testing.T, dir, name string, args ...string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOLDWIRE_ROOT="+dir)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s %s: %v", name, strings.Join(args, " "), err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// files returns the paths of all files below a folder, relative to it, in order.
func files(t *testing.T, dir string) (out []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	}))
	slices.Sort(out)
	return out
}

// listed returns what "Adding a block" in CONTRIBUTING names, with the block's name inserted: files, folders to write,
// and files to add a line to.
func listed(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(repo + "/.github/CONTRIBUTING.md")
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(text), "\n## Adding a block\n")
	require.True(t, ok, "CONTRIBUTING has no section \"Adding a block\"")
	section, _, _ = strings.Cut(section, "\n## ")
	var out []string
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(section, -1) {
		p := strings.ReplaceAll(m[1], "<block>", "toy")
		switch {
		case strings.Contains(p, " "): // a command
			continue
		case !strings.Contains(p, "/"): // beside the one before
			p = filepath.Dir(out[len(out)-1]) + "/" + p
		}
		out = append(out, p)
	}
	return out
}

// copyTree copies what the tools read at run time: the schemas and the hardware.
func copyTree(t *testing.T, to string) {
	t.Helper()
	for _, dir := range []string{"hdl", "vectors/event"} {
		require.NoError(t, os.CopyFS(filepath.Join(to, dir), os.DirFS(filepath.Join(repo, dir))))
	}
	for _, f := range []string{"go.mod", "go.sum", "README.md", list, "ci/plan/goldwire.yaml"} {
		data, err := os.ReadFile(filepath.Join(repo, f))
		require.NoError(t, err)
		write(t, filepath.Join(to, f), data)
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(t, os.WriteFile(path, data, 0o666))
}

// TestBlockCostsWhatIsListed: a block needs the files that CONTRIBUTING lists, those that `make gen` makes from its
// schema, and a line in the list of blocks. Its RTL is then checked against its model like any other: without a
// mismatch as it is, and with one for a fault of its catalogue.
func TestBlockCostsWhatIsListed(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the goldwire command and verilates a block")
	}
	if _, err := exec.LookPath("verilator"); err != nil {
		t.Skip("verilator is not installed: make tools")
	}
	src, err := filepath.Abs(repo)
	require.NoError(t, err)
	root := t.TempDir()
	copyTree(t, root)

	// Exactly the files that CONTRIBUTING lists.
	paths := listed(t)
	touched := map[string]bool{}
	for _, f := range files(t, added) {
		i := slices.IndexFunc(paths, func(p string) bool { return f == p || strings.HasPrefix(f, p+"/") })
		require.GreaterOrEqual(t, i, 0, "CONTRIBUTING \"Adding a block\" does not list %s", f)
		touched[paths[i]] = true
		require.NoFileExists(t, filepath.Join(src, f))
		data, err := os.ReadFile(filepath.Join(added, f))
		require.NoError(t, err)
		write(t, filepath.Join(root, f), data)
	}
	all, err := os.ReadFile(filepath.Join(root, list))
	require.NoError(t, err)
	const head = "var all = []*Block{"
	require.Equal(t, 1, bytes.Count(all, []byte(head)))
	write(t, filepath.Join(root, list), bytes.Replace(all, []byte(head), []byte(head+"&toy, "), 1))
	touched[list] = true
	for _, p := range paths {
		require.True(t, touched[p], "CONTRIBUTING \"Adding a block\" lists %s, which the toy block did without", p)
	}

	// make gen: only files of the block.
	out, code := run(t, src, "go", "run", "./vectors/event/cmd/schemagen", "-root", root)
	require.Zero(t, code, out)
	made := slices.DeleteFunc(strings.Fields(out), func(f string) bool { // files that the copy lacks are not changes
		old, err := os.ReadFile(filepath.Join(src, f))
		now, err2 := os.ReadFile(filepath.Join(root, f))
		return err == nil && err2 == nil && bytes.Equal(old, now)
	})
	require.Equal(t, []string{"hdl/gen/toy_pkg.sv", "hdl/gen/toy_ports.h", "hdl/gen/toy_top.sv", "hdl/gen/toy_types.sv",
		"vectors/event/toy/doc.go", "vectors/event/toy/event_gen.go", "vectors/event/toy/fields.md"},
		slices.Sorted(slices.Values(made)))

	// The command, built from the tree with these files on top.
	over := map[string]string{}
	for _, f := range append(append(files(t, added), made...), list) {
		over[filepath.Join(src, f)] = filepath.Join(root, f)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": over})
	require.NoError(t, err)
	write(t, filepath.Join(root, "overlay.json"), overlay)
	goldwire := filepath.Join(root, "goldwire")
	out, code = run(t, src, "go", "build", "-buildvcs=false", "-pgo=off", "-overlay", filepath.Join(root, "overlay.json"),
		"-o", goldwire, "./cosim/cmd/goldwire")
	require.Zero(t, code, out)

	out, code = run(t, root, goldwire, "list")
	require.Zero(t, code, out)
	require.Contains(t, out, "toy")

	out, code = run(t, root, goldwire, "ci", "plan", "check")
	require.Zero(t, code, out)

	// Against its RTL, as it is and with a fault.
	cosim := []string{"cosim", "--block", "toy", "--source", "directed,random", "--events", "5000"}
	out, code = run(t, root, goldwire, append(cosim, "--json", filepath.Join(root, "report.json"))...)
	require.Zero(t, code, out)
	passed(t, filepath.Join(root, "report.json"))
	rtl := filepath.Join(root, "faulty")
	out, code = run(t, root, goldwire, "faults", "plant", "--block", "toy", "--fault", "count-wraps", "-o", rtl)
	require.Zero(t, code, out)
	out, code = run(t, root, goldwire, append(cosim, "--rtl", rtl)...)
	require.Equal(t, 1, code, out)
	require.Contains(t, out, "first mismatch")
}

// passed requires a report whose runs of both sources passed and compared something.
func passed(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var report struct {
		Results []struct {
			Verdict, Block, Source string
			Compared               struct{ Responses, Fields uint64 }
			Mismatches             uint64
		}
	}
	require.NoError(t, json.Unmarshal(text, &report))
	require.Len(t, report.Results, 2)
	for i, source := range []string{"directed", "random"} {
		r := report.Results[i]
		require.Equal(t, []string{"pass", "toy", source}, []string{r.Verdict, r.Block, r.Source})
		require.Zero(t, r.Mismatches)
		require.NotZero(t, r.Compared.Responses)
		require.NotZero(t, r.Compared.Fields)
	}
}
