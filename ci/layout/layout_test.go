package layout

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// walk visits every file of the tree, except in dot folders and build/, with its path from the root.
func walk(t *testing.T, visit func(path string, read func() string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if rel == "build" || rel != "." && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		visit(rel, func() string {
			text, err := os.ReadFile(p)
			require.NoError(t, err)
			return string(text)
		})
		return nil
	})
	require.NoError(t, err)
}

// imports reads the imports from the files themselves, so that a build tag cannot hide one.
func imports(t *testing.T) []Import {
	var out []Import
	walk(t, func(file string, read func() string) {
		if !strings.HasSuffix(file, ".go") || strings.Contains("/"+file, "/testdata/") {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, read(), parser.ImportsOnly)
		require.NoError(t, err)
		for _, spec := range f.Imports {
			to, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			if rel, ok := strings.CutPrefix(to, Module+"/"); ok {
				out = append(out, Import{path.Dir(file), rel, file})
			}
		}
	})
	return out
}

func TestImportDirections(t *testing.T) {
	all := imports(t)
	require.NotEmpty(t, all, "the search found nothing: is the root right?")
	for _, wrong := range Imports(all) {
		t.Error(wrong)
	}
}

func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	require.Contains(t, names, "go.mod")
	require.Empty(t, TopLevel(names))
}

func TestFileLength(t *testing.T) {
	var problems []string
	walk(t, func(path string, read func() string) {
		if msg := Length(path, read()); msg != "" {
			problems = append(problems, msg)
		}
	})
	require.Empty(t, problems)
}

// blockNames returns the names of the blocks: the folders with a schema.
func blockNames(t *testing.T) (blocks []string) {
	schemas, err := filepath.Glob(filepath.Join(root, "vectors/event/*/schema.yaml"))
	require.NoError(t, err)
	for _, s := range schemas {
		blocks = append(blocks, filepath.Base(filepath.Dir(s)))
	}
	require.NotEmpty(t, blocks)
	return blocks
}

// Every block has a folder of stimulus and a file in the list; all other folders of stimulus are shared.
func TestEveryBlockHasItsFolders(t *testing.T) {
	blocks := blockNames(t)
	for _, b := range blocks {
		require.DirExists(t, filepath.Join(root, stimulus, b))
		require.FileExists(t, filepath.Join(root, "cosim/block", b+".go"))
	}
	dirs, err := os.ReadDir(filepath.Join(root, stimulus))
	require.NoError(t, err)
	for _, d := range dirs {
		if d.IsDir() {
			require.Contains(t, append(stimulusShared, blocks...), d.Name(),
				"a folder of stimulus that is neither shared nor of a block")
		}
	}
}

func TestShellNamesNoBlock(t *testing.T) {
	blocks := blockNames(t)
	var problems []string
	walk(t, func(path string, read func() string) {
		if strings.HasPrefix(path, "hdl/shell/") {
			if msg := BlockName(path, read(), blocks); msg != "" {
				problems = append(problems, msg)
			}
		}
	})
	require.Empty(t, problems)
}

func TestCoverageCoreKnowsNoBlock(t *testing.T) {
	all := imports(t)
	found := 0
	for _, im := range all {
		if im.From == "cosim/cover" {
			found++
		}
	}
	require.NotZero(t, found, "cosim/cover imports nothing of ours: has it moved?")
	require.Empty(t, CoverCore(all))
}

