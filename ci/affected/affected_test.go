package affected

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/plan"
)

const root = "../.."

// git runs git in a folder, with a neutral identity.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.com",
		"-c", "commit.gpgsign=false", "-c", "core.hooksPath=/dev/null"}, args...)...)
	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))
}

// copied is the repository of scratch, which TestMain removes.
var copied string

func TestMain(m *testing.M) {
	code := m.Run()
	if copied != "" {
		os.RemoveAll(copied)
	}
	os.Exit(code)
}

// scratch returns a repository with a copy of this one, one for all tests: each leaves it clean.
func scratch(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	if copied != "" {
		return copied
	}
	dir, err := os.MkdirTemp("", "goldwire-affected-")
	require.NoError(t, err)
	defer func() {
		if copied == "" { // a part of a copy is for no other test
			os.RemoveAll(dir)
		}
	}()
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	for _, e := range entries {
		switch name := e.Name(); {
		case name == "build" || name == ".git":
		case e.IsDir():
			require.NoError(t, os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(root, name))))
		default:
			text, err := os.ReadFile(filepath.Join(root, name))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o666))
		}
	}
	git(t, dir, "init", "-q")
	git(t, dir, "add", "--all")
	git(t, dir, "commit", "-q", "-m", "all")
	git(t, dir, "repack", "-a", "-d", "-q") // each selection reads all files
	git(t, dir, "clean", "-q", "-fdX")      // what editors and tests left behind in the original
	copied = dir
	return dir
}

// pull returns the runs of the pull stage of our plan, plus one of a dut.yaml.
func pull(t *testing.T) []plan.Run {
	t.Helper()
	p, err := plan.Load(filepath.Join(root, plan.Own))
	require.NoError(t, err)
	runs, err := p.Runs("pull", "n")
	require.NoError(t, err)
	return append(runs, plan.Run{ID: "bound", Test: "bound", Block: "trimmer", Source: "random",
		Args: []string{"cosim", "--dut", "hdl/examples/stream/dut.yaml"}})
}

// selected returns the blocks whose co-simulations of our design are run, and "others" if any other run is. It requires
// that each block is selected as a whole.
func selected(t *testing.T, dir string, runs []plan.Run) []string {
	t.Helper()
	r, err := Unchanged(context.Background(), dir, "HEAD", runs)
	require.NoError(t, err)
	run, kept := map[string]bool{}, map[string]bool{}
	for i := range runs {
		key := runs[i].Block
		if !runs[i].Cosim() || slices.Contains(runs[i].Args, "--dut") {
			key = "others"
		}
		if r.Inputs[runs[i].ID] == "" {
			run[key] = true
		} else {
			kept[key] = true
		}
	}
	for key := range run {
		require.False(t, kept[key], "some runs of %s are selected", key)
	}
	return slices.Sorted(maps.Keys(run))
}

// every is what an edit of a shared file selects: all blocks, and the rest.
var every = func() []string {
	out := []string{"others"}
	schemas, _ := filepath.Glob(root + "/vectors/event/*/schema.yaml")
	for _, f := range schemas {
		out = append(out, filepath.Base(filepath.Dir(f)))
	}
	slices.Sort(out)
	return out
}()