// The checkers themselves, on made-up trees: each rule accepts what it should and otherwise names the offending import.
func TestImportsChecker(t *testing.T) {
	for _, c := range []struct {
		from, to, want string // want "" when allowed
	}{
		{"vectors/event", "rtlmodel/fxp", "vectors/event may import nothing else of ours"},
		{"vectors/event/ccc", "vectors/event", ""},
		{"rtlmodel/ccc", "rtlmodel/fxp", ""},
		{"rtlmodel/ccc", "vectors/event/ccc", ""},
		{"rtlmodel/fxp", "golden/exact", "rtlmodel may import only vectors/event"},
		{"golden/fabric", "golden/cc/nscc", ""},
		{"golden/fabric", "rtlmodel/ccc", "golden may import only vectors/event"},
		{"bridge/client", "bridge/wire", ""},
		{"bridge/client", "rtlmodel/ccc", "bridge may import only vectors/event"},
		{"bridge/launch", "golden/exact", "bridge may import only"},
		{"vectors/format", "vectors/record", "vectors/format may import only vectors/event"},
		{"vectors/stim/fabric", "golden/fabric", ""},
		{"vectors/stim/fabric/ccc", "golden/exact", ""},
		{"vectors/stim/fabric/ccc", "vectors/stim/fabric", ""},
		{"vectors/stim/fabric", "rtlmodel/ccc", "vectors/stim/fabric may import only"},
		{"vectors/stim/fabric/ccc", "vectors/stim/fabric/egress", "only cosim/block"},
		{"vectors/stim/ccc", "vectors/stim/fabric/ccc", ""},
		{"vectors/stim/egress", "vectors/stim/fabric/ccc", "only cosim/block"},
		{"vectors/stim/ccc", "rtlmodel/ccc", ""},
		{"vectors/stim/ccc", "rtlmodel/egress", "vectors/stim/ccc may import only"},
		{"vectors/stim/ccc", "golden/cc", "vectors/stim/ccc may import only"},
		{"vectors/stim/egress", "rtlmodel/egress", "vectors/stim may import only vectors/event"},
		{"vectors/stim/egress", "golden/fields", "vectors/stim may import only vectors/event"},
		{"vectors/stim/ccc", "vectors/stim/casefile", ""},
		{"vectors/stim/ccc", "bridge/client", "vectors/stim/ccc may import only"},
		{"vectors/stim/ccc", "vectors/stim/egress", "only cosim/block, which lists the blocks, imports the stimulus of one"},
		{"vectors/stim", "vectors/stim/ccc", "only cosim/block"},
		{"vectors/stim/fabric", "vectors/stim/ccc", "only cosim/block"},
		{"vectors/stim", "vectors/drive", "vectors/stim may import only"},
		{"vectors/drive", "vectors/stim", ""},
		{"vectors/drive", "rtlmodel/ccc", "vectors/drive may import only"},
		{"vectors/record", "rtlmodel/ccc", "vectors/record may import only"},
		{"vectors/tool/verify", "rtlmodel/txstate", "vectors/tool may import only"},
		{"vectors/tool/verify", "golden/exact", "vectors/tool may import only"},
		{"vectors/drive", "cosim/engine/run", "vectors/drive may import only"},
		{"vectors/drive", "vectors/record", "vectors/drive may import only"},
		{"vectors/record", "vectors/drive", ""},
		{"vectors/record", "vectors/stim/ccc", "only cosim/block"},
		{"vectors/record", "bridge/client", "vectors/record may import only"},
		{"vectors/tool/suite", "vectors/record", ""},
		{"vectors/tool/suite", "vectors/stim/ccc", "only cosim/block"},
		{"vectors/tool/suite", "cosim/block", "vectors/tool may import only"},
		{"cosim/block", "rtlmodel/ccc", ""},
		{"cosim/block", "bridge/client", ""},
		{"cosim/block", "vectors/stim/ccc", ""},
		{"cosim/block", "golden/exact", "cosim/block may import only"},
		{"cosim/block", "cosim/engine/run", "cosim/block may import only"},
		{"cosim/engine/score", "vectors/event/ccc", ""},
		{"cosim/engine/score", "rtlmodel/ccc", "cosim/engine/score may import only vectors/event"},
		{"cosim/cover", "cosim/engine/run", "cosim/cover may import only vectors/event"},
		{"cosim/cover/ccc", "vectors/event/ccc", ""},
		{"cosim/cover/ccc", "cosim/cover/rtt", ""},
		{"cosim/cover/ccc", "rtlmodel/ccc", "cosim/cover may import only vectors/event"},
		{"cosim/cover/schema", "vectors/event/expr", ""},
		{"cosim/report", "cosim/block", "cosim/report may import only"},
		{"cosim/engine/run", "golden/exact", ""},
		{"cosim/engine/run", "cosim/cover", ""},
		{"cosim/engine/run", "cosim/report", ""},
		{"cosim/engine/run", "cosim/cmd/goldwire", "cosim/engine/run may import only"},
		{"cosim/report", "cosim/engine/run", "cosim/report may import only"},
		{"cosim/cmd/goldwire", "cosim/report", ""},
		{"cosim/cmd/goldwire", "ci/plan", ""},
		{"cosim/cmd/goldwire", "ci/layout", "cosim/cmd may import only"},
		{"cosim/engine/run", "ci/plan", "only the commands import ci"},
		{"ci/plan", "cosim/engine/run", "ci/plan may import only vectors/event/contract"},
		{"ci/campaign", "ci/plan", ""},
		{"ci/campaign", "rtlmodel/ccc", "ci/campaign may import only"},
		{"ci/distrust", "cosim/engine/run", ""},
		{"newfolder/x", "vectors/event", "no rule covers this folder"},
		{"rtlmodels", "vectors/event", "no rule covers this folder"},
	} {
		got := Imports([]Import{{c.from, c.to, c.from + "/x.go"}})
		if c.want == "" {
			require.Empty(t, got)
			continue
		}
		require.Len(t, got, 1, "%s -> %s", c.from, c.to)
		require.Contains(t, got[0], c.from+"/x.go: "+c.from+" imports "+c.to+": "+c.want)
	}
}

// Tests of what plays stimulus may import a model, and nothing else that the code may not.
func TestImportsOfTests(t *testing.T) {
	for _, dir := range []string{"vectors/stim/txstate", "vectors/drive", "vectors/record", "vectors/tool/verify"} {
		require.Empty(t, Imports([]Import{{dir, "rtlmodel/txstate", dir + "/x_test.go"}}))
		require.Len(t, Imports([]Import{{dir, "golden/exact", dir + "/x_test.go"}}), 1)
	}
	require.Len(t, Imports([]Import{{"vectors/format", "rtlmodel/ccc", "vectors/format/x_test.go"}}), 1)
	require.Len(t, Imports([]Import{{"vectors/stim/fabric", "rtlmodel/ccc", "vectors/stim/fabric/x_test.go"}}), 1)
}

func TestCoverCoreChecker(t *testing.T) {
	x := func(from, to string) []Import { return []Import{{from, to, from + "/x.go"}} }
	require.Empty(t, CoverCore(x("cosim/cover", "vectors/event")))
	require.Empty(t, CoverCore(x("cosim/cover/ccc", "vectors/event/ccc")))
	require.Empty(t, CoverCore(x("cosim/cover/ccc", "cosim/cover/rtt")))
	require.Empty(t, CoverCore(x("cosim/block", "cosim/cover/ccc")))
	for _, im := range [][2]string{
		{"cosim/cover", "vectors/event/ccc"}, {"cosim/cover", "cosim/cover/ccc"}, {"cosim/cover", "cosim/cover/rtt"},
	} {
		got := CoverCore(x(im[0], im[1]))
		require.Len(t, got, 1)
		require.Contains(t, got[0], "cosim/cover/x.go: cosim/cover imports "+im[1]+": the core of coverage knows no block")
	}
}

func TestOtherCheckers(t *testing.T) {
	require.Empty(t, TopLevel([]string{".git", ".ci", "build", "README.md", "hdl"}))
	require.Len(t, TopLevel([]string{"docs", "main.go", "ci"}), 2)
	long := strings.Repeat("x\n", MaxLines+1)
	require.Contains(t, Length("a/b.sv", long), "a/b.sv: 501 lines")
	require.Empty(t, Length("a/b.sv", long[2:]))
	require.Empty(t, Length("a/b.md", long))
	require.Empty(t, Length("a/testdata/b.go", long))
	require.Empty(t, Length("a/b_gen.go", "// Code generated by x. DO NOT EDIT.\n"+long))
	blocks := []string{"ccc"}
	require.Contains(t, BlockName("hdl/shell/a.cpp", "x\n#include \"ccc_ports.h\"\n", blocks),
		"hdl/shell/a.cpp:2: names the block ccc")
	require.NotEmpty(t, BlockName("a", "Vccc_top* m;", blocks))
	require.Empty(t, BlockName("a", "accc occc_x success", blocks))
}