// What each edit selects.
func TestSelection(t *testing.T) {
	dir, runs := scratch(t), pull(t)
	none := []string{}
	const kinds = 13
	for i, x := range []struct {
		file string
		want []string
	}{
		// One of each kind; the others with GOLDWIRE_LONG.
		{"hdl/rtl/egress/egress_admit.sv", []string{"egress", "others", "switchport"}},
		{"hdl/rtl/common/gw_divider_pipe.sv", []string{"ccc", "nic", "others", "txpdc"}}, // txpdc names ccc_pkg
		{"hdl/rtl/common/gw_rsp_fifo.sv", every},
		{"hdl/gen/txstate_pkg.sv", []string{"nic", "others", "txstate"}},
		{"hdl/shell/replay.cpp", every},
		{"bridge/client/new.go", every}, // a file that git does not know yet
		{"cosim/engine/score/new_test.go", none},
		{"rtlmodel/egress/doc.go", []string{"egress", "others", "switchport"}},
		{"vectors/stim/egress/directed/new.txt", []string{"egress", "others"}},
		{"vectors/event/txstate/contract.md", nil},
		{"vectors/event/egress/schema.yaml", every}, // golden/fields imports it
		{"new/file", every}, {"README.md", none},

		{"hdl/rtl/trimmer/trimmer_rule.sv", []string{"others", "switchport", "trimmer"}},
		{"hdl/rtl/switchport/switchport.sv", []string{"others", "switchport"}},
		{"bridge/client/client.go", every},
		{"rtlmodel/txstate/state.go", []string{"nic", "others", "txstate"}},
		{"vectors/event/loader.go", every},
		{"golden/fabric/doc.go", every},
		{"cosim/audit/fault/survivors.yaml", every},
		{"cosim/block/egress.go", every},
		{"Makefile", every}, {"go.mod", every},
		{"LICENSE", none}, {"hdl/README.md", none},
		{"hdl/examples/stream/dut.yaml", every},
	} {
		if i >= kinds && os.Getenv("GOLDWIRE_LONG") == "" {
			break
		}
		path := filepath.Join(dir, filepath.FromSlash(x.file))
		old, err := os.ReadFile(path)
		isNew := err != nil
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		add := "\n"
		if isNew && strings.HasSuffix(x.file, ".go") {
			add = "package x\n"
		}
		require.NoError(t, os.WriteFile(path, append(slices.Clone(old), add...), 0o666))
		got := selected(t, dir, runs)
		if x.want == nil {
			require.Contains(t, got, "txstate", x.file)
		} else {
			assert.Equal(t, x.want, append([]string{}, got...), x.file)
		}
		if isNew {
			require.NoError(t, os.Remove(path))
		} else {
			require.NoError(t, os.WriteFile(path, old, 0o666))
		}
	}
	require.Empty(t, selected(t, dir, runs))

	// An index that is told not to look hides nothing, and neither does a commit.
	file := filepath.Join(dir, "hdl/rtl/egress/egress.sv")
	git(t, dir, "update-index", "--assume-unchanged", "hdl/rtl/egress/egress.sv")
	require.NoError(t, os.Remove(file))
	require.Contains(t, selected(t, dir, runs), "egress")
	git(t, dir, "update-index", "--no-assume-unchanged", "hdl/rtl/egress/egress.sv")
	git(t, dir, "commit", "-q", "-a", "-m", "gone")
	require.Empty(t, selected(t, dir, runs))
	r, err := Unchanged(context.Background(), dir, "HEAD~1", runs)
	require.NoError(t, err)
	for i := range runs {
		if runs[i].Block == "switchport" {
			require.Empty(t, r.Inputs[runs[i].ID])
		}
	}

	// A file that a command line names and that git does not track is unknown.
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "build"), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "build", "x.gwv"), nil, 0o666))
	odd := []plan.Run{{ID: "odd", Block: "egress", Source: "random", Args: []string{"cosim", "--case=build/x.gwv"}}}
	r, err = Unchanged(context.Background(), dir, "HEAD", odd)
	require.NoError(t, err)
	require.Empty(t, r.Inputs)
}

// If the files cannot be known, there is an error and no fingerprint, so that everything is run.
func TestHashThatCannotBeComputed(t *testing.T) {
	dir, runs := scratch(t), pull(t)
	refused := func(rev, want string) {
		t.Helper()
		r, err := Unchanged(context.Background(), dir, rev, runs)
		require.ErrorContains(t, err, want)
		require.Nil(t, r)
	}
	refused("gone", "git knows none of that name")
	hidden := filepath.Join(dir, "golden", "x.vcd")
	require.NoError(t, os.WriteFile(hidden, nil, 0o666))
	refused("HEAD", "golden/x.vcd is ignored by git")
	require.NoError(t, os.Remove(hidden))
	link := filepath.Join(dir, "hdl", "rtl", "link.sv")
	require.NoError(t, os.Symlink("/etc/passwd", link))
	refused("HEAD", "hdl/rtl/link.sv is a link")
	require.NoError(t, os.Remove(link))
	bad := filepath.Join(dir, "bridge", "bad.go")
	require.NoError(t, os.WriteFile(bad, []byte("packag"), 0o666))
	refused("HEAD", "bad.go")
	require.NoError(t, os.Remove(bad))
	repo := filepath.Join(dir, ".git")
	require.NoError(t, os.Rename(repo, repo+"-gone"))
	refused("HEAD", "git rev-parse")
	require.NoError(t, os.Rename(repo+"-gone", repo))
}

// Every run depends on a file of no block, whatever its kind, unless it is inert.
func TestUnknownFilesAreShared(t *testing.T) {
	shared := []string{"new/file", "Makefile", "go.mod", "cosim/audit/fault/survivors.yaml", "golden/fabric/doc.go",
		"hdl/examples/stream/dut.yaml", "hdl/rtl/list.txt", "vectors/stim/b/case.txt"}
	files := map[string]string{"vectors/event/a/schema.yaml": "1", "vectors/stim/a/case.txt": "1", "hdl/rtl/a.sv": "1",
		"LICENSE": "1", "README.md": "1", "ci/x_test.go": "1"}
	for _, name := range shared {
		files[name] = "1"
	}
	x, err := newIndex(&tree{files: files, text: map[string]string{"golden/fabric/doc.go": "package fabric"}})
	require.NoError(t, err)
	require.ElementsMatch(t, shared, x.shared)
	require.Subset(t, x.of("a"), shared)
	require.Subset(t, x.all(), shared)
}

// A module counts if code names it, but not if only a comment does. A name built by a macro may be of any module.
func TestMentions(t *testing.T) {
	x, err := newIndex(&tree{files: map[string]string{"vectors/event/a/schema.yaml": "1", "hdl/rtl/a.sv": "2",
		"hdl/rtl/b.sv": "3"}, text: map[string]string{"hdl/rtl/a.sv": "module a; endmodule"}})
	require.NoError(t, err)
	require.Equal(t, []string{"hdl/rtl/a.sv"}, x.design("a"))
	for text, want := range map[string]bool{"// b\nmodule a;": false, "/* b */": false, "\"b\"": false, "\"/*\" b": true,
		"\"\\\"//\" b": true, "/* \" */ b": true, "a / b": true, "// \"\nb": true, "`include \"sub/b.svh\"": true,
		"\"": false, "/*": false, "//": false} {
		x.text["hdl/rtl/a.sv"] = text
		require.Equal(t, want, len(x.design("a")) == 2, text)
	}
	x.text["hdl/rtl/a.sv"] = "`define M(x) x``b"
	require.Equal(t, []string{"hdl/rtl/a.sv", "hdl/rtl/b.sv"}, x.design("a"))
}

// No file that counts as inert is built into the program.
func TestInertFilesAreNotEmbedded(t *testing.T) {
	embed := regexp.MustCompile(`(?m)^//go:embed (.*)$`)
	found := 0
	require.NoError(t, filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "build" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		rel, _ := filepath.Rel(root, p)
		if d.IsDir() || !goSource(filepath.ToSlash(rel)) {
			return nil
		}
		text, err := os.ReadFile(p)
		require.NoError(t, err)
		for _, m := range embed.FindAllStringSubmatch(string(text), -1) {
			for _, pattern := range strings.Fields(m[1]) {
				files, err := filepath.Glob(filepath.Join(filepath.Dir(p), pattern))
				require.NoError(t, err)
				require.NotEmpty(t, files, "%s: %s", p, pattern)
				for _, f := range files {
					require.NoError(t, filepath.WalkDir(f, func(name string, d os.DirEntry, err error) error {
						rel, _ := filepath.Rel(root, name)
						require.False(t, inert(filepath.ToSlash(rel)), "%s embeds %s", p, name)
						found++
						return err
					}))
				}
			}
		}
		return nil
	}))
	require.Greater(t, found, 20)
}
